//! A site: how well it is kept, when it changes, which pages are active, what was left out and why, what was captured.

use super::{
    CaptureRow, Figure, Frame, Past, Reply, age_in_words,
    catalogue::{self, Catalogue},
    counted, minutes, not_held, range, rendered,
    settings::SettingRow,
    site_charts::{Bar, WeekRow, bars, curve, days, week},
};
use crate::past::{ask::Ask, prepared::NotReady};
use askama::Template;
use std::sync::Arc;
use tintype_archive::CaptureInfo;
use tintype_plan::{Objection, Skipped, SkippedDirectory, robots::Robots};
use tintype_session::{HostAsked, PageActivity, SiteOverview, SiteStatus};
use tintype_vocab::{Outcome, Span};

/// How far back activity is shown.
const WINDOW: Span = Span::from_days(30);
pub(super) const WINDOW_DAYS: i64 = 30;
const PAGES_SHOWN: usize = 25;
const CAPTURES_SHOWN: usize = 50;
const DIRECTORIES_SHOWN: usize = 40;
const HOSTS_SHOWN: usize = 8;
/// Of a robots.txt.
const RULES_SHOWN: usize = 30;
/// With fewer changes nothing can be said about hours.
const CHANGES_MIN: u64 = 5;

#[derive(Template)]
#[template(path = "site.html")]
struct Site {
    frame: Frame,
    name: String,
    collection: usize,
    kept: String,
    warning: Option<String>,
    figures: Vec<Figure>,
    next: String,
    curve: Option<String>,
    days: Option<String>,
    week: Vec<WeekRow>,
    changes: u64,
    bars: Arc<Vec<Bar>>,
    skipped: Option<SkippedView>,
    directories: Vec<DirectoryRow>,
    directories_more: usize,
    hosts: Vec<HostRow>,
    left_out: Vec<LeftOut>,
    terms: Vec<(&'static str, String)>,
    settings: Vec<SettingRow>,
    saved: bool,
    window: i64,
    pages: Vec<PageRow>,
    pages_in_all: usize,
    captures: Vec<CaptureRow>,
    captures_more: usize,
}

struct PageRow {
    url: String,
    changed: u64,
    visits: u64,
    importance: String,
    last_change: String,
}

/// What the last capture left alone because it will not have changed.
struct SkippedView {
    pages: u64,
    lost: String,
    single_pages: u64,
}

/// A directory: what its visits found, and what was left alone.
struct DirectoryRow {
    name: String,
    pages: String,
    visits: String,
    changed: String,
    failed: String,
    skipped: String,
}

/// How a host was asked.
struct HostRow {
    name: String,
    requests: String,
    /// What came of asking for robots.txt, and the way to it.
    robots: String,
    text: Option<String>,
    rules: Vec<(u32, String)>,
    rules_more: usize,
    pause: String,
}

/// Links that were not followed, and why.
struct LeftOut {
    why: String,
    links: u64,
    sample: String,
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask, name: &str) -> Result<Reply, NotReady> {
    let catalogue = Catalogue::get(past)?;
    let Some(collection) = catalogue.collection_of(name) else { return Ok(not_held("site", name)) };
    let status = catalogue::status(past, collection, name)?;
    let overview = catalogue::overview(past, collection, name, WINDOW)?;
    let all: Vec<&CaptureInfo> = catalogue.captures_of(name).collect();
    let captures = all.iter().rev().take(CAPTURES_SHOWN).map(|info| CaptureRow::new(info)).collect();
    let last = all.iter().rev().find(|info| info.end.is_some());
    let skipped = last.and_then(|info| skipped(info));
    let directories = directories(&overview, skipped.as_ref(), name);
    let page = Site {
        frame: Frame::new(past, ask),
        collection,
        changes: overview.all.changed,
        bars: bars(past, collection, name)?,
        skipped: skipped.as_ref().and_then(skipped_view),
        directories_more: directories.len().saturating_sub(DIRECTORIES_SHOWN),
        directories: directories.into_iter().take(DIRECTORIES_SHOWN).collect(),
        hosts: hosts(&overview, all.last().copied()),
        left_out: last.map_or(Vec::new(), |info| left_out(info)),
        terms: all.last().map_or(Vec::new(), |info| terms(info)),
        settings: super::settings::rows(past, collection, name),
        saved: ask.query.as_deref() == Some("saved"),
        name: name.to_owned(),
        kept: kept(&status),
        warning: status.upheaval.as_ref().map(|upheaval| format!("This {upheaval}.")),
        figures: figures(&status, &overview),
        next: next(&status),
        curve: status.completeness.as_ref().and_then(|_| curve(&status)),
        days: (overview.days.len() > 1).then(|| days(&overview)),
        week: if overview.all.changed >= CHANGES_MIN { week(&overview) } else { Vec::new() },
        window: WINDOW_DAYS,
        pages: overview.pages.iter().take(PAGES_SHOWN).map(row).collect(),
        pages_in_all: overview.pages_in_all,
        captures,
        captures_more: all.len().saturating_sub(CAPTURES_SHOWN),
    };
    rendered(200, &page)
}

fn skipped(info: &CaptureInfo) -> Option<Skipped> {
    serde_json::from_value(info.end.as_ref()?.get("skipped")?.clone()).ok()
}

fn skipped_view(skipped: &Skipped) -> Option<SkippedView> {
    let lost = format!("{:.1} of {:.1}", skipped.expected_lost, skipped.expected_changes);
    (skipped.pages > 0).then_some(SkippedView { pages: skipped.pages, lost, single_pages: skipped.single_pages })
}

/// What was visited lately, and what the last capture left alone whole.
fn directories(overview: &SiteOverview, skipped: Option<&Skipped>, site: &str) -> Vec<DirectoryRow> {
    let left_alone: Vec<_> = skipped.into_iter().flat_map(|skipped| &skipped.directories).collect();
    let why = |left: &SkippedDirectory| {
        let reason = left.rule.clone();
        let reason = reason.unwrap_or_else(|| format!("{:.2} changes expected there", left.expected_lost));
        format!("{}: {reason}", counted(left.pages, "page"))
    };
    let visited = overview.directories.iter().map(|(name, seen)| {
        let left = left_alone.iter().find(|left| left.directory.trim_end_matches('/') == learned_name(name, site));
        DirectoryRow {
            name: name.clone(),
            pages: seen.pages.to_string(),
            visits: seen.counts.visits.to_string(),
            changed: seen.counts.changed.to_string(),
            failed: (seen.counts.failed + seen.counts.gone).to_string(),
            skipped: left.map_or(String::new(), |left| why(left)),
        }
    });
    let is_visited = |left: &&&SkippedDirectory| {
        overview.directories.iter().any(|(name, _)| learned_name(name, site) == left.directory.trim_end_matches('/'))
    };
    let others = left_alone.iter().filter(|left| !is_visited(left)).map(|left| DirectoryRow {
        name: left.directory.clone(),
        pages: String::new(),
        visits: String::new(),
        changed: String::new(),
        failed: String::new(),
        skipped: why(left),
    });
    others.chain(visited).collect()
}

/// A visited directory as learners call it: its path, behind its host where that is another one.
fn learned_name(url: &str, site: &str) -> String {
    let bare = |text: &str| text.strip_prefix("www.").unwrap_or(text).to_owned();
    let rest = bare(url.split_once("://").map_or(url, |(_, rest)| rest));
    let home = bare(site.split('/').next().unwrap_or_default());
    let path = rest.strip_prefix(&home).filter(|path| path.starts_with('/')).map(str::to_owned);
    path.unwrap_or_else(|| format!("/{rest}")).trim_end_matches('/').to_owned()
}

/// What each host's robots.txt says to us and the pauses that were kept, those asked most first.
fn hosts(overview: &SiteOverview, latest: Option<&CaptureInfo>) -> Vec<HostRow> {
    let settings = latest.map(|info| &info.head.settings);
    let agent = settings.and_then(|settings| settings.get("agent")?.as_str()).unwrap_or_default();
    let mut hosts: Vec<_> = overview.hosts.iter().collect();
    hosts.sort_by_key(|(_, host)| std::cmp::Reverse(host.requests));
    hosts.into_iter().take(HOSTS_SHOWN).map(|(name, host)| host_row(name, host, agent)).collect()
}

fn host_row(name: &str, host: &HostAsked, agent: &str) -> HostRow {
    let seen = host.robots.as_ref();
    let robots = seen.and_then(|seen| Some(Robots::parse(seen.text.as_deref()?.as_bytes(), agent)));
    let asks = robots.as_ref().and_then(Robots::crawl_delay);
    let all: Vec<(u32, String)> =
        robots.iter().flat_map(Robots::rules).map(|(line, rule)| (line, rule.to_owned())).collect();
    let said = match (seen, &robots) {
        (None, _) => "not asked for in this time".to_owned(),
        (Some(seen), Some(_)) => {
            format!("read {}: {} for {agent}", minutes(seen.at), counted(all.len() as u64, "rule"))
        }
        (Some(seen), None) => format!("{} {}", robots_answer(&seen.outcome), minutes(seen.at)),
    };
    let asks = asks.map_or(String::new(), |delay| format!("; asks for {} between requests", pause_in_words(delay)));
    HostRow {
        text: seen
            .filter(|_| robots.is_some())
            .map(|seen| format!("/web/{}/{name}/robots.txt", seen.at.to_timestamp14())),
        robots: said + &asks,
        rules_more: all.len().saturating_sub(RULES_SHOWN),
        rules: all.into_iter().take(RULES_SHOWN).collect(),
        requests: host.requests.to_string(),
        pause: host.pauses().map_or(String::new(), |(shortest, middle)| {
            format!("{} in the middle, never below {}", pause_in_words(middle), pause_in_words(shortest))
        }),
        name: name.to_owned(),
    }
}

/// What it means for us that robots.txt could not be read.
fn robots_answer(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Gone { .. } => "there was none, so everything is allowed:",
        Outcome::Failed { .. } | Outcome::Refused { status: 429 | 503, .. } => {
            "could not be had, so nothing was asked for:"
        }
        Outcome::Redirected { .. } => "leads elsewhere, and what is answered there holds:",
        Outcome::Refused { .. } => "not given to us, so everything is allowed:",
        Outcome::Body { .. } | Outcome::NotModified => "not changed",
    }
}

