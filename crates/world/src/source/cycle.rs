//! Cycles of equal length: how good the copy was said to be, and how good it was.

use super::{CrawlGrid, Trial};
use tintype_plan::deadline::Foresight;
use tintype_quality::{coverage, squared_error};
use tintype_vocab::CopyMeasure;

/// The quality a cycle ends with, unless somebody says otherwise.
const CYCLE_QUALITY: f64 = 0.8;

/// A step of a cycle, as it was foretold and as it came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleOutcome {
    pub expected: f64,
    /// Where it should lie in nine of ten cases; nothing from those who do not say.
    pub interval: Option<(f64, f64)>,
    pub happened: f64,
    /// How much of the cycle was over.
    pub part: f64,
    /// The last step of its cycle, at which the next crawl is made.
    pub ends_cycle: bool,
}

/// The squared error at the ends of cycles.
pub fn cycle_error(outcomes: &[CycleOutcome]) -> f64 {
    let ends = outcomes.iter().filter(|outcome| outcome.ends_cycle);
    squared_error(ends.map(|outcome| (outcome.expected, outcome.happened)))
}

/// The share of all steps at which what happened lay in the interval, if intervals were said.
pub fn cycle_coverage(outcomes: &[CycleOutcome]) -> Option<f64> {
    coverage(outcomes.iter().filter_map(|outcome| Some((outcome.interval?, outcome.happened))))
}

/// The parts of a cycle that are told apart.
const PARTS: usize = 4;

/// How intervals did so far ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// Up to this part of a cycle, from where the one before ends.
    pub upto: f64,
    /// Steps for which an interval was said.
    pub steps: usize,
    /// The share of them at which what happened lay in it.
    pub coverage: f64,
    /// How wide intervals were on average.
    pub width: f64,
}

/// The same by how far ahead it was foretold, in quarters of a cycle; no quarter for which nothing was said.
pub fn horizons(outcomes: &[CycleOutcome]) -> Vec<Horizon> {
    let quarter = |nth: usize| {
        let place = |part: f64| ((part * PARTS as f64).ceil() as usize).clamp(1, PARTS) - 1;
        let here = outcomes.iter().filter(|outcome| place(outcome.part) == nth);
        let stated: Vec<_> = here.filter_map(|outcome| Some((outcome.interval?, outcome.happened))).collect();
        let width = stated.iter().map(|((low, high), _)| high - low).sum::<f64>() / stated.len() as f64;
        let (upto, steps) = ((nth + 1) as f64 / PARTS as f64, stated.len());
        Some(Horizon { upto, steps, coverage: coverage(stated)?, width })
    };
    (0..PARTS).filter_map(quarter).collect()
}

impl Trial {
    /// Trains a foresight and lets it foretell cycle after cycle, each ended by a crawl.
    pub fn cycles(
        &self,
        grid: &CrawlGrid,
        measure: CopyMeasure,
        cycle: usize,
        foresight: &mut (impl Foresight + ?Sized),
    ) -> Vec<CycleOutcome> {
        let window = self.window(grid);
        let mut crawls: Vec<usize> = (0..=window.start).collect();
        (0..crawls.len()).for_each(|last| foresight.see(&grid.crawl(&crawls[..=last])));
        let mut outcomes = Vec::new();
        for next in window.step_by(cycle.max(1)).skip(1) {
            let from = next - cycle;
            for (wait, expected) in (1..).zip(foresight.qualities(cycle)) {
                outcomes.push(CycleOutcome {
                    expected,
                    interval: foresight.interval(wait),
                    happened: grid.quality(measure, from, from + wait),
                    part: wait as f64 / cycle as f64,
                    ends_cycle: wait == cycle,
                });
            }
            crawls.push(next);
            foresight.see(&grid.crawl(&crawls));
        }
        outcomes
    }
}

impl CrawlGrid {
    /// The steps after which a copy is only four fifths right, on average over all copies; at least one.
    ///
    /// Averages fall the longer one waits, so that few of them have to be taken.
    pub fn usual_cycle(&self, measure: CopyMeasure) -> usize {
        let mean = |wait: usize| {
            let copies = self.steps() - wait;
            (0..copies).map(|from| self.quality(measure, from, from + wait)).sum::<f64>() / copies as f64
        };
        let last = self.steps().saturating_sub(1);
        let (mut good, mut bad) = (0, 1.min(last));
        while bad < last && mean(bad) > CYCLE_QUALITY {
            (good, bad) = (bad, (2 * bad).min(last));
        }
        while bad - good > 1 {
            let middle = good.midpoint(bad);
            if mean(middle) > CYCLE_QUALITY { good = middle } else { bad = middle }
        }
        bad.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::made_up::{MadeUpConfig, named};
    use tintype_learn::decay::Crawl;
    use tintype_vocab::Span;

    /// Says the same of every step.
    struct Stubborn(f64);

    impl Foresight for Stubborn {
        fn see(&mut self, _: &Crawl) {}

        fn qualities(&self, steps: usize) -> Vec<f64> {
            vec![self.0; steps]
        }

        fn interval(&self, steps: usize) -> Option<(f64, f64)> {
            (steps < 3).then_some((0.0, 1.0))
        }
    }

    #[test]
    fn cycles_are_judged_at_their_ends_and_intervals_everywhere() {
        let source = (named("steady").unwrap().make)(&MadeUpConfig { size: 50, days: 30, ..MadeUpConfig::default() });
        let grid = source.grid(Span::from_days(1)).unwrap();
        let outcomes = Trial { training: 10, wait_max: 9 }.cycles(&grid, CopyMeasure::Precision, 4, &mut Stubborn(0.5));
        // From 10 to 14, 18, 22 and 26; the next would end with what is not judged.
        assert_eq!(outcomes.iter().filter(|outcome| outcome.ends_cycle).count(), 4);
        assert_eq!(outcomes.len(), 16);
        let happened: f64 = [10, 14, 18, 22]
            .iter()
            .map(|from| (grid.quality(CopyMeasure::Precision, *from, from + 4) - 0.5).powi(2))
            .sum();
        assert!((cycle_error(&outcomes) - happened).abs() < 1e-12);
        assert_eq!(cycle_coverage(&outcomes), Some(1.0), "only of those that were said");
        let told: Vec<_> = horizons(&outcomes).iter().map(|it| (it.upto, it.steps, it.coverage, it.width)).collect();
        assert_eq!(told, [(0.25, 4, 1.0, 1.0), (0.5, 4, 1.0, 1.0)], "and by how far ahead");
    }

    #[test]
    fn a_cycle_lasts_until_a_fifth_is_lost() {
        let source = (named("steady").unwrap().make)(&MadeUpConfig::default());
        // 30 ln 1.25 = 6.7 days.
        assert_eq!(source.grid(Span::from_days(1)).unwrap().usual_cycle(CopyMeasure::Precision), 7);
    }
}
