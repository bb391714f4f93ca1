//! How many objects come in a step: the laws that could lie behind the counts, and which of them does.
//!
//! The paper's Gamma is fitted to steps with arrivals, because it cannot produce a step without; what stands for empty steps
//! and bursts (zero-inflated, compound) is judged beside it by Akaike's criterion, all as laws of whole numbers.

mod gamma;
mod law;

pub use gamma::Gamma;
pub use law::{ArrivalFit, Law};

use serde::Serialize;

/// The share of steps whose arrivals count as bursts.
const BURSTS: f64 = 0.05;

/// What counts of arrivals are like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arrivals {
    pub steps: usize,
    pub mean: f64,
    pub variance: f64,
    /// Steps in which nothing came.
    pub empty_share: f64,
    /// The share of all arrivals that came in the fullest twentieth of the steps.
    pub burst_share: f64,
    /// The paper's: of the steps in which something came, if they are not all alike.
    pub gamma: Option<Gamma>,
    /// All laws, the best by Akaike's criterion first.
    pub fits: Vec<ArrivalFit>,
}

impl Arrivals {
    /// Nothing if there are not two steps, or nothing ever came.
    pub fn of(counts: &[u32]) -> Option<Arrivals> {
        let steps = counts.len();
        let sum: f64 = counts.iter().copied().map(f64::from).sum();
        if steps < 2 || sum == 0.0 {
            return None;
        }
        let mean = sum / steps as f64;
        let variance = counts.iter().map(|count| (f64::from(*count) - mean).powi(2)).sum::<f64>() / (steps - 1) as f64;
        let mut sorted = counts.to_vec();
        sorted.sort_unstable();
        let empty = sorted.partition_point(|count| *count == 0);
        let fullest = &sorted[steps - (steps as f64 * BURSTS) as usize..];
        Some(Arrivals {
            steps,
            mean,
            variance,
            empty_share: empty as f64 / steps as f64,
            burst_share: fullest.iter().copied().map(f64::from).sum::<f64>() / sum,
            gamma: Gamma::fit(&sorted[empty..]),
            fits: law::fits(&sorted, mean, variance),
        })
    }

    /// Variance by mean: 1 for what comes independently, more for what comes in bursts.
    pub fn dispersion(&self) -> f64 {
        self.variance / self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::{RngAlgorithm, TestRng};

    fn dice() -> TestRng {
        TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32])
    }

    fn poisson(mean: f64, dice: &mut TestRng) -> u32 {
        let (mut left, mut count) = (mean, 0);
        loop {
            left += (1.0 - dice.random::<f64>()).ln();
            if left < 0.0 {
                return count;
            }
            count += 1;
        }
    }

    #[test]
    fn nothing_is_said_of_no_arrivals() {
        assert_eq!(Arrivals::of(&[]), None);
        assert_eq!(Arrivals::of(&[3]), None);
        assert_eq!(Arrivals::of(&[0, 0, 0]), None);
    }

    #[test]
    fn each_law_is_recognised_by_what_it_makes() {
        let mut dice = dice();
        let even: Vec<u32> = (0..3000).map(|_| poisson(4.0, &mut dice)).collect();
        assert!(matches!(Arrivals::of(&even).unwrap().fits[0].law, Law::Poisson { mean } if (mean - 4.0).abs() < 0.2));
        // Exponential means: a negative binomial of size one.
        let bursts: Vec<u32> = (0..3000).map(|_| poisson(-8.0 * dice.random::<f64>().ln(), &mut dice)).collect();
        let found = Arrivals::of(&bursts).unwrap();
        let compound = found.fits.iter().find_map(|fit| match fit.law {
            Law::NegativeBinomial { mean, size } => Some((mean, size)),
            _ => None,
        });
        let (mean, size) = compound.unwrap();
        assert!((mean - 8.0).abs() < 0.6 && (size - 1.0).abs() < 0.1, "{mean} {size}");
        // A Poisson count of 40, but nothing on two days of seven.
        let weekends: Vec<u32> = (0..2100).map(|day| if day % 7 < 2 { 0 } else { poisson(40.0, &mut dice) }).collect();
        let found = Arrivals::of(&weekends).unwrap();
        let Law::ZeroInflatedGamma { empty_share, gamma } = found.fits[0].law else { panic!("{found:?}") };
        assert!((empty_share - 2.0 / 7.0).abs() < 0.01 && (gamma.mean() - 40.0).abs() < 1.0, "{found:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn any_counts_are_fitted_with_numbers(counts in prop::collection::vec(prop_oneof![0u32..5, 0u32..100_000], 2..30)) {
            if let Some(arrivals) = Arrivals::of(&counts) {
                prop_assert!(arrivals.fits.iter().all(|fit| fit.aic().is_finite()), "{arrivals:?}");
                prop_assert!((0.0..=1.0).contains(&arrivals.burst_share) && !arrivals.fits.is_empty());
            }
        }
    }
}
