//! The Gamma distribution the paper fits to arrivals.

use crate::distribution::{digamma, gamma_shares, trigamma};
use serde::Serialize;

/// Steps of Newton's method, which needs about four.
const STEPS_MAX: usize = 100;

/// Amounts with mean λφ and variance λφ².
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gamma {
    /// λ.
    pub shape: f64,
    /// φ.
    pub scale: f64,
}

impl Gamma {
    /// By maximum likelihood; nothing for counts that are all alike, which are infinitely regular, or if any is none.
    pub fn fit(counts: &[u32]) -> Option<Gamma> {
        let count = counts.len() as f64;
        let mean = counts.iter().copied().map(f64::from).sum::<f64>() / count;
        let mean_log = counts.iter().map(|count| f64::from(*count).ln()).sum::<f64>() / count;
        let irregular = mean.ln() - mean_log;
        if irregular.is_nan() || irregular <= 1e-9 || irregular.is_infinite() {
            return None;
        }
        let mut shape = (3.0 - irregular + ((irregular - 3.0).powi(2) + 24.0 * irregular).sqrt()) / (12.0 * irregular);
        for _ in 0..STEPS_MAX {
            let step = (shape.ln() - digamma(shape) - irregular) / (1.0 / shape - trigamma(shape));
            shape = if step < shape { shape - step } else { shape / 2.0 };
            if step.abs() < shape * 1e-12 {
                break;
            }
        }
        Some(Gamma { shape, scale: mean / shape })
    }

    pub fn mean(&self) -> f64 {
        self.shape * self.scale
    }

    /// The share of amounts below `x`.
    pub fn below(&self, x: f64) -> f64 {
        gamma_shares(self.shape, x / self.scale).0
    }

    /// The share of amounts between, exact also far out.
    pub(super) fn between(&self, low: f64, high: f64) -> f64 {
        let (low, high) = (gamma_shares(self.shape, low / self.scale), gamma_shares(self.shape, high / self.scale));
        if low.0 < 0.5 { high.0 - low.0 } else { low.1 - high.1 }
    }

    /// The largest distance to the shares of counts, in order of size, that do not exceed a number (Kolmogorov and Smirnov).
    pub fn distance(&self, sorted: &[u32]) -> f64 {
        let all = sorted.len() as f64;
        let gap = |(at, count): (usize, &u32)| {
            let below = self.below(f64::from(*count));
            (below - at as f64 / all).abs().max((below - (at + 1) as f64 / all).abs())
        };
        sorted.iter().enumerate().map(gap).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_q07_daily_arrivals() {
        let gamma = Gamma::fit(&[12, 7, 9, 15, 11, 8, 10, 14]).unwrap();
        assert!((gamma.shape - 16.546_623_635_6).abs() < 1e-6, "{gamma:?}");
        assert!((gamma.scale - 0.649_679_368_838).abs() < 1e-6 && (gamma.mean() - 10.75).abs() < 1e-9, "{gamma:?}");
    }

    #[test]
    fn regular_or_missing_counts_have_no_gamma() {
        assert_eq!(Gamma::fit(&[5, 5, 5]), None);
        assert_eq!(Gamma::fit(&[5, 0]), None);
        assert_eq!(Gamma::fit(&[]), None);
    }

    #[test]
    fn a_gamma_of_shape_one_is_exponential() {
        let gamma = Gamma { shape: 1.0, scale: 10.0 };
        assert!((gamma.below(10.0) - (1.0 - (-1.0_f64).exp())).abs() < 1e-12);
        assert!((gamma.between(300.0, 310.0) - (-30.0_f64).exp() * (1.0 - (-1.0_f64).exp())).abs() < 1e-25);
        let at = 1.0 - (-0.5_f64).exp();
        assert!((gamma.distance(&[5, 5]) - (1.0 - at).max(at)).abs() < 1e-12);
    }
}
