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
