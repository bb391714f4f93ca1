//! Draws from the distributions that worlds are made of. All dice are seeded; lengths of time are in days.

use std::f64::consts::{PI, TAU};
use tintype_plan::Dice;

/// What a throw decides. Each purpose has dice of its own, so that one more throw for one never moves another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    Rates = 1,
    Places,
    Changes,
    States,
    Arrivals,
    Lives,
    Sales,
    Words,
    Titles,
    Lengths,
    Figures,
}

/// Dice for one purpose and one thing. `Dice::new` of neighbouring steps would throw the same numbers one step apart,
/// which is harmless for retries and ruinous for pages that must not know of each other: hence the hashing.
pub(crate) fn dice(seed: u64, purpose: Purpose, thing: u64) -> Dice {
    let purpose = Dice::new(seed, purpose as u64).next_u64();
    Dice::new(Dice::new(purpose, thing).next_u64(), 0)
}

pub(crate) fn below(dice: &mut Dice, limit: usize) -> usize {
    ((u128::from(dice.next_u64()) * limit as u128) >> 64) as usize
}

pub(crate) fn happens(dice: &mut Dice, probability: f64) -> bool {
    dice.unit() < probability
}

pub(crate) fn exponential(dice: &mut Dice, mean: f64) -> f64 {
    -(1.0 - dice.unit()).ln() * mean
}

/// The moments of a Poisson process in `[from, until)`.
pub(crate) fn poisson(dice: &mut Dice, rate_per_day: f64, from: f64, until: f64) -> impl Iterator<Item = f64> {
    let mut day = from;
    std::iter::from_fn(move || {
        day += exponential(dice, 1.0 / rate_per_day);
        (day < until).then_some(day)
    })
}

fn normal(dice: &mut Dice) -> f64 {
    (-2.0 * (1.0 - dice.unit()).ln()).sqrt() * (TAU * dice.unit()).cos()
}

/// Log-normal with the given mean; `sigma` is the standard deviation of the logarithm.
pub(crate) fn log_normal(dice: &mut Dice, mean: f64, sigma: f64) -> f64 {
    mean * (sigma * normal(dice) - sigma * sigma / 2.0).exp()
}

/// Gamma with mean 1 (Marsaglia and Tsang's squeeze; shapes of at least 1).
pub(crate) fn gamma(dice: &mut Dice, shape: f64) -> f64 {
    let d = shape.max(1.0) - 1.0 / 3.0;
    loop {
        let x = normal(dice);
        let v = (1.0 + x / (9.0 * d).sqrt()).powi(3);
        if v > 0.0 && (1.0 - dice.unit()).ln() < x * x / 2.0 + d - d * v + d * v.ln() {
            return d * v / shape.max(1.0);
        }
    }
}

/// Weibull with the given mean.
pub(crate) fn weibull(dice: &mut Dice, mean: f64, shape: f64) -> f64 {
    exponential(dice, 1.0).powf(1.0 / shape) * mean / gamma_function(1.0 + 1.0 / shape)
}

/// Euler's gamma function of a positive number: Stirling's series, after stepping up to where it is exact enough.
fn gamma_function(x: f64) -> f64 {
    if x < 10.0 {
        return gamma_function(x + 1.0) / x;
    }
    let series = 1.0 + 1.0 / (12.0 * x) + 1.0 / (288.0 * x * x) - 139.0 / (51_840.0 * x * x * x);
    (2.0 * PI / x).sqrt() * (x / std::f64::consts::E).powf(x) * series
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(mut draw: impl FnMut(&mut Dice) -> f64) -> (f64, f64) {
        let count = 40_000;
        let draws: Vec<f64> = (0..count).map(|thing| draw(&mut dice(9, Purpose::Lives, thing))).collect();
        let mean = draws.iter().sum::<f64>() / count as f64;
        (mean, draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count as f64)
    }

    #[track_caller]
    fn near((mean, variance): (f64, f64), expected: (f64, f64)) {
        assert!((mean - expected.0).abs() < 0.04 * expected.0.max(1.0), "mean {mean}, not {}", expected.0);
        assert!((variance - expected.1).abs() < 0.08 * expected.1, "variance {variance}, not {}", expected.1);
    }

    #[test]
    fn draws_have_the_mean_and_variance_of_their_distribution() {
        near(moments(|dice| exponential(dice, 3.0)), (3.0, 9.0));
        near(moments(normal), (0.0, 1.0));
        near(moments(|dice| gamma(dice, 4.0)), (1.0, 0.25));
        near(moments(|dice| weibull(dice, 2.0, 2.0)), (2.0, 4.0 * (4.0 / PI - 1.0)));
        near(moments(|dice| poisson(dice, 2.0, 0.0, 3.0).count() as f64), (6.0, 6.0));
        near(moments(|dice| log_normal(dice, 2.0, 0.5)), (2.0, 4.0 * (0.25f64.exp() - 1.0)));
    }

    #[test]
    fn the_gamma_function_is_the_factorial() {
        for (x, expected) in [(1.0, 1.0), (1.5, PI.sqrt() / 2.0), (3.0, 2.0), (6.0, 120.0)] {
            assert!((gamma_function(x) / expected - 1.0).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn neighbours_do_not_throw_each_others_numbers() {
        let throws = |thing| {
            let mut dice = dice(0, Purpose::Changes, thing);
            [dice.next_u64(), dice.next_u64(), dice.next_u64()]
        };
        assert!(throws(1).iter().all(|number| !throws(2).contains(number)));
    }
}
