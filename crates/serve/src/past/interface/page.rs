//! A page: its versions, what is believed of it, every visit.

use super::{
    Figure, Frame, Past, Reply, capture,
    catalogue::{self, Catalogue},
    counted, encoded, frame_address, frame_places, kind_word, minutes, seconds,
};
use crate::past::{
    ask::{Ask, archived_url},
    cdx::parameter,
    links,
    prepared::NotReady,
};
use askama::Template;
use serde_json::json;
use std::{collections::BTreeMap, sync::Arc};
use tintype_archive::{
    CaptureKind,
    holdings::{PageVersion, versions_of},
};
use tintype_session::{PageStatus, PageVisit, explained_json};
use tintype_vocab::{Span, Time};

const VERSIONS_SHOWN: usize = 200;
const VISITS_SHOWN: usize = 200;
/// Versions that are drawn as bars and that one can slide through.
const BARS: usize = 120;
const MONTHS_SHOWN: usize = 12;
/// Captures of which is told what they prove of it.
const PROOFS_SHOWN: usize = 5;

#[derive(Template)]
#[template(path = "page.html")]
struct PageOfSite {
    frame: Frame,
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
    months: Vec<Month>,
    bars: Vec<ImportanceBar>,
    slider: String,
    slides: usize,
    shown: Option<ShownVersion>,
    proofs: Vec<ProofRow>,
}

/// The version that stands on the page, as browsers show it.
struct ShownVersion {
    frame: String,
    memento: String,
    name: String,
}

/// What a capture proves of the page.
struct ProofRow {
    capture: String,
    began: String,
    verdict: String,
    class: &'static str,
}

/// A month of days, those on which the page was visited with the way to what was seen.
struct Month {
    name: String,
    /// Cells before the first, so that weeks begin on Monday.
    before: usize,
    days: Vec<Day>,
}

struct Day {
    number: usize,
    link: Option<String>,
    is_new: bool,
    title: String,
}

struct ImportanceBar {
    address: String,
    title: String,
    height: u32,
}

