//! Survival as it was, without a model: of those watched at an age, the share that lived on (Kaplan and Meier).

use super::{Lives, Survival};
use crate::distribution::normal_quantile;

/// The share of lives longer than an age, for lives watched late and lost sight of early.
#[derive(Clone, Debug, PartialEq)]
pub struct KaplanMeier {
    /// At every age at which a life ended or was lost sight of.
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    age_days: f64,
    survival: f64,
    /// Greenwood's sum: the variance of the logarithm of survival.
    variance: f64,
}

impl KaplanMeier {
    pub fn of(lives: &Lives) -> KaplanMeier {
        let (mut watched, mut survival, mut variance) = (lives.watched_from_birth() as f64, 1.0, 0.0);
        let mut steps = Vec::new();
        for (age_days, tally) in lives.by_age() {
            watched += tally.entered as f64;
            let (ended, lost) = (tally.ended as f64, tally.lost as f64);
            if ended > 0.0 {
                survival *= ((watched - ended) / watched).max(0.0);
                variance += ended / (watched * (watched - ended));
            }
            if ended + lost > 0.0 {
                steps.push(Step { age_days, survival, variance });
            }
            watched -= ended + lost;
        }
        KaplanMeier { steps }
    }

    /// The share of lives that are longer than that.
    pub fn survival(&self, age_days: f64) -> f64 {
        self.step(age_days).map_or(1.0, |step| step.survival)
    }

    /// Where that share lies with a probability of `sure`.
    pub fn interval(&self, age_days: f64, sure: f64) -> (f64, f64) {
        let Some(Step { survival, variance, .. }) = self.step(age_days).filter(|step| step.survival > 0.0) else {
            return (self.survival(age_days), self.survival(age_days));
        };
        let reach = normal_quantile((1.0 + sure) / 2.0) * survival * variance.sqrt();
        ((survival - reach).max(0.0), (survival + reach).min(1.0))
    }

    /// The age that this share of lives does not exceed; nothing if so many were never seen to end.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let step = self.steps.partition_point(|step| step.survival > 1.0 - share);
        self.steps.get(step).map(|step| step.age_days)
    }

    /// The largest distance to a model, over all ages at which a life ended or was lost sight of.
    pub fn gap(&self, model: &Survival) -> f64 {
        let gaps = self.steps.iter().map(|step| (model.survival(step.age_days) - step.survival).abs());
        gaps.fold(0.0, f64::max)
    }

    /// Ages in days and the share of lives that are longer, where it changes.
    pub fn curve(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.steps.iter().map(|step| (step.age_days, step.survival))
    }

    fn step(&self, age_days: f64) -> Option<&Step> {
        let after = self.steps.partition_point(|step| step.age_days <= age_days);
        self.steps[..after].last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::life::Watched;
    use proptest::prelude::*;
    use tintype_vocab::Span;

    fn lives_of(watched: &[(i64, i64, bool)]) -> Lives {
        let mut lives = Lives::default();
        for (from, more, ended) in watched {
            let (from, to) = (Span::from_days(*from), Span::from_days(from + more));
            assert!(lives.see(Watched { from, to, ended: *ended }));
        }
        lives
    }

    /// One factor for every end, with everybody counted anew.
    fn naive(watched: &[(i64, i64, bool)], age: i64) -> f64 {
        let mut ends: Vec<i64> = watched.iter().filter(|life| life.2).map(|life| life.0 + life.1).collect();
        ends.sort_unstable();
        ends.dedup();
        let factor = |end: i64| {
            let ended = watched.iter().filter(|life| life.2 && life.0 + life.1 == end).count();
            let at_risk = watched.iter().filter(|life| life.0 < end && life.0 + life.1 >= end).count();
            1.0 - ended as f64 / at_risk as f64
        };
        ends.into_iter().filter(|end| *end <= age).map(factor).product()
    }

    #[test]
    fn the_share_falls_only_where_lives_end() {
        let curve = KaplanMeier::of(&lives_of(&[(0, 2, true), (0, 3, false), (0, 5, true), (0, 9, false)]));
        let at = |age: f64| curve.survival(age);
        assert_eq!((at(1.9), at(2.0), at(4.9), at(5.0), at(99.0)), (1.0, 0.75, 0.75, 0.375, 0.375));
        assert_eq!((curve.quantile(0.25), curve.quantile(0.5), curve.quantile(0.9)), (Some(2.0), Some(5.0), None));
    }

    #[test]
    fn intervals_are_greenwoods() {
        let curve = KaplanMeier::of(&lives_of(&[(0, 1, true), (0, 2, false), (0, 2, false), (0, 2, false)]));
        let (low, high) = curve.interval(1.5, 0.95);
        let reach = 1.959_963_984_540_054 * 0.75 * (1.0_f64 / 12.0).sqrt();
        assert!((low - (0.75 - reach)).abs() < 1e-9 && high == 1.0, "{low} {high}");
        assert_eq!(curve.interval(0.5, 0.95), (1.0, 1.0));
    }

    proptest! {
        #[test]
        fn late_watched_and_lost_lives_count_as_in_the_naive_estimate(
            watched in prop::collection::vec((0i64..6, 1i64..12, any::<bool>()), 1..40), age in 0i64..20,
        ) {
            let curve = KaplanMeier::of(&lives_of(&watched));
            prop_assert!((curve.survival(age as f64) - naive(&watched, age)).abs() < 1e-12);
        }
    }
}
