//! As the paper assumes: arrivals without memory, lives without memory, nothing ever changes.

use super::{MEAN_LIFE, MadeUpConfig, Source, coming_and_going, looked_at_daily};
use crate::synthetic::chance::exponential;

pub(super) const SUMMARY: &str = "objects come and go without memory, at rates that never change";

pub(super) fn make(wish: &MadeUpConfig) -> Source {
    looked_at_daily(wish, &[], coming_and_going(wish, MEAN_LIFE, |dice| exponential(dice, MEAN_LIFE)))
}
