//! When pages change: by the hours their site keeps, and in spells of activity.
//!
//! Both turn days into effective days, in which everything learned about rates stays true. The hours are the site's: a
//! clock that runs fast while it is busy. Spells are a second opinion on every page: what the first one foretold worse
//! is believed less, page by page, because the front page of a site whose stories come and go has no spells at all.

use tintype_learn::{
    burst::{Activity, Bursts, Interval, Sample},
    grid::{Curve, Evidence, Grid, Weights},
    hint::Silence,
    pattern::{Clock, Rhythm, Seen},
};
use tintype_vocab::{PageId, Time};

/// Changes count 1/e after so many days in what is known of the hours: sites change their habits with the season.
const MEMORY_DAYS: f64 = 40.0;
/// How well each opinion did counts less with every visit.
const ODDS_KEPT: f64 = 0.98;
/// Chances are never taken for certain.
const SURE: f64 = 1.0 - 1e-6;

/// What a visit found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Found {
    Same,
    /// At least one change since the visit before.
    Changed,
    /// A change at that moment, and none since.
    ChangedAt(Time),
    /// The page came to be at that moment, and has not changed since.
    Born(Time),
}

impl Found {
    /// Whether there was a change since a visit before; nothing for a first visit.
    fn is_change(self, last: Time) -> Option<bool> {
        match self {
            Found::Same => Some(false),
            Found::Changed => Some(true),
            Found::ChangedAt(at) => (at > last).then_some(true),
            Found::Born(_) => None,
        }
    }

    /// Adds this to what is known of a rate, `days` being how many effective days passed since a moment.
    pub(super) fn tell(self, evidence: &mut Evidence, grid: &Grid, last: Time, days: impl Fn(Time) -> f64) {
        match self {
            Found::Same => evidence.unchanged(grid, days(last)),
            Found::Changed => evidence.changed_within(grid, days(last).max(1e-5)),
            Found::ChangedAt(at) => evidence.changed_ago(grid, days(at)),
            Found::Born(at) => evidence.unchanged(grid, days(at)),
        }
    }
}

/// The hours and the spells of one site.
#[derive(Debug)]
pub(super) struct Timing {
    rhythm: Rhythm,
    clock: Clock,
    bursts: Option<Bursts>,
    sample: Sample,
}

impl Default for Timing {
    fn default() -> Timing {
        Timing {
            rhythm: Rhythm::new(Default::default(), MEMORY_DAYS),
            clock: Clock::default(),
            bursts: None,
            sample: Sample::default(),
        }
    }
}

impl Timing {
    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    pub(super) fn bursts(&self) -> Option<&Bursts> {
        self.bursts.as_ref()
    }

    /// A visit to a page that changes so often. Returns whether the clock or the spells were learned anew.
    pub(super) fn observe(&mut self, page: PageId, newborn: bool, visit: &Visit, rate_per_day: f64) -> bool {
        let Some(changed) = visit.found.is_change(visit.last) else { return false };
        let interval = Interval { days: self.clock.days(visit.last, visit.now), changed };
        let seen = match visit.found {
            Found::ChangedAt(at) => Seen::ChangeAt { at, importance: 1.0 },
            Found::Changed => Seen::Change { importance: 1.0 },
            Found::Same | Found::Born(_) => Seen::Same,
        };
        let relearned = self.rhythm.observe(visit.last, visit.now, seen, rate_per_day);
        if relearned {
            self.clock = Clock::from(self.rhythm.shape());
        }
        let due = self.sample.observe(page, newborn, interval);
        if due {
            self.bursts = self.sample.fit();
        }
        relearned || due
    }
}

/// A visit, the one before, and what was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub(super) last: Time,
    pub(super) now: Time,
    pub(super) found: Found,
}

/// The second opinion on a page: that it is quiet or active, and which of the two shows only in its changes.
#[derive(Debug)]
pub(super) struct Spells {
    activity: Option<Activity>,
    pub(super) newborn: bool,
    evidence: Evidence,
    belief: Weights,
    /// Logarithm of how much more likely this opinion is than the first.
    odds: f64,
}

impl Spells {
    pub(super) fn new(prior: &Weights) -> Spells {
        Spells { activity: None, newborn: false, evidence: Evidence::default(), belief: *prior, odds: 0.0 }
    }

    /// Learns from a visit. `first_opinion` is the chance of a change that the steady belief had foretold.
    pub(super) fn observe(&mut self, timing: &Timing, grid: &Grid, visit: &Visit, first_opinion: f64) {
        self.newborn |= matches!(visit.found, Found::Born(_));
        let Some(bursts) = timing.bursts() else {
            self.evidence.fade();
            return visit.found.tell(&mut self.evidence, grid, visit.last, |from| timing.clock.days(from, visit.now));
        };
        self.compare(bursts, timing, grid, visit, first_opinion);
        let rate = grid.mean_per_day(&self.belief);
        let before = self.activity.unwrap_or(if self.newborn { bursts.newborn() } else { bursts.unknown() });
        let wall = |from: Time| timing.clock.days(from, visit.now);
        let (since, start) = match visit.found {
            Found::Same | Found::Changed => (visit.last, before),
            Found::ChangedAt(at) => {
                let unseen = timing.clock.days(visit.last.min(at), at);
                (at, bursts.just_changed(bursts.passed(before, unseen)))
            }
            Found::Born(at) => (at, bursts.newborn()),
        };
        visit.found.tell(&mut self.evidence, grid, visit.last, |_| bursts.effective_days(start, wall(since)));
        let changed = visit.found == Found::Changed;
        self.activity = Some(bursts.after(start, rate, Interval { days: wall(since), changed }));
    }

