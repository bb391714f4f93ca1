//! Which versions were caught alive, and what share of the visits caught one.

use super::{Measure, SHARE};
use crate::life::Page;

pub(super) const COMPLETENESS: Measure = Measure {
    name: "completeness",
    unit: SHARE,
    meaning: "versions seen alive by some visit, of all that came to be",
    more_is_better: true,
    read: |score| score.completeness,
};

pub(super) const WEIGHTED_COMPLETENESS: Measure = Measure {
    name: "weighted_completeness",
    unit: SHARE,
    meaning: "change importance of the versions seen alive, of that of all that came to be",
    more_is_better: true,
    read: |score| score.weighted_completeness,
};

pub(super) const USEFUL: Measure = Measure {
    name: "useful",
    unit: SHARE,
    meaning: "visits that saw a version not seen before, of all visits",
    more_is_better: true,
    read: |score| score.useful,
};

/// Counts of versions born in the window. Each is seen for the first time by at most one visit.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) visits: u64,
    pub(crate) versions: u64,
    pub(crate) seen: u64,
    weight: f64,
    seen_weight: f64,
}

impl Kept {
    pub(crate) fn add(&mut self, page: &Page<'_>) {
        self.visits += page.visits.len() as u64;
        for life in page.lives.iter().filter(|life| life.born) {
            self.versions += 1;
            self.weight += f64::from(life.weight);
            if life.seen.is_some() {
                self.seen += 1;
                self.seen_weight += f64::from(life.weight);
            }
        }
    }

    pub(crate) fn completeness(&self) -> f64 {
        if self.versions == 0 { 1.0 } else { self.seen as f64 / self.versions as f64 }
    }

    /// Where no version weighs anything, all weigh the same.
    pub(crate) fn weighted_completeness(&self) -> f64 {
        if self.weight > 0.0 { self.seen_weight / self.weight } else { self.completeness() }
    }

    pub(crate) fn useful(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.seen as f64 / self.visits as f64 }
    }
}
