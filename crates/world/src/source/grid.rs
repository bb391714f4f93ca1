//! A source as states at equal distances.

use super::Source;
use tintype_learn::decay::Crawl;
use tintype_vocab::{CopyMeasure, Span, Time};

/// Finer grids are refused.
pub const STEPS_MAX: usize = 100_000;
/// Pairs of steps between which objects are shared; 4 bytes each.
pub const CELLS_MAX: usize = 100_000_000;

/// The states of a source at equal distances, and what any two of them share.
///
/// The state at a step is that of the last look at or before its time. How many objects two steps share is kept in a
/// table, because every measure and every schedule asks for nothing else. Its rows end where nothing is left.
#[derive(Clone, Debug)]
pub struct CrawlGrid {
    from: Time,
    step: Span,
    sizes: Vec<u32>,
    /// Where the row of each step begins in `kept`, and where the last one ends.
    rows: Vec<usize>,
    /// Of each step, how many of its objects are left so many steps later.
    kept: Vec<u32>,
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
            (born, if life.right_censored { steps } else { gone })
        });
        CrawlGrid::of_stays(first, step, steps, stays).ok_or(TooFine { step })
    }
}

impl CrawlGrid {
    /// Objects that are there from a step on and up to, but not at, another.
    fn of_stays(
        from: Time,
        step: Span,
        steps: usize,
        stays: impl Iterator<Item = (usize, usize)>,
    ) -> Option<CrawlGrid> {
        let mut born: Vec<Vec<usize>> = vec![Vec::new(); steps];
        for (first, gone) in stays.filter(|(first, gone)| first < gone) {
            born[first].push(gone);
        }
        let mut grid =
            CrawlGrid { from, step, sizes: Vec::with_capacity(steps), rows: vec![0], kept: Vec::with_capacity(steps) };
        // Of the objects there now, how many will be gone at each step.
        let mut leaving = vec![0u32; steps + 1];
        let (mut size, mut longest) = (0, 0);
        for (now, comers) in born.iter().enumerate() {
            size -= leaving[now];
            for &gone in comers {
                leaving[gone] += 1;
                longest = longest.max(gone);
                size += 1;
            }
            grid.sizes.push(size);
            let left = leaving[now + 1..longest.max(now + 1)].iter().scan(size, |left, leave| {
                *left -= leave;
                Some(*left)
            });
            grid.kept.extend(std::iter::once(size).chain(left));
            grid.rows.push(grid.kept.len());
            if grid.kept.len() > CELLS_MAX {
                return None;
            }
        }
        Some(grid)
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
        self.kept[self.rows[from]..self.rows[from + 1]].get(to - from).copied().unwrap_or(0)
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
            let older = if nth == 0 { 0 } else { self.kept(schedule[nth - 1], now) };
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
