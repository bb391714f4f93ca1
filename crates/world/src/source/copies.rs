//! What the lives of a source's objects say about copies of it: how these rot, how objects come and how long they stay.

mod groups;
mod unit;

use super::{CrawlGrid, Source, TooFine};
pub use groups::{Cut, Looked, looked_at};
use std::collections::BTreeMap;
use tintype_learn::{
    decay::Crawl,
    life::{Lives, Watched},
};
use tintype_vocab::{CopyMeasure, Span, Time};

pub use unit::Unit;

/// Ages of copies that are looked at lie so much apart, at least.
const AGES_APART: f64 = 1.15;
/// Copies of which so much is left or less are not followed any further.
const LEFT_MIN: f64 = 0.1;
/// Copies that are averaged over; of more, these many at equal distances.
const COPIES_MAX: usize = 1000;
/// The share of copies between whose best and worst a band is drawn.
const BAND: f64 = 0.8;

/// A source whose every object is known, in equal steps.
#[derive(Debug)]
pub struct Copies {
    pub name: String,
    pub source: Source,
    pub grid: CrawlGrid,
}

/// What comes and goes in one step.
#[derive(Clone, Copy, Debug)]
pub struct Turnover {
    /// When the step ends.
    pub at: Time,
    pub came: u32,
    pub left: u32,
}

/// Copies of one age.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Aged {
    pub days: f64,
    pub mean: f64,
    /// Eight of ten copies lie between.
    pub low: f64,
    pub high: f64,
}

impl Copies {
    /// By default in steps as long as the usual time from one look to the next.
    pub fn new(name: String, source: Source, step: Option<Span>) -> Result<Copies, TooFine> {
        let grid = source.grid(step.unwrap_or_else(|| source.usual_step()))?;
        Ok(Copies { name, source, grid })
    }

    pub fn unit(&self) -> Unit {
        Unit::of(self.grid.step())
    }

    pub fn days(&self, steps: usize) -> f64 {
        self.grid.step().as_days_f64() * steps as f64
    }

    pub fn mean_size(&self) -> f64 {
        let sizes = (0..self.grid.steps()).map(|step| f64::from(self.grid.size(step)));
        sizes.sum::<f64>() / self.grid.steps() as f64
    }

    pub fn turnover(&self) -> Vec<Turnover> {
        let step = |now: usize| {
            let kept = self.grid.kept(now - 1, now);
            Turnover { at: self.grid.at(now), came: self.grid.size(now) - kept, left: self.grid.size(now - 1) - kept }
        };
        (1..self.grid.steps()).map(step).collect()
    }

