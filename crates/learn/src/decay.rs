//! How fast a copy of a source rots: from crawls to a forecast of copy precision and copy recall.
//!
//! Read [`Decay`] first. Losses between crawls follow a weekly rhythm (`rhythm`), a level that may drift (`levels`), and a
//! shape of the stock (`curve`) or the ages of its objects (`ages`). Several observers hold different views of these;
//! forecasts made and come due say whom to believe (`side`), how far off one will be (`spread`), and by how much that was
//! wrong (`surprises`). The series of decays of the paper and its autoregression (`auto_regression`) are what this is held against.

mod ages;
mod auto_regression;
mod beta;
mod crawl;
mod curve;
mod forecast;
mod hindsight;
mod levels;
mod probe;
mod rhythm;
mod side;
mod spread;
mod surprises;
mod whole;

pub use auto_regression::{AdaptMode, AutoRegression, decay, interpolate, quality};
pub use crawl::Crawl;
pub use forecast::Forecast;
pub use probe::Probe;

use ages::Ages;
use serde::{Deserialize, Serialize};
use side::{Scene, Side};
use std::collections::VecDeque;
use tintype_vocab::{CopyMeasure, Span, Time};

/// Crawls that are remembered one by one.
const CRAWLS_MAX: usize = 512;
/// Everything but the rhythm is learned again, with the rhythm known by then, whenever half as many crawls have come again.
const FIRST_SECOND_READING: u64 = 16;

/// What is believed of one source, or of one part of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Decay {
    crawls: VecDeque<Crawl>,
    beliefs: Option<Beliefs>,
    seen: u64,
    read_again_at: u64,
    /// The one measure that is learned; both if there is none.
    #[serde(default)]
    only: Option<CopyMeasure>,
    /// What was asked for since the last crawl.
    #[serde(default)]
    probe: Option<Probe>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Beliefs {
    precision: Side,
    recall: Side,
    ages: Ages,
}

/// Why a crawl cannot be learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedCrawl {
    /// It is no later than the one before.
    NotLater,
}

/// How busy a source is on the days of the week that begins with its first crawl, and in the hours of the day that begins
/// then, on an average of 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Busy {
    pub since: Time,
    pub days: Vec<f64>,
    pub hours: Vec<f64>,
}

impl Beliefs {
    fn new(first: Time) -> Beliefs {
        Beliefs {
            precision: Side::new(CopyMeasure::Precision, first),
            recall: Side::new(CopyMeasure::Recall, first),
            ages: Ages::new(first),
        }
    }

    fn side(&self, measure: CopyMeasure) -> &Side {
        match measure {
            CopyMeasure::Precision => &self.precision,
            CopyMeasure::Recall => &self.recall,
        }
    }

    fn fold(&mut self, crawls: &VecDeque<Crawl>, number: usize, only: Option<CopyMeasure>) {
        let scene = Scene { crawls, ages: &self.ages };
        let sides = [(CopyMeasure::Precision, &mut self.precision), (CopyMeasure::Recall, &mut self.recall)];
        for (_, side) in sides.into_iter().filter(|(measure, _)| only.is_none_or(|only| only == *measure)) {
            side.fold(&scene, number);
        }
    }

    fn read_again(&mut self, crawls: &VecDeque<Crawl>, only: Option<CopyMeasure>) {
        self.precision.begin_again();
        self.recall.begin_again();
        (1..crawls.len()).for_each(|number| self.fold(crawls, number, only));
    }
}

impl Decay {
    pub fn new() -> Decay {
        Decay { read_again_at: FIRST_SECOND_READING, ..Decay::default() }
    }

    /// Learns one measure and forecasts no other, at half the cost.
    pub fn of(measure: CopyMeasure) -> Decay {
        Decay { only: Some(measure), ..Decay::new() }
    }

    /// How many crawls it has learned from.
    pub fn crawls(&self) -> u64 {
        self.seen
    }

    pub fn last(&self) -> Option<&Crawl> {
        self.crawls.back()
    }

    /// A crawl was made.
    pub fn see(&mut self, crawl: &Crawl) -> Result<(), RefusedCrawl> {
        self.see_and_remember(crawl, CRAWLS_MAX)
    }

