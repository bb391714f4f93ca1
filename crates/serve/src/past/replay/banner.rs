//! What stands below a replayed page: its date, what is proved of it, and the ways to other times.

use super::{Shown, missing};
use crate::past::{Past, reply::Reply};
use askama::Template;
use tintype_archive::{
    Error,
    holdings::{PageVersion, proof, versions_of},
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
    /// What differs from the version before.
    diff: Option<String>,
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
    let to = |version: &PageVersion| format!("{interface}/web/{}/{url}", version.first.to_timestamp14());
    let before = number.checked_sub(1).map(|number| &versions[number]);
    let diff = |before: &PageVersion| {
        let address: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
        let [from, to] = [before, version].map(|version| version.first.to_timestamp14());
        format!("{interface}/diff?url={address}&from={from}&to={to}")
    };
    let visit = version.visit_near(time);
    // Differences are told of what a collection holds, not of files by themselves.
    let is_collected = past.holdings.capture_of(visit)?.is_some();
    let parts = match past.holdings.open(visit)? {
        Some(opened) => parts_text(&composed(&past.holdings, &opened, visit.time, past.within)?, visit.time),
        None => String::new(),
    };
    let asked = shown.at;
    let proved = if proof(&versions, number, asked).is_proved() { "proved" } else { "not proved" };
    let page = Banner {
        date: format!("{} UTC", short(time)),
        // What is too long for a narrow window is cut off at its end.
        seen: format!("{proved} for {}; {}", short(asked), seen(version)),
        parts,
        calendar: format!("{interface}/web/*/{url}"),
        before: before.map(to),
        diff: before.filter(|_| is_collected).map(diff),
        after: versions.get(number + 1).map(to),
        url,
    };
    Ok(Reply::text(200, "text/html; charset=utf-8", page.render().unwrap_or_default()))
}

/// A time as people read it; all of them are UTC.
fn short(time: Time) -> String {
    time.to_rfc3339_secs().replace('T', " ").replace('Z', "")
}

fn seen(version: &PageVersion) -> String {
    match version.mementos.len() {
        1 => "seen once".to_owned(),
        visits => format!("seen from {} to {}, {visits} times", short(version.first), short(version.last)),
    }
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
        (composed.too_far.len() as u64, "too far in time, not shown"),
        (composed.missing.len() as u64, "not held"),
    ];
    let told: Vec<String> =
        told.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}")).collect();
    let (first, last) = composed.span(root);
    match told.is_empty() {
        true => String::new(),
        false if first == last => format!("parts: {}", told.join(", ")),
        false => format!("parts: {}; from {} to {}", told.join(", "), short(first), short(last)),
    }
}
