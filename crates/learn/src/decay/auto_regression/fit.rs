//! Order by information criterion, coefficients by conditional maximum likelihood, which is least squares.

use super::AutoRegression;

/// Decays that each coefficient must be learned from.
const DECAYS_PER_ORDER: usize = 5;
/// A part of a variable that the others leave unexplained; less of it is rounding.
const UNEXPLAINED_MIN: f64 = 1e-10;

impl AutoRegression {
    /// The order up to `order_max` with the best criterion of Akaike, all judged by how they explain the same decays.
    ///
    /// Decays without any variation are their mean; nothing is made of none, or of what is no number.
    pub fn fit(decays: &[f64], order_max: usize) -> Option<AutoRegression> {
        if decays.is_empty() || !decays.iter().all(|decay| decay.is_finite()) {
            return None;
        }
        let order_max = order_max.min(decays.len() / DECAYS_PER_ORDER);
        (1..=order_max)
            .filter_map(|order| of_order(decays, order, order_max))
            .min_by(|one, other| {
                criterion(one, decays.len() - order_max).total_cmp(&criterion(other, decays.len() - order_max))
            })
            .or_else(|| of_order(decays, 0, 0))
    }
}

/// n ln σ² + 2 (k + 2): weights, constant and noise are parameters.
fn criterion(model: &AutoRegression, explained: usize) -> f64 {
    explained as f64 * model.noise.max(f64::MIN_POSITIVE).ln() + 2.0 * (model.weights.len() + 2) as f64
}

/// Explains all decays but the first `unexplained`.
fn of_order(decays: &[f64], order: usize, unexplained: usize) -> Option<AutoRegression> {
    let count = (decays.len() - unexplained) as f64;
    let lagged = |lag: usize| &decays[unexplained - lag..decays.len() - lag];
    let means: Vec<f64> = (0..=order).map(|lag| lagged(lag).iter().sum::<f64>() / count).collect();
    let product = |one: usize, other: usize| -> f64 {
        lagged(one).iter().zip(lagged(other)).map(|(a, b)| (a - means[one]) * (b - means[other])).sum()
    };
    let products = (1..=order).map(|row| (1..=order).map(|column| product(row, column)).collect()).collect();
    let weights = solve(products, (1..=order).map(|lag| product(0, lag)).collect())?;
    let constant = means[0] - weights.iter().zip(&means[1..]).map(|(weight, mean)| weight * mean).sum::<f64>();
    let mut model = AutoRegression { constant, weights, noise: 0.0 };
    let misses = (unexplained..decays.len()).map(|at| decays[at] - model.next(&decays[at - order..at]));
    model.noise = misses.map(|miss| miss * miss).sum::<f64>() / count;
    Some(model)
}

/// The solution of symmetric positive definite equations (Cholesky); none if one of them says nothing new.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    for row in 0..rows.len() {
        let whole = rows[row][row];
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| rows[row][k] * rows[column][k]).sum();
            let rest = rows[row][column] - known;
            rows[row][column] = if column < row { rest / rows[column][column] } else { rest };
        }
        let unexplained = rows[row][row];
        if unexplained.is_nan() || unexplained <= whole * UNEXPLAINED_MIN {
            return None;
        }
        rows[row][row] = unexplained.sqrt();
        right[row] = (right[row] - (0..row).map(|k| rows[row][k] * right[k]).sum::<f64>()) / rows[row][row];
    }
    for row in (0..rows.len()).rev() {
        let known: f64 = (row + 1..rows.len()).map(|k| rows[k][row] * right[k]).sum();
        right[row] = (right[row] - known) / rows[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::TestRng;

    /// A series with these coefficients, after the first hundred steps have forgotten where it began.
    fn series(model: &AutoRegression, steps: usize, dice: &mut TestRng) -> Vec<f64> {
        let mut series = vec![0.0; model.weights.len()];
        for _ in 0..steps + 100 {
            // The sum of twelve even throws is close enough to normal.
            let noise: f64 = (0..12).map(|_| dice.random::<f64>() - 0.5).sum();
            series.push(model.next(&series) + model.noise.sqrt() * noise);
        }
        series.split_off(series.len() - steps)
    }

    #[test]
    fn coefficients_are_found_again() {
        let mut dice = TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
        let truth = AutoRegression { constant: -0.02, weights: vec![0.5, -0.3], noise: 1e-4 };
        let found = AutoRegression::fit(&series(&truth, 4000, &mut dice), 8).unwrap();
        assert!(found.weights.len() >= 2, "the criterion may see more than there is, but not less: {found:?}");
        assert!((found.constant - truth.constant).abs() < 0.002, "{found:?}");
        let truth = truth.weights.iter().copied().chain([0.0; 6]);
        assert!(found.weights.iter().zip(truth).all(|(one, other)| (one - other).abs() < 0.05), "{found:?}");
        assert!((found.noise / 1e-4 - 1.0).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn decays_without_variation_are_their_mean() {
        let found = AutoRegression::fit(&[-0.25; 30], 8).unwrap();
        assert_eq!(found, AutoRegression { constant: -0.25, weights: vec![], noise: 0.0 });
        assert_eq!(AutoRegression::fit(&[-0.1, -0.3], 8).unwrap().constant, -0.2, "too few for any order");
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        assert_eq!(AutoRegression::fit(&[], 8), None);
        assert_eq!(AutoRegression::fit(&[-0.1, f64::NEG_INFINITY, f64::NAN], 8), None);
    }

    proptest! {
        #[test]
        fn any_decays_are_fitted_with_numbers(decays in prop::collection::vec(-1e6f64..0.0, 1..60)) {
            let found = AutoRegression::fit(&decays, 8).unwrap();
            prop_assert!(found.constant.is_finite() && found.noise.is_finite() && found.noise >= 0.0, "{found:?}");
            prop_assert!(found.weights.iter().all(|weight| weight.is_finite()), "{found:?}");
        }
    }
}
