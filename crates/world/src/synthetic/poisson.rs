//! Pages that change without memory, each at its own rate.

use super::{
    Made, SyntheticConfig, chance,
    plain::{Plain, skewed_rates},
};

pub(super) const SUMMARY: &str = "pages that change as Poisson processes, rates log-normal";

/// The fastest hundredth of the pages makes about a third of all changes.
const SIGMA: f64 = 1.5;

pub(super) const OUTDEGREE: usize = 8;

pub(super) fn make(wish: &SyntheticConfig) -> Made {
    Plain::new(wish, OUTDEGREE, skewed_rates(wish, SIGMA))
        .play(wish, |dice, _, rate| chance::poisson(dice, rate, 0.0, wish.days).collect::<Vec<_>>())
}