    /// Which of the two opinions had foretold this better?
    fn compare(&mut self, bursts: &Bursts, timing: &Timing, grid: &Grid, visit: &Visit, first_opinion: f64) {
        let (Some(changed), Some(activity)) = (visit.found.is_change(visit.last), self.activity) else { return };
        let days = bursts.effective_days(activity, timing.clock.days(visit.last, visit.now)).max(1e-6);
        let chances = [grid.expect(&self.belief, Curve::Changed, days), first_opinion];
        let [own, first] = chances.map(|chance| if changed { chance } else { 1.0 - chance }.clamp(1.0 - SURE, SURE));
        self.odds = ODDS_KEPT * self.odds + (own / first).ln();
    }

    pub(super) fn believe(&mut self, prior: &Weights) {
        self.belief = self.evidence.belief(prior);
    }

    /// Changes to be expected by this opinion, and how far to believe it.
    pub(super) fn changes(&self, timing: &Timing, grid: &Grid, span: &Spanned) -> Option<(f64, f64)> {
        let (bursts, activity) = (timing.bursts()?, self.activity?);
        let days = span.days(|from, to| timing.clock.days(from, to), |days| bursts.effective_days(activity, days));
        Some((grid.mean_per_day(&self.belief) * days, 1.0 / (1.0 + (-self.odds).exp())))
    }
}

/// From the latest visit to a moment, with a part in which a listing was silent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spanned {
    pub(super) last: Time,
    pub(super) at: Time,
    pub(super) silence: Option<Silence>,
    /// How much more than its past says the page changes.
    pub(super) habit: f64,
}

impl Spanned {
    /// Effective days in which a change would not have shown, `effective` turning days of the clock into them.
    pub(super) fn days(&self, clock: impl Fn(Time, Time) -> f64, effective: impl Fn(f64) -> f64) -> f64 {
        let since = |at: Time| effective(clock(self.last, at));
        let silent = self.silence.map_or(0.0, |part| part.shown * (since(part.until) - since(part.from)));
        (since(self.at) - silent).max(1e-6) * self.habit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hour(hour: i64) -> Time {
        Time::from_secs(1_704_067_200 + 3600 * hour)
    }

    #[test]
    fn a_site_that_keeps_hours_is_expected_to_keep_them() {
        let mut timing = Timing::default();
        for at in 1..24 * 60 {
            let found = if (8..12).contains(&(at % 24)) { Found::ChangedAt(hour(at)) } else { Found::Same };
            timing.observe(PageId(0), false, &Visit { last: hour(at - 1), now: hour(at), found }, 4.0);
        }
        let around = |at: i64| timing.clock().days(hour(24 * 61 + at - 1), hour(24 * 61 + at + 1));
        assert!(around(9) > 3.0 * around(21), "{} {}", around(9), around(21));
    }

    /// Three changes in three hours, then silence for four days, on ten pages; one more has one change a day.
    fn bursty_site() -> (Timing, Vec<Spells>, Grid) {
        let (mut timing, grid) = (Timing::default(), Grid::default());
        let prior = grid.ignorance();
        let mut pages: Vec<Spells> = (0..11).map(|_| Spells::new(&prior)).collect();
        let mut steady: Vec<Evidence> = vec![Evidence::default(); 11];
        for at in 1..24 * 30 {
            for (page, spells) in pages.iter_mut().enumerate() {
                let changed = if page == 10 { at % 24 == 0 } else { (at + 13 * page as i64) % 99 < 3 };
                let visit = Visit {
                    last: hour(at - 1),
                    now: hour(at),
                    found: if changed { Found::Changed } else { Found::Same },
                };
                let foretold = grid.expect(&steady[page].belief(&prior), Curve::Changed, 1.0 / 24.0);
                timing.observe(PageId(page as u32), false, &visit, 0.7);
                spells.observe(&timing, &grid, &visit, foretold);
                spells.believe(&prior);
                visit.found.tell(&mut steady[page], &grid, visit.last, |from| (visit.now - from).as_days_f64());
            }
        }
        (timing, pages, grid)
    }

    #[test]
    fn pages_with_spells_are_believed_to_have_them_and_others_are_not() {
        let (timing, pages, grid) = bursty_site();
        assert!(timing.bursts().is_some());
        assert!(pages[..10].iter().all(|page| page.odds > 0.0), "{pages:?}");
        assert!(pages[10].odds < pages[0].odds, "{} {}", pages[10].odds, pages[0].odds);
        let at = hour(24 * 30);
        let span = Spanned { last: hour(24 * 30 - 1), at, silence: None, habit: 1.0 };
        assert!(pages[0].changes(&timing, &grid, &span).is_some_and(|(changes, weight)| changes > 0.0 && weight > 0.5));
    }

    #[test]
    fn silence_of_a_listing_takes_days_away() {
        let silence = Some(Silence { from: hour(2), until: hour(12), shown: 0.5 });
        let span = Spanned { last: hour(0), at: hour(24), silence, habit: 2.0 };
        let days = span.days(|from, to| (to - from).as_days_f64(), |days| days);
        assert!((days - 2.0 * 19.0 / 24.0).abs() < 1e-9, "{days}");
    }
}
