//! How sure a mean over run seeds is.

use serde::{Deserialize, Serialize};

/// How often the interval is to hold the true mean.
const CONFIDENCE: f64 = 0.95;

/// A mean of repeated runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub mean: f64,
    /// The 95 % interval (Student's t); one run says nothing about how runs differ.
    pub ci95: Option<[f64; 2]>,
}

/// # Panics
/// If there are no values.
pub fn estimate(values: &[f64]) -> Estimate {
    assert!(!values.is_empty(), "a mean is of something");
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let ci95 = (values.len() > 1).then(|| {
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        let reach = quantile(values.len() - 1) * error;
        [mean - reach, mean + reach]
    });
    Estimate { mean, ci95 }
}

/// The t that |T| stays below with probability [`CONFIDENCE`], by bisection over the angle whose tangent is t/√freedom.
fn quantile(freedom: usize) -> f64 {
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = (low + high) / 2.0;
        if within(middle, freedom) < CONFIDENCE { low = middle } else { high = middle }
    }
    high.tan() * (freedom as f64).sqrt()
}

/// The probability that |T| < tan(angle)·√freedom: the finite trigonometric series for whole degrees of freedom.
fn within(angle: f64, freedom: usize) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    let odd = freedom % 2;
    let mut term = if odd == 1 { cosine } else { 1.0 };
    let mut sum = if freedom == 1 { 0.0 } else { term };
    for power in (2 + odd..freedom.saturating_sub(1)).step_by(2) {
        term *= cosine * cosine * (power - 1) as f64 / power as f64;
        sum += term;
    }
    if odd == 1 { (angle + sine * sum) * std::f64::consts::FRAC_2_PI } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, expected) in [
            (1, 12.706_204_736),
            (2, 4.302_652_730),
            (3, 3.182_446_305),
            (4, 2.776_445_105),
            (5, 2.570_581_836),
            (9, 2.262_157_163),
            (10, 2.228_138_852),
            (29, 2.045_229_642),
            (30, 2.042_272_456),
            (100, 1.983_971_519),
            (1000, 1.962_339_081),
        ] {
            assert!((quantile(freedom) - expected).abs() < 1e-8, "{freedom}: {} is {expected}", quantile(freedom));
        }
    }

    #[test]
    fn an_interval_lies_around_the_mean() {
        let estimate = estimate(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        let [low, high] = estimate.ci95.unwrap();
        // 3 ± 2.776445 · √(2.5 / 5)
        assert!((low - 1.036_756_838).abs() < 1e-8 && (high - 4.963_243_162).abs() < 1e-8, "{low} {high}");
    }

    #[test]
    fn one_run_has_no_interval_and_equal_runs_a_narrow_one() {
        assert_eq!(estimate(&[7.0]), Estimate { mean: 7.0, ci95: None });
        assert_eq!(estimate(&[7.0; 4]), Estimate { mean: 7.0, ci95: Some([7.0, 7.0]) });
    }
}
