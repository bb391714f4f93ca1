//! The Beta distribution: what a share between 0 and 1 may turn out to be.

use crate::distribution::{ln_gamma, ln_normal_tail};

const TERMS_MAX: usize = 400;
/// From here on the fraction would take more terms, and the cubic roots are nearly normal.
const LARGE: f64 = 1e4;
const TINY: f64 = 1e-300;

/// The chance that a share is at most `x`, when it is spread like Beta(a, b).
pub(super) fn at_most(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    if a.min(b) > LARGE {
        return at_most_of_large(a, b, x);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    // The fraction converges quickly on the near side of the mean only.
    let share = match x < (a + 1.0) / (a + b + 2.0) {
        true => front * fraction(a, b, x) / a,
        false => 1.0 - front * fraction(b, a, 1.0 - x) / b,
    };
    share.clamp(0.0, 1.0)
}

/// To a millionth (Wilson and Hilferty).
fn at_most_of_large(a: f64, b: f64, x: f64) -> f64 {
    let (below, above) = ((b * x).cbrt(), (a * (1.0 - x)).cbrt());
    let apart = below * (1.0 - 1.0 / (9.0 * b)) - above * (1.0 - 1.0 / (9.0 * a));
    let normal = 3.0 * apart / (below * below / b + above * above / a).sqrt();
    ln_normal_tail(-normal).exp()
}

/// The logarithm of the chance that a share of so many objects comes out as it did, when it was expected with this mean
/// and variance.
pub(super) fn ln_density(mean: f64, variance: f64, came: f64, objects: f64) -> f64 {
    let certainty = (mean * (1.0 - mean) / variance.max(1e-15) - 1.0).clamp(1e-3, 1e12);
    let (a, b) = (mean * certainty, (1.0 - mean) * certainty);
    // A share of 0 or 1 stands for what is nearer to it than to the next count.
    let edge = (0.25 / objects.max(1.0)).min(0.25);
    let x = came.clamp(edge, 1.0 - edge);
    let density = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + (a - 1.0) * x.ln() + (b - 1.0) * (-x).ln_1p();
    density - objects.max(1.0).ln()
}

/// The continued fraction of the incomplete Beta function, evaluated forwards by Lentz's method.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let kept_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut upper, mut lower) = (1.0, 1.0 / kept_from_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut value = lower;
    for term in 1..TERMS_MAX {
        let m = term as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut factor = 1.0;
        for step in [even, odd] {
            lower = 1.0 / kept_from_zero(1.0 + step * lower);
            upper = kept_from_zero(1.0 + step / upper);
            factor = lower * upper;
            value *= factor;
        }
        if (factor - 1.0).abs() < 1e-12 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_known_cases() {
        for x in [0.01, 0.3, 0.77] {
            assert!((at_most(1.0, 1.0, x) - x).abs() < 1e-10, "even");
            assert!((at_most(3.0, 1.0, x) - x * x * x).abs() < 1e-10, "the largest of three");
            assert!((at_most(2.5, 7.0, x) + at_most(7.0, 2.5, 1.0 - x) - 1.0).abs() < 1e-10, "mirrored");
        }
        // 1 - P(at least 3 heads in 10 throws of a coin that shows heads with 0.2) as a Beta.
        let heads: f64 =
            [(1.0, 0), (10.0, 1), (45.0, 2)].map(|(ways, k)| ways * 0.2f64.powi(k) * 0.8f64.powi(10 - k)).iter().sum();
        assert!((1.0 - at_most(3.0, 8.0, 0.2) - heads).abs() < 1e-10);
        assert_eq!((at_most(2.0, 2.0, -1.0), at_most(2.0, 2.0, 2.0)), (0.0, 1.0));
    }

    #[test]
    fn large_counts_are_reckoned_as_exactly() {
        for (a, b, x, chance) in [
            (9e5, 1e5, 0.9, 0.499_645),
            (9e4, 1e4, 0.9 - 0.5 * 9.486_785e-4, 0.307_797),
            (1e7, 1e7, 0.5, 0.5),
            (1e9, 1e8, 1e9 / 1.1e9, 0.499_987),
        ] {
            assert!((at_most(a, b, x) - chance).abs() < 1e-5, "{a} {b}: {}", at_most(a, b, x));
        }
        let (fraction, root) = (at_most(3e4, LARGE, 0.7512), at_most(3e4, LARGE + 1e-6, 0.7512));
        assert!((fraction - root).abs() < 1e-5, "{fraction} {root}");
    }
}
