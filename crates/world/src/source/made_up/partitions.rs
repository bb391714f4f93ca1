//! Objects of several kinds, each with a pace of its own, and a property that means nothing.

use super::{MadeUpConfig, Source, Stay, coming_and_going, looked_at_daily};
use crate::synthetic::chance::{Purpose, below, dice, exponential};

pub(super) const SUMMARY: &str =
    "objects of four kinds that stay for 8, 25, 25 and 80 days, in colours that mean nothing";

/// Kinds, how long they stay, and which share of the source they are.
const KINDS: [(&str, f64, f64); 4] =
    [("flat", 8.0, 0.25), ("car", 25.0, 0.25), ("job", 25.0, 0.2), ("book", 80.0, 0.3)];
const COLOURS: [&str; 3] = ["red", "green", "blue"];

pub(super) fn make(wish: &MadeUpConfig) -> Source {
    let stays = KINDS.iter().enumerate().flat_map(|(nth, kind)| of_kind(wish, nth as u64, *kind));
    looked_at_daily(wish, &["kind", "colour"], stays)
}

fn of_kind(wish: &MadeUpConfig, nth: u64, (name, mean_life, share): (&str, f64, f64)) -> Vec<Stay> {
    let mut colours = dice(wish.seed, Purpose::Figures, nth);
    let size = (wish.size as f64 * share) as usize;
    let part = MadeUpConfig { size, seed: wish.seed.wrapping_mul(KINDS.len() as u64).wrapping_add(nth), ..*wish };
    let mut stays = coming_and_going(&part, mean_life, |dice| exponential(dice, mean_life));
    for stay in &mut stays {
        stay.attributes = vec![name.to_owned(), COLOURS[below(&mut colours, COLOURS.len())].to_owned()];
    }
    stays
}
