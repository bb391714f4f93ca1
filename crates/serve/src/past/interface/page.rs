//! A page: its versions, what is believed of it, every visit.

use super::{Figure, Past, Reply, counted, kind_word, minutes, rendered, seconds};
use crate::past::{
    ask::{Ask, archived_url},
    cdx::parameter,
    links,
};
use askama::Template;
use tintype_archive::holdings::{PageVersion, versions_of};
use tintype_session::{Error, PageStatus, PageVisit};
use tintype_vocab::Time;

const VERSIONS_SHOWN: usize = 200;
const VISITS_SHOWN: usize = 200;

#[derive(Template)]
#[template(path = "page.html")]
struct PageOfSite {
    url: String,
    site: Option<String>,
    latest: String,
    timemap: String,
    figures: Vec<Figure>,
    next: Option<String>,
    /// Latest first.
    versions: Vec<VersionRow>,
    more: usize,
    beliefs: Vec<Belief>,
    visits: Vec<VisitRow>,
}

struct VersionRow {
    first: String,
    last: String,
    visits: usize,
    status: String,
    memento: String,
    importance: Option<String>,
    width: String,
}

struct Belief {
    learner: &'static str,
    what: &'static str,
    value: String,
}

struct VisitRow {
    at: String,
    found: String,
    kind: &'static str,
    capture: String,
}

pub(super) fn page(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    let parameters = ask.parameters();
    let Some(url) = parameter(&parameters, &["url"]).map(archived_url) else {
        return Ok(Reply::redirect("/search"));
    };
    let versions = versions_of(past.holdings.mementos(&url)?);
    let known = status(past, &url)?;
    if versions.is_empty() && known.is_none() {
        return Ok(Reply::error(404, &format!("nothing is held of {url}; /search finds what is held")));
    }
    let status = known.as_ref().map(|(_, status)| status);
    let page = PageOfSite {
        site: known.as_ref().map(|(site, _)| site.clone()),
        latest: format!("/web/{}/{url}", versions.last().map_or(Time::MAX, |version| version.last).to_timestamp14()),
        timemap: links::timemap(ask, &url),
        figures: figures(&versions, status),
        next: status.map(next),
        more: versions.len().saturating_sub(VERSIONS_SHOWN),
        versions: versions.iter().rev().take(VERSIONS_SHOWN).map(|version| row(version, status)).collect(),
        beliefs: status.map_or(Vec::new(), beliefs),
        visits: status.map_or(Vec::new(), |status| status.visits.iter().rev().take(VISITS_SHOWN).map(visit).collect()),
        url,
    };
    rendered(200, &page)
}

/// What is known of the page, and the site that knows it: that of its own host before others.
fn status(past: &Past, url: &str) -> Result<Option<(String, PageStatus)>, Error> {
    let host = url::Url::parse(url).ok();
    let host = host.as_ref().and_then(url::Url::host_str).unwrap_or_default();
    let now = (past.clock)();
    for (_, reading) in past.holdings.collections() {
        let mut sites: Vec<String> = reading.captures()?.into_iter().map(|info| info.head.site).collect();
        sites.sort_by_key(|site| (!host.ends_with(site.split(':').next().unwrap_or_default()), site.clone()));
        sites.dedup();
        for site in sites {
            if let Some(status) = PageStatus::of(reading, &site, url, now)? {
                return Ok(Some((site, status)));
            }
        }
    }
    Ok(None)
}

fn figures(versions: &[PageVersion], status: Option<&PageStatus>) -> Vec<Figure> {
    let visits: usize = versions.iter().map(|version| version.mementos.len()).sum();
    let mut figures =
        vec![Figure::new("Versions", versions.len().to_string(), counted(visits as u64, "archived visit"))];
    if let (Some(first), Some(last)) = (versions.first(), versions.last()) {
        figures.push(Figure::new("First seen", minutes(first.first), ""));
        figures.push(Figure::new("Last seen", minutes(last.last), ""));
    }
    if let Some(media_type) = status.and_then(|status| status.media_type.as_ref()) {
        figures.push(Figure::new("Type", media_type.clone(), "as it was served last"));
    }
    figures
}

/// When its turn comes, and why not before.
fn next(status: &PageStatus) -> String {
    let due = status.due.map_or("not within two months".to_owned(), |due| format!("about {}", minutes(due)));
    match (status.is_watched, status.is_next, status.worth, status.price) {
        (_, true, ..) => "It is what would be asked for next.".to_owned(),
        (true, false, Some(worth), Some(price)) => format!(
            "A visit now is expected to bring {worth:.3} changes, the next request of the site {price:.3}; its turn comes {due}."
        ),
        (true, false, ..) => "It is watched; other pages come first now.".to_owned(),
        (false, ..) if status.due.is_some() => format!("It went or could not be had, and is asked for again {due}."),
        (false, ..) => "It is not watched.".to_owned(),
    }
}

fn row(version: &PageVersion, status: Option<&PageStatus>) -> VersionRow {
    let shown = version.visit_near(version.first);
    let importance = status.and_then(|status| importance_at(status, version.first));
    VersionRow {
        first: seconds(version.first),
        last: seconds(version.last),
        visits: version.mementos.len(),
        status: shown.status().map_or(String::new(), |status| status.to_string()),
        memento: format!("/web/{}/{}", shown.time.to_timestamp14(), shown.url()),
        importance: importance.map(|importance| format!("{importance:.2}")),
        width: format!("{:.2}", 8.0 * importance.unwrap_or(0.0)),
    }
}

/// How important the change was that a visit found; index lines know seconds only.
fn importance_at(status: &PageStatus, first: Time) -> Option<f32> {
    status.visits.iter().find(|visit| visit.at.as_secs() == first.as_secs()).and_then(|visit| visit.importance)
}

fn beliefs(status: &PageStatus) -> Vec<Belief> {
    let all = status.beliefs.iter().flat_map(|beliefs| {
        beliefs.says.iter().map(|(what, value)| Belief { learner: beliefs.learner, what, value: format!("{value:.4}") })
    });
    all.collect()
}

fn visit(visit: &PageVisit) -> VisitRow {
    let importance = visit.importance.map_or(String::new(), |importance| format!(", importance {importance:.2}"));
    VisitRow {
        at: visit.at.to_rfc3339_secs(),
        found: format!("{}{importance}", visit.found),
        kind: kind_word(visit.kind),
        capture: visit.capture.clone(),
    }
}
