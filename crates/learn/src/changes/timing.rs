//! When pages change: by the hours their site keeps, and in spells of activity.
//!
//! Both turn days into effective days, in which everything learned about rates stays true. The hours are the site's: a
//! clock that runs fast while it is busy.

use crate::{
    burst::{Bursts, Interval, Sample},
    grid::{Grid, RateEvidence},
    learner::PageSlot,
    pattern::{Clock, HourSeen, Rhythm},
};
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// Changes count 1/e after so many days in what is known of the hours: sites change their habits with the season.
const MEMORY_DAYS: f64 = 40.0;

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
    pub(super) fn is_change(self, last: Time) -> Option<bool> {
        match self {
            Found::Same => Some(false),
            Found::Changed => Some(true),
            Found::ChangedAt(at) => (at > last).then_some(true),
            Found::Born(_) => None,
        }
    }

    /// Adds this to what is known of a rate, `days` being how many effective days passed since a moment.
    pub(super) fn tell(self, evidence: &mut RateEvidence, grid: &Grid, last: Time, days: impl Fn(Time) -> f64) {
        match self {
            Found::Same => evidence.unchanged(days(last)),
            Found::Changed => evidence.changed_within(grid, days(last).max(1e-5)),
            Found::ChangedAt(at) => evidence.changed_ago(days(at)),
            Found::Born(at) => evidence.unchanged(days(at)),
        }
    }
}

/// The hours and the spells of one site.
#[derive(Clone, Debug, Serialize, Deserialize)]
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

    pub(super) fn bytes(&self) -> usize {
        size_of::<Timing>() + self.rhythm.bytes() + self.clock.bytes() + self.sample.bytes()
    }

    /// Adds what another log says.
    pub(super) fn add(&mut self, other: &Timing, slots: &[PageSlot]) {
        self.rhythm.merge(&other.rhythm);
        self.clock = Clock::from(self.rhythm.shape());
        self.sample.merge(&other.sample, slots);
        self.bursts = self.sample.fit();
    }

    /// A visit to a page that changes so often. Returns whether the clock or the spells were learned anew.
    pub(super) fn observe(&mut self, page: PageSlot, newborn: bool, visit: &Visit, rate_per_day: f64) -> bool {
        let Some(changed) = visit.found.is_change(visit.last) else { return false };
        let interval = Interval { days: self.clock.days(visit.last, visit.now), changed };
        let seen = match visit.found {
            Found::ChangedAt(at) => HourSeen::ChangeAt { at, importance: 1.0 },
            Found::Changed => HourSeen::Change { importance: 1.0 },
            Found::Same | Found::Born(_) => HourSeen::Same,
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
            timing.observe(PageSlot(0), false, &Visit { last: hour(at - 1), now: hour(at), found }, 4.0);
        }
        let around = |at: i64| timing.clock().days(hour(24 * 61 + at - 1), hour(24 * 61 + at + 1));
        assert!(around(9) > 3.0 * around(21), "{} {}", around(9), around(21));
    }
}
