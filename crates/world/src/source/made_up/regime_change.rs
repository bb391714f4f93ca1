//! Half-way, everything begins to go twice as fast.

use super::{MEAN_LIFE, MadeUpConfig, Source, clock::paced, coming_and_going};
use crate::synthetic::chance::exponential;

pub(super) const SUMMARY: &str = "half-way, objects begin to come and go twice as fast";

/// How much faster.
const FASTER: f64 = 2.0;

pub(super) fn make(wish: &MadeUpConfig) -> Source {
    let pace = |day: u32| if day < wish.days / 2 { 1.0 } else { FASTER };
    paced(wish, pace, |wish| coming_and_going(wish, MEAN_LIFE, |dice| exponential(dice, MEAN_LIFE)))
}
