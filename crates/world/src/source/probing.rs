//! Probes of some objects before a crawl of all, where every object costs a request.

use super::{CrawlGrid, Trial};
use crate::synthetic::chance::below;
use tintype_learn::decay::{Decay, Probe};
use tintype_plan::{
    Dice,
    deadline::{Deadline, Promise},
};
use tintype_quality::CopyScore;
use tintype_vocab::CopyMeasure;

/// What keeping a promise of copy precision costs, with probes or without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probed {
    pub requests: u64,
    pub probes: usize,
    pub score: CopyScore,
}

impl Trial {
    /// Keeps a target of copy precision, and asks for some objects first wherever that promises to save requests, or never.
    pub fn probe(&self, grid: &CrawlGrid, target: f64, broken_share_max: f64, probes: bool, seed: u64) -> Probed {
        let promise = Promise { broken_share_max, ..Promise::of(CopyMeasure::Precision, target) };
        let mut run = Run { grid, trial: self, deadline: Deadline::new(promise), decay: Decay::new(), crawls: vec![] };
        let window = self.window(grid);
        (0..=window.start).for_each(|step| run.crawl(step, false));
        let (mut requests, mut count, mut dice) = (0, 0, Dice::new(seed, 0));
        let mut step = window.start + run.wait_from(window.start);
        while step < window.end {
            let sample = if probes { run.sample(step) } else { None };
            let next = sample.map_or(step, |asked| {
                requests += u64::from(asked);
                count += 1;
                run.ask(step, asked, &mut dice);
                run.wait_until()
            });
            if next > step {
                step = next;
                continue;
            }
            requests += u64::from(grid.size(step));
            run.crawl(step, true);
            step += run.wait_from(step);
        }
        let schedule = &run.crawls[window.start + 1..];
        Probed { requests, probes: count, score: self.score(grid, CopyMeasure::Precision, target, schedule) }
    }
}

struct Run<'a> {
    grid: &'a CrawlGrid,
    trial: &'a Trial,
    deadline: Deadline,
    decay: Decay,
    crawls: Vec<usize>,
}

impl Run<'_> {
    fn crawl(&mut self, step: usize, settles: bool) {
        self.crawls.push(step);
        let crawl = self.grid.crawl(&self.crawls);
        if settles {
            self.deadline.settle(&self.decay, &crawl, self.grid.step());
        }
        // Steps follow each other: it is later than the last.
        let _ = self.decay.see(&crawl);
    }

    fn copied(&self) -> usize {
        self.crawls[self.crawls.len() - 1]
    }

    /// The step of the next crawl as things stand.
    fn wait_until(&self) -> usize {
        let Some(next) = self.deadline.next(&self.decay, self.grid.step(), self.trial.wait_max) else {
            return self.copied() + 1;
        };
        let wait = (next.at - self.grid.at(self.copied())).as_millis() / self.grid.step().as_millis().max(1);
        self.copied() + wait.clamp(1, i64::from(self.trial.wait_max.max(1))) as usize
    }

    fn wait_from(&self, step: usize) -> usize {
        self.wait_until().saturating_sub(step).max(1)
    }

    fn sample(&self, step: usize) -> Option<u32> {
        let (crawl_requests, at) = (self.grid.size(self.copied()), self.grid.at(step));
        self.deadline.sample(&self.decay, at, crawl_requests, self.grid.step(), self.trial.wait_max)
    }

    /// Asks for so many objects of the copy, drawn without putting any back.
    fn ask(&mut self, step: usize, asked: u32, dice: &mut Dice) {
        let (mut left, mut right) = (self.grid.size(self.copied()), self.grid.kept(self.copied(), step));
        let mut kept = 0;
        for _ in 0..asked.min(left) {
            let is_there = below(dice, left as usize) < right as usize;
            kept += u32::from(is_there);
            right -= u32::from(is_there);
            left -= 1;
        }
        self.decay.probed(Probe { at: self.grid.at(step), asked, kept });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::made_up::{MadeUpConfig, named};
    use tintype_plan::deadline::Tintype;
    use tintype_vocab::Span;

    const TRIAL: Trial = Trial { training: 30, wait_max: 12 };

    fn grid(name: &str) -> CrawlGrid {
        let source = (named(name).unwrap().make)(&MadeUpConfig { size: 300, days: 60, ..MadeUpConfig::default() });
        source.grid(Span::from_days(1)).unwrap()
    }

    #[test]
    fn without_probes_it_is_our_own_policy() {
        let grid = grid("weekly");
        let without = TRIAL.probe(&grid, 0.9, 0.05, false, 1);
        let mut policy = Tintype::new(Promise::of(CopyMeasure::Precision, 0.9));
        TRIAL.train(&grid, &mut policy);
        let schedule = TRIAL.play(&grid, &mut policy);
        assert_eq!(without.score, TRIAL.score(&grid, CopyMeasure::Precision, 0.9, &schedule));
        assert_eq!(without.requests, schedule.iter().map(|step| u64::from(grid.size(*step))).sum::<u64>());
        assert_eq!(without.probes, 0);
    }

    #[test]
    fn probes_are_drawn_by_seed_and_paid_for() {
        let grid = grid("bursts");
        let [once, again] = [1, 1].map(|seed| TRIAL.probe(&grid, 0.9, 0.05, true, seed));
        assert_eq!(once, again);
        assert!(once.requests > 0 && once.score.mean > 0.8, "{once:?}");
    }
}
