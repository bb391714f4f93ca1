//! What a crawl teaches: the coefficients move so that the forecast of the cycle comes nearer to what was observed.

use super::AutoRegression;

/// A model whose memory fades more slowly than this is taken to fade this fast.
const FADING_MAX: f64 = 0.98;
/// By how much memory is shortened at a time, and how often at most.
const SHORTENED: f64 = 0.99;
const SHORTENED_MAX: usize = 1000;

/// How coefficients are moved; [`AdaptMode::Guarded`] is the one to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AdaptMode {
    /// The shortest step that does it, and memory that always fades.
    Guarded,
    /// The shortest step alone: the memory may come to grow instead of fading.
    Unguarded,
    /// First the constant by (6), then the weights by (7) with the learning rate before all of its numerator: more than is
    /// asked for.
    InTurn,
    /// (6) and (7) as printed: the constant takes up all, and no weight ever moves.
    Literal,
}

impl AutoRegression {
    /// Learns from the sum of the decays of `steps` steps that followed `history`.
    ///
    /// A `learning_rate` (τ) of 0 learns nothing, one of 1 would have forecast that sum, but for what is not linear.
    pub fn adapt(&mut self, history: &[f64], steps: usize, observed_sum: f64, learning_rate: f64, mode: AdaptMode) {
        let miss = learning_rate * (observed_sum - self.forecast(history, steps).iter().sum::<f64>());
        let gradient = self.gradient(history, steps);
        let length = |part: &[f64]| part.iter().map(|slope| slope * slope).sum::<f64>();
        if !miss.is_finite() || !length(&gradient).is_normal() {
            return;
        }
        match mode {
            AdaptMode::Guarded | AdaptMode::Unguarded => self.step(&gradient, miss / length(&gradient)),
            AdaptMode::Literal => self.constant += miss / gradient[0],
            AdaptMode::InTurn => {
                self.constant += miss / gradient[0];
                let weights = length(&gradient[1..]);
                if weights.is_normal() {
                    let rest = (1.0 - learning_rate) * miss / weights;
                    self.step(&[&[0.0], &gradient[1..]].concat(), rest);
                }
            }
        }
        if mode == AdaptMode::Guarded {
            self.fade();
        }
    }

    fn step(&mut self, gradient: &[f64], scale: f64) {
        self.constant += scale * gradient[0];
        self.weights.iter_mut().zip(&gradient[1..]).for_each(|(weight, slope)| *weight += scale * slope);
    }

    /// How the sum of the forecast moves with the constant and each weight: G_t = (1, d_{t−1}, …, d_{t−k}) + Σ βᵢ G_{t−i},
    /// nothing where the forecast is kept from being a gain.
    pub fn gradient(&self, history: &[f64], steps: usize) -> Vec<f64> {
        let order = self.weights.len();
        let mut series = self.recent(history);
        let mut slopes = vec![vec![0.0; order + 1]; order];
        for step in 0..steps {
            let next = self.next(&series[step..]);
            let slope = if next > 0.0 { vec![0.0; order + 1] } else { self.slope(&series[step..], &slopes[step..]) };
            series.push(next.min(0.0));
            slopes.push(slope);
        }
        (0..=order).map(|parameter| slopes.iter().map(|slope| slope[parameter]).sum()).collect()
    }

    /// How what follows moves, given the past and how it moved.
    fn slope(&self, past: &[f64], slopes: &[Vec<f64>]) -> Vec<f64> {
        let direct = std::iter::once(1.0).chain(past.iter().rev().copied());
        let echo = |parameter: usize| -> f64 {
            self.weights.iter().zip(slopes.iter().rev()).map(|(weight, slope)| weight * slope[parameter]).sum()
        };
        direct.enumerate().map(|(parameter, direct)| direct + echo(parameter)).collect()
    }

    /// Shortens the memory until it fades, and keeps the level that forecasts tend to.
    fn fade(&mut self) {
        for _ in 0..SHORTENED_MAX {
            if fades(&self.weights) {
                return;
            }
            let free = 1.0 - self.weights.iter().sum::<f64>();
            let mut factor = 1.0;
            for weight in &mut self.weights {
                factor *= SHORTENED;
                *weight *= factor;
            }
            if free > 0.0 {
                self.constant *= (1.0 - self.weights.iter().sum::<f64>()) / free;
            }
        }
        self.weights.fill(0.0);
    }
}

