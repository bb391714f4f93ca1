//! What the visits to a site tell at a glance: day by day, by the hours of the week, page by page.

use crate::Error;
use std::collections::{BTreeMap, HashMap};
use tintype_archive::Reading;
use tintype_vocab::{Change, Entry, Observation, Outcome, Purpose, Time};

/// Pages that are told of one by one.
pub const ACTIVE_PAGES_MAX: usize = 200;

/// The visits to a site since a moment.
#[derive(Clone, Debug, Default)]
pub struct SiteOverview {
    /// By the beginning of their day, in UTC.
    pub days: BTreeMap<Time, VisitCounts>,
    /// Monday first, by the hours of UTC.
    pub week: [[VisitCounts; 24]; 7],
    /// Those that changed most, then those that were visited most; at most [`ACTIVE_PAGES_MAX`].
    pub pages: Vec<(String, PageActivity)>,
    pub pages_in_all: usize,
    pub all: VisitCounts,
}

/// What some visits found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisitCounts {
    pub visits: u64,
    pub changed: u64,
    pub first_seen: u64,
    pub gone: u64,
    pub failed: u64,
}

/// What the visits to a page found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageActivity {
    pub counts: VisitCounts,
    /// Of all its changes together.
    pub importance: f64,
    pub last_visit: Option<Time>,
    pub last_change: Option<Time>,
}

impl VisitCounts {
    fn add(&mut self, seen: &Observation) {
        self.visits += 1;
        self.changed += u64::from(matches!(seen.change, Change::New { .. }));
        self.first_seen += u64::from(seen.change == Change::First);
        self.gone += u64::from(matches!(seen.outcome, Outcome::Gone { .. }));
        self.failed += u64::from(matches!(seen.outcome, Outcome::Failed { .. } | Outcome::Refused { .. }));
    }
}

impl PageActivity {
    fn add(&mut self, seen: &Observation) {
        self.counts.add(seen);
        self.last_visit = self.last_visit.max(Some(seen.asked));
        if let Change::New { importance } = seen.change {
            self.importance += f64::from(importance);
            self.last_change = self.last_change.max(Some(seen.asked));
        }
    }
}

impl SiteOverview {
    /// Of a site since a moment; reads the logs since then only.
    pub fn since(reading: &Reading, site: &str, since: Time) -> Result<SiteOverview, Error> {
        let mut overview = SiteOverview::default();
        let mut pages: HashMap<String, PageActivity> = HashMap::new();
        for capture in reading.captures_reaching(site, since)? {
            for entry in reading.entries(&capture.id)? {
                let Entry::Observation(seen) = entry? else { continue };
                if seen.purpose == Purpose::Robots || seen.asked < since {
                    continue;
                }
                overview.add(&seen);
                match pages.get_mut(&seen.url) {
                    Some(page) => page.add(&seen),
                    None => pages.entry(seen.url.clone()).or_default().add(&seen),
                }
            }
        }
        overview.pages_in_all = pages.len();
        overview.pages = pages.into_iter().collect();
        let order = |(url, page): &(String, PageActivity)| {
            (std::cmp::Reverse((page.counts.changed, page.counts.visits)), url.clone())
        };
        overview.pages.sort_by_cached_key(order);
        overview.pages.truncate(ACTIVE_PAGES_MAX);
        Ok(overview)
    }

    fn add(&mut self, seen: &Observation) {
        let day = seen.asked.midnight();
        let hour = (seen.asked - day).as_millis() / 3_600_000;
        // The first of January 1970 was a Thursday.
        let weekday = (day.as_secs().div_euclid(86_400) + 3).rem_euclid(7);
        self.all.add(seen);
        self.days.entry(day).or_default().add(seen);
        self.week[weekday as usize][hour as usize].add(seen);
    }
}
