//! Pages for people: what is kept and how well, site by site, page by page, capture by capture.
//!
//! Every page is made on the server and reads well without script. One file is one page; [`answer`] knows their addresses.

mod capture;
mod captures;
mod overview;
mod page;
mod search;
mod site;
mod statuses;

pub(super) use statuses::Statuses;

use super::{Past, ask::Ask, reply::Reply};
use std::borrow::Cow;
use tintype_archive::{CaptureInfo, CaptureKind};
use tintype_quality::BelievedRange;
use tintype_session::Error;
use tintype_vocab::Time;

/// A number with its name and what there is to say about it.
struct Figure {
    name: &'static str,
    value: String,
    note: String,
}

impl Figure {
    fn new(name: &'static str, value: impl Into<String>, note: impl Into<String>) -> Figure {
        Figure { name, value: value.into(), note: note.into() }
    }
}

/// The page at an address; nothing if no page has it.
pub(super) fn answer(past: &Past, ask: &Ask) -> Option<Reply> {
    let made = match ask.path.as_str() {
        "/" if ask.query.is_none() => overview::page(past),
        "/" | "/search" => search::page(past, ask),
        "/captures" => captures::page(past, ask),
        "/page" => page::page(past, ask),
        path => {
            let (kind, name) = path.strip_prefix('/')?.split_once('/')?;
            let name = decoded(name);
            match kind {
                "site" => site::page(past, &name),
                "capture" => capture::page(past, &name),
                _ => return None,
            }
        }
    };
    Some(made.unwrap_or_else(|error| Reply::error(500, &error.to_string())))
}

/// A part of a path as it was before it was written into an address.
fn decoded(text: &str) -> Cow<'_, str> {
    let pair = format!("v={}", text.replace('+', "%2B").replace('&', "%26"));
    let value = url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, value)| value.into_owned());
    value.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// A page, or what went wrong with making it.
fn rendered(status: u16, template: &impl askama::Template) -> Result<Reply, Error> {
    Ok(match template.render() {
        Ok(html) => Reply::page(status, html),
        Err(error) => Reply::error(500, &format!("this page could not be made: {error}")),
    })
}

fn not_held(what: &str, name: &str) -> Reply {
    Reply::error(404, &format!("no {what} here is called {name}; /captures lists what is held"))
}

/// `0.83 (0.71 to 0.92)`, in two parts.
fn range(range: &BelievedRange, digits: usize) -> (String, String) {
    (format!("{:.digits$}", range.mean), format!("{:.digits$} to {:.digits$}", range.low, range.high))
}

fn minutes(time: Time) -> String {
    let text = time.to_rfc3339_secs();
    format!("{} {}", &text[..10], &text[11..16])
}

fn seconds(time: Time) -> String {
    let text = time.to_rfc3339_secs();
    format!("{} {}", &text[..10], &text[11..19])
}

/// `1 page`, `2 pages`.
fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn kind_word(kind: CaptureKind) -> &'static str {
    match kind {
        CaptureKind::Capture => "Capture",
        CaptureKind::Keep => "Keeping",
        CaptureKind::Listing => "Listing",
        CaptureKind::Probe => "Probe",
        CaptureKind::Import => "Import",
    }
}

/// How a capture ended, in words.
fn ending(info: &CaptureInfo) -> String {
    let Some(end) = &info.end else { return "not ended".to_owned() };
    match end.get("ending").and_then(|ending| ending.as_str()) {
        Some("complete") => "complete".to_owned(),
        Some("budget-spent") => "when its budget was spent".to_owned(),
        Some("unreachable") => "because the site stopped answering".to_owned(),
        Some("cut-short") => "cut short".to_owned(),
        Some(other) => other.replace('-', " "),
        None => "ended".to_owned(),
    }
}

/// A capture in a list.
struct CaptureRow {
    id: String,
    site: String,
    kind: &'static str,
    started: String,
    ending: String,
}

impl CaptureRow {
    fn new(info: &CaptureInfo) -> CaptureRow {
        CaptureRow {
            id: info.id.as_str().to_owned(),
            site: info.head.site.clone(),
            kind: kind_word(info.head.kind),
            started: minutes(info.head.started),
            ending: ending(info),
        }
    }
}
