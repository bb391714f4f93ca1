//! Pages that are quiet for long and then change many times in a row: a Poisson process with two states.

use super::{
    Made, SyntheticConfig,
    chance::{exponential, happens, poisson},
    plain::{Plain, skewed_rates},
    poisson::OUTDEGREE,
};
use tintype_plan::Dice;

pub(super) const SUMMARY: &str = "pages that change in bursts (two-state modulated Poisson)";

const SIGMA: f64 = 1.0;

/// Share of the time a page is active.
const ACTIVE: f64 = 0.1;

/// Rate while quiet, as a share of the mean rate.
const QUIET_RATE: f64 = 0.2;

/// Rate while active, so that the mean comes out.
const ACTIVE_RATE: f64 = (1.0 - (1.0 - ACTIVE) * QUIET_RATE) / ACTIVE;

/// Changes in a mean burst.
const BURST: f64 = 8.0;

pub(super) fn make(wish: &SyntheticConfig) -> Made {
    Plain::new(wish, OUTDEGREE, skewed_rates(wish, SIGMA)).play(wish, |dice, _, rate| bursts(dice, rate, wish.days))
}

/// The changes of one page, which is as likely to begin active as to be so later.
fn bursts(dice: &mut Dice, rate_per_day: f64, days: f64) -> Vec<f64> {
    let active_days = BURST / (ACTIVE_RATE * rate_per_day);
    let quiet_days = active_days * (1.0 - ACTIVE) / ACTIVE;
    let (mut changes, mut day, mut active) = (Vec::new(), 0.0, happens(dice, ACTIVE));
    while day < days {
        let (mean, rate) = if active { (active_days, ACTIVE_RATE) } else { (quiet_days, QUIET_RATE) };
        let end = (day + exponential(dice, mean)).min(days);
        changes.extend(poisson(dice, rate * rate_per_day, day, end));
        (day, active) = (end, !active);
    }
    changes
}
