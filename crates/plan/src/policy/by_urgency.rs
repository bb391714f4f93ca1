//! Algorithm 5 of the page-change-pattern paper: at the beginning of every period all pages are listed by their urgency,
//! page weight × what the pattern promises × time since the latest visit, and visited in that order until the period
//! ends.
//!
//! Patterns are learned while visiting: what a visit finds belongs to all periods since the one before. A page that has
//! shown little is taken to be like the others. About 450 bytes a page.

use super::{View, by_list::Listing, periods::Periods};
use crate::page_rank::PageRank;
use tintype_learn::pattern::{Calendar, ImportancePattern, urgency};
use tintype_vocab::{Change, Observation, PageId, Time};

/// What pages have in common counts as much as this many periods of a page's own.
const COMMON_PERIODS: f64 = 1.0;
/// Nobody is wholly without urgency: where nothing was ever found, whoever waits longest comes first.
const FLOOR: f64 = 1e-6;

/// What a pattern is made of, and what of it counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strategy {
    /// What a change of some importance adds to the pattern.
    pub(super) counts: fn(f32) -> f64,
    /// What the pattern promises for a moment, and how many periods speak for it.
    pub(super) promise: fn(&ImportancePattern, Time) -> (f64, f64),
}

#[derive(Debug)]
pub(super) struct ByUrgency {
    strategy: Strategy,
    calendar: Calendar,
    patterns: Vec<Option<Box<ImportancePattern>>>,
    ranks: PageRank,
}

impl ByUrgency {
    pub(super) fn new(strategy: Strategy, calendar: Calendar) -> ByUrgency {
        ByUrgency { strategy, calendar, patterns: Vec::new(), ranks: PageRank::default() }
    }

    /// What a page's own pattern promises for a moment; nothing of a page without one.
    fn own(&self, page: PageId, at: Time) -> (f64, f64) {
        let pattern = self.patterns.get(page.index()).and_then(Option::as_ref);
        pattern.map_or((0.0, 0.0), |pattern| (self.strategy.promise)(pattern, at))
    }
}

impl Listing for ByUrgency {
    fn is_over(&self, made: Time, now: Time) -> bool {
        let periods = Periods::of(self.calendar);
        periods.number(made) != periods.number(now)
    }

    fn list(&mut self, pages: &[(PageId, Time)], now: Time, _view: &View<'_>) -> Vec<f64> {
        let own: Vec<(f64, f64)> = pages.iter().map(|(page, _)| self.own(*page, now)).collect();
        let common = common(&own);
        let urgency = |(&(page, last), (own, seen)): (&(PageId, Time), (f64, f64))| {
            let promise = (own * seen + common * COMMON_PERIODS) / (seen + COMMON_PERIODS);
            urgency(self.ranks.weight(page), promise + FLOOR, (now - last).as_days_f64())
        };
        pages.iter().zip(own).map(urgency).collect()
    }

    fn learn(&mut self, page: PageId, last: Option<Time>, observation: &Observation, view: &View<'_>) {
        read_links(&mut self.ranks, page, observation, view);
        let found = match observation.change {
            Change::New { importance } => (self.strategy.counts)(importance),
            Change::Same => 0.0,
            Change::First | Change::Unknown => return,
        };
        let Some(last) = last else { return };
        if self.patterns.len() <= page.index() {
            self.patterns.resize_with(page.index() + 1, || None);
        }
        let pattern =
            self.patterns[page.index()].get_or_insert_with(|| Box::new(ImportancePattern::new(self.calendar)));
        pattern.observe(last, observation.answered, found);
    }
}

/// A page that is as it was links what it linked.
pub(super) fn read_links(ranks: &mut PageRank, page: PageId, observation: &Observation, view: &View<'_>) {
    if observation.change != Change::Same && observation.outcome.saw_page() {
        ranks.read(page, view.linked.iter().map(|(target, _)| *target));
    }
}

/// The mean of what patterns promise, by how much speaks for each.
fn common(own: &[(f64, f64)]) -> f64 {
    let (sum, seen) = own.iter().fold((0.0, 0.0), |(sum, all), (mean, seen)| (sum + mean * seen, all + seen));
    if seen > 0.0 { sum / seen } else { 0.0 }
}
