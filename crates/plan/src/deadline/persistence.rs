//! The next cycle will be as the last.

use super::{
    decays::Decays,
    foresight::{Foresight, qualities},
};
use tintype_learn::decay::Crawl;
use tintype_vocab::{CopyMeasure, Span};

/// Expects the decay per step of the last cycle; while it is trained, and until the first cycle is over, the mean of what
/// it was trained with.
#[derive(Clone, Debug)]
pub struct Persistence {
    decays: Decays,
    training: usize,
    seen: usize,
    per_step: f64,
}

impl Persistence {
    /// Trained with so many crawls, one a step.
    pub fn new(measure: CopyMeasure, step: Span, training: usize) -> Persistence {
        Persistence { decays: Decays::new(measure, step), training, seen: 0, per_step: 0.0 }
    }
}

impl Foresight for Persistence {
    fn see(&mut self, crawl: &Crawl) {
        self.seen += 1;
        let Some(cycle) = self.decays.end_cycle(crawl) else { return };
        if self.seen <= self.training {
            self.decays.remember(&cycle.in_equal_parts());
            let known = self.decays.series();
            self.per_step = known.iter().sum::<f64>() / known.len() as f64;
        } else if self.seen > self.training + 1 {
            self.per_step = cycle.sum / cycle.steps as f64;
        }
    }

    fn qualities(&self, steps: usize) -> Vec<f64> {
        qualities(std::iter::repeat_n(self.per_step, steps))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::decays::tests::crawl, *};

    #[test]
    fn what_was_is_what_will_be() {
        let mut persistence = Persistence::new(CopyMeasure::Precision, Span::from_days(1), 3);
        persistence.see(&crawl(0, 0, 100, 100));
        persistence.see(&crawl(1, 0, 90, 100));
        persistence.see(&crawl(2, 1, 90, 100));
        assert!((persistence.qualities(2)[1] - 0.81).abs() < 1e-12);
        persistence.see(&crawl(3, 2, 50, 100));
        assert!((persistence.qualities(1)[0] - 0.9).abs() < 1e-12, "the first crawl after training ends no cycle");
        persistence.see(&crawl(5, 3, 64, 100));
        assert!((persistence.qualities(1)[0] - 0.8).abs() < 1e-12);
    }
}
