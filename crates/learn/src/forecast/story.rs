//! What was found on one page, visit by visit.

use super::place::{GROUPS, Looks};
use serde::{Deserialize, Serialize};
use tintype_vocab::{Span, Time};

/// How fast what a page did lately is forgotten, with every visit.
const LATELY: f32 = 0.3;
const AT_FIRST: f32 = 0.3;
/// What becomes known so soon after the first visit was there before.
const BEFORE_US: Span = Span::from_secs(3600);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Story {
    pub(super) last: Time,
    pub(super) known_since: Time,
    pub(super) last_change: Time,
    pub(super) change_before: Time,
    pub(super) last_gap: Span,
    pub(super) visits: u32,
    pub(super) changes: u32,
    /// Visits since the last change.
    pub(super) run: u32,
    /// Known to have been born while its site was watched.
    pub(super) born: bool,
    pub(super) is_gone: bool,
    /// One for a change at the last visit, two for one at the visit before.
    pub(super) last_two: u8,
    /// Share of visits with a change, and the share expected.
    pub(super) lately: f32,
    pub(super) lately_expected: f32,
    /// Visits after changes in its directory: how many found it changed as well, and were thought to.
    pub(super) together: f32,
    pub(super) together_expected: f32,
    /// Pages it lists.
    pub(super) lists: u32,
    pub(super) groups: [u32; GROUPS],
    pub(super) looks: Looks,
}

impl Story {
    /// The story of a page that nobody has seen.
    pub(super) fn unseen(known_since: Time, began: Time, looks: Looks) -> Story {
        Story {
            last: known_since,
            known_since,
            last_change: known_since,
            change_before: known_since,
            last_gap: Span::from_secs(3600),
            visits: 0,
            changes: 0,
            run: 0,
            born: began != Time::MAX && (known_since - began) > BEFORE_US,
            is_gone: false,
            last_two: 0,
            lately: AT_FIRST,
            lately_expected: AT_FIRST,
            together: 0.0,
            together_expected: 0.0,
            lists: 0,
            groups: [0; GROUPS],
            looks,
        }
    }

    pub(super) fn last_gap_days(&self) -> f64 {
        self.last_gap.as_days_f64().clamp(0.0, 1e4)
    }

    /// How old it is, where that is known.
    pub(super) fn age(&self, at: Time) -> Option<Span> {
        self.born.then(|| at - self.known_since)
    }

    /// It was seen for the first time, in a version that came to be at some moment.
    pub(super) fn begin(&mut self, at: Time, moment: Time) {
        (self.last, self.last_change, self.change_before) = (at, moment, moment);
        self.visits = 1;
    }

    /// It was seen again. `chance` is what its own past had let expect, `moment` when what was found came to be.
    pub(super) fn go_on(&mut self, at: Time, chance: f32, moment: Option<Time>, nearby: f32) {
        let changed = f32::from(u8::from(moment.is_some()));
        self.last_two = (self.last_two << 1 | u8::from(moment.is_some())) & 3;
        self.lately += LATELY * (changed - self.lately);
        self.lately_expected += LATELY * (chance - self.lately_expected);
        if nearby > 0.0 {
            self.together_expected += nearby.min(1.0);
            self.together += nearby.min(1.0) * changed;
        }
        self.run = self.run.saturating_add(1);
        if let Some(moment) = moment {
            (self.change_before, self.last_change) = (self.last_change, moment.max(self.last_change));
            self.changes = self.changes.saturating_add(1);
            self.run = 0;
        }
        self.visits = self.visits.saturating_add(1);
        self.last_gap = at - self.last;
        self.last = at;
    }

    /// What two logs say.
    pub(super) fn with(&self, other: &Story) -> Story {
        let (earlier, later) = if self.last <= other.last { (self, other) } else { (other, self) };
        Story {
            known_since: earlier.known_since.min(later.known_since),
            visits: earlier.visits.saturating_add(later.visits),
            changes: earlier.changes.saturating_add(later.changes),
            run: if later.changes > 0 { later.run } else { later.run.saturating_add(earlier.run) },
            together: earlier.together + later.together,
            together_expected: earlier.together_expected + later.together_expected,
            ..later.clone()
        }
    }

    pub(super) fn is_sound(&self, groups: usize) -> bool {
        let numbers = [self.lately, self.lately_expected, self.together, self.together_expected];
        self.groups.iter().all(|group| (*group as usize) < groups)
            && numbers.iter().all(|number| number.is_finite() && number.abs() < 1e12)
    }
}
