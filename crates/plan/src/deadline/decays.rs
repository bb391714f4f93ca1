//! The decays of a copy step by step, as far as crawls tell.

use tintype_learn::decay::{Crawl, decay};
use tintype_vocab::{CopyMeasure, Span, Time};

/// So many of the latest steps are remembered; more than any training takes.
const REMEMBERED: usize = 10_000;

/// One decay per step, oldest first.
#[derive(Clone, Debug)]
pub(super) struct Decays {
    measure: CopyMeasure,
    step: Span,
    /// When the last crawl was, and how many objects it found.
    last: Option<(Time, u32)>,
    series: Vec<f64>,
}

/// From one crawl to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cycle {
    pub(super) steps: usize,
    /// Of the decays of its steps; nobody knows more.
    pub(super) sum: f64,
}

impl Decays {
    pub(super) fn new(measure: CopyMeasure, step: Span) -> Decays {
        Decays { measure, step, last: None, series: Vec::new() }
    }

    pub(super) fn series(&self) -> &[f64] {
        &self.series
    }

    /// The cycle that a crawl ends; none if it is the first, or no later than the one before.
    pub(super) fn end_cycle(&mut self, crawl: &Crawl) -> Option<Cycle> {
        let size = crawl.size();
        let (before, held) = self.last.replace((crawl.at, size))?;
        let steps = steps_between(before, crawl.at, self.step)?;
        let all = match self.measure {
            CopyMeasure::Precision => held,
            CopyMeasure::Recall => size,
        };
        Some(Cycle { steps, sum: decay(crawl.kept_since(before), all) })
    }

    /// Remembers the decays of the steps of a cycle.
    pub(super) fn remember(&mut self, decays: &[f64]) {
        self.series.extend_from_slice(&decays[decays.len().saturating_sub(REMEMBERED)..]);
        let forgotten = self.series.len().saturating_sub(REMEMBERED);
        self.series.drain(..forgotten);
    }
}

impl Cycle {
    /// Equal parts for all steps: nothing is known of what happened between two crawls.
    pub(super) fn in_equal_parts(self) -> Vec<f64> {
        vec![self.sum / self.steps as f64; self.steps]
    }
}

/// To the nearest, and not more than are remembered.
fn steps_between(from: Time, to: Time, step: Span) -> Option<usize> {
    let (passed, step) = ((to - from).as_millis(), step.as_millis().max(1));
    let steps = (passed.saturating_add(step / 2) / step).max(i64::from(passed > 0));
    usize::try_from(steps).ok().filter(|steps| *steps > 0).map(|steps| steps.min(REMEMBERED))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A crawl so many days after the first; of the objects found, `kept` were found by the one before it.
    pub(crate) fn crawl(day: i64, last: i64, kept: u32, size: u32) -> Crawl {
        let at = |day| Time::from_secs(0) + Span::from_days(day);
        let alive = [(at(last), kept), (at(day), size - kept)];
        Crawl { at: at(day), alive: alive.into_iter().filter(|(_, count)| *count > 0).collect() }
    }

    #[test]
    fn both_measures_are_told_by_the_same_crawls() {
        for (measure, share) in [(CopyMeasure::Precision, 0.6), (CopyMeasure::Recall, 0.3)] {
            let mut decays = Decays::new(measure, Span::from_days(1));
            assert_eq!(decays.end_cycle(&crawl(0, 0, 10, 10)), None);
            let cycle = decays.end_cycle(&crawl(3, 0, 6, 20)).unwrap();
            assert!(cycle.steps == 3 && (cycle.sum.exp() - share).abs() < 1e-12, "{cycle:?}");
            assert_eq!(decays.end_cycle(&crawl(3, 3, 20, 20)), None, "a clock that stood still");
        }
    }

    #[test]
    fn memory_is_bounded_whatever_the_clock_says() {
        let mut decays = Decays::new(CopyMeasure::Recall, Span::from_millis(1));
        decays.end_cycle(&crawl(0, 0, 1, 1));
        for day in 1..4 {
            let cycle = decays.end_cycle(&crawl(day * 100, (day - 1) * 100, 1, 1)).unwrap();
            decays.remember(&cycle.in_equal_parts());
            assert_eq!(decays.series().len(), REMEMBERED);
        }
    }
}