    pub fn watched(&self) -> impl Iterator<Item = Watched> + '_ {
        self.source.lives().iter().filter_map(|life| Watched::of(life, self.source.looks()))
    }

    pub fn lives(&self) -> Lives {
        let mut lives = Lives::default();
        // Lives that are not learned from are those nobody knows the age of.
        for life in self.watched() {
            let _ = lives.see(life);
        }
        lives
    }

    /// Every look as a learner of decay sees it.
    pub fn crawls(&self) -> Vec<Crawl> {
        let (mut alive, mut leaving) = (BTreeMap::<Time, u32>::new(), BTreeMap::<Time, Vec<Time>>::new());
        let mut coming = self.source.lives().iter().peekable();
        let crawl = |at: &Time| {
            while let Some(life) = coming.next_if(|life| life.first_seen <= *at) {
                *alive.entry(life.first_seen).or_default() += 1;
                if !life.right_censored {
                    leaving.entry(life.last_seen).or_default().push(life.first_seen);
                }
            }
            let stay = leaving.split_off(at);
            for first in std::mem::replace(&mut leaving, stay).into_values().flatten() {
                alive.entry(first).and_modify(|count| *count -= 1);
            }
            alive.retain(|_, count| *count > 0);
            Crawl { at: *at, alive: alive.iter().map(|(first, count)| (*first, *count)).collect() }
        };
        self.source.looks().iter().map(crawl).collect()
    }

    /// How good copies of growing ages are, until little is left of them.
    pub fn rot(&self, measure: CopyMeasure) -> Vec<Aged> {
        let mut curve = vec![Aged { days: 0.0, mean: 1.0, low: 1.0, high: 1.0 }];
        let mut wait = 1;
        while wait <= self.grid.steps() / 2 && curve[curve.len() - 1].mean > LEFT_MIN {
            curve.extend(self.aged(measure, wait));
            wait = ((wait as f64 * AGES_APART) as usize).max(wait + 1);
        }
        curve
    }

    /// Nothing if no copy of that age held anything.
    fn aged(&self, measure: CopyMeasure, wait: usize) -> Option<Aged> {
        let mut qualities = self.qualities(measure, wait);
        qualities.sort_by(f64::total_cmp);
        let last = qualities.len().checked_sub(1)?;
        let place = |share: f64| qualities[(last as f64 * share).round() as usize];
        let tail = (1.0 - BAND) / 2.0;
        Some(Aged { days: self.days(wait), mean: mean(&qualities), low: place(tail), high: place(1.0 - tail) })
    }

    /// Of copies of one age, as far as there was anything to hold: where there was not, nothing can rot.
    fn qualities(&self, measure: CopyMeasure, wait: usize) -> Vec<f64> {
        let copies = self.grid.steps().saturating_sub(wait);
        let whole = |from: usize| match measure {
            CopyMeasure::Precision => self.grid.size(from),
            CopyMeasure::Recall => self.grid.size(from + wait),
        };
        let copied = (0..copies).step_by(copies.div_ceil(COPIES_MAX).max(1)).filter(|from| whole(*from) > 0);
        copied.map(|from| self.grid.quality(measure, from, from + wait)).collect()
    }

    /// How good copies of one age are on average.
    pub fn mean_quality(&self, measure: CopyMeasure, wait: usize) -> Option<f64> {
        Some(self.qualities(measure, wait)).filter(|qualities| !qualities.is_empty()).map(|some| mean(&some))
    }

    /// The copy made at one step, at the ages of a curve.
    pub fn rot_since(&self, measure: CopyMeasure, from: usize) -> Vec<(f64, f64)> {
        let ages = (0..self.grid.steps() - from).map(|wait| (wait, self.grid.quality(measure, from, from + wait)));
        let worth = ages.take_while(|(_, quality)| *quality > LEFT_MIN);
        worth.map(|(wait, quality)| (self.days(wait), quality)).collect()
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The age, in days, at which copies are so good on average; nothing if they are never that bad.
pub fn days_until(curve: &[Aged], quality: f64) -> Option<f64> {
    let after = curve.iter().position(|aged| aged.mean <= quality)?;
    let (before, after) = (curve.get(after.checked_sub(1)?)?, curve[after]);
    let share = (before.mean - quality) / (before.mean - after.mean);
    Some(before.days + share * (after.days - before.days))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::made_up::{MadeUpConfig, named};

    fn steady() -> Copies {
        let source = (named("steady").unwrap().make)(&MadeUpConfig { size: 500, days: 120, ..MadeUpConfig::default() });
        Copies::new("steady".to_owned(), source, None).unwrap()
    }

    #[test]
    fn half_of_what_stays_for_thirty_days_is_gone_after_twenty_one() {
        let half = days_until(&steady().rot(CopyMeasure::Precision), 0.5).unwrap();
        assert!((half / (30.0 * 2.0_f64.ln()) - 1.0).abs() < 0.1, "{half}");
    }

    #[test]
    fn a_copy_of_nothing_is_no_copy() {
        let life = |first: i64, last: i64, id: &str| tintype_vocab::Life {
            id: id.to_owned(),
            first_seen: Time::from_secs(first * 86_400),
            last_seen: Time::from_secs(last * 86_400),
            left_censored: first == 0,
            right_censored: false,
            updates: 0,
            attributes: Vec::new(),
        };
        let looks = (0..10).map(|day| Time::from_secs(day * 86_400)).collect();
        let source = Source::new(Vec::new(), vec![life(0, 1, "a"), life(0, 3, "b")], looks).unwrap();
        let copies = Copies::new(String::new(), source, None).unwrap();
        // Of the copies of days 0 to 3 halves and wholes are left a day later; of later ones nobody holds anything.
        assert_eq!(copies.mean_quality(CopyMeasure::Precision, 1), Some((1.0 + 0.5 + 1.0 + 0.0) / 4.0));
        assert_eq!(copies.mean_quality(CopyMeasure::Precision, 9), Some(0.0));
    }

    #[test]
    fn what_comes_and_goes_is_the_difference_in_size() {
        let copies = steady();
        let steps = copies.turnover();
        let (came, left): (u32, u32) = steps.iter().fold((0, 0), |sum, step| (sum.0 + step.came, sum.1 + step.left));
        assert_eq!(copies.grid.size(0) + came, copies.grid.size(copies.grid.steps() - 1) + left);
        assert_eq!(steps.len(), 120);
    }

    #[test]
    fn looks_are_the_crawls_of_every_step() {
        let copies = steady();
        let steps: Vec<usize> = (0..copies.grid.steps()).collect();
        let crawls = copies.crawls();
        assert_eq!(crawls.len(), steps.len());
        for (last, crawl) in crawls.iter().enumerate() {
            assert_eq!(*crawl, copies.grid.crawl(&steps[..=last]));
        }
    }

    #[test]
    fn eight_of_ten_copies_lie_in_the_band() {
        let curve = steady().rot(CopyMeasure::Recall);
        assert!(curve.iter().all(|aged| aged.low <= aged.mean && aged.mean <= aged.high), "{curve:?}");
        assert!(curve[curve.len() - 2].mean > LEFT_MIN);
    }
}