struct VersionRow {
    first: String,
    last: String,
    visits: usize,
    status: String,
    memento: String,
    importance: Option<String>,
    percent: u32,
    diff: Option<String>,
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

pub(super) fn page(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    let parameters = ask.parameters();
    let Some(url) = parameter(&parameters, &["url"]).map(archived_url) else {
        return Ok(Reply::redirect("/search"));
    };
    let versions = versions_of(past.holdings.mementos(&url)?);
    let known = status(past, &url, &versions)?;
    if versions.is_empty() && known.is_none() {
        return Ok(Reply::error(404, &format!("nothing is held of {url}; /search finds what is held")));
    }
    let status = known.as_ref().and_then(|(_, status)| status.as_ref().as_ref());
    let rows: Vec<VersionRow> =
        (0..versions.len()).rev().take(VERSIONS_SHOWN).map(|nth| row(&url, &versions, nth, status)).collect();
    let slides = versions.iter().rev().take(BARS).rev();
    let slides: Vec<_> =
        slides.map(|version| json!({ "name": seconds(version.first), "to": memento(version), "frame": frame_address(ask, version.visit_near(version.first)) })).collect();
    let page = PageOfSite {
        frame: Frame::new(past, ask),
        site: known.as_ref().map(|(site, _)| site.clone()),
        latest: format!("/web/{}/{url}", versions.last().map_or(Time::MAX, |version| version.last).to_timestamp14()),
        timemap: links::timemap(ask, &url),
        figures: figures(&versions, status),
        next: status.map(next),
        more: versions.len().saturating_sub(VERSIONS_SHOWN),
        bars: rows.iter().take(BARS).rev().map(bar).collect(),
        versions: rows,
        beliefs: status.map_or(Vec::new(), beliefs),
        visits: status.map_or(Vec::new(), |status| status.visits.iter().rev().take(VISITS_SHOWN).map(visit).collect()),
        months: months(&url, &versions),
        shown: versions.last().filter(|version| is_drawn(version)).map(|version| ShownVersion {
            frame: frame_address(ask, version.visit_near(version.first)),
            memento: memento(version),
            name: seconds(version.first),
        }),
        proofs: known.as_ref().map_or(Vec::new(), |(_, status)| proofs(past, &url, status.as_ref().as_ref())),
        slides: slides.len(),
        slider: serde_json::Value::from(slides).to_string(),
        url,
    };
    Ok(Reply::page_with_frames(200, page.render()?, &frame_places(ask)))
}

/// Browsers draw pages and pictures in a frame; what else there is they would offer to save.
fn is_drawn(version: &PageVersion) -> bool {
    let media_type = version.visit_near(version.first).line.mime.clone().unwrap_or_default();
    media_type.starts_with("image/")
        || matches!(media_type.as_str(), "text/html" | "application/xhtml+xml" | "text/plain")
}

/// What the latest captures prove of it. A certificate that is still being made is there the next time somebody asks.
fn proofs(past: &Arc<Past>, url: &str, status: Option<&PageStatus>) -> Vec<ProofRow> {
    let Ok(catalogue) = Catalogue::get(past) else { return Vec::new() };
    let mut ids: Vec<&String> = Vec::new();
    for visit in status.into_iter().flat_map(|status| status.visits.iter().rev()) {
        if visit.kind == CaptureKind::Capture && !ids.contains(&&visit.capture) {
            ids.push(&visit.capture);
        }
        if ids.len() == PROOFS_SHOWN {
            break;
        }
    }
    let (mut proofs, mut has_waited) = (Vec::new(), false);
    for id in ids {
        let found = catalogue.captures.iter().find(|(_, info)| info.id.as_str() == id);
        let Some((collection, info)) = found.cloned() else { continue };
        // What is there already, and one wait a request: the others are told of with the next one.
        let held = past.interface.certificates.known(&(collection, id.clone()));
        let known = match held {
            Some(held) => held,
            None if has_waited => break,
            None => {
                has_waited = true;
                let Ok(made) = capture::certificate(past, collection, info) else { break };
                made
            }
        };
        let (info, certificate) = known.as_ref();
        let page = certificate.pages.binary_search_by(|page| page.url.as_str().cmp(url)).ok();
        proofs.extend(page.map(|nth| {
            let row = capture::row(&certificate.pages[nth]);
            ProofRow { capture: id.clone(), began: seconds(info.head.started), verdict: row.verdict, class: row.class }
        }));
    }
    proofs
}

/// The same for programs: what is believed of a page, every visit to it, and when its turn comes.
pub(in crate::past) fn explain(past: &Arc<Past>, ask: &Ask) -> Reply {
    let parameters = ask.parameters();
    let Some(url) = parameter(&parameters, &["url"]).map(archived_url) else {
        return Reply::json(400, &json!({ "error": "name a page: /api/explain?url=https://example.com/" }));
    };
    let known = past.holdings.mementos(&url).map_err(NotReady::from).and_then(|found| {
        let versions = versions_of(found);
        status(past, &url, &versions)
    });
    match known {
        Ok(Some((site, page))) if page.is_some() => {
            Reply::json(200, &(*page).as_ref().map_or(json!(null), |page| explained_json(&site, page)))
        }
        Ok(_) => Reply::json(404, &json!({ "error": format!("nothing is known of {url}") })),
        Err(NotReady::Yet) => {
            Reply::json(503, &json!({ "error": "it is being made; ask again" })).with("Retry-After", "1")
        }
        Err(NotReady::Failed(error)) => Reply::json(500, &json!({ "error": error })),
    }
}

/// A site and what it knows of a page.
type StatusOfSite = (String, Arc<Option<PageStatus>>);

/// What is known of the page, and the site that knows it: that of its own host, or the one that captured it. Who captured it
/// takes a look at all captures, and is asked only if need be.
fn status(past: &Arc<Past>, url: &str, versions: &[PageVersion]) -> Result<Option<StatusOfSite>, NotReady> {
    let catalogue = Catalogue::get(past)?;
    let host = url::Url::parse(url).ok();
    let host = host.as_ref().and_then(url::Url::host_str).unwrap_or_default();
    let is_its = |site: &str| host == site.split(':').next().unwrap_or_default();
    let known = |site: &str| {
        let Some(collection) = catalogue.collection_of(site) else { return Ok(None) };
        let status = catalogue::page_status(past, collection, site, url)?;
        Ok::<_, NotReady>(status.is_some().then(|| (site.to_owned(), status)))
    };
    for (_, site, _) in catalogue.sites.iter().filter(|(_, site, _)| is_its(site)) {
        if let Some(found) = known(site)? {
            return Ok(Some(found));
        }
    }
    let latest = versions.last().and_then(|version| version.mementos.last());
    let capture = latest.map(|memento| past.holdings.capture_of(memento)).transpose()?.flatten();
    capture.map_or(Ok(None), |capture| known(&capture.head.site))
}

fn memento(version: &PageVersion) -> String {
    let shown = version.visit_near(version.first);
    format!("/web/{}/{}", shown.time.to_timestamp14(), shown.url())
}

/// The latest months in which it was visited.
fn months(url: &str, versions: &[PageVersion]) -> Vec<Month> {
    let mut days: BTreeMap<String, (usize, bool)> = BTreeMap::new();
    for (nth, memento) in versions.iter().flat_map(|version| version.mementos.iter().enumerate()) {
        let day = days.entry(memento.time.to_rfc3339_secs()[..10].to_owned()).or_default();
        *day = (day.0 + 1, day.1 || nth == 0);
    }
    let mut names: Vec<String> = days.keys().map(|day| day[..7].to_owned()).collect();
    names.dedup();
    let shown = names.into_iter().rev().take(MONTHS_SHOWN).map(|name| month(url, name, &days));
    shown.collect()
}

fn month(url: &str, name: String, days: &BTreeMap<String, (usize, bool)>) -> Month {
    let first = tintype_vocab::PartialTime::parse(&name).map(|time| time.earliest).unwrap_or(Time::from_secs(0));
    // The first of January 1970 was a Thursday.
    let before = (first.as_secs().div_euclid(86_400) + 3).rem_euclid(7) as usize;
    let is_in = |time: &Time| time.to_rfc3339_secs().starts_with(&name);
    let all = (0..31).map(|nth| first + Span::from_days(nth)).take_while(is_in);
    let day = |(nth, time): (usize, Time)| {
        let (date, number) = (time.to_rfc3339_secs()[..10].to_owned(), nth + 1);
        let (visits, is_new) = days.get(&date).copied().unwrap_or_default();
        let link = (visits > 0).then(|| format!("/web/{}/{url}", date.replace('-', "")));
        let new = if is_new { ", something new" } else { "" };
        Day { number, link, is_new, title: format!("{number}: {}{new}, {date}", counted(visits as u64, "visit")) }
    };
    Month { days: all.enumerate().map(day).collect(), before, name }
}

fn bar(row: &VersionRow) -> ImportanceBar {
    let importance = row.importance.as_deref().unwrap_or("unknown");
    ImportanceBar {
        address: row.diff.clone().unwrap_or_else(|| row.memento.clone()),
        title: format!("{}: importance {importance}", row.first),
        height: row.percent.max(4),
    }
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
        (true, false, Some(worth), Some(price)) if worth < price => format!(
            "Its turn comes {due}: a visit now is worth {} of what the next request of the site is for.",
            share(worth / price)
        ),
        (true, false, Some(_), Some(_)) => format!("Its turn comes {due}."),
        (true, false, ..) => "It is watched; other pages come first now.".to_owned(),
        (false, ..) if status.due.is_some() => format!("It went or could not be had, and is asked for again {due}."),
        (false, ..) => "It is not watched.".to_owned(),
    }
}

