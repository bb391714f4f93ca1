//! Tilted time: the patterns of stretches of the stream, the older the longer.
//!
//! A fixed number of tables. When one more is needed, two neighbours become one: those whose stretch is the shortest for
//! its age, so that what is recent can be told by the hour and what is old by the year.

use super::{cell::Cell, table::Table};
use std::ops::Range;

/// Tables there are.
pub(super) const STRETCHES: usize = 6;
/// URIs of a stretch before it is joined with others.
const URIS: u64 = 16_384;

#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// Which URIs, by their number in the stream.
    pub(super) uris: Range<u64>,
    pub(super) table: Table,
}

/// Stretches, the oldest first. What they hold does not fade.
#[derive(Clone, Debug)]
pub(super) struct Stretches {
    /// All tables; the first `used` of them hold something.
    list: Vec<Stretch>,
    used: usize,
}

impl Stretches {
    pub(super) fn new(sets: usize) -> Stretches {
        Stretches { list: vec![Stretch { uris: 0..0, table: Table::new(sets) }; STRETCHES], used: 0 }
    }

    /// The table of the newest URIs, the last of which has this number.
    pub(super) fn newest(&mut self, seen: u64) -> &mut Table {
        let newest = self.iter().last().map_or(0..0, |stretch| stretch.uris.clone());
        if self.used == 0 || newest.end - newest.start >= URIS {
            self.begin(newest.end);
        }
        let newest = &mut self.list[self.used - 1];
        newest.uris.end = seen;
        &mut newest.table
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Stretch> {
        self.list[..self.used].iter()
    }

    /// What was counted of a pattern in all stretches that share a URI with these.
    pub(super) fn get(&self, key: u64, uris: &Range<u64>) -> Option<Cell> {
        let shared = |stretch: &&Stretch| stretch.uris.start < uris.end && uris.start < stretch.uris.end;
        let tables = || self.iter().filter(shared).map(|stretch| &stretch.table);
        tables()
            .any(|table| table.get(key).is_some())
            .then(|| tables().fold(Cell::default(), |cell, table| table.widened(key, cell, Cell::clone)))
    }

    pub(super) fn resize(&mut self, sets: usize) {
        self.list.iter_mut().for_each(|stretch| stretch.table.resize(sets));
    }

    /// Puts back a stretch that was saved, behind those that are there, and gives its table to be filled.
    pub(super) fn restore(&mut self, uris: Range<u64>) -> Option<&mut Table> {
        let follows = uris.start <= uris.end && self.iter().last().map_or(0, |newest| newest.uris.end) == uris.start;
        let stretch = self.list.get_mut(self.used).filter(|_| follows)?;
        stretch.uris = uris;
        self.used += 1;
        Some(&mut stretch.table)
    }

    pub(super) fn bytes(&self) -> usize {
        let tables = self.list.iter().map(|stretch| stretch.table.bytes());
        self.list.capacity() * size_of::<Stretch>() + tables.sum::<usize>()
    }

    fn begin(&mut self, from: u64) {
        if self.used == STRETCHES {
            self.join(self.shortest_for_its_age());
        }
        self.list[self.used].uris = from..from;
        self.used += 1;
    }

    /// Makes one of two neighbours; the table that is free now goes to the end.
    fn join(&mut self, at: usize) {
        let mut newer = self.list.remove(at + 1);
        self.list[at].table.merge(&newer.table, Cell::clone);
        self.list[at].uris.end = newer.uris.end;
        newer.table.clear();
        self.list.push(newer);
        self.used -= 1;
    }

    fn shortest_for_its_age(&self) -> usize {
        let now = self.list[STRETCHES - 1].uris.end;
        let length_by_age = |at: usize| {
            let (from, to) = (self.list[at].uris.start, self.list[at + 1].uris.end);
            (to - from) as f64 / (now - from).max(1) as f64
        };
        let shortest = (0..STRETCHES - 1).min_by(|one, other| length_by_age(*one).total_cmp(&length_by_age(*other)));
        shortest.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_have_no_gaps_and_the_newest_are_the_shortest() {
        let mut stretches = Stretches::new(1);
        for fold in 1..=1_000 {
            stretches.newest(fold * URIS);
        }
        let lengths: Vec<u64> = stretches.iter().map(|stretch| stretch.uris.end - stretch.uris.start).collect();
        assert_eq!(lengths.iter().sum::<u64>(), 1_000 * URIS, "{lengths:?}");
        assert!(stretches.iter().zip(stretches.iter().skip(1)).all(|(one, next)| one.uris.end == next.uris.start));
        assert!(lengths.is_sorted_by(|older, newer| older >= newer) && lengths[5] <= 2 * URIS, "{lengths:?}");
    }
}