fn pause_in_words(pause: Span) -> String {
    match pause.as_secs_f64() {
        seconds if seconds < 0.95 => format!("{:.0} ms", 1000.0 * seconds),
        seconds if seconds < 120.0 => format!("{seconds:.1} s"),
        seconds if seconds < 7200.0 => format!("{:.0} minutes", seconds / 60.0),
        seconds => format!("{:.0} hours", seconds / 3600.0),
    }
}

fn left_out(info: &CaptureInfo) -> Vec<LeftOut> {
    let excluded = info.end.as_ref().and_then(|end| end.get("excluded")?.as_object());
    let row = |(why, left): (&String, &serde_json::Value)| LeftOut {
        why: match serde_json::from_value::<Objection>(why.as_str().into()) {
            Ok(objection) => objection.explain().to_owned(),
            Err(_) => why.replace('-', " "),
        },
        links: left.get("links").and_then(serde_json::Value::as_u64).unwrap_or_default(),
        sample: left.get("samples").and_then(|samples| samples.get(0)?.as_str()).unwrap_or_default().to_owned(),
    };
    excluded.into_iter().flatten().map(row).collect()
}

/// The terms on which the site was asked last, as the head of its log has them.
fn terms(info: &CaptureInfo) -> Vec<(&'static str, String)> {
    const NAMES: [(&str, &str); 8] = [
        ("scope", "scope"),
        ("policy", "policy, which chooses what is next"),
        ("delay", "pause between requests"),
        ("connections", "requests at once"),
        ("pages_max", "pages at most"),
        ("budget", "budget"),
        ("hours", "hours"),
        ("agent", "calls itself"),
    ];
    let said = |name: &str| match info.head.settings.get(name)? {
        serde_json::Value::Number(pause) if name == "delay" => Some(match pause.as_i64() {
            Some(0) => "none".to_owned(),
            millis => format!("{:.1} s", millis.unwrap_or_default() as f64 / 1000.0),
        }),
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Object(object) if object.is_empty() => None,
        value => Some(value.to_string()),
    };
    let robots = info.head.describe.iter().find(|(name, _)| name == "robots");
    let robots =
        robots.map(|(_, value)| ("robots.txt", if value == "obey" { "obeyed".to_owned() } else { value.clone() }));
    let mut terms: Vec<_> = robots.into_iter().collect();
    if said("delay").is_none() {
        terms.push((
            "pause between requests",
            "five response times, jittered; longer where the site asks for it".to_owned(),
        ));
    }
    terms.extend(NAMES.iter().filter_map(|(key, name)| Some((*name, said(key)?))));
    terms
}

