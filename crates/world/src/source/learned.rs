//! What is learned of a source, as a foresight of one measure.

use tintype_learn::decay::{Crawl, Decay};
use tintype_plan::deadline::Foresight;
use tintype_vocab::{CopyMeasure, Span, Time};

/// How many cases a stated interval should hold.
const STATED: f64 = 0.9;

/// Our own model, asked about steps.
#[derive(Clone, Debug)]
pub struct LearnedDecay {
    decay: Decay,
    measure: CopyMeasure,
    step: Span,
}

impl LearnedDecay {
    pub fn new(measure: CopyMeasure, step: Span) -> LearnedDecay {
        LearnedDecay { decay: Decay::of(measure), measure, step }
    }

    fn after(&self, steps: usize) -> Time {
        self.decay.last().map_or(Time::MIN, |last| last.at) + self.step * steps as i64
    }
}

impl Foresight for LearnedDecay {
    fn see(&mut self, crawl: &Crawl) {
        // A crawl that is no later than the last one teaches nothing.
        let _ = self.decay.see(crawl);
    }

    fn qualities(&self, steps: usize) -> Vec<f64> {
        let quality = |wait| self.decay.forecast(self.measure, self.after(wait)).map_or(1.0, |forecast| forecast.mean);
        (1..=steps).map(quality).collect()
    }

    fn interval(&self, steps: usize) -> Option<(f64, f64)> {
        self.decay.forecast(self.measure, self.after(steps)).map(|forecast| forecast.interval(STATED))
    }
}
