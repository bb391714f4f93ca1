//! What is fetched now and why other pages wait, told as it happens; and the buttons that start and stop keeping.

use super::{
    Frame, Past, Reply,
    catalogue::{self, Catalogue},
    collection_named, minutes, rendered, seconds,
};
use crate::past::{
    ask::Ask,
    control::back,
    live::{Live, LiveFeed, LiveVisit, Now},
    prepared::NotReady,
    reply::ReplyBody,
};
use askama::Template;
use std::{sync::Arc, time::Duration};
use tintype_vocab::{Time, amount::counted};

/// Sites of which is told what they wait for.
const SITES_SHOWN: usize = 12;
const EVERY: Duration = Duration::from_secs(2);

#[derive(Template)]
#[template(path = "live.html")]
struct LivePage {
    frame: Frame,
    is_running: bool,
    state: String,
    open: String,
    collections: Vec<Kept>,
    asked: Vec<(String, String)>,
    waiting: Vec<Waiting>,
    visits: Vec<VisitRow>,
    can_control: bool,
}

/// A collection that can be kept or is being kept.
struct Kept {
    number: usize,
    name: String,
    is_running: bool,
    complaint: Option<String>,
}

struct Waiting {
    site: String,
    url: String,
    at: String,
    why: String,
    worth: String,
}

struct VisitRow {
    at: String,
    url: String,
    found: String,
    took: String,
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    let now = Live::now(past)?;
    let waiting = waiting(past)?;
    let kept = now.holders.iter().map(|(number, holder)| Kept {
        number: *number,
        name: past.holdings.collection(*number).map_or(String::new(), |reading| reading.path().display().to_string()),
        is_running: holder.is_some(),
        complaint: past.file.as_ref().and_then(|file| file.complaint(*number)),
    });
    let page = LivePage {
        is_running: now.is_running(),
        state: state(&now),
        open: open(&now),
        collections: kept.collect(),
        asked: asked(&now),
        waiting,
        visits: now.visits.iter().map(VisitRow::new).collect(),
        can_control: past.file.is_some(),
        frame: Frame::new(past, ask),
    };
    rendered(200, &page)
}

/// What the sites that were kept last would ask for next, as far as that is known at this moment.
fn waiting(past: &Arc<Past>) -> Result<Vec<Waiting>, NotReady> {
    let catalogue = Catalogue::get(past)?;
    let mut waiting = Vec::new();
    for (collection, site, _) in catalogue.sites.iter().take(SITES_SHOWN) {
        let Ok(status) = catalogue::status(past, *collection, site) else { break };
        if let Some(next) = status.next.as_ref().filter(|_| status.policy.is_some()) {
            waiting.push(Waiting {
                site: site.clone(),
                url: next.url.clone(),
                at: seconds(next.at),
                why: next.wait.map_or("its turn".to_owned(), |wait| wait.to_string()),
                worth: status.worth.map_or(String::new(), |worth| format!("{worth:.2}")),
            });
        }
    }
    Ok(waiting)
}

impl VisitRow {
    fn new(visit: &LiveVisit) -> VisitRow {
        VisitRow {
            at: seconds(visit.at),
            url: visit.url.clone(),
            found: visit.found.clone(),
            took: format!("{} ms", visit.took_ms),
        }
    }
}

/// Who writes, in words.
fn state(now: &Now) -> String {
    let held = now.holders.iter().filter_map(|(_, holder)| holder.as_ref());
    let told: Vec<String> = held
        .map(|holder| format!("{} (process {}), since {}", holder.command, holder.pid, minutes(holder.since)))
        .collect();
    if told.is_empty() { "Nothing is being captured or kept.".to_owned() } else { told.join("; ") }
}

/// Requests under way: since when, and for what.
fn asked(now: &Now) -> Vec<(String, String)> {
    now.asked.iter().map(|(at, url)| (seconds(*at), url.clone())).collect()
}

fn open(now: &Now) -> String {
    let told = now.open.iter().map(|(site, kind, started, visits)| {
        format!("{kind} of {site} since {}: {}", minutes(*started), counted(*visits, "visit"))
    });
    told.collect::<Vec<_>>().join("; ")
}

pub(super) fn events(_: &Past) -> Reply {
    let mut reply = Reply::text(200, "text/event-stream", "").with("Cache-Control", "no-store");
    reply.body = ReplyBody::Events(LiveFeed { tell, every: EVERY });
    reply
}

/// What changed since a moment, for the script of the page.
fn tell(past: &Arc<Past>, since: Time) -> Result<(String, Time), NotReady> {
    let now = Live::now(past)?;
    let last = now.visits.first().map_or(since, |visit| visit.at.max(since));
    // What comes next has changed only if something was visited; the page keeps what it has.
    let waiting = if last > since { waiting(past).unwrap_or_default() } else { Vec::new() };
    Ok((told(&now, &waiting, since), last))
}

fn told(now: &Now, waiting: &[Waiting], since: Time) -> String {
    let visits = now.visits.iter().rev().filter(|visit| visit.at > since).map(|visit| {
        let VisitRow { at, url, found, took } = VisitRow::new(visit);
        serde_json::json!({ "at": at, "url": url, "found": found, "took": took })
    });
    let waiting: Vec<_> =
        waiting.iter().map(|next| [&next.site, &next.url, &next.at, &next.why, &next.worth]).collect();
    let texts = serde_json::json!({ "live-state": state(now), "live-open": open(now) });
    serde_json::json!({ "running": now.is_running(), "asked": asked(now), "texts": texts, "waiting": waiting, "visits": visits.collect::<Vec<_>>() }).to_string()
}

pub(super) fn start(past: &Arc<Past>, ask: &Ask) -> Reply {
    order(past, ask, |file, number| file.start(number))
}

pub(super) fn stop(past: &Arc<Past>, ask: &Ask) -> Reply {
    order(past, ask, |file, number| file.stop(number))
}

fn order(past: &Past, ask: &Ask, give: fn(&dyn crate::past::CollectionFile, usize) -> Result<(), String>) -> Reply {
    let (Some(file), Some(number)) = (&past.file, collection_named(ask)) else {
        return Reply::error(404, "this server does not know how to keep this");
    };
    if past.holdings.collection(number).is_none() {
        return Reply::error(404, "there is no such collection");
    }
    match give(file.as_ref(), number) {
        Ok(()) => Reply::see_other(back(ask)),
        Err(problem) => Reply::error(409, &problem),
    }
}
