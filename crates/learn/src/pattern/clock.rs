//! A clock that runs fast while a site is busy and slow while it sleeps.
//!
//! The same as a [`Shape`] without its days of the month, in a table: planning asks for effective days many thousand
//! times a second.

use super::shape::Shape;
use serde::{Deserialize, Serialize};
use tintype_vocab::{Span, Time};

/// Half hours of a week: time zones are no finer, but for a few.
const STEPS: usize = 336;
const STEP: Span = Span::from_secs(1800);

/// Effective days since the beginning of a week, at every half hour of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f64>", into = "Vec<f64>")]
pub struct Clock {
    table: Box<[f64]>,
}

impl TryFrom<Vec<f64>> for Clock {
    type Error = &'static str;

    fn try_from(table: Vec<f64>) -> Result<Clock, &'static str> {
        let runs = table.len() == STEPS + 1 && table.is_sorted() && table[0] == 0.0 && table[STEPS].is_finite();
        if runs { Ok(Clock { table: table.into() }) } else { Err("a clock that does not run") }
    }
}

impl From<Clock> for Vec<f64> {
    fn from(clock: Clock) -> Vec<f64> {
        clock.table.into()
    }
}

impl Default for Clock {
    /// Runs evenly.
    fn default() -> Clock {
        Clock { table: (0..=STEPS).map(|step| step as f64 / 48.0).collect() }
    }
}

impl From<&Shape> for Clock {
    fn from(shape: &Shape) -> Clock {
        let shape = shape.of_first_groups(3);
        let mut passed = 0.0;
        let steps = (0..STEPS as i64).map(|step| {
            let from = Time::from_millis(STEP.as_millis() * step);
            passed += shape.effective_days(from, from + STEP);
            passed
        });
        Clock { table: std::iter::once(0.0).chain(steps).collect() }
    }
}

impl Clock {
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.table)
    }

    /// Effective days between two instants; none if the second comes first.
    pub fn days(&self, from: Time, to: Time) -> f64 {
        (self.at(to) - self.at(from)).max(0.0)
    }

    fn at(&self, time: Time) -> f64 {
        let week = STEP.as_millis() * STEPS as i64;
        let (weeks, within) = (time.as_millis().div_euclid(week), time.as_millis().rem_euclid(week));
        let (step, rest) = ((within / STEP.as_millis()) as usize, within % STEP.as_millis());
        let share = rest as f64 / STEP.as_millis() as f64;
        let here = self.table[step] + share * (self.table[step + 1] - self.table[step]);
        weeks as f64 * self.table[STEPS] + here
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{Calendar, HourSeen, Rhythm};

    fn hour(hour: i64) -> Time {
        Time::from_secs(1_704_067_200 + 3600 * hour)
    }

    #[test]
    fn an_even_clock_runs_like_any_other() {
        let clock = Clock::default();
        assert!((clock.days(hour(5), hour(29)) - 1.0).abs() < 1e-9);
        assert_eq!(clock.days(hour(29), hour(5)), 0.0);
        assert!((clock.days(Time::from_secs(-90_000), Time::from_secs(-3600)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_clock_agrees_with_the_shape_it_was_made_of() {
        let mut rhythm = Rhythm::new(Calendar::new(24, Span::from_secs(5 * 3600 + 1800)), f64::INFINITY);
        for day in 0..60 {
            for at in 0..24 {
                let seen = if (8..12).contains(&at) { HourSeen::Change { importance: 1.0 } } else { HourSeen::Same };
                rhythm.observe(hour(24 * day + at - 1), hour(24 * day + at), seen, 4.0);
            }
        }
        let clock = Clock::from(rhythm.shape());
        let shape = rhythm.shape().of_first_groups(3);
        let busy = |day: i64| clock.days(hour(24 * day + 7), hour(24 * day + 12));
        assert!(busy(1) > 0.4, "{}", busy(1));
        for (from, to) in [(0, 3), (7, 200), (100, 2000)] {
            let (exact, table) = (shape.effective_days(hour(from), hour(to)), clock.days(hour(from), hour(to)));
            assert!((exact - table).abs() < 1e-3 * exact, "{from}..{to}: {exact} {table}");
        }
    }
}
