//! Pages for people: what is kept and how well, what changed, site by site, page by page, capture by capture.
//!
//! Every page is made on the server and reads well without script. One file is one page; [`answer`] knows their addresses, and
//! [`take`] those of their forms. What takes long is made beside the requests ([`Known`]).

mod assets;
mod capture;
mod capture_print;
mod captures;
mod catalogue;
mod changes;
mod changes_item;
mod diff;
mod frame;
mod lab_page;
mod listing;
mod live_page;
mod notify;
mod overview;
mod page;
mod parts;
mod person;
mod phrase_rows;
mod reckoning;
pub(super) mod search;
mod settings;
mod sign_in;
mod site;
mod site_charts;
mod subscribe;
mod texts;
mod version;

pub(super) use frame::Frame;
pub(super) use page::explain;

use super::{
    Past,
    ask::Ask,
    control::field,
    prepared::{NotReady, Prepared},
    replay,
    reply::{Reply, ReplyBody},
};
use askama::Template;
use catalogue::Catalogue;
use std::{borrow::Cow, sync::Arc};
use tintype_archive::{CaptureInfo, CaptureKind, holdings::Memento};
use tintype_quality::{BelievedRange, certificate::Certificate};
use tintype_session::{PageStatus, SiteOverview, SiteStatus};
use tintype_vocab::Time;

/// How far back the quality of a site is told.
const STATUS_WINDOW: tintype_vocab::Span = tintype_vocab::Span::from_days(7);

/// What was made beside the requests.
#[derive(Debug, Default)]
pub(super) struct Known {
    catalogue: Prepared<(), Catalogue>,
    statuses: Prepared<(usize, String), SiteStatus>,
    overviews: Prepared<(usize, String), SiteOverview>,
    pages: Prepared<(usize, String, String), Option<PageStatus>>,
    timelines: Prepared<(usize, String), Vec<site_charts::Bar>>,
    certificates: Prepared<(usize, String), (CaptureInfo, Certificate)>,
    listings: Prepared<(usize, String), listing::Known>,
    texts: texts::Texts,
}

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
pub(super) fn answer(past: &Arc<Past>, ask: &Ask) -> Option<Reply> {
    let made = match ask.path.as_str() {
        "/" if ask.query.as_ref().is_none_or(|query| query.starts_with("reader=")) => overview::page(past, ask),
        "/" | "/search" => search::page(past, ask),
        "/captures" => captures::page(past, ask),
        "/changes" => changes::page(past, ask),
        "/diff" => diff::page(past, ask),
        "/lab" => lab_page::page(past, ask),
        "/lab/events" => Ok(lab_page::events(past)),
        "/listings" => listing::all(past, ask),
        "/live" => live_page::page(past, ask),
        "/live/events" => Ok(live_page::events(past)),
        "/page" => page::page(past, ask),
        "/parts" => parts::page(past, ask),
        "/version" => version::page(past, ask),
        "/subscribe" => notify::page(past, ask),
        "/sign-in" => sign_in::page(past, ask),
        "/feed.atom" | "/feed.rss" | "/feed.json" => subscribe::document(past, ask),
        path => {
            let (kind, name) = path.strip_prefix('/')?.split_once('/')?;
            let name = decoded(name);
            match kind {
                "assets" => return assets::asset(&name),
                "lab" => return lab_page::file(past, &name),
                "site" => site::page(past, ask, &name),
                "capture" => capture::page(past, ask, &name),
                "listing" => listing::page(past, ask, &name),
                _ => return None,
            }
        }
    };
    Some(told(past, ask, made.unwrap_or_else(|problem| excuse(past, ask, problem))))
}

/// What went wrong, as a page with the ways on: a person asked, and no program.
pub(super) fn told(past: &Past, ask: &Ask, reply: Reply) -> Reply {
    #[derive(Template)]
    #[template(path = "problem.html")]
    struct Problem {
        frame: Frame,
        title: &'static str,
        problem: String,
        is_form: bool,
    }
    let is_text = reply.headers.iter().any(|(name, value)| name == "Content-Type" && value.starts_with("text/plain"));
    let ReplyBody::Whole(text) = &reply.body else { return reply };
    let is_for_programs = [".json", ".csv", ".wacz", ".atom", ".rss"].iter().any(|end| ask.path.ends_with(end));
    if reply.status < 400 || !is_text || is_for_programs {
        return reply;
    }
    let problem = Problem {
        frame: Frame::new(past, ask),
        title: match reply.status {
            403 => "This is not allowed",
            404 => "This is not here",
            503 => "Not yet",
            500.. => "This went wrong",
            _ => "This cannot be done",
        },
        problem: String::from_utf8_lossy(text).trim_end().to_owned(),
        is_form: ask.is_post,
    };
    let Ok(html) = problem.render() else { return reply };
    let mut page = Reply::page(reply.status, html);
    // What else was said of it stays: when to ask again, how coherent it is.
    let is_new = |(known, _): &(String, String)| !page.headers.iter().any(|(name, _)| name == known);
    let said: Vec<_> = reply.headers.into_iter().filter(is_new).collect();
    page.headers.extend(said);
    page
}

