//! What arrivals and survival say about a copy: how much of it is still there, and how much of what is there it holds.

use super::Survival;
use crate::distribution::normal_quantile;
use serde::{Deserialize, Serialize};
use tintype_vocab::Span;

/// How far a parameter is moved to see what hangs on it.
const NUDGE: f64 = 1e-4;

/// The paper's model of a source, or of any part of it: objects come by a count per step and leave by their age.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArrivalSurvival {
    pub survival: Survival,
    pub step: Span,
    /// Mean and variance of the arrivals per step.
    pub arrivals: (f64, f64),
    /// Steps that mean was learned from.
    pub steps_seen: u32,
}

/// What is expected, and where it lies with the probability that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LifeEstimate {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

impl LifeEstimate {
    fn share(mean: f64, variance: f64, sure: f64) -> LifeEstimate {
        let reach = normal_quantile((1.0 + sure) / 2.0) * variance.max(0.0).sqrt();
        LifeEstimate { mean, low: (mean - reach).max(0.0), high: (mean + reach).min(1.0) }
    }
}

/// Where a share of `count` objects that each are there with chance `mean` lies with a probability of `sure`.
pub fn interval_of_share(mean: f64, count: u32, sure: f64) -> LifeEstimate {
    LifeEstimate::share(mean, mean * (1.0 - mean) / f64::from(count.max(1)), sure)
}

/// Objects held: how old they were when they were copied, and how many.
type Held<'a> = &'a [(Span, u32)];

/// A number of objects that is not certain.
#[derive(Clone, Copy)]
struct Uncertain {
    mean: f64,
    variance: f64,
}

impl ArrivalSurvival {
    /// The share of the objects held that are still there after so many steps.
    pub fn precision(&self, held: Held<'_>, steps: u32, sure: f64) -> LifeEstimate {
        let all = count(held);
        let kept = self.kept(held, steps);
        let doubt = self.doubt(|model| model.kept(held, steps).mean / all);
        LifeEstimate::share(kept.mean / all, kept.variance / (all * all) + doubt, sure)
    }

    /// The share of the objects there after so many steps that are held.
    ///
    /// Kept objects K and new ones A vary by themselves, so that K / (K + A) varies by (A² var K + K² var A) / (K + A)⁴; the
    /// doubt about the parameters comes on top (delta method).
    pub fn recall(&self, held: Held<'_>, steps: u32, sure: f64) -> LifeEstimate {
        let (kept, new) = (self.kept(held, steps), self.came(steps));
        let share = |kept: f64, new: f64| if kept + new > 0.0 { kept / (kept + new) } else { 1.0 };
        let chance =
            (new.mean.powi(2) * kept.variance + kept.mean.powi(2) * new.variance) / (kept.mean + new.mean).powi(4);
        let doubt = self.doubt(|model| share(model.kept(held, steps).mean, model.came(steps).mean));
        let variance = if chance.is_finite() { chance + doubt } else { 0.0 };
        LifeEstimate::share(share(kept.mean, new.mean), variance, sure)
    }

    /// How many objects are expected to be there after so many steps.
    pub fn size(&self, held: Held<'_>, steps: u32) -> f64 {
        self.kept(held, steps).mean + self.came(steps).mean
    }

    fn kept(&self, held: Held<'_>, steps: u32) -> Uncertain {
        let later = self.days(steps);
        let mut kept = Uncertain { mean: 0.0, variance: 0.0 };
        for (age, count) in held {
            let stays = self.survival.stays(age.as_days_f64(), later);
            kept.mean += f64::from(*count) * stays;
            kept.variance += f64::from(*count) * stays * (1.0 - stays);
        }
        kept
    }

    /// Came since, and stayed: arrivals of the last step are all there, those of the first have lived through all the others.
    fn came(&self, steps: u32) -> Uncertain {
        let (mean, variance) = self.arrivals;
        let mut new = Uncertain { mean: 0.0, variance: 0.0 };
        for lived in 0..steps {
            let stays = self.survival.survival(self.days(lived));
            new.mean += mean * stays;
            new.variance += variance * stays * stays + mean * stays * (1.0 - stays);
        }
        new
    }

    /// The variance of what is made of the parameters, by how well they are known.
    fn doubt(&self, made: impl Fn(&ArrivalSurvival) -> f64) -> f64 {
        let slope =
            |nudged: &dyn Fn(f64) -> ArrivalSurvival| (made(&nudged(NUDGE)) - made(&nudged(-NUDGE))) / (2.0 * NUDGE);
        let survival = |survival: Survival| ArrivalSurvival { survival, ..*self };
        let location = slope(&|by| survival(Survival { location: self.survival.location + by, ..self.survival }));
        let spread = slope(&|by| survival(Survival { spread: self.survival.spread * by.exp(), ..self.survival }));
        let (mean, variance) = self.arrivals;
        let arrivals = slope(&|by| ArrivalSurvival { arrivals: (mean * by.exp(), variance), ..*self });
        let [[first, both], [_, second]] = self.survival.covariance;
        // Of the logarithm of the mean.
        let third = variance / (mean * mean).max(f64::MIN_POSITIVE) / f64::from(self.steps_seen.max(1));
        let arrivals = if self.steps_seen == 0 { 0.0 } else { arrivals * arrivals * third };
        location * location * first + spread * spread * second + 2.0 * location * spread * both + arrivals
    }

