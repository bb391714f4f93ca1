//! Frequent patterns in fixed room: filtered Space-Saving (Homem and Carvalho, 2010) in sets of eight.
//!
//! A pattern's hash names the set that may hold it. Each set is a Space-Saving of its own over the part of the stream that
//! falls to it: eight counters, and floors under which patterns were dropped. Nothing that is not held was seen more often
//! than its floor, floors are never above the smallest counter, and that is at most an eighth of what fell to the set. No
//! lists, no pointers, two or three cache lines per question.
//!
//! Sets are in the order of the hashes, so that a table can grow and shrink where it stands, and two tables of different
//! sizes can be walked side by side.

use super::cell::Cell;
use crate::media::names::NameId;
use std::hint::black_box;

/// Counters of a set.
const WAYS: usize = 8;
/// Floors of a set, each for a part of its patterns.
const FLOORS: usize = 8;

/// Where a hash goes in a row of so many places: in order, and evenly.
pub(super) fn place(key: u64, places: usize) -> usize {
    ((u128::from(key) * places as u128) >> 64) as usize
}

/// The least hash that goes to a place.
fn first_key(place: usize, places: usize) -> u64 {
    u64::try_from(((place as u128) << 64).div_ceil(places as u128)).unwrap_or(u64::MAX)
}

/// Everything that is asked of patterns that are not held is in the first two cache lines.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Set {
    /// 0 where there is none.
    keys: [u64; WAYS],
    /// The counts of the cells once more.
    counts: [u32; WAYS],
    /// The most often a pattern can have been seen that is not held, by the last bits of its hash.
    floors: [u32; FLOORS],
    cells: [Cell; WAYS],
}

impl Set {
    fn find(&self, key: u64) -> Option<usize> {
        self.keys.iter().position(|held| *held == key)
    }

    fn iter(&self) -> impl Iterator<Item = (u64, &Cell)> {
        self.keys.iter().copied().zip(&self.cells).filter(|(key, _)| *key != 0)
    }

    fn put(&mut self, at: usize, key: u64, cell: Cell) {
        (self.keys[at], self.counts[at], self.cells[at]) = (key, cell.count(), cell);
    }

    /// A place that is free, or else that of the rarest pattern.
    fn weakest(&self) -> usize {
        (0..WAYS).min_by_key(|at| self.counts[*at]).unwrap_or_default()
    }

    /// Holds a pattern of which everything is known, if need be in the place of the rarest. Whoever finds no place raises
    /// the floor.
    fn hold(&mut self, key: u64, cell: Cell) {
        let weakest = self.weakest();
        let (dropped, count) = if self.counts[weakest] < cell.count() {
            let before = (self.keys[weakest], self.counts[weakest]);
            self.put(weakest, key, cell);
            before
        } else {
            (key, cell.count())
        };
        let floor = &mut self.floors[floor_of(dropped)];
        *floor = count.max(*floor);
    }
}

/// Which floor of a set is a pattern's.
fn floor_of(key: u64) -> usize {
    key as usize % FLOORS
}

/// Patterns by hash.
#[derive(Clone, Debug)]
pub(super) struct Table {
    sets: Vec<Set>,
}

impl Table {
    /// Bytes of one set.
    pub(super) const SET_BYTES: usize = size_of::<Set>();

    pub(super) fn new(sets: usize) -> Table {
        Table { sets: vec![Set::default(); sets.max(1)] }
    }

    pub(super) fn get(&self, key: u64) -> Option<&Cell> {
        let set = &self.sets[place(key, self.sets.len())];
        set.find(key).map(|at| &set.cells[at])
    }

    /// The most often a pattern can have been seen that is not held.
    pub(super) fn floor(&self, key: u64) -> u32 {
        self.sets[place(key, self.sets.len())].floors[floor_of(key)]
    }

    /// All floors. The highest is the error that is guaranteed.
    pub(super) fn floors(&self) -> impl Iterator<Item = u32> {
        self.sets.iter().flat_map(|set| set.floors)
    }

    /// Adds what is known of a pattern; if nothing is, what may have gone unnoticed.
    pub(super) fn widened(&self, key: u64, mut cell: Cell, read: impl Fn(&Cell) -> Cell) -> Cell {
        match self.get(key) {
            Some(held) => cell.absorb(&read(held)),
            None => cell.widen(self.floor(key)),
        }
        cell
    }

    /// Brings the set of a pattern into the cache: a processor waits for many at once as long as for one.
    pub(super) fn warm(&self, key: u64) {
        let set = &self.sets[place(key, self.sets.len())];
        black_box((set.keys[0], set.counts[0]));
    }

