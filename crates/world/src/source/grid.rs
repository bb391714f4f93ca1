//! A source as states at equal distances.

use super::{Source, leavings::Leavings};
use tintype_learn::decay::Crawl;
use tintype_vocab::{CopyMeasure, Span, Time};

/// Finer grids are refused.
pub const STEPS_MAX: usize = 1_000_000;
/// Objects are told apart by so many of the last crawls; no learner remembers more.
const CRAWLS_TOLD_APART: usize = 1024;

/// The states of a source at equal distances, and what any two of them share.
///
/// The state at a step is that of the last look at or before its time. How many objects two steps share is counted when
/// somebody asks, because a table of all pairs of steps would not fit anywhere.
#[derive(Clone, Debug)]
pub struct CrawlGrid {
    from: Time,
    step: Span,
    sizes: Vec<u32>,
    leavings: Leavings,
}

/// A grid too large to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("steps of {step} are too many to compare; take longer ones")]
pub struct TooFine {
    pub step: Span,
}

impl Source {
    /// The states at the first look and every `step` after it.
    pub fn grid(&self, step: Span) -> Result<CrawlGrid, TooFine> {
        let (first, last) = (self.looks[0], self.looks[self.looks.len() - 1]);
        if step <= Span::ZERO {
            return Err(TooFine { step });
        }
        let steps = (last - first).as_millis() / step.as_millis() + 1;
        let steps = usize::try_from(steps).ok().filter(|steps| *steps <= STEPS_MAX).ok_or(TooFine { step })?;
        let state = |nth: usize| {
            let at = first + step * nth as i64;
            self.looks[self.looks.partition_point(|look| *look <= at) - 1]
        };
        let states: Vec<Time> = (0..steps).map(state).collect();
        let stays = self.lives.iter().map(|life| {
            let born = states.partition_point(|state| *state < life.first_seen);
            let gone = states.partition_point(|state| *state <= life.last_seen);
            (born as u32, if life.right_censored { steps } else { gone } as u32)
        });
        Ok(CrawlGrid::of_stays(first, step, steps, stays))
    }
}

impl CrawlGrid {
    /// Objects that are there from a step on and up to, but not at, another.
    fn of_stays(from: Time, step: Span, steps: usize, stays: impl Iterator<Item = (u32, u32)>) -> CrawlGrid {
        let stays: Vec<(u32, u32)> = stays.filter(|(born, gone)| born < gone).collect();
        let mut change = vec![0i64; steps + 1];
        for (born, gone) in &stays {
            change[*born as usize] += 1;
            change[*gone as usize] -= 1;
        }
        let sizes = change[..steps].iter().scan(0, |size, change| {
            *size += change;
            Some(*size as u32)
        });
        CrawlGrid { from, step, sizes: sizes.collect(), leavings: Leavings::new(steps, stays) }
    }

    pub fn steps(&self) -> usize {
        self.sizes.len()
    }

    pub fn step(&self) -> Span {
        self.step
    }

    /// When a step is.
    pub fn at(&self, step: usize) -> Time {
        self.from + self.step * step as i64
    }

    /// Objects there at a step.
    pub fn size(&self, step: usize) -> u32 {
        self.sizes[step]
    }

    /// Objects there at both steps, of which the first is not the later.
    pub fn kept(&self, from: usize, to: usize) -> u32 {
        self.sizes[from] - self.leavings.between(from, to)
    }

    /// How good a copy made at one step is at a later one. Nothing held is all right, and so is nothing to hold.
    pub fn quality(&self, measure: CopyMeasure, from: usize, to: usize) -> f64 {
        let whole = match measure {
            CopyMeasure::Precision => self.size(from),
            CopyMeasure::Recall => self.size(to),
        };
        if whole == 0 { 1.0 } else { f64::from(self.kept(from, to)) / f64::from(whole) }
    }

    /// What the last crawl of a schedule finds, where these are all crawls so far, in order: objects by the crawl that saw
    /// them first.
    pub fn crawl(&self, schedule: &[usize]) -> Crawl {
        let now = *schedule.last().expect("a schedule with a crawl");
        let mut alive = Vec::new();
        let mut rest = self.size(now);
        for (nth, &step) in schedule.iter().enumerate().rev() {
            let first = nth == 0 || schedule.len() - nth > CRAWLS_TOLD_APART;
            let older = if first { 0 } else { self.kept(schedule[nth - 1], now) };
            if rest > older {
                alive.push((self.at(step), rest - older));
            }
            rest = older;
            if rest == 0 {
                break;
            }
        }
        alive.reverse();
        Crawl { at: self.at(now), alive }
    }
}
