//! Made-up sources: every arrival and every departure is drawn from a known process.
//!
//! A source is a function of its [`MadeUpConfig`], seed included, and of nothing else, and begins as if it had always been there.
//! Each breaks one assumption that is usually made. Read [`REGISTRY`] first; a new one is one file and one line there.

mod bursts;
mod clock;
mod fixed_total;
mod heavy_tails;
mod partitions;
mod regime_change;
mod steady;
#[cfg(test)]
mod tests;
mod weekly;

use super::Source;
use crate::synthetic::chance::{Purpose, dice, poisson};
use tintype_plan::Dice;
use tintype_vocab::{Life, Span, Time};

/// What a source should be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MadeUpConfig {
    /// Behind all dice: the same wish gives the same source.
    pub seed: u64,
    /// Objects there at a time, on average.
    pub size: usize,
    /// When somebody first looked; a Monday by default.
    pub from: Time,
    pub days: u32,
}

impl Default for MadeUpConfig {
    fn default() -> MadeUpConfig {
        MadeUpConfig { seed: 1, size: 1000, from: Time::from_secs(1_767_571_200), days: 240 }
    }
}

/// A kind of source by name.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredSource {
    pub name: &'static str,
    pub summary: &'static str,
    pub make: fn(&MadeUpConfig) -> Source,
}

/// Every kind of source.
pub const REGISTRY: &[RegisteredSource] = &[
    RegisteredSource { name: "steady", summary: steady::SUMMARY, make: steady::make },
    RegisteredSource { name: "heavy-tails", summary: heavy_tails::SUMMARY, make: heavy_tails::make },
    RegisteredSource { name: "fixed-total", summary: fixed_total::SUMMARY, make: fixed_total::make },
    RegisteredSource { name: "regime-change", summary: regime_change::SUMMARY, make: regime_change::make },
    RegisteredSource { name: "weekly", summary: weekly::SUMMARY, make: weekly::make },
    RegisteredSource { name: "bursts", summary: bursts::SUMMARY, make: bursts::make },
    RegisteredSource { name: "partitions", summary: partitions::SUMMARY, make: partitions::make },
];

/// The kind of source of that name.
pub fn named(name: &str) -> Option<&'static RegisteredSource> {
    REGISTRY.iter().find(|registered| registered.name == name)
}

/// How long objects stay on average, in days, where nothing else is said.
const MEAN_LIFE: f64 = 30.0;
/// Mean lives before the first look after which nothing tells that the source had a beginning.
const WARM_UP_LIVES: f64 = 12.0;

/// One object, in days from the first look.
struct Stay {
    born: f64,
    dies: f64,
    attributes: Vec<String>,
}

impl Stay {
    fn new(born: f64, dies: f64) -> Stay {
        Stay { born, dies, attributes: Vec::new() }
    }
}

/// Objects that come one by one, at a rate that holds the size, and stay as long as `life` draws.
fn coming_and_going(wish: &MadeUpConfig, mean_life: f64, mut life: impl FnMut(&mut Dice) -> f64) -> Vec<Stay> {
    let rate = wish.size as f64 / mean_life;
    let mut arrivals = dice(wish.seed, Purpose::Arrivals, 0);
    let births = poisson(&mut arrivals, rate, -WARM_UP_LIVES * mean_life, f64::from(wish.days));
    let stay = |(nth, born): (usize, f64)| {
        let mut dice = dice(wish.seed, Purpose::Lives, nth as u64);
        Stay::new(born, born + life(&mut dice))
    };
    births.enumerate().map(stay).collect()
}

/// What somebody sees who looks once a day.
fn looked_at_daily(wish: &MadeUpConfig, attributes: &[&str], stays: impl IntoIterator<Item = Stay>) -> Source {
    let last = i64::from(wish.days);
    let at = |day: i64| wish.from + Span::from_days(day);
    let life = |(nth, stay): (usize, Stay)| {
        let first = (stay.born.ceil() as i64).max(0);
        let end = (stay.dies.ceil() as i64 - 1).min(last);
        (first <= end).then(|| Life {
            id: format!("{nth}"),
            first_seen: at(first),
            last_seen: at(end),
            left_censored: first == 0,
            right_censored: end == last,
            updates: 0,
            attributes: stay.attributes,
        })
    };
    let lives = stays.into_iter().enumerate().filter_map(life).collect();
    let names = attributes.iter().map(|name| (*name).to_owned()).collect();
    Source::new(names, lives, (0..=last).map(at).collect()).expect("made-up objects behave")
}
