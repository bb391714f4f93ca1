//! How well a kept site is kept, by its logs and what they teach.

use crate::{
    CollectionKnowledge, Error, Spending, keeping,
    recalled::{self, Recalled},
    spent_on,
};
use std::collections::HashMap;
use tintype_archive::{CaptureInfo, CaptureKind, Reading};
use tintype_learn::knowledge::LearnerBeliefs;
use tintype_plan::{Bid, Mode, Scheduler, Settings, Step, Upheaval, Wait, policy};
use tintype_quality::{BelievedRange, KeptQuality, VisitGap, completeness_at, completeness_with};
use tintype_vocab::{Change, Entry, Observation, Outcome, PageId, Purpose, SiteId, Span, Time};

/// Steps after which the next page is not looked for any longer.
const STEPS_MAX: u32 = 20;

/// How well a site is kept.
#[derive(Clone, Debug)]
pub struct SiteStatus {
    pub site: String,
    /// By which policy, and since when; nothing of a site that is not kept yet.
    pub policy: Option<String>,
    pub pages: usize,
    pub since: Time,
    pub visits: u64,
    pub spent_today: Spending,
    pub caught: u64,
    pub missed: BelievedRange,
    pub completeness: Option<BelievedRange>,
    pub mean_age_hours: Option<BelievedRange>,
    /// Changes of all pages together.
    pub changes_per_day: f64,
    /// Requests of the window per day, and the share of versions that half as many, as many and twice as many catch.
    pub requests_per_day: f64,
    pub curve: [f64; 3],
    /// What would be asked for next, and how many changes that is expected to bring.
    pub next: Option<NextRequest>,
    pub worth: Option<f64>,
    /// That it is no longer the site it was.
    pub upheaval: Option<Upheaval>,
}

/// What a site would ask for next, budgets aside.
#[derive(Clone, Debug)]
pub struct NextRequest {
    pub url: String,
    pub at: Time,
    /// What it waits for until then.
    pub wait: Option<Wait>,
}

/// What is believed of a page, and what was seen of it.
#[derive(Clone, Debug)]
pub struct PageStatus {
    pub url: String,
    /// As it was served last.
    pub media_type: Option<String>,
    pub beliefs: Vec<LearnerBeliefs>,
    pub visits: Vec<PageVisit>,
    /// Changes that a visit is expected to bring now, and that the next request of the site is.
    pub worth: Option<f64>,
    pub price: Option<f64>,
    /// When it is worth as much as the next request is now, or is asked for again after it went or failed.
    pub due: Option<Time>,
    /// Of all requests, whether this page would be the next.
    pub is_next: bool,
    pub is_watched: bool,
}

/// One visit to a page.
#[derive(Clone, Debug)]
pub struct PageVisit {
    pub at: Time,
    pub capture: String,
    pub kind: CaptureKind,
    pub found: &'static str,
    pub importance: Option<f32>,
}

/// A page as its visits tell it.
#[derive(Clone, Copy, Default)]
struct PageRecord {
    first: Option<Time>,
    last: Option<Time>,
    changes: f64,
}

/// The settings under which a site is kept, or would be.
pub(crate) fn kept_settings(captures: &[CaptureInfo], site: &str) -> Settings {
    let kept = captures.iter().rfind(|info| info.head.kind == CaptureKind::Keep);
    let any = captures.iter().rfind(|info| info.head.kind == CaptureKind::Capture);
    let of = |info: &CaptureInfo| serde_json::from_value::<Settings>(info.head.settings.clone()).ok();
    let settings = kept.or(any).and_then(of);
    let seeds = || vec![format!("https://{site}/")];
    let mut settings = settings.unwrap_or_else(|| Settings::new(SiteId(0), seeds()));
    if settings.mode != Mode::Kept {
        (settings.mode, settings.policy) = (Mode::Kept, policy::CONTINUAL_DEFAULT.to_owned());
    }
    settings
}

