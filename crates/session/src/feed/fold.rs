//! From the visits of a collection to what happened to its pages.
//!
//! Every page is there, gone, moved, refused or failing; an event is the passage from one to another, or to a new version. What
//! was read is remembered, so that a second look reads only what was logged meanwhile.

use super::event::{PageEvent, PageEventKind};
use crate::Error;
use std::collections::{BTreeMap, BTreeSet};
use tintype_archive::{CaptureId, CaptureInfo, CaptureKind, LoggedVisit, LoggedVisits, Original, Reading};
use tintype_vocab::{Change, Failure, Outcome, PageUrl, Purpose, Span, Time};

/// Visits that another tool recorded within a day of the first are its first look at the site.
const FIRST_LOOK: Span = Span::from_days(1);
/// Parts of an address that ask who one is before anything is shown.
const LOG_IN: &[&str] = &["/login", "/log-in", "/signin", "/sign-in", "/sso/", "/oauth", "/auth/", "wp-login"];

/// All events of a collection, as far as its logs have been read.
#[derive(Debug, Default)]
pub struct EventLog {
    sites: BTreeMap<String, SitePages>,
    read: BTreeMap<CaptureId, u64>,
    over: BTreeSet<CaptureId>,
    events: Vec<PageEvent>,
}

#[derive(Debug, Default)]
struct SitePages {
    /// The first look at the site, in which everything is new.
    first: Option<CaptureId>,
    began: Option<Time>,
    pages: BTreeMap<String, PageState>,
}

/// How a page was found last.
#[derive(Debug)]
struct PageState {
    stand: Stand,
    last: Time,
    /// The event that made it so, if any.
    event: Option<usize>,
    version: Option<Original>,
    media_type: Option<String>,
    gist: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stand {
    There,
    Gone,
    Moved(String),
    Refused(String),
    Failing(String),
}

impl Stand {
    fn of(outcome: &Outcome) -> Option<Stand> {
        Some(match outcome {
            Outcome::Body { .. } | Outcome::NotModified => Stand::There,
            Outcome::Gone { .. } => Stand::Gone,
            Outcome::Redirected { to, .. } if asks_log_in(to) => Stand::Refused(format!("log-in at {to}")),
            Outcome::Redirected { to, .. } => Stand::Moved(to.clone()),
            Outcome::Refused { status: status @ (408 | 425 | 429 | 503), .. } => Stand::Failing(status.to_string()),
            Outcome::Refused { status, .. } => Stand::Refused(status.to_string()),
            // Those say something of us, not of the page.
            Outcome::Failed { cause: Failure::PrivateAddress | Failure::BadUrl | Failure::Proxy } => return None,
            Outcome::Failed { cause } => Stand::Failing(cause.to_string()),
        })
    }

    fn kind(&self) -> PageEventKind {
        match self {
            Stand::There => PageEventKind::Back,
            Stand::Gone => PageEventKind::Disappeared,
            Stand::Moved(_) => PageEventKind::Moved,
            Stand::Refused(_) => PageEventKind::Refused,
            Stand::Failing(_) => PageEventKind::Failing,
        }
    }

    fn cause(&self) -> String {
        match self {
            Stand::There | Stand::Gone => String::new(),
            Stand::Moved(cause) | Stand::Refused(cause) | Stand::Failing(cause) => cause.clone(),
        }
    }

    /// Whether nothing happened between the two; what fails may fail in many ways.
    fn is_still(&self, other: &Stand) -> bool {
        self == other || matches!((self, other), (Stand::Failing(_), Stand::Failing(_)))
    }
}

fn asks_log_in(to: &str) -> bool {
    let path = to.split(['?', '#']).next().unwrap_or(to).to_ascii_lowercase();
    LOG_IN.iter().any(|sign| path.contains(sign))
}

impl EventLog {
    /// Reads what was logged since this was last asked. How many events there were before.
    pub fn advance(&mut self, reading: &Reading) -> Result<usize, Error> {
        let before = self.events.len();
        for capture in reading.captures()? {
            let is_listing = matches!(capture.head.kind, CaptureKind::Listing | CaptureKind::Probe);
            if is_listing || self.over.contains(&capture.id) {
                continue;
            }
            self.read(&capture)?;
            if capture.end.is_some() {
                self.over.insert(capture.id);
            }
        }
        Ok(before)
    }

    /// All that happened, capture by capture.
    pub fn events(&self) -> &[PageEvent] {
        &self.events
    }

    /// The latest visit of all.
    pub fn last_visit(&self) -> Option<Time> {
        self.sites.values().flat_map(|site| site.pages.values()).map(|page| page.last).max()
    }

    fn read(&mut self, capture: &CaptureInfo) -> Result<(), Error> {
        let from = self.read.get(&capture.id).copied().unwrap_or_default();
        let mut visits = LoggedVisits::open(capture, from)?;
        let site = self.sites.entry(capture.head.site.clone()).or_default();
        let first = site.first.get_or_insert_with(|| capture.id.clone());
        let is_first = *first == capture.id;
        for visit in visits.by_ref() {
            let visit = visit?;
            if visit.observation.purpose != Purpose::Robots {
                let began = *site.began.get_or_insert(visit.observation.asked);
                let is_import = capture.head.kind == CaptureKind::Import;
                let is_first = is_first && (!is_import || visit.observation.asked <= began + FIRST_LOOK);
                let about = About { capture, is_first, began };
                site.take(visit, &about, &mut self.events);
            }
        }
        self.read.insert(capture.id.clone(), visits.read_to());
        Ok(())
    }
}

/// What is known of a visit beside itself.
struct About<'a> {
    capture: &'a CaptureInfo,
    /// Everything is new in the first look at a site.
    is_first: bool,
    began: Time,
}

