//! How far losses come out from where they were expected: learned from forecasts that were made and came due.
//!
//! Two things spread them. Objects go in batches, which shows over short times and averages out over long ones; and the pace
//! itself was misjudged or changes, which hardly shows over short times and dominates long ones. Every pair of a size of
//! batches and a doubt of the pace is a law; what came says which of them to believe, and laws nobody refuted yet are
//! believed along, so that little knowledge means wide intervals.

use super::{beta, whole::exactly};
use serde::{Deserialize, Serialize};

/// How many objects go together; below one, losses are more even than throws of a coin.
const BATCHES: [f64; 6] = [0.3, 1.0, 3.0, 10.0, 30.0, 100.0];
/// By which share the pace is off.
const DOUBTS: [f64; 5] = [0.03, 0.1, 0.2, 0.4, 0.7];
const LAWS: usize = BATCHES.len() * DOUBTS.len();
/// A surprise costs a law no more than this, in powers of e.
const WORST: f64 = -12.0;
/// No share spreads further than this part of what is possible at all.
const WIDEST: f64 = 1.0 / 1.5;

/// What is believed of a source before anything was foretold: so many objects go together, the pace is off by that share,
/// and how sure that is, in powers of e.
const FIRST_BATCH: (f64, f64) = (2.0, 1.2);
const FIRST_DOUBT: (f64, f64) = (0.3, 1.0);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Spread {
    #[serde(deserialize_with = "exactly::<LAWS, _>")]
    success: Vec<f64>,
    /// On the average over what is believed: the size of batches, and the square of the doubt.
    batch: f64,
    doubt: f64,
    /// Of the sizes of batches, the geometric mean: large ones are possible for long before they are likely.
    usual_batch: f64,
}

impl Default for Spread {
    fn default() -> Spread {
        let mut spread = Spread { success: vec![0.0; LAWS], batch: 1.0, doubt: 0.0, usual_batch: 1.0 };
        spread.believe();
        spread
    }
}

fn laws() -> impl Iterator<Item = (f64, f64)> {
    BATCHES.into_iter().flat_map(|batch| DOUBTS.into_iter().map(move |doubt| (batch, doubt * doubt)))
}

/// The variance of a loss under one law. `reach` is how far ahead it lies, in parts of the time watched so far: nobody
/// knows the pace for longer than it was seen to last.
fn variance(batch: f64, doubt: f64, loss: f64, objects: f64, reach: f64) -> f64 {
    let coin = loss * (1.0 - loss);
    (coin / objects.max(1.0) * batch + coin * coin * doubt * (1.0 + reach)).min(coin * WIDEST)
}

impl Spread {
    /// What was learned fades.
    pub(super) fn forget(&mut self, memory: f64) {
        self.success.iter_mut().for_each(|sum| *sum *= memory);
    }

    /// A forecast came due; overlapping ones count for less. `apart` is the variance between those who made it.
    pub(super) fn see(&mut self, expected: f64, came: f64, objects: f64, reach: f64, apart: f64, weight: f64) {
        for (success, (batch, doubt)) in self.success.iter_mut().zip(laws()) {
            let variance = variance(batch, doubt, expected, objects, reach) + apart;
            *success += weight * beta::ln_density(1.0 - expected, variance, 1.0 - came, objects).max(WORST);
        }
    }

    /// Weighs laws by what was seen so far.
    pub(super) fn believe(&mut self) {
        let far = |value: f64, (middle, width): (f64, f64)| -0.5 * ((value / middle).ln() / width).powi(2);
        let first = |(batch, doubt): (f64, f64)| far(batch, FIRST_BATCH) + far(doubt.sqrt(), FIRST_DOUBT);
        let score: Vec<f64> = self.success.iter().zip(laws()).map(|(success, law)| success + first(law)).collect();
        let best = score.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut all, mut batches, mut doubts, mut logs) = (0.0, 0.0, 0.0, 0.0);
        for (score, (batch, doubt)) in score.iter().zip(laws()) {
            let weight = (score - best).exp();
            (all, batches, doubts) = (all + weight, batches + weight * batch, doubts + weight * doubt);
            logs += weight * batch.ln();
        }
        (self.batch, self.doubt, self.usual_batch) = (batches / all, doubts / all, (logs / all).exp());
    }

    /// The variance of a loss of that size, that far ahead.
    pub(super) fn variance(&self, loss: f64, objects: f64, reach: f64) -> f64 {
        variance(self.batch, self.doubt, loss, objects, reach)
    }

    /// How many objects usually go together.
    pub(super) fn usual_batch(&self) -> f64 {
        self.usual_batch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(objects: f64, loss: f64, off: impl Fn(u32) -> f64) -> Spread {
        let mut spread = Spread::default();
        for round in 0..200 {
            spread.see(loss, loss + off(round), objects, 0.5, 0.0, 1.0);
        }
        spread.believe();
        spread
    }

    #[test]
    fn batches_of_ten_are_known_from_small_losses_and_a_wrong_pace_from_large_ones() {
        let sign = |round: u32| if round.is_multiple_of(2) { 1.0 } else { -1.0 };
        let coin = (0.02f64 * 0.98 / 1000.0).sqrt();
        let batches = after(1000.0, 0.02, |round| sign(round) * 10f64.sqrt() * coin);
        assert!((5.0..16.0).contains(&batches.usual_batch()), "{batches:?}");
        let pace = after(5000.0, 0.2, |round| sign(round) * 0.08);
        assert!(pace.variance(0.2, 5000.0, 0.5).sqrt() > 0.06, "{pace:?}");
        let even = after(5000.0, 0.2, |round| sign(round) * 0.005);
        assert!(even.variance(0.2, 5000.0, 0.5).sqrt() < 0.012, "{even:?}");
    }

    #[test]
    fn who_knows_little_and_who_looks_far_ahead_is_less_sure() {
        let new = Spread::default();
        assert!(new.variance(0.2, 4000.0, 0.0).sqrt() > 0.04, "{new:?}");
        assert!(new.variance(0.2, 4000.0, 8.0) > 4.0 * new.variance(0.2, 4000.0, 0.0));
        let wide = new.variance(0.5, 10.0, 20.0);
        assert!(wide <= 0.25 * WIDEST + 1e-12, "no share spreads further than shares can: {wide}");
    }
}
