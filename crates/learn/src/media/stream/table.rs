//! Frequent patterns in fixed room: filtered Space-Saving (Homem and Carvalho, 2010) in sets of eight.
//!
//! A pattern's hash names the set that may hold it. Each set is a Space-Saving of its own over the part of the stream that
//! falls to it: eight counters, and a floor under which patterns were dropped. Nothing outside the set was seen more
//! often than the floor, the floor is never above the smallest counter, and that is at most an eighth of what fell to the
//! set. No lists, no pointers, one or two cache lines per question.
//!
//! Sets are in the order of the hashes, so that a table can grow and shrink where it stands, and two tables of different
//! sizes can be walked side by side.

use super::cell::Cell;

/// Counters of a set.
const WAYS: usize = 8;

/// Where a hash goes in a row of so many places: in order, and evenly.
pub(super) fn place(key: u64, places: usize) -> usize {
    ((u128::from(key) * places as u128) >> 64) as usize
}

/// The least hash that goes to a place.
fn first_key(place: usize, places: usize) -> u64 {
    u64::try_from(((place as u128) << 64).div_ceil(places as u128)).unwrap_or(u64::MAX)
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Set {
    /// 0 where there is none. All in one cache line.
    keys: [u64; WAYS],
    cells: [Cell; WAYS],
}

impl Set {
    fn get(&self, key: u64) -> Option<&Cell> {
        self.keys.iter().position(|held| *held == key).map(|at| &self.cells[at])
    }

    fn iter(&self) -> impl Iterator<Item = (u64, &Cell)> {
        self.keys.iter().copied().zip(&self.cells).filter(|(key, _)| *key != 0)
    }

    /// Holds a pattern that is not held yet, if need be in the place of the rarest. Gives back the most often that
    /// whoever found no place can have been seen.
    fn hold(&mut self, key: u64, cell: Cell) -> u32 {
        if let Some(free) = self.keys.iter().position(|held| *held == 0) {
            (self.keys[free], self.cells[free]) = (key, cell);
            return 0;
        }
        let rarest = (0..WAYS).min_by_key(|at| self.cells[*at].count()).unwrap_or_default();
        let held = self.cells[rarest].count();
        if cell.count() <= held {
            return cell.count();
        }
        (self.keys[rarest], self.cells[rarest]) = (key, cell);
        held
    }
}

/// Patterns by hash.
#[derive(Clone, Debug)]
pub(super) struct Table {
    sets: Vec<Set>,
    floors: Vec<u32>,
}

impl Table {
    /// Bytes of one set.
    pub(super) const SET_BYTES: usize = size_of::<Set>() + size_of::<u32>();

    pub(super) fn new(sets: usize) -> Table {
        let sets = sets.max(1);
        Table { sets: vec![Set::default(); sets], floors: vec![0; sets] }
    }

    pub(super) fn get(&self, key: u64) -> Option<&Cell> {
        self.sets[place(key, self.sets.len())].get(key)
    }

    /// The most often a pattern can have been seen that is not held.
    pub(super) fn floor(&self, key: u64) -> u32 {
        self.floors[place(key, self.sets.len())]
    }

    /// The same of any pattern: the error that is guaranteed.
    pub(super) fn highest_floor(&self) -> u32 {
        self.floors.iter().copied().max().unwrap_or(0)
    }

    pub(super) fn floors(&self) -> &[u32] {
        &self.floors
    }

    /// Adds what is known of a pattern; if nothing is, what may have gone unnoticed.
    pub(super) fn widened(&self, key: u64, mut cell: Cell, read: impl Fn(&Cell) -> Cell) -> Cell {
        match self.get(key) {
            Some(held) => cell.absorb(&read(held)),
            None => cell.widen(self.floor(key)),
        }
        cell
    }

    /// Adds what was counted of a pattern since the last time.
    pub(super) fn add(&mut self, key: u64, cell: &Cell) {
        let at = place(key, self.sets.len());
        if let Some(held) = self.sets[at].keys.iter().position(|held| *held == key) {
            self.sets[at].cells[held].absorb(cell);
            return;
        }
        let mut cell = *cell;
        cell.widen(self.floors[at]);
        self.hold(at, key, cell);
    }

    /// Puts back a pattern that was saved.
    pub(super) fn restore(&mut self, key: u64, cell: Cell) {
        if self.get(key).is_none() {
            self.hold(place(key, self.sets.len()), key, cell);
        }
    }

    /// Holds a pattern of which everything is known, floors included.
    fn hold(&mut self, at: usize, key: u64, cell: Cell) {
        let dropped = self.sets[at].hold(key, cell);
        self.floors[at] = self.floors[at].max(dropped);
    }

    pub(super) fn halve(&mut self) {
        self.floors.iter_mut().for_each(|floor| *floor = floor.div_ceil(2));
        self.sets.iter_mut().flat_map(|set| set.cells.iter_mut()).for_each(Cell::halve);
    }

    pub(super) fn clear(&mut self) {
        self.sets.fill(Set::default());
        self.floors.fill(0);
    }

    /// Grows or shrinks where it stands. What finds no place raises the floors.
    pub(super) fn resize(&mut self, sets: usize) {
        let (before, sets) = (self.sets.len(), sets.max(1));
        if sets > before {
            self.sets.reserve_exact(sets - before);
            self.floors.reserve_exact(sets - before);
            self.sets.resize(sets, Set::default());
            self.floors.resize(sets, 0);
            // From the back: everything moves back, to where nothing is left.
            (0..before).rev().for_each(|at| self.spread(at, before, sets));
        } else {
            (0..before).for_each(|at| self.spread(at, before, sets));
            self.sets.truncate(sets);
            self.floors.truncate(sets);
            self.sets.shrink_to_fit();
            self.floors.shrink_to_fit();
        }
    }

    /// Moves what is in one of so many sets to where it belongs among another number of them.
    fn spread(&mut self, at: usize, before: usize, sets: usize) {
        let (set, floor) = (std::mem::take(&mut self.sets[at]), std::mem::take(&mut self.floors[at]));
        for to in beside(at, before, sets) {
            self.floors[to] = self.floors[to].max(floor);
        }
        set.iter().for_each(|(key, cell)| self.hold(place(key, sets), key, *cell));
    }

    /// Takes in a table of any size over another stream, or another stretch of this one, with its cells as `read` has them.
    /// What one of them does not hold it may have seen as often as its floor says.
    pub(super) fn merge(&mut self, other: &Table, read: impl Fn(&Cell) -> Cell) {
        let (sets, others) = (self.sets.len(), other.sets.len());
        for at in 0..sets {
            let ours = std::mem::take(&mut self.sets[at]);
            let floor = self.floors[at];
            let their_floor = beside(at, sets, others).map(|beside| other.floors[beside]).max().unwrap_or(0);
            self.floors[at] = floor.saturating_add(their_floor);
            for (key, cell) in ours.iter() {
                self.hold(at, key, other.widened(key, *cell, &read));
            }
            let theirs = beside(at, sets, others).flat_map(|beside| other.sets[beside].iter());
            for (key, cell) in theirs.filter(|(key, _)| place(*key, sets) == at && ours.get(*key).is_none()) {
                let mut cell = read(cell);
                cell.widen(floor);
                self.hold(at, key, cell);
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &Cell)> {
        self.sets.iter().flat_map(Set::iter)
    }

    /// Sets the floors as they were saved.
    pub(super) fn raise(&mut self, floors: &[u32]) {
        self.floors.iter_mut().zip(floors).for_each(|(floor, saved)| *floor = (*floor).max(*saved));
    }

    pub(super) fn bytes(&self) -> usize {
        self.sets.capacity() * size_of::<Set>() + self.floors.capacity() * size_of::<u32>()
    }
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
