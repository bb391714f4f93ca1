//! Pages that change when people work.

use super::{
    Made, SyntheticConfig,
    plain::{Plain, skewed_rates},
    poisson::OUTDEGREE,
    profile::weekly,
};

pub(super) const SUMMARY: &str = "pages whose rates follow the hours of the day and the days of the week";

const SIGMA: f64 = 1.0;

pub(super) fn make(wish: &SyntheticConfig) -> Made {
    Plain::new(wish, OUTDEGREE, skewed_rates(wish, SIGMA))
        .play(wish, |dice, _, rate| weekly(dice, rate, wish.from, 0.0..wish.days))
}
