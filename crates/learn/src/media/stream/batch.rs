//! The newest patterns, counted exactly.
//!
//! Small enough to stay in the cache of a processor, since every pattern of every URI goes through it. When it is full,
//! it is folded into tables that are too large for that, in the order of their places.

use super::cell::Cell;
use crate::media::names::NameId;

/// One place. Pattern and counts share a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Slot {
    /// 0 where there is none.
    key: u64,
    cell: Cell,
}

/// A hash table whose places are in the order of the hashes, but for collisions.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    slots: Vec<Slot>,
    len: usize,
}

impl Batch {
    /// Bytes of one place.
    pub(super) const SLOT_BYTES: usize = size_of::<Slot>();

    pub(super) fn new(slots: usize) -> Batch {
        Batch { slots: vec![Slot::default(); slots], len: 0 }
    }

    /// Counts a pattern, and says how often it was seen since the last time everything was folded.
    pub(super) fn see(&mut self, key: u64, media_type: Option<NameId>) -> u32 {
        let at = self.place(key);
        let slot = &mut self.slots[at];
        self.len += usize::from(slot.key == 0);
        slot.key = key;
        slot.cell.see(media_type);
        slot.cell.count()
    }

    pub(super) fn get(&self, key: u64) -> Option<&Cell> {
        let slot = &self.slots[self.place(key)];
        (slot.key != 0).then_some(&slot.cell)
    }

    /// Whether so many patterns more would slow it down.
    pub(super) fn is_full(&self, more: usize) -> bool {
        self.len + more > self.slots.len() / 4 * 3
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &Cell)> {
        self.slots.iter().filter(|slot| slot.key != 0).map(|slot| (slot.key, &slot.cell))
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(Slot::default());
        self.len = 0;
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    /// Where a pattern is, or would go. There is always a free place: nobody fills the last quarter.
    fn place(&self, key: u64) -> usize {
        let mut at = super::table::place(key, self.slots.len());
        while self.slots[at].key != key && self.slots[at].key != 0 {
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        at
    }
}
