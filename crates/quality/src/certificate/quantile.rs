//! Where nine of ten values lie, given mean and variance.

use crate::capture::Moments;

/// What lies below the interval, and what above it.
const TAIL: f64 = 0.05;
/// The normal quantile of 1 − [`TAIL`].
const NORMAL: f64 = 1.644_853_626_951_472_7;
/// From this shape on the cube root of a Gamma variable is normal to all digits that matter (Wilson and Hilferty).
const LARGE: f64 = 1000.0;

/// The middle 90 % of the Gamma distribution with these moments: never negative, and all at zero if nothing is likely to
/// happen, as a sum of rare events is.
pub(super) fn gamma_90(moments: Moments) -> [f64; 2] {
    let Moments { mean, variance } = moments;
    if mean <= 0.0 || variance <= 0.0 {
        return [mean, mean];
    }
    let (shape, scale) = (mean * mean / variance, variance / mean);
    [TAIL, 1.0 - TAIL].map(|share| scale * quantile(shape, share))
}

/// The middle 90 % of the normal distribution with these moments, of something counted from 0 to `most`.
pub(super) fn count_90(moments: Moments, most: f64) -> [f64; 2] {
    let reach = NORMAL * moments.variance.max(0.0).sqrt();
    [(moments.mean - reach).clamp(0.0, most), (moments.mean + reach).clamp(0.0, most)]
}

fn quantile(shape: f64, share: f64) -> f64 {
    if shape > LARGE {
        let part = 1.0 / (9.0 * shape);
        let normal = if share < 0.5 { -NORMAL } else { NORMAL };
        return shape * (1.0 - part + normal * part.sqrt()).powi(3);
    }
    let (mut low, mut high) = (0.0, shape + 40.0 * (1.0 + shape.sqrt()));
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if below(shape, middle) < share { low = middle } else { high = middle }
    }
    low
}

/// The share of a Gamma distribution of scale one that lies below `x`.
fn below(shape: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let front = (shape * x.ln() - x - ln_gamma(shape)).exp();
    if x < shape + 1.0 { front * series(shape, x) } else { 1.0 - front * fraction(shape, x) }
}

fn series(shape: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / shape, 1.0 / shape);
    for step in 1..10_000 {
        term *= x / (shape + f64::from(step));
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    sum
}

/// The continued fraction of the upper part, from the front (Lentz).
fn fraction(shape: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - shape;
    let (mut c, mut d) = (1.0 / TINY, 1.0 / b);
    let mut value = d;
    for step in 1..10_000 {
        let step = f64::from(step);
        let a = -step * (step - shape);
        b += 2.0;
        d = 1.0 / away_from_zero(a * d + b, TINY);
        c = away_from_zero(b + a / c, TINY);
        value *= d * c;
        if (d * c - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

fn away_from_zero(number: f64, tiny: f64) -> f64 {
    if number.abs() < tiny { tiny } else { number }
}

/// Stirling's series, after moving to where it holds.
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 15.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let tail = (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    shift + (x - 0.5) * x.ln() - x + (2.0 * std::f64::consts::PI).ln() / 2.0 + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mean: f64, variance: f64) -> [f64; 2] {
        gamma_90(Moments { mean, variance })
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // Chi-square: twice a Gamma variable of half as many degrees of freedom.
        for (freedom, low, high) in [
            (1.0, 0.003_932_14, 3.841_458_82),
            (2.0, 0.102_586_59, 5.991_464_55),
            (10.0, 3.940_299_14, 18.307_038_05),
            (100.0, 77.929_465, 124.342_113),
        ] {
            let [found_low, found_high] = of(freedom, 2.0 * freedom);
            assert!((found_low - low).abs() < 1e-6 * high && (found_high - high).abs() < 1e-6 * high, "{freedom}");
        }
    }

    #[test]
    fn both_ways_agree_where_they_meet() {
        let [below, above] = [0.999, 1.001].map(|share| of(LARGE * share, LARGE * share));
        assert!(below.iter().zip(above).all(|(one, other)| (other / one - 1.0).abs() < 0.0025), "{below:?} {above:?}");
    }

    #[test]
    fn what_hardly_ever_happens_is_expected_not_to() {
        assert_eq!(of(1e-4, 1e-2), [0.0, 0.0]);
        assert_eq!(of(0.0, 0.0), [0.0, 0.0]);
        assert_eq!(count_90(Moments { mean: 9.5, variance: 4.0 }, 10.0)[1], 10.0);
    }
}
