//! A listing with so many places: whoever leaves is replaced at once.

use super::{MEAN_LIFE, MadeUpConfig, Source, Stay, WARM_UP_LIVES, looked_at_daily};
use crate::synthetic::chance::{Purpose, dice, weibull};

pub(super) const SUMMARY: &str = "so many places; who leaves is replaced at once, and the old leave first";

/// Above 1 the old go first.
const SHAPE: f64 = 2.5;

pub(super) fn make(wish: &MadeUpConfig) -> Source {
    looked_at_daily(wish, &[], (0..wish.size).flat_map(|place| tenants(wish, place as u64)))
}

/// Those who have a place, one after the other.
fn tenants(wish: &MadeUpConfig, place: u64) -> Vec<Stay> {
    let mut dice = dice(wish.seed, Purpose::Places, place);
    let mut day = -WARM_UP_LIVES * MEAN_LIFE;
    let mut tenants = Vec::new();
    while day < f64::from(wish.days) {
        let moves_out = day + weibull(&mut dice, MEAN_LIFE, SHAPE);
        tenants.push(Stay::new(day, moves_out));
        day = moves_out;
    }
    tenants
}