impl SitePages {
    fn take(&mut self, visit: LoggedVisit, about: &About<'_>, events: &mut Vec<PageEvent>) {
        let Some(stand) = Stand::of(&visit.observation.outcome) else { return };
        let url = PageUrl::new(&visit.observation.url).as_str().to_owned();
        match self.pages.get_mut(&url) {
            None => {
                let is_news = !about.is_first && stand == Stand::There && visit.observation.change == Change::First;
                let event = is_news.then(|| {
                    events.push(about.event(PageEventKind::Appeared, &visit, None, &stand));
                    events.len() - 1
                });
                self.pages.insert(url, PageState::new(stand, visit, event));
            }
            Some(page) => page.take(stand, visit, about, events),
        }
    }
}

impl PageState {
    fn new(stand: Stand, visit: LoggedVisit, event: Option<usize>) -> PageState {
        let is_there = stand == Stand::There;
        PageState {
            stand,
            last: visit.observation.asked,
            event,
            version: visit.original.filter(|_| is_there),
            media_type: visit.observation.media_type,
            gist: visit.observation.gist,
        }
    }

    fn take(&mut self, stand: Stand, visit: LoggedVisit, about: &About<'_>, events: &mut Vec<PageEvent>) {
        let is_new = matches!(visit.observation.change, Change::New { .. });
        let is_late = visit.observation.asked < self.last;
        let kind = match (&self.stand, &stand) {
            (Stand::There, Stand::There) if is_new => Some(self.sort_of_change(&visit)),
            (before, now) if before.is_still(now) || is_late => None,
            // One failure between two visits that found the page is no outage: only a change is worth a word.
            (Stand::Failing(_), Stand::There) if self.has_failed_once(events) => {
                is_new.then(|| self.sort_of_change(&visit))
            }
            (_, Stand::There) if self.version.is_none() => {
                let is_first = visit.observation.change == Change::First;
                (is_first && !about.is_first).then_some(PageEventKind::Appeared)
            }
            // A page that was never there cannot go.
            _ if self.version.is_none() => None,
            (_, now) => Some(now.kind()),
        };
        let is_still = kind.is_none() && self.stand.is_still(&stand);
        if is_still && let Some(event) = self.event {
            events[event].last_seen = events[event].last_seen.max(visit.observation.asked);
            events[event].visits += 1;
        }
        if !is_still && let Some(event) = self.event {
            events[event].over.get_or_insert(visit.observation.asked);
        }
        let made = kind.map(|kind| {
            events.push(about.event(kind, &visit, Some(self), &stand));
            events.len() - 1
        });
        if !is_late {
            self.settle(stand, visit, made, is_still);
        }
    }

    fn settle(&mut self, stand: Stand, visit: LoggedVisit, made: Option<usize>, is_still: bool) {
        if stand == Stand::There {
            self.version = visit.original.or(self.version.take());
            self.media_type = visit.observation.media_type.or(self.media_type.take());
            self.gist = visit.observation.gist.or(self.gist);
        }
        self.last = visit.observation.asked;
        self.event = if is_still { self.event } else { made };
        self.stand = stand;
    }

    fn has_failed_once(&self, events: &[PageEvent]) -> bool {
        self.event.is_some_and(|event| events[event].visits == 1)
    }

    fn sort_of_change(&self, visit: &LoggedVisit) -> PageEventKind {
        let now = visit.observation.media_type.as_deref();
        let is_text = |media: &str| media.starts_with("text/") || media.ends_with("xml") || media.ends_with("json");
        match (self.media_type.as_deref(), now) {
            (Some(before), Some(now)) if before != now => PageEventKind::Type,
            (_, Some(now)) if !is_text(now) => PageEventKind::Document,
            _ => PageEventKind::Changed,
        }
    }
}

impl About<'_> {
    fn event(&self, kind: PageEventKind, visit: &LoggedVisit, page: Option<&PageState>, stand: &Stand) -> PageEvent {
        let seen = &visit.observation;
        let is_there = *stand == Stand::There;
        let logged = if let Change::New { importance } = seen.change { importance } else { 0.0 };
        let before = visit.before.as_ref().and_then(|before| before.original.clone());
        let known_type = || page.and_then(|page| page.media_type.clone());
        let cause = match (kind, page) {
            (PageEventKind::Type, Some(page)) => {
                format!("{} before", page.media_type.as_deref().unwrap_or("nothing"))
            }
            (PageEventKind::Back, Some(page)) => page.stand.cause(),
            _ => stand.cause(),
        };
        PageEvent {
            kind,
            site: self.capture.head.site.clone(),
            capture: self.capture.id.clone(),
            url: seen.url.clone(),
            found: seen.asked,
            last_seen: seen.asked,
            visits: 1,
            last_seen_before: page.map(|page| page.last),
            over: None,
            cause,
            logged,
            media_type: if is_there { seen.media_type.clone().or_else(known_type) } else { known_type() },
            gist: seen.gist.filter(|_| is_there),
            gist_before: page.and_then(|page| page.gist),
            is_old: seen.modified().is_some_and(|modified| modified < self.began),
            before: before.or_else(|| page.and_then(|page| page.version.clone())),
            after: visit.original.clone().filter(|_| is_there),
            answer: visit.place.clone(),
        }
    }
}
