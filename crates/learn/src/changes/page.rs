//! What is believed of how often one page changes.

use super::{
    spells::Spells,
    timing::{Timing, Visit},
};
use crate::{
    cohort::CohortId,
    grid::{Curve, Grid, RateEvidence, Weights},
    learner::PageSlot,
};
use tintype_vocab::{Change, Time};

/// Imaginary changes that said something, behind every page.
const TELLING_STRENGTH: u32 = 2;

#[derive(Clone, Debug)]
pub(super) struct PageChanges {
    /// The latest visit.
    pub(super) last: Time,
    pub(super) cohort: CohortId,
    /// Visits so far, which is how often old evidence has faded.
    pub(super) visits: u32,
    pub(super) evidence: RateEvidence,
    /// Changes a day, which follow from the evidence and the cohort's first guess.
    pub(super) mean_per_day: f32,
    /// A second opinion, where there is timing.
    pub(super) spells: Option<Spells>,
    /// Changes found that said something, and all.
    pub(super) changes: (u32, u32),
}

impl PageChanges {
    pub(super) fn new(now: Time, cohort: CohortId, has_spells: bool) -> PageChanges {
        PageChanges {
            last: now,
            cohort,
            visits: 0,
            evidence: RateEvidence::default(),
            mean_per_day: 0.0,
            spells: has_spells.then(Spells::new),
            changes: (0, 0),
        }
    }

    /// What to believe of a page of a cohort of which this is the first guess. Not kept: it is as large as all the rest
    /// together, and hardly ever asked for.
    pub(super) fn belief(&self, grid: &Grid, prior: &Weights) -> Weights {
        self.evidence.belief(grid, prior)
    }

    /// Its evidence or its cohort's first guess is another one than before.
    pub(super) fn believe(&mut self, grid: &Grid, prior: &Weights) {
        self.mean_per_day = grid.mean_per_day(&self.belief(grid, prior)) as f32;
        if let Some(spells) = &mut self.spells {
            spells.believe(grid, prior);
        }
    }

    /// Bytes besides its own.
    pub(super) fn bytes(&self) -> usize {
        self.evidence.bytes() + self.spells.as_ref().map_or(0, Spells::bytes)
    }

    pub(super) fn count(&mut self, change: Change) {
        self.visits = self.visits.saturating_add(1);
        if let Change::New { .. } = change {
            let (telling, all) = &mut self.changes;
            *telling = telling.saturating_add(u32::from(change.matters()));
            *all = all.saturating_add(1);
        }
    }

    pub(super) fn telling(&self) -> f64 {
        let (telling, all) = self.changes;
        (f64::from(telling) + f64::from(TELLING_STRENGTH)) / (f64::from(all) + f64::from(TELLING_STRENGTH))
    }

    /// Learns when pages change. Returns whether the site's hours or spells were learned anew.
    pub(super) fn time(
        &mut self,
        timing: &mut Timing,
        grid: &Grid,
        prior: &Weights,
        slot: PageSlot,
        visit: &Visit,
    ) -> bool {
        let days = timing.clock().days(visit.last, visit.now).max(1e-6);
        let belief = self.belief(grid, prior);
        let foretold = grid.expect(&belief, Curve::Changed, days);
        let newborn = self.spells.as_ref().is_some_and(|spells| spells.newborn);
        let anew = timing.observe(slot, newborn, visit, grid.mean_per_day(&belief));
        if let Some(spells) = &mut self.spells {
            spells.observe(timing, grid, prior, visit, foretold);
        }
        anew
    }

    /// Adds what another log says of the page. The belief is to be made anew afterwards.
    pub(super) fn add(&mut self, other: &PageChanges) {
        let (earlier, later) = if self.last <= other.last { (&*self, other) } else { (other, &*self) };
        let mut evidence = earlier.evidence.clone();
        evidence.fade_by(later.visits);
        evidence.add(&later.evidence);
        let spells = match (&earlier.spells, &later.spells) {
            (Some(earlier), Some(later)) => Some(earlier.followed_by(later)),
            (one, other) => other.clone().or_else(|| one.clone()),
        };
        let changes = (self.changes.0.saturating_add(other.changes.0), self.changes.1.saturating_add(other.changes.1));
        let (last, visits) = (later.last, self.visits.saturating_add(other.visits));
        *self = PageChanges { last, visits, evidence, spells, changes, ..*self };
    }
}
