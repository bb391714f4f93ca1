//! What a measure is expected to be, and how far off it may turn out.

use super::penalty::sides;
use serde::{Deserialize, Serialize};
use std::{iter::Sum, ops::Add};
use tintype_vocab::{ChangeRate, Time};

/// Mean and variance of a number not known yet. Of pages that change independently, both add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    pub mean: f64,
    pub variance: f64,
}

impl Moments {
    /// Of something that happens, or does not.
    pub fn of_chance(chance: f64) -> Moments {
        Moments { mean: chance, variance: chance * (1.0 - chance) }
    }
}

impl Add for Moments {
    type Output = Moments;

    fn add(self, other: Moments) -> Moments {
        Moments { mean: self.mean + other.mean, variance: self.variance + other.variance }
    }
}

impl Sum for Moments {
    fn sum<I: Iterator<Item = Moments>>(moments: I) -> Moments {
        moments.fold(Moments::default(), Add::add)
    }
}

/// What the exact blur of a page will be that changes at random, its visits in order of time.
///
/// A change at h is missed for some time d(h), and blur is the sum of d over the changes, divided by the length L. Changes
/// that fall like rain (Poisson, rate λ) make that sum λ∫d/L in the mean, spread by λ∫d²/L²; a belief about λ that is
/// itself spread adds Var(λ)·(∫d/L)², since a rate misjudged is misjudged for every change at once.
///
/// # Panics
/// If there are no visits, or they are out of order, or the interval ends before it begins.
pub fn blur_moments(rate: ChangeRate, visits: &[Time], from: Time, to: Time) -> Moments {
    let length = (to - from).as_days_f64();
    if from == to {
        return Moments::default();
    }
    let days: Vec<f64> = visits.iter().map(|&visit| (visit - from).as_days_f64()).collect();
    let (mut missed, mut squared) = (0.0, 0.0);
    for side in sides(&days, 0.0, length) {
        missed += side.missed() / length;
        squared += side.missed_squared() / (length * length);
    }
    let per_day = f64::from(rate.per_day);
    Moments { mean: per_day * missed, variance: per_day * squared + rate.variance() * missed * missed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        capture::{exact_blur_of_page, penalty},
        trial::{at, close},
    };
    use proptest::{
        collection::vec,
        prelude::*,
        test_runner::{RngAlgorithm, TestRng},
    };
    use tintype_vocab::Span;

    /// From 0 up to but not including 1.
    fn uniform(dice: &mut TestRng) -> f64 {
        f64::from(dice.next_u32()) / (f64::from(u32::MAX) + 1.0)
    }

    fn exponential(dice: &mut TestRng, mean: f64) -> f64 {
        -mean * (1.0 - uniform(dice)).ln()
    }

    /// A rate drawn from a belief whose shape is a whole number: a sum of exponentials.
    fn draw(rate: ChangeRate, dice: &mut TestRng) -> f64 {
        let shape = f64::from(rate.shape);
        let parts = if shape.is_finite() { rate.shape as u32 } else { 0 };
        let sum: f64 = (0..parts).map(|_| exponential(dice, f64::from(rate.per_day) / shape)).sum();
        if parts > 0 { sum } else { f64::from(rate.per_day) }
    }

    /// Changes of a page with that rate, between two days.
    fn changes(per_day: f64, begin: f64, end: f64, dice: &mut TestRng) -> Vec<Time> {
        let mut now = begin;
        let mut next = || {
            now += exponential(dice, 1.0 / per_day);
            now
        };
        std::iter::repeat_with(&mut next).take_while(|&day| day < end).map(day).collect()
    }

    fn day(days: f64) -> Time {
        at((days * Span::from_days(1).as_millis() as f64) as i64)
    }

    #[test]
    fn captures_played_out_many_times_have_these_moments() {
        const PLAYED: u32 = 20_000;
        let mut dice = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let visits: &[&[f64]] = &[&[3.0], &[-2.0], &[1.0, 4.5, 12.0], &[-1.0, 2.0, 7.0]];
        for rate in [ChangeRate::known(0.7), ChangeRate { per_day: 0.7, shape: 2.0 }] {
            for days in visits {
                let visits: Vec<Time> = days.iter().copied().map(day).collect();
                let (from, to) = (day(0.0), day(10.0));
                let mut play = || {
                    let per_day = draw(rate, &mut dice);
                    exact_blur_of_page(changes(per_day, -3.0, 13.0, &mut dice), &visits, from, to)
                };
                let blurs: Vec<f64> = (0..PLAYED).map(|_| play()).collect();
                let mean = blurs.iter().sum::<f64>() / f64::from(PLAYED);
                let variance = blurs.iter().map(|blur| (blur - mean).powi(2)).sum::<f64>() / f64::from(PLAYED);
                let expected = blur_moments(rate, &visits, from, to);
                let error = (expected.variance / f64::from(PLAYED)).sqrt();
                assert!((mean - expected.mean).abs() < 4.0 * error, "{days:?}: {mean} is {}", expected.mean);
                assert!((variance / expected.variance - 1.0).abs() < 0.06, "{days:?}: {variance} is {expected:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_mean_is_the_expected_blur(mut hours in vec(-50_i64..300, 1..6), length in 1_i64..200) {
            hours.sort_unstable();
            let hour = |hour: i64| Time::from_secs(3_600 * hour);
            let visits: Vec<Time> = hours.iter().map(|&time| hour(time)).collect();
            let moments = blur_moments(ChangeRate::known(0.5), &visits, hour(7), hour(7 + length));
            let plain: Vec<f64> = hours.iter().map(|&time| time as f64).collect();
            let expected = 0.5 / 24.0 * penalty(&plain, 7.0, (7 + length) as f64) / length as f64;
            prop_assert!(close(moments.mean, expected), "{moments:?} is {expected}");
            // No change is missed for longer than the interval.
            prop_assert!(moments.variance <= moments.mean + 1e-9);
        }
    }

    #[test]
    fn pages_add_up_and_an_empty_interval_asks_nothing() {
        let page = Moments { mean: 1.5, variance: 0.25 };
        assert_eq!([page, page].into_iter().sum::<Moments>(), Moments { mean: 3.0, variance: 0.5 });
        assert_eq!(blur_moments(ChangeRate::default(), &[at(9)], at(5), at(5)), Moments::default());
    }
}
