//! On weekends hardly anything happens.

use super::{MEAN_LIFE, MadeUpConfig, Source, clock::paced, coming_and_going};
use crate::synthetic::chance::weibull;

pub(super) const SUMMARY: &str = "on weekends hardly anything comes or goes";

/// Of a week that begins on the day of the first look.
const PACE: [f64; 7] = [1.5, 1.5, 1.3, 1.3, 1.2, 0.15, 0.05];
const SHAPE: f64 = 1.3;

pub(super) fn make(wish: &MadeUpConfig) -> Source {
    let pace = |day: u32| PACE[day as usize % PACE.len()];
    paced(wish, pace, |wish| coming_and_going(wish, MEAN_LIFE, |dice| weibull(dice, MEAN_LIFE, SHAPE)))
}
