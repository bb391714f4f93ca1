//! A second opinion on every page: that it is quiet or active, and which of the two shows only in its changes.
//!
//! What the first opinion foretold worse is believed less, page by page, because the front page of a site whose stories
//! come and go has no spells at all.

use super::{
    elapsed::Elapsed,
    timing::{Found, Timing, Visit},
};
use crate::{
    burst::{BurstActivity, Bursts, Interval},
    grid::{Curve, Grid, RateEvidence, Weights},
};
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// How well each opinion did counts less with every visit.
const ODDS_KEPT: f64 = 0.98;
/// Chances are never taken for certain.
const SURE: f64 = 1.0 - 1e-6;

/// The second opinion on a page: that it is quiet or active, and which of the two shows only in its changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Spells {
    activity: Option<BurstActivity>,
    pub(super) newborn: bool,
    evidence: RateEvidence,
    /// Changes a day, which follow from the evidence and the cohort's first guess.
    mean_per_day: f32,
    /// Logarithm of how much more likely this opinion is than the first.
    odds: f64,
}

impl Spells {
    pub(super) fn new() -> Spells {
        Spells { activity: None, newborn: false, evidence: RateEvidence::default(), mean_per_day: 0.0, odds: 0.0 }
    }

    /// Learns from a visit. `first_opinion` is the chance of a change that the steady belief had foretold.
    pub(super) fn observe(&mut self, timing: &Timing, grid: &Grid, prior: &Weights, visit: &Visit, first_opinion: f64) {
        self.newborn |= matches!(visit.found, Found::Born(_));
        let Some(bursts) = timing.bursts() else {
            self.evidence.fade();
            return visit.found.tell(&mut self.evidence, grid, visit.last, |from| timing.clock().days(from, visit.now));
        };
        let belief = self.evidence.belief(grid, prior);
        self.compare(bursts, timing, grid, &belief, visit, first_opinion);
        let rate = grid.mean_per_day(&belief);
        let before = self.activity.unwrap_or(if self.newborn { bursts.newborn() } else { bursts.unknown() });
        let wall = |from: Time| timing.clock().days(from, visit.now);
        let (since, start) = match visit.found {
            Found::Same | Found::Changed => (visit.last, before),
            Found::ChangedAt(at) => {
                let unseen = timing.clock().days(visit.last.min(at), at);
                (at, bursts.just_changed(bursts.passed(before, unseen)))
            }
            Found::Born(at) => (at, bursts.newborn()),
        };
        visit.found.tell(&mut self.evidence, grid, visit.last, |_| bursts.effective_days(start, wall(since)));
        let changed = visit.found == Found::Changed;
        self.activity = Some(bursts.after(start, rate, Interval { days: wall(since), changed }));
    }

    pub(super) fn is_sound(&self) -> bool {
        (0.0..1e6).contains(&self.mean_per_day)
    }

    /// Bytes besides its own.
    pub(super) fn bytes(&self) -> usize {
        self.evidence.bytes()
    }

    /// Which of the two opinions had foretold this better?
    fn compare(
        &mut self,
        bursts: &Bursts,
        timing: &Timing,
        grid: &Grid,
        belief: &Weights,
        visit: &Visit,
        first_opinion: f64,
    ) {
        let (Some(changed), Some(activity)) = (visit.found.is_change(visit.last), self.activity) else { return };
        let days = bursts.effective_days(activity, timing.clock().days(visit.last, visit.now)).max(1e-6);
        let chances = [grid.expect(belief, Curve::Changed, days), first_opinion];
        let [own, first] = chances.map(|chance| if changed { chance } else { 1.0 - chance }.clamp(1.0 - SURE, SURE));
        self.odds = ODDS_KEPT * self.odds + (own / first).ln();
    }

    pub(super) fn believe(&mut self, grid: &Grid, prior: &Weights) {
        self.mean_per_day = grid.mean_per_day(&self.evidence.belief(grid, prior)) as f32;
    }

    /// Changes to be expected by this opinion, and how far to believe it.
    pub(super) fn changes(&self, timing: &Timing, elapsed: &Elapsed) -> Option<(f64, f64)> {
        let (bursts, activity) = (timing.bursts()?, self.activity?);
        let days = elapsed.days(|from, to| timing.clock().days(from, to), |days| bursts.effective_days(activity, days));
        Some((f64::from(self.mean_per_day) * days, 1.0 / (1.0 + (-self.odds).exp())))
    }

    /// What both halves of a log say: where the page stands and which opinion to believe as of the later one.
    pub(super) fn followed_by(&self, later: &Spells) -> Spells {
        let mut evidence = self.evidence.clone();
        evidence.add(&later.evidence);
        Spells { activity: later.activity.or(self.activity), newborn: self.newborn, evidence, ..later.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learner::PageSlot;

    fn hour(hour: i64) -> Time {
        Time::from_secs(1_704_067_200 + 3600 * hour)
    }

    /// Three changes in three hours, then silence for four days, on ten pages; one more has one change a day.
    fn bursty_site() -> (Timing, Vec<Spells>) {
        let (mut timing, grid) = (Timing::default(), Grid::default());
        let prior = grid.ignorance();
        let mut pages: Vec<Spells> = (0..11).map(|_| Spells::new()).collect();
        let mut steady: Vec<RateEvidence> = vec![RateEvidence::default(); 11];
        for at in 1..24 * 30 {
            for (page, spells) in pages.iter_mut().enumerate() {
                let changed = if page == 10 { at % 24 == 0 } else { (at + 13 * page as i64) % 99 < 3 };
                let visit = Visit {
                    last: hour(at - 1),
                    now: hour(at),
                    found: if changed { Found::Changed } else { Found::Same },
                };
                let foretold = grid.expect(&steady[page].belief(&grid, &prior), Curve::Changed, 1.0 / 24.0);
                timing.observe(PageSlot(page as u32), false, &visit, 0.7);
                spells.observe(&timing, &grid, &prior, &visit, foretold);
                spells.believe(&grid, &prior);
                visit.found.tell(&mut steady[page], &grid, visit.last, |from| (visit.now - from).as_days_f64());
            }
        }
        (timing, pages)
    }

    #[test]
    fn pages_with_spells_are_believed_to_have_them_and_others_are_not() {
        let (timing, pages) = bursty_site();
        assert!(timing.bursts().is_some());
        assert!(pages[..10].iter().all(|page| page.odds > 0.0), "{pages:?}");
        assert!(pages[10].odds < pages[0].odds, "{} {}", pages[10].odds, pages[0].odds);
        let at = hour(24 * 30);
        let elapsed = Elapsed { last: hour(24 * 30 - 1), at, silence: None, habit: 1.0 };
        assert!(pages[0].changes(&timing, &elapsed).is_some_and(|(changes, weight)| changes > 0.0 && weight > 0.5));
    }
}
