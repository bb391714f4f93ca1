//! Decay as a series that hangs on its own past: the paper's AR(k), its forecast, and what a crawl teaches it.
//!
//! The decay of a step is the logarithm of the copy quality it leaves, so that decays add up where qualities multiply (4).
//! It is the paper's model, kept as the yardstick for ours: it knows neither the age of objects nor the day of the week.

mod adapt;
mod fit;

pub use adapt::AdaptMode;

use serde::{Deserialize, Serialize};

/// Qualities of nothing are as good as lost: `ln` of half an object.
const HALF: f64 = 0.5;

/// d(t) = α + Σ βᵢ d(t−i) + noise (5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AutoRegression {
    /// α.
    pub constant: f64,
    /// β, that of the last step first; as many as the order.
    pub weights: Vec<f64>,
    /// σ², of the noise in one step.
    pub noise: f64,
}

/// The decay of one step in which `kept` of `all` objects were kept.
///
/// Where none was kept the logarithm does not exist; half of one of one more stands for it.
pub fn decay(kept: u32, all: u32) -> f64 {
    let (kept, all) = (f64::from(kept), f64::from(all));
    match all {
        0.0 => 0.0,
        _ if kept == 0.0 => (HALF / (all + 1.0)).ln(),
        _ => (kept / all).min(1.0).ln(),
    }
}

/// The copy quality that is left after these decays (4).
pub fn quality(decays: &[f64]) -> f64 {
    decays.iter().sum::<f64>().exp()
}

/// The decays of the steps between two crawls, of which only the sum is known: the forecast's shape, stretched to that
/// sum, or equal parts of it where the forecast has no shape to follow.
pub fn interpolate(forecast: &[f64], observed: f64) -> Vec<f64> {
    let sum: f64 = forecast.iter().sum();
    if forecast.iter().all(|decay| *decay < 0.0) && sum.is_finite() {
        forecast.iter().map(|decay| decay * observed / sum).collect()
    } else {
        vec![observed / forecast.len() as f64; forecast.len()]
    }
}

impl AutoRegression {
    /// The next decays, of which none is a gain.
    ///
    /// A history shorter than the order is taken to have begun as it is first known.
    pub fn forecast(&self, history: &[f64], steps: usize) -> Vec<f64> {
        let order = self.weights.len();
        let mut series = self.recent(history);
        for step in 0..steps {
            let next = self.next(&series[step..step + order]);
            series.push(next.min(0.0));
        }
        series.split_off(order)
    }

    /// The variance of the sum of that many decays, of which one is as uncertain as the next hangs on it.
    pub fn variance_of_sum(&self, steps: usize) -> f64 {
        let (mut response, mut sums) = (vec![0.0; self.weights.len()], Vec::with_capacity(steps));
        for step in 0..steps {
            let echo = if step == 0 { 1.0 } else { self.echo(&response) };
            response.push(echo);
            sums.push(sums.last().copied().unwrap_or(0.0) + echo);
        }
        self.noise * sums.iter().map(|sum| sum * sum).sum::<f64>()
    }

    /// As many of the last decays as are looked at, oldest first.
    fn recent(&self, history: &[f64]) -> Vec<f64> {
        let order = self.weights.len();
        let known = &history[history.len().saturating_sub(order)..];
        let first = known.first().copied().unwrap_or(self.constant);
        let mut series = vec![first; order - known.len()];
        series.extend_from_slice(known);
        series
    }

    /// What follows such decays, oldest first.
    fn next(&self, recent: &[f64]) -> f64 {
        self.constant + self.echo(recent)
    }

    /// What is heard of the past, whose last entries are the youngest.
    fn echo(&self, past: &[f64]) -> f64 {
        self.weights.iter().zip(past.iter().rev()).map(|(weight, decay)| weight * decay).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn model(constant: f64, weights: &[f64]) -> AutoRegression {
        AutoRegression { constant, weights: weights.to_vec(), noise: 1e-4 }
    }

    #[test]
    fn nothing_kept_is_half_an_object_kept() {
        assert_eq!(decay(0, 9), 0.05_f64.ln());
        assert_eq!(decay(0, 0), 0.0);
        assert!((decay(9, 10) - 0.9_f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn a_forecast_follows_the_recursion_and_never_gains() {
        let forecast = model(-0.01, &[0.5, -0.2]).forecast(&[-9.0, -0.02, -0.04], 2);
        let first = -0.01 - 0.5 * 0.04 + 0.2 * 0.02;
        assert!(
            (forecast[0] - first).abs() < 1e-15 && (forecast[1] - (-0.01 + 0.5 * first + 0.2 * 0.04)).abs() < 1e-15
        );
        assert_eq!(model(0.1, &[]).forecast(&[], 3), [0.0; 3]);
        assert_eq!(model(-0.01, &[0.5]).forecast(&[], 1), [-0.015], "what is unknown is taken for the constant");
    }

    #[test]
    fn the_sum_is_as_uncertain_as_its_parts_hang_together() {
        assert!((model(0.0, &[]).variance_of_sum(4) - 4e-4).abs() < 1e-15);
        // 1, then 1 + .5, then 1 + .5 + .25.
        let together = 1e-4 * (1.0 + 1.5_f64.powi(2) + 1.75_f64.powi(2));
        assert!((model(0.0, &[0.5]).variance_of_sum(3) - together).abs() < 1e-15);
    }

    #[test]
    fn a_forecast_without_shape_is_filled_in_evenly() {
        assert_eq!(interpolate(&[-0.01, 0.0], -0.06), [-0.03, -0.03]);
        assert_eq!(interpolate(&[], -0.06), Vec::<f64>::new());
    }

    proptest! {
        #[test]
        fn what_is_filled_in_adds_up_to_what_was_observed(
            forecast in prop::collection::vec(-0.5f64..0.01, 1..20), observed in -3.0f64..0.0,
        ) {
            let filled = interpolate(&forecast, observed);
            prop_assert_eq!(filled.len(), forecast.len());
            prop_assert!((filled.iter().sum::<f64>() - observed).abs() < 1e-9);
        }
    }
}
