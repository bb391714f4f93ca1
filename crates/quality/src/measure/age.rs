//! For how long our copies have been out of date.

use super::Measure;
use crate::life::Page;
use tintype_vocab::Time;

pub(super) const MEAN_AGE: Measure = Measure {
    name: "mean_age_hours",
    unit: "h",
    meaning: "time since the first version we do not hold came to be, 0 while fresh, averaged over all page time alive",
    more_is_better: false,
    read: |score| score.mean_age_hours,
};

const HOUR_MS: f64 = 3_600_000.0;

/// Whole numbers, so that the order of pages does not matter.
#[derive(Debug, Default)]
pub(crate) struct Age {
    /// Twice the integral of age over page time, in square milliseconds.
    twice: i128,
    alive_ms: i128,
}

impl Age {
    pub(crate) fn add(&mut self, page: &Page<'_>) {
        // Since when we have been behind. Absence does not end it: what we hold is no less old when the page comes back.
        let mut behind: Option<Time> = None;
        for life in page.lives {
            self.alive_ms += millis(life.from, life.until);
            let caught_up = life.seen.unwrap_or(life.until);
            if life.from < caught_up {
                let since = *behind.get_or_insert(life.from);
                self.twice += millis(since, caught_up).pow(2) - millis(since, life.from).pow(2);
            }
            if life.seen.is_some() {
                behind = None;
            }
        }
    }

    pub(crate) fn mean_hours(&self) -> f64 {
        if self.alive_ms == 0 { 0.0 } else { self.twice as f64 / 2.0 / self.alive_ms as f64 / HOUR_MS }
    }
}

fn millis(from: Time, to: Time) -> i128 {
    i128::from((to - from).as_millis())
}
