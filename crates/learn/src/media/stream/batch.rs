//! The newest patterns, counted exactly.
//!
//! Small enough to stay in the cache of a processor, since every pattern of every URI goes through it. When it is full,
//! it is folded into tables that are too large for that, in the order of their places.

use super::{cell::Cell, table::place};
use crate::media::names::NameId;

/// Places of [`Batch::chunks`]: as many as a processor can wait for at once.
const CHUNK: usize = 16;

/// A pattern with a media type. Most are seen once or twice before they are folded: no room for more.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// 0 where there is none.
    key: u64,
    count: u32,
    /// One more than the number of the type; 0 if it has none.
    media_type: u16,
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

    /// Counts a pattern, and says how often it was seen with this type since the last time everything was folded.
    pub(super) fn see(&mut self, key: u64, media_type: Option<NameId>) -> u32 {
        let media_type = media_type.map_or(0, |NameId(number)| number + 1);
        let mut at = place(key, self.slots.len());
        loop {
            let slot = &mut self.slots[at];
            if slot.key == key && slot.media_type == media_type {
                slot.count += 1;
                return slot.count;
            }
            if slot.key == 0 {
                *slot = Slot { key, count: 1, media_type };
                self.len += 1;
                return 1;
            }
            at = self.behind(at);
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<Cell> {
        let mut cell = None;
        let mut at = place(key, self.slots.len());
        while self.slots[at].key != 0 {
            if self.slots[at].key == key {
                let (_, media_type, times) = self.slots[at].read();
                cell.get_or_insert_with(Cell::default).see(media_type, times);
            }
            at = self.behind(at);
        }
        cell
    }

    /// Whether so many patterns more would slow it down.
    pub(super) fn is_full(&self, more: usize) -> bool {
        self.len + more > self.slots.len() / 4 * 3
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Patterns with a type and how often they were seen with it.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, Option<NameId>, u32)> {
        self.slots.iter().filter(|slot| slot.key != 0).map(Slot::read)
    }

    /// The same, a few at a time.
    pub(super) fn chunks(&self) -> impl Iterator<Item = impl Iterator<Item = (u64, Option<NameId>, u32)> + Clone> {
        let chunks = self.slots.chunks(CHUNK);
        chunks.map(|slots| slots.iter().filter(|slot| slot.key != 0).map(Slot::read))
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(Slot::default());
        self.len = 0;
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    /// The place where who finds this one taken goes. There is always one free: nobody fills the last quarter.
    fn behind(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() { 0 } else { at + 1 }
    }
}

impl Slot {
    fn read(&self) -> (u64, Option<NameId>, u32) {
        (self.key, self.media_type.checked_sub(1).map(NameId), self.count)
    }
}
