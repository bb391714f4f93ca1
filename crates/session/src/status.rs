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
use tintype_quality::{
    BelievedRange, KeptFound, KeptPage, KeptQuality, KeptSite, KeptVisit, completeness_at, completeness_with,
};
use tintype_vocab::{Change, Entry, Observation, Outcome, PageId, Purpose, SiteId, Span, Time};

/// Steps after which the next page is not looked for any longer.
const STEPS_MAX: u32 = 20;
/// A site has to be known for so long before it is said how often it changes: pages that are made while one waits say within
/// minutes, by their bytes or by their dates, that they change thousands of times a day.
const DAYS_ENOUGH: f64 = 1.0;

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
    /// Nothing where the server does not say when versions came to be: what came and went unseen is not known then.
    pub missed: Option<BelievedRange>,
    /// Nothing where that is not known, or where no version came to be.
    pub completeness: Option<BelievedRange>,
    pub mean_age_hours: Option<BelievedRange>,
    /// Changes of all pages together; nothing while the site is not known for long enough.
    pub changes_per_day: Option<f64>,
    /// Requests of the window per day, and the share of versions that half as many, as many and twice as many catch.
    pub requests_per_day: f64,
    pub curve: Option<[f64; 3]>,
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

/// All visits to a site, and what they brought since a moment.
#[derive(Default)]
struct SiteVisits {
    pages: HashMap<String, Vec<KeptVisit>>,
    /// Since the moment.
    visits: u64,
    caught: u64,
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
        None => keeping::scheduler(reading, &captures, &settings, &CollectionKnowledge::default(), now)?,
    };
    Ok((scheduler, kept))
}

impl SiteStatus {
    /// Of a site since a moment.
    pub fn of(reading: &Reading, site: &str, since: Time, now: Time) -> Result<SiteStatus, Error> {
        let (mut scheduler, kept) = scheduler(reading, site, now)?;
        let mut seen = SiteVisits::of(reading, site, since, now)?;
        // A site that was met only lately was not asked before.
        let met = seen.met().unwrap_or(now);
        let days = (now - met.max(since)).as_days_f64().max(1.0 / 24.0);
        let (visits, requests_per_day, caught) = (seen.visits, seen.visits as f64 / days, seen.caught);
        let watched: Vec<PageId> = scheduler.watched().collect();
        let changes_per_day: f64 = watched.iter().map(|page| scheduler.believed_per_day(*page)).sum();
        let quality = seen.site(&scheduler, now).quality(since, now);
        let changes_per_day = ((now - met).as_days_f64() >= DAYS_ENOUGH).then_some(changes_per_day);
        let curve = curve(&quality, changes_per_day, requests_per_day);
        let worth = price(&scheduler, now);
        Ok(SiteStatus {
            site: site.to_owned(),
            policy: kept.map(|_| scheduler.settings().policy.clone()),
            pages: watched.len(),
            since,
            visits,
            spent_today: spent_on(reading, &[site.to_owned()], now.midnight())?,
            caught,
            missed: quality.missed,
            curve,
            completeness: quality.completeness,
            mean_age_hours: quality.mean_age_hours,
            changes_per_day,
            requests_per_day,
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

/// The share of versions that half as many requests, as many and twice as many catch.
fn curve(quality: &KeptQuality, changes_per_day: Option<f64>, requests_per_day: f64) -> Option<[f64; 3]> {
    let share = |times: f64| match &quality.completeness {
        Some(completeness) => Some(completeness_with(times, completeness.mean)),
        None => changes_per_day.map(|changes| completeness_at(times * requests_per_day, changes)),
    };
    Some([share(0.5)?, share(1.0)?, share(2.0)?])
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

impl SiteVisits {
    fn of(reading: &Reading, site: &str, since: Time, now: Time) -> Result<SiteVisits, Error> {
        let mut all = SiteVisits::default();
        for (_, capture) in keeping::in_order(reading, site, Time::MAX)? {
            for entry in reading.entries(&capture)? {
                if let Entry::Observation(seen) = entry?
                    && seen.purpose != Purpose::Robots
                    && seen.asked <= now
                {
                    all.add(*seen, since);
                }
            }
        }
        Ok(all)
    }

    fn add(&mut self, seen: Observation, since: Time) {
        let in_window = u64::from(seen.asked >= since);
        self.visits += in_window;
        let found = match seen.change {
            Change::First => KeptFound::First,
            Change::New { .. } => KeptFound::New,
            Change::Same => KeptFound::Same,
            Change::Unknown => return,
        };
        if seen.outcome.saw_page() {
            self.caught += in_window * u64::from(found != KeptFound::Same);
            let modified = seen.modified();
            self.pages.entry(seen.url).or_default().push(KeptVisit { at: seen.asked, found, modified });
        }
    }

    /// When the first page was seen.
    fn met(&self) -> Option<Time> {
        self.pages.values().filter_map(|visits| visits.first()).map(|visit| visit.at).min()
    }

    /// The site as its pages are watched.
    fn site(&mut self, scheduler: &Scheduler, now: Time) -> KeptSite {
        let mut pages = Vec::new();
        // Where to start is known from ever, but nothing was to be caught before the site was met.
        let met = self.met().unwrap_or(now);
        for page in scheduler.watched() {
            let visits = self.pages.remove(scheduler.pages().url(page)).unwrap_or_default();
            let known = scheduler.known_since(page).or(visits.first().map(|visit| visit.at));
            let known = known.unwrap_or(met).max(met);
            let (heard_of, foretold) = (scheduler.heard_of(page), scheduler.foretold(page, now));
            pages.push(KeptPage { known, visits, is_watched: true, heard_of, foretold });
        }
        // Those that went have taught something, too.
        let mut gone: Vec<(String, Vec<KeptVisit>)> = self.pages.drain().collect();
        gone.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        let page = |visits: Vec<KeptVisit>| KeptPage {
            known: visits[0].at,
            visits,
            is_watched: false,
            heard_of: 0.0,
            foretold: None,
        };
        pages.extend(gone.into_iter().map(|(_, visits)| page(visits)));
        KeptSite::new(pages).with_tests(scheduler.tested_days().collect())
    }
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