/// Whether all roots lie within [`FADING_MAX`] (Schur and Cohn: an order less at a time, none of them overshoots).
fn fades(weights: &[f64]) -> bool {
    let mut scale = 1.0;
    let mut left: Vec<f64> = weights
        .iter()
        .map(|weight| {
            scale /= FADING_MAX;
            weight * scale
        })
        .collect();
    while let Some(last) = left.pop() {
        if last.is_nan() || last.abs() > 1.0 - 1e-12 {
            return false;
        }
        let rest = 1.0 - last * last;
        left = (0..left.len()).map(|at| (left[at] + last * left[left.len() - 1 - at]) / rest).collect();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn model(constant: f64, weights: &[f64]) -> AutoRegression {
        AutoRegression { constant, weights: weights.to_vec(), noise: 0.0 }
    }

    fn models() -> impl Strategy<Value = AutoRegression> {
        (-0.1f64..-0.01, prop::collection::vec(-0.3f64..0.3, 0..4))
            .prop_map(|(constant, weights)| model(constant, &weights))
    }

    fn sum(model: &AutoRegression, steps: usize) -> f64 {
        model.forecast(&[-0.05, -0.02, -0.03], steps).iter().sum()
    }

    #[test]
    fn the_literal_update_never_moves_a_weight() {
        let mut literal = model(-0.01, &[0.4]);
        literal.adapt(&[-0.03], 6, -0.15, 0.2, AdaptMode::Literal);
        assert_eq!(literal.weights, [0.4]);
        let mut in_turn = model(-0.01, &[0.4]);
        in_turn.adapt(&[-0.03], 6, -0.15, 0.2, AdaptMode::InTurn);
        assert!(in_turn.weights[0] > 0.4 && in_turn.constant == literal.constant);
    }

    #[test]
    fn roots_are_told_from_weights() {
        assert!(fades(&[]) && fades(&[0.97]) && fades(&[-0.97]) && !fades(&[0.99]) && !fades(&[f64::NAN]));
        assert!(fades(&[0.0, 0.9]) && !fades(&[0.0, 0.97]), "roots are square roots");
        assert!(fades(&[1.8, -0.9]) && !fades(&[1.8, -0.8]), "complex, and 1 alone");
    }

    #[test]
    fn memory_that_would_grow_is_shortened() {
        let [mut guarded, mut unguarded] = [model(-0.01, &[0.97]), model(-0.01, &[0.97])];
        guarded.adapt(&[-1.0], 20, -40.0, 1.0, AdaptMode::Guarded);
        unguarded.adapt(&[-1.0], 20, -40.0, 1.0, AdaptMode::Unguarded);
        assert!(unguarded.weights[0] > 1.0 && guarded.weights[0] <= FADING_MAX, "{unguarded:?} {guarded:?}");
        let level = |model: &AutoRegression| model.constant / (1.0 - model.weights[0]);
        let mut slow = model(-0.001, &[0.999]);
        slow.fade();
        assert!((level(&slow) + 1.0).abs() < 1e-9 && slow.weights[0] > 0.97, "the level is kept: {slow:?}");
    }

    #[test]
    fn what_cannot_be_learned_from_changes_nothing() {
        let before = model(-0.01, &[0.4]);
        for (steps, observed) in [(0, -0.1), (3, f64::NEG_INFINITY), (3, f64::NAN)] {
            let mut after = before.clone();
            after.adapt(&[-0.03], steps, observed, 0.2, AdaptMode::Guarded);
            assert_eq!(after, before);
        }
    }

    proptest! {
        #[test]
        fn the_gradient_is_that_of_the_sum(model in models(), steps in 1usize..15) {
            let gradient = model.gradient(&[-0.05, -0.02, -0.03], steps);
            prop_assume!(model.forecast(&[-0.05, -0.02, -0.03], steps).iter().all(|decay| *decay < -1e-4));
            for parameter in 0..=model.weights.len() {
                let mut moved = model.clone();
                let part = if parameter == 0 { &mut moved.constant } else { &mut moved.weights[parameter - 1] };
                *part += 1e-6;
                let slope = (sum(&moved, steps) - sum(&model, steps)) / 1e-6;
                prop_assert!((slope - gradient[parameter]).abs() < 1e-3 * (1.0 + slope.abs()), "{slope} {gradient:?}");
            }
        }

        #[test]
        fn a_guarded_model_is_never_carried_away(
            mut model in models(), observed in prop::collection::vec(-2.0f64..0.0, 1..40), steps in 1usize..15,
        ) {
            let mut history = vec![-0.05, -0.02, -0.03];
            for observed in observed {
                model.adapt(&history, steps, observed, 0.2, AdaptMode::Guarded);
                history.extend(super::super::interpolate(&model.forecast(&history, steps), observed));
                prop_assert!(fades(&model.weights), "{model:?}");
                let far = model.forecast(&history, 1000);
                prop_assert!(far.iter().all(|decay| decay.is_finite() && *decay <= 0.0), "{model:?}");
            }
        }

        #[test]
        fn a_crawl_brings_the_forecast_nearer(model in models(), observed in -0.6f64..-0.05) {
            let mut taught = model.clone();
            taught.adapt(&[-0.05, -0.02, -0.03], 8, observed, 0.1, AdaptMode::Unguarded);
            let (before, after) = ((sum(&model, 8) - observed).abs(), (sum(&taught, 8) - observed).abs());
            prop_assert!(after <= before + 1e-12, "{before} {after}");
        }
    }
}
