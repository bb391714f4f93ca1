//! How surprising what came was, held against what was foretold: the last correction of an interval.
//!
//! Whatever a source is like, nine of ten of its past forecasts should have held within their intervals of nine tenths. Where
//! they did not, intervals of losses of that size are stretched until they would have, and narrowed where more did.

use super::whole::exactly;
use serde::{Deserialize, Serialize};

/// One to a doubling of the loss.
const SIZES: usize = 15;
/// Deviates, of which each place holds so much; the last one all that are larger.
const PLACES: usize = 24;
const PLACE: f64 = 0.25;
/// The share of forecasts that are to hold, and where it lies for normal deviates.
const STATED: f64 = 0.9;
const DEVIATE: f64 = 1.645;
/// How much losses of another size tell, by their distance in doublings, and at the very least.
const REACH: f64 = 1.0;
const FAR: f64 = 0.02;
/// So many forecasts that came out as stated are believed to have been made.
const FIRST_GUESS: f64 = 4.0;
const NARROWEST: f64 = 0.3;
const WIDEST: f64 = 4.0;
/// Of the normal deviates, how many lie in each place.
const NORMAL: [f64; PLACES] = [
    0.197_413, 0.185_512, 0.163_820, 0.135_944, 0.106_011, 0.077_685, 0.053_496, 0.034_618, 0.021_051, 0.012_030,
    0.006_460, 0.003_260, 0.001_546, 0.000_689, 0.000_288, 0.000_113, 0.000_042, 0.000_015, 0.000_005, 0.000_001,
    0.000_000, 0.000_000, 0.000_000, 0.000_000,
];

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Surprises {
    #[serde(deserialize_with = "exactly::<{ SIZES * PLACES }, _>")]
    seen: Vec<f64>,
    /// By how much deviations are stretched, by the size of the loss.
    #[serde(deserialize_with = "exactly::<SIZES, _>")]
    stretch: Vec<f64>,
}

impl Default for Surprises {
    fn default() -> Surprises {
        Surprises { seen: vec![0.0; SIZES * PLACES], stretch: vec![1.0; SIZES] }
    }
}

/// The size of a loss, in doublings.
fn size(loss: f64) -> f64 {
    (-loss.max(1e-9).log2()).clamp(0.0, (SIZES - 1) as f64)
}

impl Surprises {
    pub(super) fn forget(&mut self, memory: f64) {
        self.seen.iter_mut().for_each(|seen| *seen *= memory);
    }

    /// A loss was expected, and what came was that far up in what was foretold, from 0 to 1.
    pub(super) fn see(&mut self, expected: f64, place: f64, weight: f64) {
        let inner = 2.0 * (place - 0.5).abs();
        let upto = NORMAL.iter().scan(0.0, |sum, share| {
            *sum += share;
            Some(*sum)
        });
        let place = upto.take(PLACES - 1).take_while(|upto| *upto < inner).count();
        self.seen[size(expected).round() as usize * PLACES + place] += weight;
    }

    /// Finds the stretches that would have made what was seen come out as stated.
    pub(super) fn believe(&mut self) {
        for here in 0..SIZES {
            let mut counts = NORMAL.map(|share| share * FIRST_GUESS);
            for (there, seen) in self.seen.chunks_exact(PLACES).enumerate() {
                let near = (-0.5 * ((there as f64 - here as f64) / REACH).powi(2)).exp().max(FAR);
                counts.iter_mut().zip(seen).for_each(|(count, seen)| *count += near * seen);
            }
            self.stretch[here] = (within(&counts) / DEVIATE).clamp(NARROWEST, WIDEST);
        }
    }

    /// By how much a deviation is larger, for a loss of that size, than it was reckoned to be.
    pub(super) fn stretch(&self, loss: f64) -> f64 {
        let at = size(loss);
        let (low, part) = (at as usize, at.fract());
        let high = (low + 1).min(SIZES - 1);
        self.stretch[low] * (1.0 - part) + self.stretch[high] * part
    }
}

/// The deviate within which the stated share of them lies.
fn within(counts: &[f64; PLACES]) -> f64 {
    let wanted = STATED * counts.iter().sum::<f64>();
    let mut below = 0.0;
    for (place, count) in counts.iter().enumerate() {
        if below + count >= wanted {
            return (place as f64 + (wanted - below) / count.max(1e-12)) * PLACE;
        }
        below += count;
    }
    PLACES as f64 * PLACE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::normal_quantile;

    fn after(deviates: impl Iterator<Item = f64>) -> Surprises {
        let mut surprises = Surprises::default();
        for deviate in deviates {
            let place = crate::distribution::ln_normal_tail(-deviate).exp();
            surprises.see(0.1, place, 1.0);
        }
        surprises.believe();
        surprises
    }

    #[test]
    fn intervals_are_stretched_until_past_ones_would_have_held() {
        assert!((Surprises::default().stretch(0.1) - 1.0).abs() < 1e-12, "nothing is known");
        let quantiles = || (1..400).map(|part| normal_quantile(f64::from(part) / 400.0));
        let twice = after(quantiles().map(|deviate| 2.0 * deviate));
        assert!((1.8..2.2).contains(&twice.stretch(0.1)), "{}", twice.stretch(0.1));
        let half = after(quantiles().map(|deviate| 0.5 * deviate));
        assert!((0.42..0.6).contains(&half.stretch(0.1)), "{}", half.stretch(0.1));
        let as_stated = after(quantiles());
        assert!((0.9..1.1).contains(&as_stated.stretch(0.1)));
    }

    #[test]
    fn small_losses_say_little_of_large_ones_until_nothing_else_does() {
        let mut surprises = after((0..10).map(|_| 3.0));
        assert!(surprises.stretch(0.1) > 1.6 && surprises.stretch(0.001) < 1.2, "{:?}", surprises.stretch);
        surprises.forget(0.0);
        surprises.believe();
        assert!((surprises.stretch(0.1) - 1.0).abs() < 1e-2);
    }
}
