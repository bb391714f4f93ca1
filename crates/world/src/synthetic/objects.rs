//! A source of objects (jobs, cars, flats): they arrive, are edited, and are gone.

use super::{
    Made, SyntheticConfig,
    chance::{Purpose, dice, exponential, gamma, poisson, weibull},
    feed::Feed,
    outlet::{Order, Sight, Trade, open, things},
    profile::weekly,
    shelf::Life,
};
use std::{
    fmt::{self, Write},
    ops::Range,
};

pub(super) const SUMMARY: &str = "a source of objects that arrive, are edited and vanish; listing and item pages";

/// How long objects stay. Both have the mean that [`Objects`] asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MadeUpSurvival {
    /// Without memory.
    Exponential,
    /// Above 1 the old go first, below 1 the young.
    Weibull { shape: f64 },
}

/// How objects come and go.
#[derive(Clone, Copy, Debug)]
pub struct Objects {
    pub survival: MadeUpSurvival,
    pub mean_life_days: f64,
    /// Arrivals of a day are Poisson around a Gamma of this shape, weekdays considered; the larger, the more even.
    pub arrivals_shape: f64,
    /// Edits of an object while it is there.
    pub edits_per_day: f64,
}

impl Default for Objects {
    fn default() -> Objects {
        Objects {
            survival: MadeUpSurvival::Exponential,
            mean_life_days: 20.0,
            arrivals_shape: 4.0,
            edits_per_day: 0.05,
        }
    }
}

/// Lives before the beginning after which what is left of the first objects no longer counts.
const WARM_UP_LIVES: f64 = 8.0;

/// A source through which about `wish.pages` objects pass, as many as usual being there at the beginning.
pub fn objects(wish: &SyntheticConfig, shape: &Objects) -> Made {
    let trade = Source { edits_per_day: shape.edits_per_day };
    let warm_up = WARM_UP_LIVES * shape.mean_life_days;
    let arriving_per_day = things(wish, &trade) as f64 / (wish.days + shape.mean_life_days);
    let count = (arriving_per_day * (wish.days + warm_up)) as usize;
    let arrivals = arrivals(wish, count, shape.arrivals_shape, -warm_up..wish.days);
    let lives = arrivals.into_iter().enumerate().map(|(nth, born)| life(wish, shape, nth as u64, born));
    open(wish, trade, lives.filter(|life| life.dies > 0.0).collect())
}

fn life(wish: &SyntheticConfig, shape: &Objects, nth: u64, born: f64) -> Life {
    let mut dice = dice(wish.seed, Purpose::Lives, nth);
    let dies = born + shape.survival.days(&mut dice, shape.mean_life_days);
    let updates = poisson(&mut dice, shape.edits_per_day, born, dies.min(wish.days)).collect();
    Life { section: 0, born, dies, updates }
}

impl MadeUpSurvival {
    fn days(self, dice: &mut tintype_plan::Dice, mean: f64) -> f64 {
        match self {
            MadeUpSurvival::Exponential => exponential(dice, mean),
            MadeUpSurvival::Weibull { shape } => weibull(dice, mean, shape),
        }
    }
}

/// About `count` arrivals in the course of `days`: every day has a weight of its own, within it work hours count.
pub(super) fn arrivals(wish: &SyntheticConfig, count: usize, shape: f64, days: Range<f64>) -> Vec<f64> {
    let per_day = count as f64 / (days.end - days.start);
    let (first, last) = (days.start.floor() as i64, days.end.ceil() as i64);
    let mut arrivals = Vec::with_capacity(count);
    for day in first..last {
        let mut dice = dice(wish.seed, Purpose::Arrivals, day as u64);
        let rate = per_day * gamma(&mut dice, shape);
        let hours = (day as f64).max(days.start)..((day + 1) as f64).min(days.end);
        arrivals.extend(weekly(&mut dice, rate, wish.from, hours));
    }
    arrivals
}

#[derive(Debug)]
struct Source {
    edits_per_day: f64,
}

impl Trade for Source {
    fn name(&self) -> &'static str {
        "Small Advertisements"
    }

    fn sections(&self) -> &'static [&'static str] {
        &["objects"]
    }

    fn feed(&self) -> Option<Feed> {
        None
    }

    fn order(&self) -> Order {
        Order::Newest
    }

    fn rate_per_day(&self) -> Option<f64> {
        Some(self.edits_per_day)
    }

    fn describe(&self, object: &Sight<'_>, out: &mut String) -> fmt::Result {
        writeln!(out, "<p class=\"detail\">Placed {}, edited {} times.</p>", object.born, object.revision())?;
        object.prose.paragraphs(object.name, object.prose.length(object.name), object.revision(), out);
        Ok(())
    }

    fn detail(&self, object: &Sight<'_>, out: &mut String) -> fmt::Result {
        write!(out, "{}", object.born)
    }
}
