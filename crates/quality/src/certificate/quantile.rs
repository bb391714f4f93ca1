//! Where nine of ten values lie, given mean and variance.

use crate::capture::Moments;

/// What lies below the interval, and what above it.
const TAIL: f64 = 0.05;
/// The normal quantile of 1 − [`TAIL`].
const NORMAL: f64 = 1.644_853_626_951_472_7;
/// From this shape on the cube root of a Gamma variable is normal to all digits that matter (Wilson and Hilferty).
const LARGE: f64 = 1000.0;
/// From this mean on it does not matter that a count is whole, and its chances are too small to be added up from none.
const UNCOUNTED: f64 = 400.0;

/// The middle 90 % of something that is nothing at all with the chance `nothing`, and otherwise of a Gamma distribution, so
/// that altogether it has these moments: blur is a sum over changes, and often there are none.
pub(super) fn sum_90(moments: Moments, nothing: f64) -> [f64; 2] {
    let Moments { mean, variance } = moments;
    let something = 1.0 - nothing;
    if mean <= 0.0 || something <= 0.0 {
        return [0.0, 0.0];
    }
    let given = mean / something;
    // Of so rare a thing the spread without the chance that it is nothing may come out as none.
    let spread = ((variance + mean * mean) / something - given * given).max(given * given * 1e-9);
    let (shape, scale) = (given * given / spread, spread / given);
    [TAIL, 1.0 - TAIL].map(|share| {
        let share = (share - nothing) / something;
        if share <= 0.0 { 0.0 } else { scale * quantile(shape, share) }
    })
}

/// The middle 90 % of a number of rare events with these moments: binomial if they spread less than their mean, Poisson if as
/// much, negative binomial if more, which are one family to whoever adds up their chances (Panjer).
pub(super) fn count_90(moments: Moments) -> [f64; 2] {
    let Moments { mean, variance } = moments;
    if mean <= 0.0 || variance <= 0.0 {
        return [mean.max(0.0); 2];
    }
    let ratio = mean / variance;
    let (a, sum) = (1.0 - ratio, mean * ratio);
    let none = if a.abs() < 1e-9 { (-mean).exp() } else { (sum / a * ratio.ln()).exp() };
    if mean > UNCOUNTED || none < f64::MIN_POSITIVE {
        let [low, high] = sum_90(moments, 0.0);
        return [low.floor(), high.ceil()];
    }
    let (mut chance, mut below, mut count) = (none, none, 0.0);
    let mut reach = |share: f64| {
        // So many events are out of the question; rounding alone keeps the sum from its end.
        while below < share && count < 100.0 * (1.0 + mean + variance) {
            count += 1.0;
            chance *= (a + (sum - a) / count).max(0.0);
            below += chance;
        }
        count
    };
    [reach(TAIL), reach(1.0 - TAIL)]
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
pub(super) fn ln_gamma(mut x: f64) -> f64 {
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
        sum_90(Moments { mean, variance }, 0.0)
    }

    fn counted(mean: f64, variance: f64) -> [f64; 2] {
        count_90(Moments { mean, variance })
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
        let [below, above] = [0.999, 1.001].map(|share| counted(UNCOUNTED * share, 3.0 * UNCOUNTED));
        assert!(below.iter().zip(above).all(|(one, other)| (other - one).abs() <= 3.0), "{below:?} {above:?}");
    }

    #[test]
    fn what_hardly_ever_happens_is_expected_not_to() {
        assert_eq!(sum_90(Moments { mean: 1e-4, variance: 1e-2 }, 0.999), [0.0, 0.0]);
        assert_eq!(of(0.0, 0.0), [0.0, 0.0]);
        assert_eq!((counted(0.0, 0.0), counted(0.01, 0.01)), ([0.0, 0.0], [0.0, 0.0]));
    }

    #[test]
    fn what_is_often_nothing_may_be_nothing() {
        // Exponential with a chance of one in five, else nothing: the last twentieth is its last quarter.
        let [low, high] = sum_90(Moments { mean: 0.2, variance: 0.36 }, 0.8);
        assert_eq!(low, 0.0);
        assert!((high - 4.0_f64.ln()).abs() < 1e-6, "{high}");
    }

    #[test]
    fn counts_have_the_quantiles_of_their_kind() {
        assert_eq!(counted(3.0, 3.0), [1.0, 6.0], "Poisson");
        assert_eq!(counted(10.0, 5.0), [6.0, 14.0], "20 throws of a coin");
        // Geometric with a chance of a half: 1 − 2⁻⁵ is enough.
        assert_eq!(counted(1.0, 2.0), [0.0, 4.0], "geometric");
        assert_eq!(counted(12.0, 1e-6), [12.0, 12.0], "certain");
    }
}
