//! A Gamma belief about changes per day and what evidence makes of it.

use super::Past;
use crate::distribution::{digamma, ln_gamma};
use tintype_vocab::ChangeRate;

/// Rates are believed to lie between once in 2,700 years and once in five minutes.
const SLOWEST_PER_DAY: f64 = 1e-6;
const FASTEST_PER_DAY: f64 = 300.0;
/// Beliefs less or more certain than this are taken for this certain.
const SHAPES: (f64, f64) = (0.02, 1000.0);
/// Rates that are looked at to find where a belief lives, their distance in the logarithm, and what is passed over.
const COARSE: usize = 40;
const COARSE_STEP: f64 = 0.5;
const NEGLIGIBLE: f64 = 16.0;
/// Rates that are looked at there.
const BINS: usize = 64;

/// Comparisons at regular intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) unchanged: f64,
    pub(crate) changed: f64,
    pub(crate) interval_days: f64,
}

impl Record {
    /// Nothing if there is nothing to compare.
    pub(crate) fn of(past: &Past) -> Option<Record> {
        let interval_days = past.observed.as_days_f64() / past.comparisons as f64;
        let changes = past.changes.min(past.comparisons);
        let record = Record { unchanged: (past.comparisons - changes) as f64, changed: changes as f64, interval_days };
        (past.comparisons > 0 && interval_days > 0.0).then_some(record)
    }
}

/// What of a belief is needed: two moments to make a new one of it, and the mean logarithm to fit its shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moments {
    pub(crate) mean: f64,
    pub(crate) variance: f64,
    pub(crate) mean_log: f64,
}

/// A belief within the bounds that are reckoned with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gamma {
    pub(crate) per_day: f64,
    pub(crate) shape: f64,
}

impl Gamma {
    pub(crate) fn new(per_day: f64, shape: f64) -> Gamma {
        Gamma { per_day: within(per_day, (SLOWEST_PER_DAY, FASTEST_PER_DAY)), shape: within(shape, SHAPES) }
    }

    pub(crate) fn of(rate: ChangeRate) -> Gamma {
        Gamma::new(f64::from(rate.per_day), f64::from(rate.shape))
    }

    /// Days watched, if the shape counts changes.
    fn exposure(self) -> f64 {
        self.shape / self.per_day
    }

    /// After days without a change.
    pub(crate) fn unchanged(self, days: f64) -> Moments {
        self.closed(self.shape, self.exposure() + days)
    }

    /// After a change so many days ago and none since.
    pub(crate) fn changed_ago(self, days: f64) -> Moments {
        self.closed(self.shape + 1.0, self.exposure() + days)
    }

    fn closed(self, shape: f64, exposure: f64) -> Moments {
        Moments { mean: shape / exposure, variance: shape / exposure.powi(2), mean_log: digamma(shape) - exposure.ln() }
    }

    /// After at least one change within so many days; the mean logarithm is not reckoned.
    pub(crate) fn changed_within(self, days: f64) -> Moments {
        let Gamma { shape, .. } = self;
        let exposure = self.exposure();
        // 1 − (b/(b+I))^a, exact also where nearly nothing is left of it.
        let share = |power: f64| -(-power * (days / exposure).ln_1p()).exp_m1();
        let mean = shape / exposure * share(shape + 1.0) / share(shape);
        let square = shape * (shape + 1.0) / exposure.powi(2) * share(shape + 2.0) / share(shape);
        Moments { mean, variance: square - mean * mean, mean_log: f64::NAN }
    }

    /// After a record, on a grid of rates even in the logarithm: first as wide as anything that is believed, then
    /// only where this belief lives, so that a long record is read as finely as a short one.
    pub(crate) fn after(self, record: &Record) -> Moments {
        self.weighed(record).0
    }