/// Answers a form.
pub(super) fn take(past: &Arc<Past>, ask: &Ask) -> Reply {
    told(past, ask, taken(past, ask))
}

fn taken(past: &Arc<Past>, ask: &Ask) -> Reply {
    match ask.path.as_str() {
        "/do/sign-in" => return past.control.sign_in(ask),
        _ if !past.control.allows(ask) => {
            return Reply::error(
                403,
                "this needs a sign-in, and a form of this server: go back, sign in, and try again",
            );
        }
        _ => {}
    }
    match ask.path.as_str() {
        "/do/sign-out" => past.control.sign_out(ask),
        "/do/lab-begin" => lab_page::begin(past, ask),
        "/do/lab-cancel" => lab_page::cancel(past, ask),
        "/do/read" => changes::mark_read(past, ask),
        "/do/settings" => settings::change(past, ask),
        "/do/start" => live_page::start(past, ask),
        "/do/subscribe" => notify::subscribe(past, ask),
        "/do/unsubscribe" => notify::unsubscribe(past, ask),
        "/do/watch" => notify::watch(past, ask),
        "/do/stop" => live_page::stop(past, ask),
        _ => Reply::error(404, "there is no such form here"),
    }
}

/// Why a page cannot be shown, as a page.
fn excuse(past: &Past, ask: &Ask, problem: NotReady) -> Reply {
    #[derive(Template)]
    #[template(path = "waiting.html")]
    struct Waiting {
        frame: Frame,
    }
    match problem {
        NotReady::Yet => rendered(503, &Waiting { frame: Frame::new(past, ask) })
            .unwrap_or_else(|_| Reply::error(503, "the logs are being read"))
            .with("Refresh", "1"),
        NotReady::Failed(error) => Reply::error(500, &error),
    }
}

/// A part of a path as it was before it was written into an address.
fn decoded(text: &str) -> Cow<'_, str> {
    let pair = format!("v={}", text.replace('+', "%2B").replace('&', "%26"));
    let value = url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, value)| value.into_owned());
    value.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// As it is written into a query.
fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// A page, or what went wrong with making it.
fn rendered(status: u16, template: &impl Template) -> Result<Reply, NotReady> {
    Ok(Reply::page(status, template.render()?))
}

fn not_held(what: &str, name: &str) -> Reply {
    Reply::error(404, &format!("no {what} here is called {name}; /captures lists what is held"))
}

/// Where a frame of the interface shows a memento.
fn frame_address(ask: &Ask, memento: &Memento) -> String {
    let below = || format!("/web/{}mp_/{}", memento.time.to_timestamp14(), memento.url());
    replay::origin_address(ask, memento).unwrap_or_else(below)
}

/// Where such frames may lead.
fn frame_places(ask: &Ask) -> String {
    match ask.replay_suffix() {
        suffix if suffix.is_empty() => "'self'".to_owned(),
        suffix => format!("'self' http://*.{suffix}"),
    }
}

/// The number a form names its collection by.
fn collection_named(ask: &Ask) -> Option<usize> {
    field(ask, "collection")?.parse().ok()
}

/// `0.83 (0.71 to 0.92)`, in two parts.
fn range(range: &BelievedRange, digits: usize) -> (String, String) {
    (format!("{:.digits$}", range.mean), format!("{:.digits$} to {:.digits$}", range.low, range.high))
}

/// For how long copies have not been right any more, and the interval it lies in.
fn age_in_words(hours: &BelievedRange) -> (String, String) {
    let (unit, per_hour) = match hours.high {
        high if high < 0.05 => return ("under 3 minutes".to_owned(), String::new()),
        high if high < 2.0 => ("minutes", 60.0),
        high if high < 72.0 => ("hours", 1.0),
        _ => ("days", 1.0 / 24.0),
    };
    let [mean, low, high] = [hours.mean, hours.low, hours.high].map(|hours| hours * per_hour);
    let digits = usize::from(high < 10.0);
    (format!("{mean:.digits$} {unit}"), format!("{low:.digits$} to {high:.digits$}"))
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
    tintype_vocab::amount::counted(count, what)
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

/// How a capture ends that asked for everything it knew of.
const COMPLETE: &str = "complete";

/// How a capture ended, in words.
fn ending(info: &CaptureInfo) -> String {
    let Some(end) = &info.end else { return "not ended".to_owned() };
    match end.get("ending").and_then(|ending| ending.as_str()) {
        Some("complete") => COMPLETE.to_owned(),
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
    policy: String,
}

impl CaptureRow {
    fn new(info: &CaptureInfo) -> CaptureRow {
        let policy = info.head.settings.get("policy").and_then(|policy| policy.as_str());
        CaptureRow {
            id: info.id.as_str().to_owned(),
            site: info.head.site.clone(),
            kind: kind_word(info.head.kind),
            started: seconds(info.head.started),
            ending: ending(info),
            policy: policy.unwrap_or_default().to_owned(),
        }
    }
}