    fn days(&self, steps: u32) -> f64 {
        f64::from(steps) * self.step.as_days_f64()
    }
}

fn count(held: Held<'_>) -> f64 {
    held.iter().map(|(_, count)| f64::from(*count)).sum::<f64>().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::life::{Family, Fitted, Lives, Watched};
    use proptest::{
        prelude::RngExt as _,
        test_runner::{RngAlgorithm, TestRng},
    };

    fn daily(survival: Survival, arrivals: (f64, f64), steps_seen: u32) -> ArrivalSurvival {
        ArrivalSurvival { survival, step: Span::from_days(1), arrivals, steps_seen }
    }

    #[test]
    fn a_certain_model_leaves_only_the_chance_of_each_object() {
        let model = daily(Survival::exponential(0.02), (20.0, 0.0), 0);
        let held = [(Span::ZERO, 500), (Span::from_days(90), 500)];
        let (found, expected) = (model.precision(&held, 10, 0.95), interval_of_share((-0.2_f64).exp(), 1000, 0.95));
        assert!((found.mean - expected.mean).abs() < 1e-12 && (found.low - expected.low).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn age_decides_where_it_matters() {
        let survival = Survival { family: Family::Weibull, spread: 0.2, ..Survival::exponential(1.0 / 60.0) };
        let model = daily(survival, (1.0, 1.0), 100);
        let precision = |age: i64| model.precision(&[(Span::from_days(age), 100)], 7, 0.9).mean;
        assert!(precision(10) > 0.99 && precision(70) < 0.4, "{} {}", precision(10), precision(70));
    }

    #[test]
    fn nothing_happens_in_no_time_and_nothing_held_is_nothing_lost() {
        let model = daily(Survival::exponential(0.1), (5.0, 5.0), 30);
        let held = [(Span::ZERO, 10)];
        assert_eq!((model.precision(&held, 0, 0.9).low, model.recall(&held, 0, 0.9).low), (1.0, 1.0));
        assert_eq!((model.recall(&[], 0, 0.9).mean, model.recall(&[], 5, 0.9).mean), (1.0, 0.0));
    }

    #[test]
    fn what_is_less_known_is_less_sure() {
        let known = daily(Survival::exponential(0.05), (10.0, 30.0), 1000);
        let doubtful = daily(Survival { covariance: [[0.04, 0.0], [0.0; 2]], ..known.survival }, (10.0, 30.0), 10);
        let held = [(Span::ZERO, 200)];
        for (sure, unsure) in [
            (known.precision(&held, 5, 0.9), doubtful.precision(&held, 5, 0.9)),
            (known.recall(&held, 5, 0.9), doubtful.recall(&held, 5, 0.9)),
        ] {
            assert!(
                unsure.low < sure.low && unsure.high > sure.high && unsure.mean == sure.mean,
                "{sure:?} {unsure:?}"
            );
        }
    }

    /// Objects of a made-up source: when each came and went, in days.
    fn source(dice: &mut TestRng, days: usize) -> Vec<(f64, f64)> {
        let mut draw = || -> f64 { dice.random() };
        let mut lives = Vec::new();
        for day in 0..days {
            let coming = (draw() * 21.0) as usize;
            lives.extend((0..coming).map(|_| (day as f64, day as f64 - 20.0 * (1.0 - draw()).ln())));
        }
        lives
    }

    #[test]
    fn stated_intervals_cover_what_comes_true() {
        let mut dice = TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]);
        let (mut covered, mut asked) = ([0, 0], 0);
        for _ in 0..200 {
            let objects = source(&mut dice, 130);
            let (now, steps) = (120.0, 6);
            let mut lives = Lives::default();
            for (came, went) in objects.iter().filter(|(came, _)| *came <= now) {
                let (to, ended) = if *went <= now { (went - came, true) } else { (now - came + 1e-3, false) };
                lives.see(Watched { from: Span::ZERO, to: Span::from_millis((to * 86_400_000.0) as i64), ended });
            }
            let there = |at: f64| objects.iter().filter(move |(came, went)| *came <= at && *went > at);
            let survival = Fitted::of(&lives, Family::Exponential).unwrap().survival;
            // Uniform from 0 to 20: mean 10, variance (21² − 1) / 12.
            let model = daily(survival, (10.0, 440.0 / 12.0), 121);
            let held = [(Span::ZERO, there(now).count() as u32)];
            let kept = there(now).filter(|(_, went)| *went > now + f64::from(steps)).count() as f64;
            let precision = kept / there(now).count() as f64;
            let recall = kept / there(now + f64::from(steps)).count() as f64;
            let within =
                |estimate: LifeEstimate, true_one: f64| usize::from((estimate.low..=estimate.high).contains(&true_one));
            covered[0] += within(model.precision(&held, steps, 0.9), precision);
            covered[1] += within(model.recall(&held, steps, 0.9), recall);
            asked += 1;
        }
        assert!(covered.iter().all(|covered| (168..=195).contains(covered)), "{covered:?} of {asked}");
    }
}
