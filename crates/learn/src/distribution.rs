//! What statistics has tables for: the Gamma function and its kin, the tails of the normal and the chi-square distribution.

use std::f64::consts::{PI, SQRT_2};

/// Where Stirling's series holds to all digits; smaller arguments are moved there.
const STIRLING: f64 = 15.0;
/// Terms of a series or fraction after which it is as good as it gets.
const TERMS_MAX: usize = 10_000;

/// The logarithm of the Gamma function, for positive arguments.
pub(crate) fn ln_gamma(mut x: f64) -> f64 {
    let mut product = 1.0;
    while x < STIRLING {
        product *= x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + (2.0 * PI).ln() / 2.0 + series - product.ln()
}

/// The derivative of the logarithm of the Gamma function, for positive arguments.
pub(crate) fn digamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < STIRLING {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    sum + x.ln() - 0.5 / x - square * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square / 240.0)))
}

/// The derivative of [`digamma`].
pub(crate) fn trigamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < STIRLING {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    sum + 1.0 / x
        + square / 2.0
        + square / x * (1.0 / 6.0 - square * (1.0 / 30.0 - square * (1.0 / 42.0 - square / 30.0)))
}

/// The shares of a Gamma distribution of scale one that lie below and above `x`, both exact where they are small.
pub(crate) fn gamma_shares(shape: f64, x: f64) -> (f64, f64) {
    if x.is_nan() || x <= 0.0 {
        return (0.0, 1.0);
    }
    if x.is_infinite() {
        return (1.0, 0.0);
    }
    let front = (shape * x.ln() - x - ln_gamma(shape)).exp();
    if x < shape + 1.0 {
        let below = (front * lower_series(shape, x)).min(1.0);
        (below, 1.0 - below)
    } else {
        let above = (front * upper_fraction(shape, x)).min(1.0);
        (1.0 - above, above)
    }
}

fn lower_series(shape: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / shape, 1.0 / shape);
    for step in 1..TERMS_MAX {
        term *= x / (shape + step as f64);
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    sum
}

/// The continued fraction of the upper part, from so far behind that no digit hangs on where it begins.
fn upper_fraction(shape: f64, x: f64) -> f64 {
    let terms = (10.0 + 90.0 / x + 8.0 * shape.sqrt()).min(TERMS_MAX as f64) as u32;
    let behind = |rest: f64, term: u32| {
        let term = f64::from(term);
        term * (term - shape) / (x + 2.0 * term + 1.0 - shape - rest)
    };
    1.0 / (x + 1.0 - shape - (1..=terms).rev().fold(0.0, behind))
}

/// The chance that a chi-square variable exceeds `x`.
pub fn chi_square_tail(x: f64, freedom: u32) -> f64 {
    gamma_shares(f64::from(freedom) / 2.0, x / 2.0).1
}

/// The logarithm of the chance that a standard normal variable exceeds `z`.
pub(crate) fn ln_normal_tail(z: f64) -> f64 {
    let half = z * z / 2.0;
    if z >= 0.0 && half.is_infinite() {
        return f64::NEG_INFINITY;
    }
    if z < 0.0 {
        // What lies beyond −z is missing from all.
        return (-gamma_shares(0.5, half).1 / 2.0).ln_1p();
    }
    if half < 1.5 {
        return (gamma_shares(0.5, half).1 / 2.0).ln();
    }
    // The exponent is kept apart: far out the chance itself is no number.
    upper_fraction(0.5, half).ln() - half + half.ln() / 2.0 - ln_gamma(0.5) - 2.0_f64.ln()
}

/// The place below which that share of a standard normal distribution lies.
pub fn normal_quantile(share: f64) -> f64 {
    if share.is_nan() || share <= 0.0 || share >= 1.0 {
        return if share <= 0.5 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if share > 0.5 {
        return -normal_quantile(1.0 - share);
    }
    // A first guess good to a thousandth (Hastings), then Newton's steps on the logarithm of the tail.
    let t = (-2.0 * share.ln()).sqrt();
    let mut z =
        t - (2.515_517 + t * (0.802_853 + t * 0.010_328)) / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)));
    for _ in 0..4 {
        let tail = ln_normal_tail(z);
        let slope = -(-z * z / 2.0 - tail).exp() / (SQRT_2 * PI.sqrt());
        z -= (tail - share.ln()) / slope;
    }
    -z
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(found: f64, expected: f64, share: f64) -> bool {
        (found - expected).abs() <= share * expected.abs().max(1e-300)
    }

    fn normal_share(z: f64) -> f64 {
        ln_normal_tail(-z).exp()
    }

    #[test]
    fn the_gamma_function_has_its_known_values() {
        assert!(ln_gamma(1.0).abs() < 1e-13 && ln_gamma(2.0).abs() < 1e-13);
        assert!(near(ln_gamma(0.5), PI.ln() / 2.0, 1e-13) && near(ln_gamma(10.0), 362_880_f64.ln(), 1e-14));
        assert!(near(digamma(1.0), -0.577_215_664_901_532_9, 1e-12));
        assert!(near(digamma(0.5), -1.963_510_026_021_423_5, 1e-12));
        assert!(near(digamma(10.0), 2.251_752_589_066_721, 1e-12));
        assert!(near(trigamma(1.0), PI * PI / 6.0, 1e-12) && near(trigamma(0.5), PI * PI / 2.0, 1e-12));
    }

    #[test]
    fn tails_have_their_known_values() {
        assert!(near(chi_square_tail(3.841_458_820_694_124, 1), 0.05, 1e-12));
        assert!(near(chi_square_tail(18.307_038_053_275_146, 10), 0.05, 1e-12));
        assert!(near(chi_square_tail(2.0, 2), (-1.0_f64).exp(), 1e-13));
        assert_eq!((chi_square_tail(0.0, 3), chi_square_tail(-1.0, 3)), (1.0, 1.0));
        assert!(near(normal_share(1.959_963_984_540_054), 0.975, 1e-12));
        assert!(near(normal_share(-1.281_551_565_544_600_4), 0.1, 1e-12));
        assert!(near(ln_normal_tail(40.0), -804.608_442_013_753_8, 1e-12), "{}", ln_normal_tail(40.0));
        assert_eq!((normal_share(f64::INFINITY), normal_share(f64::NEG_INFINITY)), (1.0, 0.0));
    }

    #[test]
    fn quantiles_have_their_known_values() {
        assert!(normal_quantile(0.5).abs() < 1e-15);
        assert!(near(normal_quantile(0.975), 1.959_963_984_540_054, 1e-12));
        assert!(near(normal_quantile(1e-10), -6.361_340_902_404_056, 1e-12));
        assert_eq!((normal_quantile(0.0), normal_quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    proptest! {
        #[test]
        fn shares_and_quantiles_undo_each_other(z in -6.0f64..6.0) {
            prop_assert!((normal_quantile(normal_share(z)) - z).abs() < 1e-6, "{}", normal_quantile(normal_share(z)));
        }

        #[test]
        fn tails_meet_where_the_way_of_reckoning_changes(shape in prop_oneof![0.1f64..50.0, 50.0f64..5000.0]) {
            let (below, above) = (gamma_shares(shape, shape + 1.0 - 1e-9), gamma_shares(shape, shape + 1.0 + 1e-9));
            prop_assert!((below.0 - above.0).abs() < 1e-8 && (below.1 - above.1).abs() < 1e-8);
        }
    }
}