    fn see_and_remember(&mut self, crawl: &Crawl, crawls_max: usize) -> Result<(), RefusedCrawl> {
        if self.last().is_some_and(|last| crawl.at <= last.at) {
            return Err(RefusedCrawl::NotLater);
        }
        let beliefs = self.beliefs.get_or_insert_with(|| Beliefs::new(crawl.at));
        let now = told_apart(crawl, &self.crawls);
        self.crawls.push_back(now);
        self.seen = self.seen.saturating_add(1);
        self.probe = None;
        if self.crawls.len() == 1 {
            return Ok(());
        }
        let number = self.crawls.len() - 1;
        let (before, now) = (&self.crawls[number - 1], &self.crawls[number]);
        beliefs.precision.learn_rhythm(before, now);
        beliefs.recall.learn_rhythm(before, now);
        if self.only != Some(CopyMeasure::Recall) {
            // What has become one cohort since was one then.
            beliefs.ages.see(&beliefs.precision.rhythm, &told_apart(before, &self.crawls), now);
        }
        beliefs.fold(&self.crawls, number, self.only);
        if self.crawls.len() > crawls_max {
            self.crawls.pop_front();
            beliefs.precision.forget_first();
            beliefs.recall.forget_first();
            beliefs.ages.forget_births_until(self.crawls[0].at);
        }
        if self.seen >= self.read_again_at {
            self.read_again_at = self.seen.saturating_add(self.seen / 2);
            beliefs.read_again(&self.crawls, self.only);
        }
        Ok(())
    }

    /// The quality, at a later time, of the copy made by the last crawl; nothing before there were two.
    pub fn forecast(&self, measure: CopyMeasure, at: Time) -> Option<Forecast> {
        Some(self.in_its_light(measure, at, self.blind(measure, at)?))
    }

    /// The same, whatever probes found.
    fn blind(&self, measure: CopyMeasure, at: Time) -> Option<Forecast> {
        let beliefs = self.beliefs.as_ref()?;
        beliefs.side(measure).forecast(&Scene { crawls: &self.crawls, ages: &beliefs.ages }, at)
    }

    /// Days of average business between two moments, as one measure knows them: losses come in proportion to these.
    pub fn busy_days(&self, measure: CopyMeasure, from: Time, to: Time) -> f64 {
        let calendar = || (to - from).as_days_f64();
        self.beliefs.as_ref().map_or_else(calendar, |beliefs| beliefs.side(measure).rhythm.days(from, to))
    }

    /// How many objects go together.
    fn batch(&self, measure: CopyMeasure) -> f64 {
        self.beliefs.as_ref().map_or(1.0, |beliefs| beliefs.side(measure).usual_batch())
    }

    pub fn busy(&self, measure: CopyMeasure) -> Option<Busy> {
        let side = self.beliefs.as_ref()?.side(measure);
        let (days, hours) = side.rhythm.profile();
        Some(Busy { since: side.rhythm.origin(), days: days.to_vec(), hours: hours.to_vec() })
    }

    /// What is believed of a source, in words, with how much each view is worth by how well it foretold.
    pub fn models(&self, measure: CopyMeasure) -> Vec<(&'static str, f64)> {
        const STOCKS: [&str; levels::ROWS] = [
            "so many a day, whatever is left",
            "nearly so many a day",
            "each object at random",
            "losses slow down a little",
            "losses slow down",
            "by the age of the objects",
        ];
        const MEMORIES: [&str; levels::HALF_LIVES.len()] =
            ["a level that stays", "a level that drifts", "the latest level"];
        let Some(beliefs) = &self.beliefs else { return Vec::new() };
        let (rows, columns) = beliefs.side(measure).heard();
        STOCKS.into_iter().zip(rows).chain(MEMORIES.into_iter().zip(columns)).collect()
    }

    /// How long until half of the copy is lost, if it is within a hundred years.
    pub fn half_life(&self, measure: CopyMeasure) -> Option<Span> {
        let last = self.last()?.at;
        let falls = |days: f64| {
            let at = last + Span::from_millis((days * 86_400_000.0) as i64);
            self.forecast(measure, at).is_some_and(|forecast| forecast.mean < 0.5)
        };
        let (mut low, mut high) = (0.0, 1.0 / 1440.0);
        while !falls(high) {
            (low, high) = (high, high * 2.0);
            if high > 36_500.0 {
                return None;
            }
        }
        for _ in 0..30 {
            let middle = (low + high) / 2.0;
            if falls(middle) { high = middle } else { low = middle }
        }
        Some(Span::from_millis((high * 86_400_000.0) as i64))
    }
}

/// The same crawl with cohorts as they can be told apart by the crawls that are remembered: all from before the first of
/// them are one.
fn told_apart(crawl: &Crawl, remembered: &VecDeque<Crawl>) -> Crawl {
    let mut alive: Vec<(Time, u32)> = Vec::with_capacity(crawl.alive.len());
    for (first, count) in crawl.alive.iter().filter(|(_, count)| *count > 0) {
        let by = remembered.partition_point(|earlier| earlier.at < *first);
        let first = remembered.get(by).map_or(crawl.at, |earlier| earlier.at).min(crawl.at);
        match alive.last_mut().filter(|(before, _)| *before == first) {
            Some((_, sum)) => *sum = sum.saturating_add(*count),
            None => alive.push((first, *count)),
        }
    }
    Crawl { at: crawl.at, alive }
}

#[cfg(test)]
mod tests;