/// A part, as people say it.
fn share(part: f64) -> String {
    match part {
        part if part < 0.01 => "less than a hundredth".to_owned(),
        part => format!("{:.0} %", 100.0 * part),
    }
}

fn row(url: &str, versions: &[PageVersion], nth: usize, status: Option<&PageStatus>) -> VersionRow {
    let version = &versions[nth];
    let importance = status.and_then(|status| importance_at(status, version.first));
    let before = nth.checked_sub(1).map(|before| versions[before].first.to_timestamp14());
    let diff = |before| format!("/diff?url={}&from={before}&to={}", encoded(url), version.first.to_timestamp14());
    VersionRow {
        first: seconds(version.first),
        last: seconds(version.last),
        visits: version.mementos.len(),
        status: version.visit_near(version.first).status().map_or(String::new(), |status| status.to_string()),
        memento: memento(version),
        importance: importance.map(|importance| format!("{importance:.2}")),
        percent: (100.0 * importance.unwrap_or(0.0)).round() as u32,
        diff: before.map(diff),
    }
}

/// How important the change was that a visit found; index lines know seconds only.
fn importance_at(status: &PageStatus, first: Time) -> Option<f32> {
    status.visits.iter().find(|visit| visit.at.as_secs() == first.as_secs()).and_then(|visit| visit.importance)
}

fn beliefs(status: &PageStatus) -> Vec<Belief> {
    let all = status.beliefs.iter().flat_map(|beliefs| {
        beliefs.says.iter().map(|(what, value)| Belief { learner: beliefs.learner, what, value: figure(*value) })
    });
    all.collect()
}

/// Three digits that say something.
fn figure(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 0.001 => "below 0.001".to_owned(),
        size if size < 1.0 => format!("{value:.3}"),
        size if size < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

fn visit(visit: &PageVisit) -> VisitRow {
    let importance = visit.importance.map_or(String::new(), |importance| format!(", importance {importance:.2}"));
    VisitRow {
        at: seconds(visit.at),
        found: format!("{}{importance}", visit.found),
        kind: kind_word(visit.kind),
        capture: visit.capture.clone(),
    }
}
