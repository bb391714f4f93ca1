//! How time grows with the size of the work.

use std::ops::RangeInclusive;

/// Exponents of what is linear but for caches that fill up and a beginning that costs more than the rest.
pub(super) const LINEAR: RangeInclusive<f64> = 0.75..=1.25;

/// The slope of the line of least squares through the logarithms.
pub(super) fn exponent(points: &[(f64, f64)]) -> f64 {
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logarithms.len() as f64;
    let (x, y) = logarithms.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0 / count, sum.1 + at.1 / count));
    let (with, alone) = logarithms
        .iter()
        .fold((0.0, 0.0), |sum, at| (sum.0 + (at.0 - x) * (at.1 - y), sum.1 + (at.0 - x) * (at.0 - x)));
    with / alone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_of_powers_are_found() {
        for power in [0.5, 1.0, 2.0] {
            let points = [1.0_f64, 3.0, 10.0, 50.0].map(|x| (x, 4.0 * x.powf(power)));
            assert!((exponent(&points) - power).abs() < 1e-9, "{power}");
        }
    }
}
