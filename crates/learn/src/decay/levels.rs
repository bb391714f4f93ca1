//! How much loss is due per day of average business, as several observers see it: by the shape they believe the stock to
//! have, and by how quickly they forget.

use super::{curve, whole::all_or_none};
use serde::{Deserialize, Serialize};

/// From stocks that lose so many a day whatever is left to stocks whose losses slow down; see [`curve`].
pub(super) const SHAPES: [f64; 5] = [-1.0, -0.5, 0.0, 0.5, 1.0];
/// The last row believes in ages instead of a shape.
pub(super) const ROWS: usize = SHAPES.len() + 1;
/// What is remembered half as well after so many losses per object: a measure of time that fits every source.
pub(super) const HALF_LIVES: [f64; 3] = [f64::INFINITY, 1.5, 0.4];
pub(super) const OBSERVERS: usize = ROWS * HALF_LIVES.len();

/// One number for each observer, row by row.
pub(super) type PerObserver = Vec<f64>;

/// The losses seen and the days they took, for each observer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Levels {
    #[serde(deserialize_with = "all_or_none::<OBSERVERS, _>")]
    losses: PerObserver,
    #[serde(deserialize_with = "all_or_none::<OBSERVERS, _>")]
    days: PerObserver,
}

impl Levels {
    pub(super) fn get(&self) -> PerObserver {
        self.losses.iter().zip(&self.days).map(|(losses, days)| losses / days).collect()
    }

    /// So many of `objects` were left after that many days of average business; `due_by_age` is the loss that the ages of
    /// the objects led to expect, if they are known.
    pub(super) fn see(&mut self, kept: f64, objects: f64, days: f64, due_by_age: Option<f64>) {
        let share = |kept: f64| (kept + 0.5) / (objects + 1.0);
        if self.losses.is_empty() || self.days.is_empty() {
            // Half a loss has always been seen, so that no source is believed to stand still for ever.
            self.losses = vec![0.5 / (objects + 1.0); OBSERVERS];
            self.days = vec![days * 1e-3; OBSERVERS];
        }
        let loss = (objects - kept) / objects.max(1.0);
        for row in 0..ROWS {
            let (due, time) = match SHAPES.get(row) {
                Some(shape) => (curve::due(*shape, share(kept)) - curve::due(*shape, share(objects)), days),
                None => (loss, due_by_age.unwrap_or(loss).max(1e-9)),
            };
            for (column, half_life) in HALF_LIVES.iter().enumerate() {
                let place = row * HALF_LIVES.len() + column;
                let memory = 0.5f64.powf(due.max(0.0) / half_life);
                self.losses[place] = self.losses[place] * memory + due.max(0.0);
                self.days[place] = self.days[place] * memory + time;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_forget_follow_and_those_who_do_not_average() {
        let mut levels = Levels::default();
        for _ in 0..40 {
            levels.see(980.0, 1000.0, 1.0, None);
        }
        for _ in 0..20 {
            levels.see(940.0, 1000.0, 1.0, None);
        }
        let level = levels.get();
        let exponential = 2 * HALF_LIVES.len();
        let (steady, latest) = (level[exponential], level[exponential + 2]);
        assert!((0.030..0.037).contains(&steady), "{steady}");
        assert!((0.052..0.064).contains(&latest), "{latest}");
        let by_age = level[OBSERVERS - 1];
        assert!((by_age - 1.0).abs() < 0.1, "ages explained all of it: {by_age}");
    }

    #[test]
    fn an_observer_of_so_many_a_day_counts() {
        let mut levels = Levels::default();
        levels.see(500.0, 1000.0, 10.0, None);
        assert!((levels.get()[0] - 0.05).abs() < 1e-3, "half in ten days: {}", levels.get()[0]);
        assert!((levels.get()[2 * HALF_LIVES.len()] - 2f64.ln() / 10.0).abs() < 1e-3);
    }
}
