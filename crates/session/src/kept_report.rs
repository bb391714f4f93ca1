//! What keeping a site brought in a window: what was caught, what was foretold of every visit and what it found.

use crate::{Error, SiteStatus, keeping, status};
use std::collections::BTreeMap;
use tintype_archive::Reading;
use tintype_plan::{Scheduler, Settings, policy};
use tintype_quality::ForecastRecord;
use tintype_vocab::{Change, Entry, Observation, Outcome, Purpose, Time};

/// Pages that are told of one by one.
const PAGES_MAX: usize = 100;

/// A window of keeping.
#[derive(Clone, Debug)]
pub struct KeptReport {
    pub status: SiteStatus,
    /// Every day of UTC with a visit.
    pub days: BTreeMap<Time, KeptPart>,
    /// The pages that brought most, by how much.
    pub pages: Vec<(String, KeptPart)>,
    /// How chances that were foretold came true.
    pub forecasts: ForecastRecord,
}

/// What the visits of a day, or to a page, were expected to bring and brought.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeptPart {
    pub visits: u64,
    /// Versions that were new to the archive, pages seen for the first time among them.
    pub caught: u64,
    pub first_seen: u64,
    pub gone: u64,
    pub failed: u64,
    /// Of visits to pages that were held: how many were expected to find another version, and how many did.
    pub foretold: f64,
    pub found: u64,
}

impl KeptPart {
    fn add(&mut self, seen: &Observation, foretold: Option<f64>) {
        let is_new = matches!(seen.change, Change::New { .. });
        self.visits += 1;
        self.first_seen += u64::from(seen.change == Change::First);
        self.caught += u64::from(is_new || seen.change == Change::First);
        self.gone += u64::from(matches!(seen.outcome, Outcome::Gone { .. }));
        self.failed += u64::from(matches!(seen.outcome, Outcome::Failed { .. } | Outcome::Refused { .. }));
        self.foretold += foretold.unwrap_or(0.0);
        self.found += u64::from(is_new && foretold.is_some());
    }
}

impl KeptReport {
    /// Of a site since a moment. Everything seen before is learned from first, so that chances are those of the time.
    pub fn of(reading: &Reading, site: &str, since: Time, now: Time) -> Result<KeptReport, Error> {
        // Every policy is held against the forecasts of the one that makes them.
        let settings = status::kept_settings(&reading.captures_of(site)?, site);
        let settings = Settings { policy: policy::CONTINUAL_DEFAULT.to_owned(), ..settings };
        let mut scheduler = Scheduler::new(settings)?;
        let mut report = KeptReport {
            status: SiteStatus::of(reading, site, since, now)?,
            days: BTreeMap::new(),
            pages: Vec::new(),
            forecasts: ForecastRecord::default(),
        };
        let mut pages: BTreeMap<String, KeptPart> = BTreeMap::new();
        for (_, capture) in keeping::in_order(reading, site, now)? {
            for entry in reading.entries(&capture)? {
                let Entry::Observation(seen) = entry? else { continue };
                if seen.asked >= since && seen.purpose != Purpose::Robots {
                    let page = scheduler.page_of(&seen.url);
                    let foretold = page.and_then(|page| scheduler.believed_chance(page, seen.asked));
                    let foretold = foretold.filter(|_| matches!(seen.change, Change::Same | Change::New { .. }));
                    report.days.entry(seen.asked.midnight()).or_default().add(&seen, foretold);
                    pages.entry(seen.url.clone()).or_default().add(&seen, foretold);
                    if let Some(chance) = foretold {
                        report.forecasts.add(chance, seen.change != Change::Same);
                    }
                }
                scheduler.recall(&seen);
            }
        }
        report.pages = pages.into_iter().filter(|(_, part)| part.caught > 0).collect();
        report.pages.sort_by_key(|(_, part)| std::cmp::Reverse(part.caught));
        report.pages.truncate(PAGES_MAX);
        Ok(report)
    }
}
