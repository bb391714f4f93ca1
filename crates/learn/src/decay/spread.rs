//! How far losses come out from where they were expected: learned from forecasts that were made and came due.
//!
//! Objects that go independently of each other would spread like throws of a coin. Real ones go in batches, or so many a
//! day and no more; over short times batches dominate, over long ones wrong expectations do. So the ratio of real to
//! coin-like variance is kept by the size of the loss.

use serde::{Deserialize, Serialize};

/// Two to a doubling of the loss.
const BUCKETS: usize = 28;
/// How far apart losses may be, in buckets, to tell of each other.
const REACH: f64 = 1.2;
/// Before anything is known: somewhat more than coins, believed like two forecasts.
const FIRST_GUESS: (f64, f64) = (1.5, 2.0);
const FORGETTING: f64 = 0.995;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Spread {
    ratios: [f64; BUCKETS],
    forecasts: [f64; BUCKETS],
}

impl Default for Spread {
    fn default() -> Spread {
        Spread { ratios: [0.0; BUCKETS], forecasts: [0.0; BUCKETS] }
    }
}

fn bucket(loss: f64) -> f64 {
    (-2.0 * loss.max(1e-9).log2()).clamp(0.0, (BUCKETS - 1) as f64)
}

impl Spread {
    pub(super) fn forget(&mut self) {
        self.ratios.iter_mut().chain(&mut self.forecasts).for_each(|sum| *sum *= FORGETTING);
    }

    /// A forecast came due; overlapping ones count for less.
    pub(super) fn see(&mut self, expected: f64, came: f64, objects: f64, weight: f64) {
        let coin = expected * (1.0 - expected) / objects;
        let ratio = (came - expected).powi(2) / coin.max(1e-12);
        let (place, part) = (bucket(expected) as usize, bucket(expected).fract());
        for (place, share) in [(place, 1.0 - part), (place + 1, part)] {
            if place < BUCKETS {
                self.ratios[place] += weight * share * ratio;
                self.forecasts[place] += weight * share;
            }
        }
    }

    /// The variance of a loss of that size. Few forecasts that came due make it larger: its own size is a guess then.
    pub(super) fn variance(&self, loss: f64, objects: f64) -> f64 {
        let (mut ratios, mut forecasts) = (FIRST_GUESS.0 * FIRST_GUESS.1, FIRST_GUESS.1);
        for place in 0..BUCKETS {
            let near = (-0.5 * ((place as f64 - bucket(loss)) / REACH).powi(2)).exp();
            ratios += near * self.ratios[place];
            forecasts += near * self.forecasts[place];
        }
        let coin = loss * (1.0 - loss) / objects.max(1.0);
        (coin * ratios / forecasts * (1.0 + 1.0 / forecasts)).min(loss * (1.0 - loss) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_of_ten_spread_ten_times_as_far_as_coins() {
        let mut spread = Spread::default();
        for sign in [1.0, -1.0].into_iter().cycle().take(400) {
            spread.forget();
            let coin = 0.1f64 * 0.9 / 1000.0;
            spread.see(0.1, 0.1 + sign * (10.0 * coin).sqrt(), 1000.0, 1.0);
        }
        let ratio = spread.variance(0.1, 1000.0) / (0.1 * 0.9 / 1000.0);
        assert!((9.0..11.0).contains(&ratio), "{ratio}");
        let far = spread.variance(0.001, 1000.0) / (0.001 * 0.999 / 1000.0);
        assert!(far < 5.0, "other sizes are not concerned: {far}");
    }
}