    /// Counts a pattern that was seen so many times with a media type.
    pub(super) fn see(&mut self, key: u64, media_type: Option<NameId>, times: u32) {
        let at = place(key, self.sets.len());
        let set = &mut self.sets[at];
        if let Some(held) = set.find(key) {
            set.cells[held].see(media_type, times);
            set.counts[held] = set.cells[held].count();
            return;
        }
        let floor = &mut set.floors[floor_of(key)];
        let weakest = set.counts.iter().copied().fold(u32::MAX, u32::min);
        if floor.saturating_add(times) <= weakest {
            *floor += times;
            return;
        }
        let mut cell = Cell::default();
        cell.see(media_type, times);
        cell.widen(*floor);
        set.hold(key, cell);
    }

    /// Puts back a pattern that was saved.
    pub(super) fn restore(&mut self, key: u64, cell: Cell) {
        let at = place(key, self.sets.len());
        if self.sets[at].find(key).is_none() {
            self.sets[at].hold(key, cell);
        }
    }

    pub(super) fn halve(&mut self) {
        for set in &mut self.sets {
            set.floors.iter_mut().for_each(|floor| *floor = floor.div_ceil(2));
            set.cells.iter_mut().for_each(Cell::halve);
            set.counts = set.cells.map(|cell| cell.count());
        }
    }

    pub(super) fn clear(&mut self) {
        self.sets.fill(Set::default());
    }

    /// Grows or shrinks where it stands. What finds no place raises the floors.
    pub(super) fn resize(&mut self, sets: usize) {
        let (before, sets) = (self.sets.len(), sets.max(1));
        if sets > before {
            self.sets.reserve_exact(sets - before);
            self.sets.resize(sets, Set::default());
            // From the back: everything moves back, to where nothing is left.
            (0..before).rev().for_each(|at| self.spread(at, before, sets));
        } else {
            (0..before).for_each(|at| self.spread(at, before, sets));
            self.sets.truncate(sets);
            self.sets.shrink_to_fit();
        }
    }

    /// Moves what is in one of so many sets to where it belongs among another number of them.
    fn spread(&mut self, at: usize, before: usize, sets: usize) {
        let set = std::mem::take(&mut self.sets[at]);
        for to in beside(at, before, sets) {
            raise(&mut self.sets[to].floors, set.floors);
        }
        set.iter().for_each(|(key, cell)| self.sets[place(key, sets)].hold(key, *cell));
    }

    /// Takes in a table of any size over another stream, or another stretch of this one, with its cells as `read` has them.
    /// What one of them does not hold it may have seen as often as its floor says.
    pub(super) fn merge(&mut self, other: &Table, read: impl Fn(&Cell) -> Cell) {
        let (sets, others) = (self.sets.len(), other.sets.len());
        for at in 0..sets {
            let ours = std::mem::take(&mut self.sets[at]);
            let mut theirs = [0; FLOORS];
            beside(at, sets, others).for_each(|beside| raise(&mut theirs, other.sets[beside].floors));
            let merged = &mut self.sets[at];
            merged.floors = std::array::from_fn(|floor| ours.floors[floor].saturating_add(theirs[floor]));
            for (key, cell) in ours.iter() {
                merged.hold(key, other.widened(key, *cell, &read));
            }
            let theirs = beside(at, sets, others).flat_map(|beside| other.sets[beside].iter());
            for (key, cell) in theirs.filter(|(key, _)| place(*key, sets) == at && ours.find(*key).is_none()) {
                let mut cell = read(cell);
                cell.widen(ours.floors[floor_of(key)]);
                merged.hold(key, cell);
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &Cell)> {
        self.sets.iter().flat_map(Set::iter)
    }

    /// Floors are at least what they were when they were saved. False if they were those of another table.
    pub(super) fn raise(&mut self, floors: &[u32]) -> bool {
        let (saved, rest) = floors.as_chunks();
        self.sets.iter_mut().zip(saved).for_each(|(set, saved)| raise(&mut set.floors, *saved));
        rest.is_empty() && saved.len() == self.sets.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.sets.capacity() * size_of::<Set>()
    }
}

fn raise(floors: &mut [u32; FLOORS], to: [u32; FLOORS]) {
    floors.iter_mut().zip(to).for_each(|(floor, to)| *floor = to.max(*floor));
}

/// The places of a row that share hashes with a place of another row.
fn beside(at: usize, places: usize, others: usize) -> std::ops::RangeInclusive<usize> {
    let last = if at + 1 == places { u64::MAX } else { first_key(at + 1, places) - 1 };
    place(first_key(at, places), others)..=place(last, others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_of_any_length_share_what_they_should(key in any::<u64>(), one in 1usize..5_000, other in 1usize..5_000) {
            let at = place(key, one);
            prop_assert!(at < one && first_key(at, one) <= key);
            prop_assert!(beside(at, one, other).contains(&place(key, other)));
        }
    }
}