/// The scheduler of a site as a run that began now would have it, and the latest stretch of keeping.
fn scheduler(reading: &Reading, site: &str, now: Time) -> Result<(Scheduler, Option<CaptureInfo>), Error> {
    let captures = reading.captures_of(site)?;
    let kept = captures.iter().rfind(|info| info.head.kind == CaptureKind::Keep).cloned();
    let settings = kept_settings(&captures, site);
    let marks = captures.iter().filter(|info| info.head.started < now).map(CaptureInfo::mark).collect();
    let scheduler = match Recalled::kept(reading, site, &settings, &recalled::of_pages(marks))? {
        Some(recalled) => recalled.begin(&settings),
        None => keeping::scheduler(reading, site, &settings, &CollectionKnowledge::default(), now)?,
    };
    Ok((scheduler, kept))
}

impl SiteStatus {
    /// Of a site since a moment.
    pub fn of(reading: &Reading, site: &str, since: Time, now: Time) -> Result<SiteStatus, Error> {
        let (mut scheduler, kept) = scheduler(reading, site, now)?;
        let mut quality = KeptQuality::new(since, now);
        let (records, visits) = add_visits(reading, site, since, &mut scheduler, &mut quality)?;
        let pages: Vec<PageId> = scheduler.watched().collect();
        let mut changes_per_day = 0.0;
        for page in &pages {
            let per_day = scheduler.believed_per_day(*page);
            changes_per_day += per_day;
            let record = records.get(scheduler.pages().url(*page)).copied().unwrap_or_default();
            let Some(last) = record.last else { continue };
            let days = (now - last).as_days_f64().max(0.0);
            quality.age(days, per_day);
            let in_window = (now - last.max(since)).as_days_f64().max(0.0);
            quality.pass(&VisitGap { days: in_window, changed: None, per_day, seen: record.changes });
        }
        // A site that was met only lately was not asked before.
        let first = records.values().filter_map(|record| record.first).min().unwrap_or(since);
        let days = (now - first.max(since)).as_days_f64().max(1.0 / 24.0);
        let requests_per_day = visits as f64 / days;
        let worth = price(&scheduler, now);
        let caught = quality.completeness();
        let curve = |times: f64| match &caught {
            Some(completeness) => completeness_with(times, completeness.mean),
            None => completeness_at(times * requests_per_day, changes_per_day),
        };
        Ok(SiteStatus {
            site: site.to_owned(),
            policy: kept.map(|_| scheduler.settings().policy.clone()),
            pages: pages.len(),
            since,
            visits,
            spent_today: spent_on(reading, &[site.to_owned()], now.midnight())?,
            caught: quality.caught(),
            missed: quality.missed(),
            completeness: caught,
            mean_age_hours: quality.mean_age_hours(),
            changes_per_day,
            requests_per_day,
            curve: [0.5, 1.0, 2.0].map(curve),
            upheaval: scheduler.upheaval().cloned(),
            next: next_page(&mut scheduler, now),
            worth,
        })
    }
}

impl PageStatus {
    /// What is believed of a page of a site and what was seen of it; nothing if it was never heard of.
    pub fn of(reading: &Reading, site: &str, url: &str, now: Time) -> Result<Option<PageStatus>, Error> {
        let (mut scheduler, _) = scheduler(reading, site, now)?;
        let Some((page, beliefs)) = scheduler.explain(url, now) else { return Ok(None) };
        let url = scheduler.pages().url(page).to_owned();
        let is_watched = scheduler.watched().any(|watched| watched == page);
        let (mut visits, mut media_type) = (Vec::new(), None);
        for info in reading.captures_of(site)? {
            for entry in reading.entries(&info.id)? {
                let Entry::Observation(seen) = entry? else { continue };
                if seen.url == url {
                    visits.push(visit(&info, &seen));
                    media_type = seen.media_type.or(media_type);
                }
            }
        }
        visits.sort_by_key(|visit| visit.at);
        let (worth, price) = (scheduler.worth(page, now), price(&scheduler, now));
        let foreseen = price.and_then(|price| scheduler.worth_at(page, price, now));
        let due = scheduler.left_alone_until(page).or(foreseen.filter(|_| is_watched));
        let is_next = next_page(&mut scheduler, now).is_some_and(|next| next.url == url);
        Ok(Some(PageStatus { url, media_type, beliefs, visits, worth, price, due, is_next, is_watched }))
    }
}

