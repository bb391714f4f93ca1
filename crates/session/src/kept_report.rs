//! What keeping a site brought in a window: what was caught, what was foretold of every visit and what it found.

use crate::{Error, SiteStatus, feed::SiteLinks, feed::Traffic, keeping, status};
use std::collections::BTreeMap;
use tintype_archive::Reading;
use tintype_plan::{Scheduler, Settings, policy};
use tintype_quality::{ForecastRecord, archive_completeness};
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
    /// Completeness by Definition 4 of the page-change-pattern paper: of each page, by the importance of its changes, then
    /// the mean of pages by how much they are linked. Nothing if no change was caught, or nobody knows
    /// what was missed.
    pub by_page: Option<f64>,
}

/// What visits say of the changes of a page that was known before.
#[derive(Clone, Debug, Default)]
struct PageShare {
    seen: Option<Time>,
    changes: u64,
    importance: f64,
    /// Days between visits, and since the latest.
    gaps: Vec<f64>,
}

impl PageShare {
    fn add(&mut self, seen: &Observation, since: Time) {
        if !seen.outcome.saw_page() {
            return;
        }
        if let Some(before) = self.seen.filter(|_| seen.asked >= since) {
            self.gaps.push((seen.asked - before.max(since)).as_days_f64());
            if let Change::New { importance } = seen.change {
                (self.changes, self.importance) = (self.changes + 1, self.importance + f64::from(importance));
            }
        }
        self.seen = Some(seen.asked);
    }

    /// Changes that are to be expected, of which no visit has seen a trace: all but one in a gap that ended with a visit.
    fn unseen(&self, per_day: f64, since: Time, now: Time) -> f64 {
        let Some(seen) = self.seen else { return 0.0 };
        let buried = |days: &f64| per_day * days + (-per_day * days).exp_m1();
        self.gaps.iter().map(buried).sum::<f64>() + per_day * (now - seen.max(since)).as_days_f64().max(0.0)
    }
}

/// The mean over pages of the share of the importance of all changes, those caught and those probably missed, that was
/// caught. Pages where nothing is likely to have happened have no say.
fn by_page(pages: &[(f64, f64, &PageShare)], missed: f64) -> Option<f64> {
    let (changes, importance) =
        pages.iter().fold((0, 0.0), |sum, (.., page)| (sum.0 + page.changes, sum.1 + page.importance));
    let unseen: f64 = pages.iter().map(|page| page.1).sum();
    let scale = if unseen > 0.0 { missed / unseen } else { 0.0 };
    let mean = importance / changes.max(1) as f64;
    let (mut shares, mut weights) = (Vec::new(), Vec::new());
    for (weight, unseen, page) in pages {
        let unseen = scale * unseen;
        let all = page.importance + unseen * mean;
        shares.push((all > 0.0).then(|| page.importance / all));
        weights.push(weight * if page.changes > 0 { 1.0 } else { -(-unseen).exp_m1() });
    }
    (changes > 0 && importance > 0.0).then(|| archive_completeness(&shares, |page| weights[page]))
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
            by_page: None,
        };
        let mut shares: BTreeMap<String, PageShare> = BTreeMap::new();
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
                if seen.purpose != Purpose::Robots && seen.asked <= now {
                    shares.entry(seen.url.clone()).or_default().add(&seen, since);
                }
                scheduler.recall(&seen);
            }
        }
        let links = SiteLinks::read(reading, site)?;
        let mut weighed = Vec::new();
        for (url, share) in &shares {
            let page = scheduler.page_of(url);
            let per_day = page.map_or(0.0, |page| scheduler.believed_per_day(page));
            weighed.push((links.weight(url, 0, &Traffic::default()), share.unseen(per_day, since, now), share));
        }
        let missed = report.status.missed.as_ref();
        report.by_page = missed.and_then(|missed| by_page(&weighed, missed.mean));
        report.pages = pages.into_iter().filter(|(_, part)| part.caught > 0).collect();
        report.pages.sort_by_key(|(_, part)| std::cmp::Reverse(part.caught));
        report.pages.truncate(PAGES_MAX);
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(changes: u64, importance: f64) -> PageShare {
        PageShare { seen: Some(Time::MIN), changes, importance, gaps: Vec::new() }
    }

    #[test]
    fn every_page_counts_by_its_weight_however_much_happens_on_it() {
        // Ten changes of a tenth caught and ten missed; one of a tenth caught and none missed; one page without any.
        let [busy, calm, still] = [page(10, 1.0), page(1, 0.1), page(0, 0.0)];
        let even = [(1.0, 10.0, &busy), (1.0, 0.0, &calm), (1.0, 0.0, &still)];
        assert!((by_page(&even, 10.0).unwrap() - 0.75).abs() < 1e-9);
        let heavy = [(3.0, 10.0, &busy), (1.0, 0.0, &calm), (1.0, 0.0, &still)];
        assert!((by_page(&heavy, 10.0).unwrap() - 0.625).abs() < 1e-9);
        // Half as many missed, by what is believed of the whole site.
        assert!((by_page(&even, 5.0).unwrap() - (1.0 / 1.5 + 1.0) / 2.0).abs() < 1e-9);
        assert_eq!(by_page(&[(1.0, 2.0, &still)], 2.0), None);
        // A page where something was missed for sure, and nothing caught.
        let unseen = [(1.0, 0.0, &calm), (1.0, 1e3, &still)];
        assert!((by_page(&unseen, 1e3).unwrap() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn of_the_changes_in_a_gap_the_visit_at_its_end_sees_one() {
        let at = |days: i64| Time::from_secs(1_700_000_000 + 86_400 * days);
        let share = PageShare { seen: Some(at(10)), gaps: vec![10.0], ..PageShare::default() };
        let often = share.unseen(1.0, at(0), at(10));
        assert!((often - 9.0).abs() < 0.01, "{often}");
        assert!(share.unseen(0.01, at(0), at(10)) < 0.01);
        assert!((share.unseen(0.01, at(0), at(20)) - 0.1 - share.unseen(0.01, at(0), at(10))).abs() < 1e-9);
    }
}
