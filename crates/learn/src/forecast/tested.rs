//! What forecasts came to: every visit to a page that was seen before tests one.
//!
//! Pages are visited because much is expected of them, so that what is right of those that are visited need not be of those
//! that are left alone. How long a page had been left alone is what tells them apart.

use super::group::days;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tintype_vocab::{Span, TestedDay, Time};

/// Lengths of time between visits that are told apart, each four times the one before; the first ends at half an hour.
const LENGTHS: usize = 12;
const FIRST_DAYS: f64 = 1.0 / 48.0;
/// Imaginary tests that came to what was foretold.
const STRENGTH: f32 = 1.0;
/// Old tests count less with every new one.
const KEPT: f32 = 0.998;
/// Days whose tests are told apart.
const DAYS_MAX: usize = 24 * 7;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Tested {
    /// By the time between visits: changes foretold, and found.
    by_length: [(f32, f32); LENGTHS],
    days: VecDeque<TestedDay>,
}

fn length(days: f64) -> usize {
    ((days / FIRST_DAYS).max(1.0).log2() / 2.0).ceil().min(LENGTHS as f64 - 1.0) as usize
}

impl Tested {
    /// A visit tested what had been foretold with this chance.
    pub(super) fn observe(&mut self, last: Time, at: Time, chance: f32, changed: bool) {
        let (foretold, found) = &mut self.by_length[length(days(last, at))];
        let sum = |sum: f32, one: f32| KEPT * sum + one;
        // A chance near one is foretold no better by being nearer.
        (*foretold, *found) = (sum(*foretold, chance), sum(*found, f32::from(u8::from(changed))));
        let day = at.midnight();
        if self.days.back().is_none_or(|last| last.day < day) {
            self.days.push_back(TestedDay { day, foretold: 0.0, found: 0, per_factor: 0.0 });
            if self.days.len() > DAYS_MAX {
                self.days.pop_front();
            }
        }
        let Some(last) = self.days.back_mut() else { return };
        let none = (1.0 - chance).max(1e-6);
        last.foretold += chance;
        last.found += u32::from(changed);
        last.per_factor += -none * none.ln();
    }

    /// How many times as many changes come as are foretold of pages left alone for so long.
    pub(super) fn factor(&self, alone: Span) -> f64 {
        let (foretold, found) = self.by_length[length(alone.as_days_f64())];
        f64::from((found + STRENGTH) / (foretold + STRENGTH))
    }

    pub(super) fn days(&self) -> impl Iterator<Item = TestedDay> + '_ {
        self.days.iter().copied()
    }

    /// Adds what another log says.
    pub(super) fn add(&mut self, other: &Tested) {
        for (mine, theirs) in self.by_length.iter_mut().zip(other.by_length) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
        for theirs in &other.days {
            let place = self.days.partition_point(|mine| mine.day < theirs.day);
            match self.days.get_mut(place).filter(|mine| mine.day == theirs.day) {
                Some(mine) => {
                    mine.foretold += theirs.foretold;
                    mine.found += theirs.found;
                    mine.per_factor += theirs.per_factor;
                }
                None => self.days.insert(place, *theirs),
            }
        }
        self.days.drain(..self.days.len().saturating_sub(DAYS_MAX));
    }

    pub(super) fn is_sound(&self) -> bool {
        let sums = self.by_length.iter().flat_map(|(foretold, found)| [*foretold, *found]);
        let by_day = self.days.iter().flat_map(|day| [day.foretold, day.per_factor]);
        sums.chain(by_day).all(|sum| (0.0..1e12).contains(&sum))
            && self.days.len() <= DAYS_MAX
            && self.days.iter().is_sorted_by(|one, other| one.day < other.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hour(hour: i64) -> Time {
        Time::from_secs(1_704_067_200 + 3600 * hour)
    }

    #[test]
    fn pages_that_were_left_alone_and_stood_still_are_foretold_to() {
        let mut tested = Tested::default();
        (0..40).for_each(|nth| tested.observe(hour(nth), hour(nth + 720), 0.5, nth % 10 == 0));
        (0..40).for_each(|nth| tested.observe(hour(nth), hour(nth + 2), 0.5, nth % 2 == 0));
        assert!((0.15..0.35).contains(&tested.factor(Span::from_days(30))), "{tested:?}");
        assert!((0.9..1.1).contains(&tested.factor(Span::from_secs(7200))), "{tested:?}");
        assert_eq!(tested.factor(Span::from_days(1)), 1.0, "nothing is known of it");
    }

    #[test]
    fn days_of_two_logs_are_added_up_and_the_oldest_forgotten() {
        let (mut one, mut other) = (Tested::default(), Tested::default());
        (0..200).for_each(|day| one.observe(hour(24 * day), hour(24 * day + 1), 0.25, false));
        (199..202).for_each(|day| other.observe(hour(24 * day), hour(24 * day + 1), 0.25, true));
        one.add(&other);
        let days: Vec<TestedDay> = one.days().collect();
        assert_eq!((days.len(), days[DAYS_MAX - 1].day), (DAYS_MAX, hour(24 * 201)));
        assert_eq!((days[DAYS_MAX - 3].foretold, days[DAYS_MAX - 3].found), (0.5, 1));
        assert!(one.is_sound());
    }
}
