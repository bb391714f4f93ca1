//! Directories whose pages change together: a template, a release, a database behind them all.

use super::{
    Made, SyntheticConfig,
    chance::{Purpose, dice, happens, poisson},
    plain::{DIRECTORY, Plain, skewed_rates},
    poisson::OUTDEGREE,
};
use tintype_plan::Dice;

pub(super) const SUMMARY: &str = "directories whose pages change at the same instants, and sometimes alone";

/// How much directories differ in what happens to them.
const SIGMA: f64 = 1.0;

/// Share of a page's changes that it has alone.
const ALONE: f64 = 0.25;

/// Least share of its directory's events that changes a page; the most is 1.
const TAKES_PART_MIN: f64 = 0.3;

pub(super) fn make(wish: &SyntheticConfig) -> Made {
    let events = skewed_rates(&SyntheticConfig { pages: wish.pages.div_ceil(DIRECTORY), ..wish.clone() }, SIGMA);
    let shared: Vec<Vec<f64>> = events.iter().enumerate().map(|(nth, &rate)| shared(wish, nth, rate)).collect();
    let takes_part: Vec<f64> = (0..wish.pages).map(|page| takes_part(wish, page)).collect();
    let rate = |page: usize| takes_part[page] * events[page / DIRECTORY] / (1.0 - ALONE);
    let rates = (0..wish.pages).map(rate).collect();
    Plain::new(wish, OUTDEGREE, rates)
        .play(wish, |dice, page, rate| changes(dice, &shared[page / DIRECTORY], takes_part[page], rate, wish.days))
}

/// The events of one directory.
fn shared(wish: &SyntheticConfig, directory: usize, rate_per_day: f64) -> Vec<f64> {
    poisson(&mut dice(wish.seed, Purpose::States, directory as u64), rate_per_day, 0.0, wish.days).collect()
}

fn takes_part(wish: &SyntheticConfig, page: usize) -> f64 {
    TAKES_PART_MIN + (1.0 - TAKES_PART_MIN) * dice(wish.seed, Purpose::Places, page as u64).unit()
}

fn changes(dice: &mut Dice, shared: &[f64], takes_part: f64, rate_per_day: f64, days: f64) -> Vec<f64> {
    let mut changes: Vec<f64> = shared.iter().copied().filter(|_| happens(dice, takes_part)).collect();
    changes.extend(poisson(dice, rate_per_day * ALONE, 0.0, days));
    changes
}
