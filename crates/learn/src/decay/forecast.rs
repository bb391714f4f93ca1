//! What the quality of a copy will be, and how sure that is.

use super::beta;
use serde::{Deserialize, Serialize};

/// Up to so many objects are counted one by one.
const COUNTED_MAX: u32 = 512;
/// Sums are scaled down before they leave the numbers.
const LARGE: f64 = 1e200;

/// The quality of a copy at some moment, as a distribution.
///
/// Quality is a count over a count, so a copy of thirty objects is never 0.91: chances are taken between the counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    pub mean: f64,
    pub variance: f64,
    /// The objects of which it is a share.
    pub objects: u32,
}

impl Forecast {
    /// A Beta distribution of this mean and variance.
    pub(super) fn beta(&self) -> (f64, f64) {
        let mean = self.mean.clamp(1e-6, 1.0 - 1e-6);
        let certainty = (mean * (1.0 - mean) / self.variance.max(1e-15) - 1.0).clamp(1e-3, 1e12);
        (mean * certainty, (1.0 - mean) * certainty)
    }

    /// The chance that the quality is at most so much, as if it were no count.
    fn at_most(&self, quality: f64) -> f64 {
        let (a, b) = self.beta();
        beta::at_most(a, b, quality)
    }

    /// The chance that at most so many of the objects are right.
    fn at_most_kept(&self, kept: f64) -> f64 {
        let objects = f64::from(self.objects.max(1));
        match self.batches() {
            _ if kept < 0.0 => 0.0,
            _ if kept >= objects => 1.0,
            Some(batches) if self.objects <= COUNTED_MAX => self.loses_more_than(objects - kept - 1.0, batches),
            _ => self.at_most((kept + 0.5) / objects),
        }
    }

    /// The chance that the quality has fallen below a target.
    pub fn below(&self, target: f64) -> f64 {
        let objects = f64::from(self.objects.max(1));
        self.at_most_kept((target * objects - 1e-9).ceil() - 1.0)
    }

    /// How far up in what was foretold a quality came out, from 0 to 1; a count as likely below as above is halved.
    pub(super) fn place(&self, came: f64) -> f64 {
        let kept = (came * f64::from(self.objects)).round();
        (self.at_most_kept(kept - 1.0) + self.at_most_kept(kept)) / 2.0
    }

    /// Where the quality comes out with this chance, as often above as below.
    pub fn interval(&self, share: f64) -> (f64, f64) {
        let tail = (1.0 - share.clamp(0.0, 1.0)) / 2.0;
        (self.quantile(tail), self.quantile(1.0 - tail))
    }

    /// Below which the quality comes out with this chance; a count that is as likely below as above is halved.
    pub fn quantile(&self, chance: f64) -> f64 {
        let half = |kept: f64| (self.at_most_kept(kept - 1.0) + self.at_most_kept(kept)) / 2.0;
        let objects = self.objects.max(1);
        let (mut low, mut high) = (0, objects);
        while low < high {
            let middle = low.midpoint(high);
            if half(f64::from(middle)) < chance { low = middle + 1 } else { high = middle }
        }
        f64::from(low) / f64::from(objects)
    }

    /// How much more alike the fates of two objects are than those of strangers, 0 to 1; nothing if they are less alike.
    fn batches(&self) -> Option<f64> {
        let objects = f64::from(self.objects);
        let coin = self.mean * (1.0 - self.mean) / objects;
        let more = (self.variance / coin - 1.0) / (objects - 1.0);
        (objects > 1.0 && coin > 0.0 && more >= 0.0).then_some(more.min(0.99))
    }

    /// Counts losses one by one, as a Beta-binomial distribution has them.
    fn loses_more_than(&self, allowed: f64, batches: f64) -> f64 {
        let objects = f64::from(self.objects);
        let certainty = (1.0 / batches.max(1e-9) - 1.0).max(1e-6);
        let (lost, kept) = ((1.0 - self.mean) * certainty, self.mean * certainty);
        // In parts of the chance to lose none, which itself may be too small for a number.
        let (mut chance, mut few, mut all) = (1.0, 0.0, 0.0);
        for count in (0..=self.objects).map(f64::from) {
            few += if count <= allowed { chance } else { 0.0 };
            all += chance;
            chance *= (objects - count) / (count + 1.0) * (lost + count) / (kept + objects - count - 1.0).max(1e-12);
            if chance > LARGE {
                (chance, few, all) = (chance / LARGE, few / LARGE, all / LARGE);
            }
        }
        (1.0 - few / all).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_are_told_apart_and_intervals_hold_what_they_say() {
        let forecast = Forecast { mean: 0.9, variance: 0.9 * 0.1 / 30.0, objects: 30 };
        // Below 0.9 of thirty is 26 and less, for 0.9 and for 0.88 alike.
        assert_eq!(forecast.below(0.9), forecast.below(0.88));
        assert!(forecast.below(0.9) > forecast.below(0.86));
        let (low, high) = forecast.interval(0.9);
        assert_eq!(((low * 30.0).round(), (high * 30.0).round()), (25.0, 30.0));
        assert!(low < 0.9 && high > 0.9);
    }

    #[test]
    fn a_binomial_share_falls_below_as_often_as_counted() {
        // 30 objects of which each is lost with 0.1: at least 4 are lost with 0.3526.
        let forecast = Forecast { mean: 0.9, variance: 0.9 * 0.1 / 30.0, objects: 30 };
        assert!((forecast.below(0.9) - 0.3526).abs() < 1e-3, "{}", forecast.below(0.9));
    }

    #[test]
    fn most_of_many_objects_may_be_lost() {
        // 512 objects of which each is kept with 0.2: 102 are, give or take 9.
        let forecast = Forecast { mean: 0.2, variance: 0.2 * 0.8 / 512.0, objects: 512 };
        assert!(forecast.below(0.1) < 1e-6 && forecast.below(0.3) > 1.0 - 1e-6, "{}", forecast.below(0.1));
        let (low, high) = forecast.interval(0.9);
        assert!((low - 0.17).abs() < 0.005 && (high - 0.23).abs() < 0.005, "{low} {high}");
    }

    proptest! {
        #[test]
        fn chances_rise_with_the_target_and_quantiles_undo_them(
            mean in 0.0f64..=1.0, ratio in 0.0f64..50.0, objects in prop_oneof![0u32..40, 400u32..600, any::<u32>()],
            target in -0.5f64..1.5, more in 0.0f64..0.5, chance in 0.01f64..0.99,
        ) {
            let variance = ratio * mean * (1.0 - mean) / f64::from(objects.max(1));
            let forecast = Forecast { mean, variance, objects };
            let (below, above) = (forecast.below(target), forecast.below(target + more));
            prop_assert!((0.0..=1.0).contains(&below) && below <= above + 1e-9, "{forecast:?} {below} {above}");
            let place = forecast.quantile(chance);
            let count = 1.0 / f64::from(objects.max(1));
            prop_assert!(forecast.below(place - count) <= chance + 1e-4, "{forecast:?} {place}");
            prop_assert!(forecast.below(place + 2.0 * count) >= chance - 1e-4, "{forecast:?} {place}");
        }
    }

    #[test]
    fn nothing_certain_breaks_it() {
        for (mean, variance) in [(1.0, 0.0), (0.0, 0.0), (0.5, 10.0), (1.0, 1.0)] {
            let forecast = Forecast { mean, variance, objects: 0 };
            let (low, high) = forecast.interval(0.9);
            assert!((0.0..=1.0).contains(&low) && low <= high && (0.0..=1.0).contains(&forecast.below(0.9)));
        }
    }
}
