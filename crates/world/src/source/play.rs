//! Playing a schedule on a source: training with a crawl at every step, then times of one's own.

use super::CrawlGrid;
use std::ops::Range;
use tintype_plan::deadline::SourcePolicy;
use tintype_quality::{CopyScore, copy_score};
use tintype_vocab::CopyMeasure;

/// What is learned from, and what is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Steps of training, each with a crawl.
    pub training: usize,
    /// No policy may wait for more steps than this.
    pub wait_max: u32,
}

impl Trial {
    /// The steps that are judged: from the crawl after training, with which the copy is new, to the last but one step.
    pub fn window(&self, grid: &CrawlGrid) -> Range<usize> {
        self.training.min(grid.steps() - 1)..grid.steps() - 1
    }

    /// Shows a policy all crawls of training, and the one that begins the window.
    pub fn train(&self, grid: &CrawlGrid, policy: &mut (impl SourcePolicy + ?Sized)) {
        let crawls: Vec<usize> = (0..=self.window(grid).start).collect();
        (0..crawls.len()).for_each(|last| policy.see(&grid.crawl(&crawls[..=last])));
    }

    /// Lets a policy, which is trained, choose its crawls in the window. Returns them.
    pub fn play(&self, grid: &CrawlGrid, policy: &mut (impl SourcePolicy + ?Sized)) -> Vec<usize> {
        let window = self.window(grid);
        let mut crawls: Vec<usize> = (0..=window.start).collect();
        loop {
            let wait = policy.next(grid.step(), self.wait_max).clamp(1, self.wait_max.max(1));
            let next = crawls[crawls.len() - 1] + wait as usize;
            if next >= window.end {
                return crawls.split_off(window.start + 1);
            }
            crawls.push(next);
            policy.see(&grid.crawl(&crawls));
        }
    }

    /// How good copies are under a schedule.
    pub fn score(&self, grid: &CrawlGrid, measure: CopyMeasure, target: f64, schedule: &[usize]) -> CopyScore {
        copy_score(schedule, self.window(grid), target, |from, to| grid.quality(measure, from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::made_up::{MadeUpConfig, named};
    use tintype_learn::decay::Crawl;
    use tintype_plan::deadline::Fixed;
    use tintype_vocab::{Span, Time};

    /// Counts what it is shown, and waits for longer than it may.
    #[derive(Default)]
    struct Impatient {
        seen: Vec<Time>,
    }

    impl SourcePolicy for Impatient {
        fn see(&mut self, crawl: &Crawl) {
            self.seen.push(crawl.at);
        }

        fn next(&mut self, _: Span, _: u32) -> u32 {
            u32::MAX
        }
    }

    fn grid() -> CrawlGrid {
        let source = (named("steady").unwrap().make)(&MadeUpConfig { size: 20, days: 30, ..MadeUpConfig::default() });
        source.grid(Span::from_days(1)).unwrap()
    }

    #[test]
    fn a_policy_sees_its_training_and_its_own_crawls() {
        let (grid, trial, mut policy) = (grid(), Trial { training: 10, wait_max: 7 }, Impatient::default());
        trial.train(&grid, &mut policy);
        assert_eq!(trial.play(&grid, &mut policy), [17, 24], "nobody waits for longer than allowed");
        let seen: Vec<usize> = (0..=10).chain([17, 24]).collect();
        assert_eq!(policy.seen, seen.iter().map(|step| grid.at(*step)).collect::<Vec<_>>());
    }

    #[test]
    fn the_last_step_is_not_judged() {
        let (grid, trial) = (grid(), Trial { training: 10, wait_max: 50 });
        assert_eq!(trial.window(&grid), 10..30);
        assert_eq!(trial.play(&grid, &mut Fixed { every: 10 }), [20]);
        let score = trial.score(&grid, CopyMeasure::Recall, 0.9, &(11..30).collect::<Vec<_>>());
        assert_eq!((score.crawls, score.mean, score.below), (19, 1.0, 0.0));
    }
}
