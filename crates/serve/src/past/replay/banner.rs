//! What stands below a replayed page: its date, what is proved of it, and the ways to other times.

use super::{Shown, missing};
use crate::past::{Past, reply::Reply};
use askama::Template;
use tintype_archive::{
    Error,
    holdings::{proof, versions_of},
};
use tintype_quality::capture::CompositeVerdict;
use tintype_session::{ComposedPage, composed};
use tintype_vocab::{PartialTime, Time};

#[derive(Template)]
#[template(path = "banner.html")]
struct Banner {
    date: String,
    url: String,
    calendar: String,
    before: Option<String>,
    after: Option<String>,
    seen: String,
    parts: String,
}

/// Date, what is proved, and the ways to other times. Works without script.
pub(super) fn banner(past: &Past, shown: &Shown<'_>) -> Result<Reply, Error> {
    let parameters = shown.ask.parameters();
    let get = |name: &str| {
        parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let (url, time) = (get("url"), PartialTime::parse(&get("at")).map_or(shown.at, PartialTime::as_asked));
    let versions = versions_of(past.holdings.mementos(&url)?);
    let interface = shown.ask.interface();
    let Some(number) = versions.iter().position(|version| version.first <= time && time <= version.last) else {
        return Ok(missing(&url));
    };
    let version = &versions[number];
    let to = |version: &tintype_archive::holdings::PageVersion| {
        format!("{interface}/web/{}/{url}", version.first.to_timestamp14())
    };
    let visit = version.visit_near(time);
    let parts = match past.holdings.open(visit)? {
        Some(opened) => parts_text(&composed(&past.holdings, &opened, visit.time)?, visit.time),
        None => String::new(),
    };
    let asked = shown.at;
    let proved = if proof(&versions, number, asked).is_proved() { "proved" } else { "not proved" };
    let page = Banner {
        date: time.to_rfc3339_secs().replace('T', " ").replace('Z', " UTC"),
        seen: format!(
            "seen from {} to {} by {} visits; {proved} for {asked}",
            version.first,
            version.last,
            version.mementos.len()
        ),
        parts,
        calendar: format!("{interface}/web/*/{url}"),
        before: number.checked_sub(1).map(|number| to(&versions[number])),
        after: versions.get(number + 1).map(to),
        url,
    };
    Ok(Reply::text(200, "text/html; charset=utf-8", page.render().unwrap_or_default()))
}

/// How sure it is that what the page shows stood together, and which times it is of.
fn parts_text(composed: &ComposedPage, root: Time) -> String {
    let held = composed.verdicts();
    let count = |verdict| held.count(verdict);
    let proved = count(CompositeVerdict::CoherentByOne) + count(CompositeVerdict::CoherentByBracket);
    let told = [
        (proved, "proved"),
        (count(CompositeVerdict::Possible), "possible"),
        (count(CompositeVerdict::Unknown), "unknown"),
        (count(CompositeVerdict::Violation), "later than the page"),
        (composed.missing.len() as u64, "not held"),
    ];
    let told: Vec<String> =
        told.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}")).collect();
    let (first, last) = composed.span(root);
    match told.is_empty() {
        true => String::new(),
        false => format!("parts: {}; from {first} to {last}", told.join(", ")),
    }
}