fn kept(status: &SiteStatus) -> String {
    match &status.policy {
        Some(policy) => format!("Watched without end by the policy {policy}."),
        None => "Captured, not watched: tintype keep watches it.".to_owned(),
    }
}

fn figures(status: &SiteStatus, overview: &SiteOverview) -> Vec<Figure> {
    let mut figures = vec![Figure::new("Pages", status.pages.to_string(), "known and not gone")];
    if let Some(completeness) = &status.completeness {
        let (mean, ends) = range(completeness, 2);
        figures.push(Figure::new("Completeness", mean, format!("{ends}; last 7 days")));
    }
    if let Some(age) = &status.mean_age_hours {
        let (mean, ends) = age_in_words(age);
        figures.push(Figure::new("Age of copies", mean, ends));
    }
    let missed = match &status.missed {
        Some(missed) => format!("probably missed {:.1}", missed.mean),
        None => "what was missed is not known, as servers do not say when pages changed".to_owned(),
    };
    figures.push(Figure::new("Versions caught", status.caught.to_string(), format!("{missed}; last 7 days")));
    let today = format!("{:.1} MB", status.spent_today.bytes as f64 / 1e6);
    figures.push(Figure::new("Requests today", status.spent_today.requests.to_string(), today));
    let failed = overview.all.failed + overview.all.gone;
    let note = format!("of {} in {WINDOW_DAYS} days", counted(overview.all.visits, "request"));
    figures.push(Figure::new("Failed or gone", failed.to_string(), note));
    figures
}

fn next(status: &SiteStatus) -> String {
    let Some(next) = status.next.as_ref().filter(|_| status.policy.is_some()) else { return String::new() };
    let waits = next.wait.map_or(String::new(), |wait| format!(" ({wait})"));
    let worth = status.worth.map_or(String::new(), |worth| format!(", worth {worth:.2}"));
    format!("Next: {}{worth}, at {}{waits}.", next.url, minutes(next.at))
}

fn row((url, page): &(String, PageActivity)) -> PageRow {
    PageRow {
        url: url.clone(),
        changed: page.counts.changed,
        visits: page.counts.visits,
        importance: if page.counts.changed > 0 { format!("{:.2}", page.importance) } else { String::new() },
        last_change: page.last_change.map_or(String::new(), minutes),
    }
}
