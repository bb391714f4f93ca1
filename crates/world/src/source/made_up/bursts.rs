//! Objects come in batches, and of some batches everything leaves at once.

use super::{MEAN_LIFE, MadeUpConfig, Source, Stay, WARM_UP_LIVES, looked_at_daily};
use crate::synthetic::chance::{Purpose, dice, exponential, happens, poisson};

pub(super) const SUMMARY: &str = "objects come in batches, and some batches leave at once";

/// From one batch to the next.
const DAYS_BETWEEN: f64 = 1.5;
/// Of batches that leave together.
const TOGETHER: f64 = 0.3;

pub(super) fn make(wish: &MadeUpConfig) -> Source {
    let mut arrivals = dice(wish.seed, Purpose::Arrivals, 0);
    let batches = poisson(&mut arrivals, 1.0 / DAYS_BETWEEN, -WARM_UP_LIVES * MEAN_LIFE, f64::from(wish.days));
    looked_at_daily(wish, &[], batches.enumerate().flat_map(|(nth, born)| batch(wish, nth as u64, born)))
}

fn batch(wish: &MadeUpConfig, nth: u64, born: f64) -> Vec<Stay> {
    let mut dice = dice(wish.seed, Purpose::Lives, nth);
    let mean = wish.size as f64 * DAYS_BETWEEN / MEAN_LIFE;
    let size = exponential(&mut dice, mean).round() as usize;
    let shared = happens(&mut dice, TOGETHER).then(|| exponential(&mut dice, MEAN_LIFE));
    (0..size).map(|_| Stay::new(born, born + shared.unwrap_or_else(|| exponential(&mut dice, MEAN_LIFE)))).collect()
}
