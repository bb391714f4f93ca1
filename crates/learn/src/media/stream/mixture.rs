//! What the patterns of a URI say together.
//!
//! Each pattern says what share of those that had it was of a type, at least. The surest ones are listened to: a pattern
//! weighs as much as its surest claim to a power, a pattern that was seen only a few times being sure of little.

use super::cell::Cell;
use crate::media::names::{NAMES_MAX, NameId};

/// How many URIs that contradict it a pattern must outweigh to be sure.
const DOUBT: f32 = 2.0;
/// How much more the sure ones count.
const POWER: i32 = 8;

/// Chances of media types, as far as patterns speak of them.
#[derive(Clone, Debug)]
pub(super) struct Mixture {
    /// By the number of the type, times `weight`.
    chances: [f32; NAMES_MAX],
    weight: f32,
}

impl Mixture {
    pub(super) fn of(cells: impl Iterator<Item = Cell>) -> Mixture {
        let mut mixture = Mixture { chances: [0.0; NAMES_MAX], weight: 0.0 };
        cells.for_each(|cell| mixture.hear(&cell));
        mixture
    }

    fn hear(&mut self, cell: &Cell) {
        let weight = weight(cell);
        self.weight += weight;
        let share = weight / cell.count().max(1) as f32;
        cell.types().for_each(|(media_type, count)| self.chances[usize::from(media_type.0)] += share * count as f32);
    }

    pub(super) fn chance(&self, media_type: NameId) -> f32 {
        if self.weight > 0.0 { self.chances[usize::from(media_type.0)] / self.weight } else { 0.0 }
    }
}

/// How much a pattern has to say.
pub(super) fn weight(cell: &Cell) -> f32 {
    let most = cell.types().map(|(_, count)| count).max().unwrap_or(0);
    (most as f32 / (cell.count() as f32 + DOUBT)).powi(POWER)
}
