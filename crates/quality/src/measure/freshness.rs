//! How much of the time our copies are what the site shows.

use super::{Measure, SHARE};
use crate::life::Page;

pub(super) const FRESHNESS: Measure = Measure {
    name: "freshness",
    unit: SHARE,
    meaning: "page time during which the latest version we hold is the one alive, of all page time alive",
    more_is_better: true,
    read: |score| score.freshness,
};

/// Page time in milliseconds, whole numbers so that the order of pages does not matter.
#[derive(Debug, Default)]
pub(crate) struct Freshness {
    pub(crate) fresh_ms: i128,
    alive_ms: i128,
}

impl Freshness {
    pub(crate) fn add(&mut self, page: &Page<'_>) {
        for life in page.lives {
            self.alive_ms += i128::from((life.until - life.from).as_millis());
            if let Some(seen) = life.seen {
                self.fresh_ms += i128::from((life.until - seen).as_millis());
            }
        }
    }

    pub(crate) fn share(&self) -> f64 {
        if self.alive_ms == 0 { 1.0 } else { self.fresh_ms as f64 / self.alive_ms as f64 }
    }
}