    /// The same, and the logarithm of how likely the record was.
    pub(crate) fn weighed(self, record: &Record) -> (Moments, f64) {
        let bottom = SLOWEST_PER_DAY.ln();
        let mut coarse = [0.0; COARSE];
        self.log_weights(record, bottom, COARSE_STEP, &mut coarse);
        let top = coarse.iter().copied().fold(f64::MIN, f64::max);
        let lives = |weight: &f64| *weight > top - NEGLIGIBLE;
        let first = coarse.iter().position(lives).unwrap_or(0).saturating_sub(1);
        let last = coarse.iter().rposition(lives).map_or(COARSE - 1, |last| (last + 1).min(COARSE - 1));
        let step = (last - first) as f64 * COARSE_STEP / (BINS - 1) as f64;
        self.sum(record, bottom + first as f64 * COARSE_STEP, step)
    }

    fn sum(self, record: &Record, start: f64, step: f64) -> (Moments, f64) {
        let mut weights = [0.0; BINS];
        self.log_weights(record, start, step, &mut weights);
        let top = weights.iter().copied().fold(f64::MIN, f64::max);
        weights.iter_mut().for_each(|weight| *weight = (*weight - top).exp());
        // Below the lowest rate a belief goes on as a power of the rate; what lies there counts as that rate.
        let decay = (-(self.shape + record.changed) * step).exp();
        weights[0] /= 1.0 - decay;
        let total: f64 = weights.iter().sum();
        let (ratio, mut rate) = (step.exp(), start.exp());
        let (mut mean, mut square, mut mean_log) = (0.0, 0.0, 0.0);
        for (bin, weight) in weights.iter().enumerate() {
            mean += weight * rate;
            square += weight * rate * rate;
            mean_log += weight * (start + bin as f64 * step);
            rate *= ratio;
        }
        let below = weights[0] * step * decay / (1.0 - decay);
        let mean = mean / total;
        let variance = (square / total - mean * mean).max(0.0);
        let likely = top + (total * step).ln() + self.shape * self.exposure().ln() - ln_gamma(self.shape);
        (Moments { mean, variance, mean_log: (mean_log - below) / total }, likely)
    }

    /// The logarithms of how likely rates are, per logarithm of the rate, but for a constant.
    fn log_weights(self, record: &Record, start: f64, step: f64, weights: &mut [f64]) {
        let (ratio, mut rate) = (step.exp(), start.exp());
        let still = self.exposure() + record.unchanged * record.interval_days;
        for (bin, weight) in weights.iter_mut().enumerate() {
            *weight = self.shape * (start + bin as f64 * step) - still * rate;
            if record.changed > 0.0 {
                *weight += record.changed * (-(-rate * record.interval_days).exp_m1()).ln();
            }
            rate *= ratio;
        }
    }
}

/// The nearest number within bounds; the lower one for what is no number.
fn within(value: f64, (lowest, highest): (f64, f64)) -> f64 {
    if value > lowest { value.min(highest) } else { lowest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn golden_b16_a_gamma_belief_after_a_change_within_three_days() {
        let Moments { mean, variance, .. } = Gamma::new(0.5, 2.0).changed_within(3.0);
        assert!((mean - 0.603_896_103_896).abs() < 1e-9);
        assert!((variance + mean * mean - 0.497_448_979_592).abs() < 1e-9);
        assert!((mean * mean / variance - 2.747_022_391_62).abs() < 1e-9);
        assert!((mean / variance - 4.548_832_777_51).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn the_grid_agrees_with_what_is_known_in_closed_form(
            per_day in 1e-3f64..10.0, shape in 0.2f64..40.0, days in 0.01f64..1000.0,
        ) {
            let gamma = Gamma::new(per_day, shape);
            let close = |grid: f64, exact: f64| (grid - exact).abs() <= 0.01 * exact;
            let still = gamma.after(&Record { unchanged: 1.0, changed: 0.0, interval_days: days });
            let exact = gamma.unchanged(days);
            prop_assert!(close(still.mean, exact.mean) && close(still.variance, exact.variance), "{still:?} {exact:?}");
            prop_assert!((still.mean_log - exact.mean_log).abs() < 0.02, "{still:?} {exact:?}");
            let moved = gamma.after(&Record { unchanged: 0.0, changed: 1.0, interval_days: days });
            let exact = gamma.changed_within(days);
            prop_assert!(close(moved.mean, exact.mean) && close(moved.variance, exact.variance), "{moved:?} {exact:?}");
        }
    }
}
