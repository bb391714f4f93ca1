//! What is known of one pattern: how often it was seen, with which media types, and how far that may be wrong.

use crate::media::names::NameId;

/// Media types that are told apart of one pattern. Few have more than three.
pub(super) const TYPES_MAX: usize = 7;

/// Counts of one pattern. `count` is never too low, and too high by no more than `error`; what was surely seen,
/// `count - error`, is made up of the counts of types and of `other`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    count: u32,
    error: u32,
    /// Of types that found no place, or have no name.
    other: u32,
    counts: [u32; TYPES_MAX],
    /// One more than the number of the type; 0 where there is none.
    types: [u16; TYPES_MAX],
}

impl Cell {
    pub(super) fn see(&mut self, media_type: Option<NameId>, times: u32) {
        self.count = self.count.saturating_add(times);
        self.see_type(media_type, times);
    }

    /// Takes in what another stretch of the stream says of the same pattern.
    pub(super) fn absorb(&mut self, other: &Cell) {
        self.count = self.count.saturating_add(other.count);
        self.error = self.error.saturating_add(other.error);
        self.other = self.other.saturating_add(other.other);
        other.types().for_each(|(media_type, count)| self.see_type(Some(media_type), count));
    }

    /// It may have been seen so much more often than anybody noticed.
    pub(super) fn widen(&mut self, unnoticed: u32) {
        self.count = self.count.saturating_add(unnoticed);
        self.error = self.error.saturating_add(unnoticed);
    }

    /// Everything counts half from now on. What rounding loses is error.
    pub(super) fn halve(&mut self) {
        self.count = self.count.div_ceil(2);
        self.other /= 2;
        self.counts.iter_mut().for_each(|count| *count /= 2);
        for (media_type, count) in self.types.iter_mut().zip(self.counts) {
            *media_type *= u16::from(count > 0);
        }
        self.error = self.count - self.other - self.counts.iter().sum::<u32>();
    }

    /// The same with types numbered as somebody else does.
    pub(super) fn renumbered(&self, number: impl Fn(NameId) -> Option<NameId>) -> Cell {
        let mut cell = Cell { counts: [0; TYPES_MAX], types: [0; TYPES_MAX], ..*self };
        self.types().for_each(|(media_type, count)| cell.see_type(number(media_type), count));
        cell
    }

    /// The most often it can have been seen.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The least often it can have been seen.
    pub(super) fn surely(&self) -> u32 {
        self.count - self.error
    }

    pub(super) fn other(&self) -> u32 {
        self.other
    }

    /// The types it was surely seen with, and how often at least.
    pub(super) fn types(&self) -> impl Iterator<Item = (NameId, u32)> + use<> {
        let held = self.types.into_iter().zip(self.counts);
        held.filter_map(|(media_type, count)| Some((NameId(media_type.checked_sub(1)?), count)))
    }

    pub(super) fn surely_with(&self, media_type: NameId) -> u32 {
        self.types().find(|(held, _)| *held == media_type).map_or(0, |(_, count)| count)
    }

    /// The most often it can have been seen with a type.
    pub(super) fn at_most_with(&self, media_type: NameId) -> u32 {
        self.surely_with(media_type) + self.other + self.error
    }

    /// Between which shares of what had this pattern was of a type.
    pub(super) fn confidence(&self, media_type: NameId) -> [f32; 2] {
        [self.surely_with(media_type), self.at_most_with(media_type)].map(|with| with as f32 / self.count.max(1) as f32)
    }

    /// From counts that were saved; nothing if they contradict one another.
    pub(super) fn restored(count: u32, error: u32, other: u32, types: &[(u16, u32)]) -> Option<Cell> {
        let mut cell = Cell { count, error, other, ..Cell::default() };
        for (at, (media_type, with)) in types.iter().enumerate() {
            *cell.types.get_mut(at)? = media_type.checked_add(1)?;
            cell.counts[at] = *with;
        }
        let sum = types.iter().try_fold(error.checked_add(other)?, |sum, (_, with)| sum.checked_add(*with))?;
        (sum == count && count > 0).then_some(cell)
    }

    /// A full cell gives the place of its rarest type to a more frequent one.
    fn see_type(&mut self, media_type: Option<NameId>, count: u32) {
        let Some(NameId(number)) = media_type else {
            self.other = self.other.saturating_add(count);
            return;
        };
        let place = self.types.iter().position(|held| *held == number + 1);
        if let Some(place) = place.or_else(|| self.types.iter().position(|held| *held == 0)) {
            self.types[place] = number + 1;
            self.counts[place] = self.counts[place].saturating_add(count);
            return;
        }
        let rarest = (0..TYPES_MAX).min_by_key(|at| self.counts[*at]).unwrap_or_default();
        let given_up = self.counts[rarest].min(count);
        self.other = self.other.saturating_add(given_up);
        if self.counts[rarest] < count {
            (self.types[rarest], self.counts[rarest]) = (number + 1, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_with_more_types_than_places_and_after_halving() {
        let mut cell = Cell::default();
        let mut truth = [0u32; 12];
        for number in 0..4_000u32 {
            let media_type = (number * number % 97 % 12) as u16;
            cell.see(Some(NameId(media_type)), 1);
            truth[usize::from(media_type)] += 1;
        }
        cell.widen(3);
        for halvings in 0..4 {
            let share = 0.5f64.powi(halvings);
            for (at, with) in truth.iter().enumerate() {
                let (media_type, with) = (NameId(at as u16), f64::from(*with) * share);
                assert!(
                    f64::from(cell.surely_with(media_type)) <= with && with <= f64::from(cell.at_most_with(media_type))
                );
                let [low, high] = cell.confidence(media_type).map(f64::from);
                let truth = with / (4_000.0 * share);
                assert!(low <= truth && truth <= high, "{low} {truth} {high}");
            }
            assert!(f64::from(cell.surely()) <= 4_000.0 * share && 4_000.0 * share <= f64::from(cell.count()));
            cell.halve();
        }
    }

    #[test]
    fn what_was_saved_and_adds_up_is_restored() {
        let mut cell = Cell::default();
        [Some(NameId(3)), Some(NameId(3)), None, Some(NameId(0))]
            .into_iter()
            .for_each(|media_type| cell.see(media_type, 1));
        let types: Vec<(u16, u32)> = cell.types().map(|(id, count)| (id.0, count)).collect();
        assert_eq!(Cell::restored(4, 0, 1, &types), Some(cell));
        assert_eq!(Cell::restored(5, 0, 1, &types), None);
        assert_eq!(Cell::restored(u32::MAX, u32::MAX, 1, &types), None);
        assert_eq!(Cell::restored(8, 0, 0, &[(1, 1); TYPES_MAX + 1]), None);
    }
}
