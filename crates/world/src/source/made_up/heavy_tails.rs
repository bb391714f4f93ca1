//! Most objects leave soon, some stay for ever: the longer one was there, the longer it will be.

use super::{MEAN_LIFE, MadeUpConfig, Source, coming_and_going, looked_at_daily};
use crate::synthetic::chance::weibull;

pub(super) const SUMMARY: &str = "most objects leave soon, and those that do not stay very long";

/// Below 1 the young go first.
const SHAPE: f64 = 0.6;

pub(super) fn make(wish: &MadeUpConfig) -> Source {
    looked_at_daily(wish, &[], coming_and_going(wish, MEAN_LIFE, |dice| weibull(dice, MEAN_LIFE, SHAPE)))
}
