//! The paper's forecast: decays hang on the decays before them.

use super::{
    decays::{Cycle, Decays},
    foresight::{Foresight, qualities},
};
use tintype_learn::decay::{AdaptMode, AutoRegression, Crawl, interpolate};
use tintype_vocab::{CopyMeasure, Span};

/// The longest past a decay may hang on.
const ORDER_MAX: usize = 8;

/// AR(k), fitted once to the crawls of its training; adaptive if it goes on learning from every crawl after that.
#[derive(Clone, Debug)]
pub struct AutoRegressive {
    decays: Decays,
    training: usize,
    seen: usize,
    learning: Option<Learning>,
    filling: Filling,
    model: Option<AutoRegression>,
}

/// How it goes on learning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learning {
    /// How much of a miss is taken up (τ).
    pub rate: f64,
    pub mode: AdaptMode,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning { rate: 0.2, mode: AdaptMode::Guarded }
    }
}

/// What is assumed to have happened at the steps between two crawls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filling {
    /// The same at each of them.
    #[default]
    Even,
    /// As it was forecast, stretched to what came out.
    AsForecast,
}

impl AutoRegressive {
    /// Fitted to so many crawls, one a step, and never again.
    pub fn fixed(measure: CopyMeasure, step: Span, training: usize) -> AutoRegressive {
        AutoRegressive {
            decays: Decays::new(measure, step),
            training,
            seen: 0,
            learning: None,
            filling: Filling::Even,
            model: None,
        }
    }

    /// The same, and learning on.
    pub fn adaptive(measure: CopyMeasure, step: Span, training: usize) -> AutoRegressive {
        AutoRegressive::fixed(measure, step, training).with_learning(Learning::default())
    }

    pub fn with_learning(self, learning: Learning) -> AutoRegressive {
        AutoRegressive { learning: Some(learning), ..self }
    }

    pub fn with_filling(self, filling: Filling) -> AutoRegressive {
        AutoRegressive { filling, ..self }
    }

    /// Coefficients, once it is trained.
    pub fn model(&self) -> Option<&AutoRegression> {
        self.model.as_ref()
    }

    fn learn(&mut self, cycle: Cycle) {
        let filled = match (&self.model, self.filling) {
            (Some(model), Filling::AsForecast) => {
                interpolate(&model.forecast(self.decays.series(), cycle.steps), cycle.sum)
            }
            _ => cycle.in_equal_parts(),
        };
        // The first crawl after training is still one of every step.
        if let (Some(model), Some(learning)) = (&mut self.model, self.learning)
            && self.seen > self.training + 1
        {
            model.adapt(self.decays.series(), cycle.steps, cycle.sum, learning.rate, learning.mode);
        }
        self.decays.remember(&filled);
    }
}

impl Foresight for AutoRegressive {
    fn see(&mut self, crawl: &Crawl) {
        self.seen += 1;
        if let Some(cycle) = self.decays.end_cycle(crawl) {
            self.learn(cycle);
        }
        if self.seen == self.training {
            self.model = AutoRegression::fit(self.decays.series(), ORDER_MAX);
        }
    }

    /// Until it is trained, nothing rots.
    fn qualities(&self, steps: usize) -> Vec<f64> {
        match &self.model {
            Some(model) => qualities(model.forecast(self.decays.series(), steps)),
            None => vec![1.0; steps],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{AtTarget, SourcePolicy, decays::tests::crawl},
        *,
    };

    const DAY: Span = Span::from_days(1);

    /// Twenty days with the same loss on each.
    fn trained(mut model: AutoRegressive, kept: u32) -> AutoRegressive {
        for day in 0..=20 {
            model.see(&crawl(day, day - 1, if day == 0 { 1000 } else { kept }, 1000));
        }
        model
    }

    #[test]
    fn a_steady_decay_goes_on() {
        let model = trained(AutoRegressive::fixed(CopyMeasure::Precision, DAY, 20), 980);
        assert!((model.qualities(3)[2] - 0.98f64.powi(3)).abs() < 1e-9);
        let mut policy = AtTarget { foresight: model, target: 0.9 };
        assert_eq!(policy.next(DAY, 30), 6, "0.98 to the sixth is the first below");
        assert_eq!(policy.next(DAY, 4), 4);
    }

    #[test]
    fn only_the_adaptive_one_learns_that_times_have_changed() {
        let after = |mut model: AutoRegressive| {
            // Without a pattern, so that there is nothing in the past to hang on.
            for day in 0..=20 {
                let kept = (975 + day * day * 7 % 11) as u32;
                model.see(&crawl(day, day - 1, if day == 0 { 1000 } else { kept }, 1000));
            }
            (1..=6).for_each(|cycle| model.see(&crawl(10 + 10 * cycle + 10, 10 + 10 * cycle, 700, 1000)));
            model.qualities(10)[9]
        };
        let fixed = after(AutoRegressive::fixed(CopyMeasure::Precision, DAY, 20));
        let adaptive = after(AutoRegressive::adaptive(CopyMeasure::Precision, DAY, 20));
        assert!((adaptive - 0.7).abs() < 0.5 * (fixed - 0.7).abs(), "{fixed} {adaptive}");
    }
}