/// Changes that the next request is expected to bring.
fn price(scheduler: &Scheduler, now: Time) -> Option<f64> {
    match scheduler.bid(now) {
        Bid::Worth(worth) => Some(worth),
        Bid::Pages(_) => None,
    }
}

fn visit(info: &CaptureInfo, seen: &Observation) -> PageVisit {
    let found = match (&seen.outcome, seen.change) {
        (Outcome::Gone { .. }, _) => "gone",
        (Outcome::Refused { .. }, _) => "refused",
        (Outcome::Failed { .. }, _) => "failed",
        (Outcome::Redirected { .. }, _) => "moved",
        (_, Change::First) => "first seen",
        (_, Change::New { .. }) => "changed",
        (_, Change::Same) => "unchanged",
        (_, Change::Unknown) => "unknown",
    };
    let importance = if let Change::New { importance } = seen.change { Some(importance) } else { None };
    PageVisit { at: seen.asked, capture: info.id.to_string(), kind: info.head.kind, found, importance }
}

/// Visits in a row say what was caught, and what may have come and gone in between.
fn add_visits(
    reading: &Reading,
    site: &str,
    since: Time,
    scheduler: &mut Scheduler,
    quality: &mut KeptQuality,
) -> Result<(HashMap<String, PageRecord>, u64), Error> {
    let (mut records, mut visits) = (HashMap::<String, PageRecord>::new(), 0);
    for (_, capture) in keeping::in_order(reading, site, Time::MAX)? {
        for entry in reading.entries(&capture)? {
            let Entry::Observation(seen) = entry? else { continue };
            if seen.purpose == Purpose::Robots {
                continue;
            }
            let in_window = seen.asked >= since;
            visits += u64::from(in_window);
            if !seen.outcome.saw_page() {
                continue;
            }
            let record = records.entry(seen.url.clone()).or_default();
            let changed = matches!(seen.change, Change::New { .. });
            if in_window && (changed || seen.change == Change::First) {
                quality.catch();
            }
            if let Some(last) = record.last.filter(|_| in_window) {
                let days = (seen.asked - last.max(since)).as_days_f64().max(0.0);
                let per_day = scheduler.page_of(&seen.url).map_or(0.0, |page| scheduler.believed_per_day(page));
                quality.pass(&VisitGap { days, changed: Some(changed), per_day, seen: record.changes });
            }
            record.changes += f64::from(u8::from(changed));
            record.first = record.first.or(Some(seen.asked));
            record.last = Some(seen.asked);
        }
    }
    Ok((records, visits))
}

/// What would be asked for next, rules aside. The scheduler is used up by it.
fn next_page(scheduler: &mut Scheduler, now: Time) -> Option<NextRequest> {
    let (mut at, mut wait) = (now, None);
    for _ in 0..STEPS_MAX {
        match scheduler.next(at) {
            Step::Fetch(request) if request.purpose == Purpose::Robots => {
                scheduler.settle(&Observation::of(&request, at, at, Outcome::Gone { status: 404 }));
            }
            Step::Fetch(request) => return Some(NextRequest { url: request.url, at, wait }),
            Step::WaitUntil(until) => {
                (at, wait) = (until.max(at + Span::from_millis(1)), Some(scheduler.waiting_for()));
            }
            Step::Idle | Step::Done => return None,
        }
    }
    None
}
