//! Which page of a run is which page of a knowledge: runs number their pages anew, names stay.

use crate::{learner::PageSlot, stored};
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};
use tintype_vocab::{PageId, Time};

/// A number that nothing has.
const NONE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(super) struct KnownPages {
    /// By slot; 0 where there is no page.
    names: Vec<u64>,
    /// By slot: when the page became known.
    known_since: Vec<Time>,
    by_name: HashTable<u32>,
    /// The slot of every page of this run, and the page of every slot.
    slots: Vec<u32>,
    pages: Vec<u32>,
}

impl KnownPages {
    pub(super) fn know(&mut self, page: PageId, name: u64, now: Time) {
        let slot = self.find(name).unwrap_or_else(|| self.add(name, page));
        if self.slots.len() <= page.index() {
            self.slots.resize(page.index() + 1, NONE);
        }
        self.slots[page.index()] = slot;
        self.pages[slot as usize] = page.0;
        self.known_since[slot as usize] = now;
    }

    fn find(&self, name: u64) -> Option<u32> {
        self.by_name.find(name, |slot| self.names[*slot as usize] == name).copied()
    }

    /// Gives a page the number it has in the run if nothing else has it, so that a site that is learned of from the start is
    /// numbered as in its run, whatever else the run counts in between.
    fn add(&mut self, name: u64, page: PageId) -> u32 {
        let slot = self.names.len().max(page.index());
        self.names.resize(slot + 1, 0);
        self.known_since.resize(slot + 1, Time::MAX);
        self.pages.resize(slot + 1, NONE);
        self.names[slot] = name;
        let names = &self.names;
        self.by_name.insert_unique(name, slot as u32, |slot| names[*slot as usize]);
        slot as u32
    }

    pub(super) fn slot(&self, page: PageId) -> PageSlot {
        PageSlot(self.slots.get(page.index()).copied().unwrap_or(NONE))
    }

    /// The page of the run, if it has met it.
    pub(super) fn page(&self, slot: PageSlot) -> Option<PageId> {
        self.pages.get(slot.index()).copied().filter(|page| *page != NONE).map(PageId)
    }

    /// Links to pages that are known.
    pub(super) fn slots<'a, T: Copy>(&'a self, linked: &'a [(PageId, T)]) -> impl Iterator<Item = (PageSlot, T)> + 'a {
        let slots = linked.iter().map(|(page, said)| (self.slot(*page), *said));
        slots.filter(|(slot, _)| *slot != PageSlot::NONE)
    }

    pub(super) fn name(&self, slot: PageSlot) -> u64 {
        self.names.get(slot.index()).copied().unwrap_or(0)
    }

    pub(super) fn known_since(&self, slot: PageSlot) -> Time {
        self.known_since.get(slot.index()).copied().unwrap_or(Time::MAX)
    }

    /// Takes in the pages of another knowledge: which slot here each of its slots is.
    pub(super) fn merge(&mut self, other: &KnownPages) -> Vec<PageSlot> {
        let mut slot = |(name, since): (&u64, &Time)| match *name {
            0 => PageSlot::NONE,
            name => {
                let slot = self.find(name).unwrap_or_else(|| self.add(name, PageId(0)));
                let known_since = &mut self.known_since[slot as usize];
                *known_since = (*known_since).min(*since);
                PageSlot(slot)
            }
        };
        other.names.iter().zip(&other.known_since).map(&mut slot).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        self.names.capacity() * 16 + self.by_name.capacity() * 5 + (self.slots.capacity() + self.pages.capacity()) * 4
    }

    pub(super) fn save(&self) -> SavedPages {
        SavedPages { names: self.names.clone(), known_since: self.known_since.clone() }
    }

    pub(super) fn save_run(&self) -> Vec<u8> {
        stored::to_bytes(&(&self.slots, &self.pages))
    }

    /// Nothing if it speaks of pages that are not there.
    pub(super) fn load_run(&mut self, bytes: &[u8]) -> Option<()> {
        let (slots, pages): (Vec<u32>, Vec<u32>) = stored::from_bytes(bytes)?;
        let known = self.names.len() as u32;
        let fits = pages.len() == self.names.len() && slots.iter().all(|slot| *slot == NONE || *slot < known);
        fits.then(|| (self.slots, self.pages) = (slots, pages))
    }
}

/// What of it outlives a run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct SavedPages {
    names: Vec<u64>,
    known_since: Vec<Time>,
}

impl SavedPages {
    /// Nothing if a page is there twice, or without the moment it became known.
    pub(super) fn restore(self) -> Option<KnownPages> {
        let SavedPages { names, known_since } = self;
        if names.len() != known_since.len() {
            return None;
        }
        let mut pages = KnownPages { pages: vec![NONE; names.len()], known_since, ..KnownPages::default() };
        pages.names = names;
        for slot in 0..pages.names.len() {
            let name = pages.names[slot];
            if name != 0 {
                pages.find(name).is_none().then_some(())?;
                let names = &pages.names;
                pages.by_name.insert_unique(name, slot as u32, |slot| names[*slot as usize]);
            }
        }
        Some(pages)
    }
}
