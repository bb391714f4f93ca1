//! Other spellings of an address: capitals, a slash at the end, the order of a query, a session's number in it.
//!
//! A server may tell them apart, so they are pages of their own. Where it does not, every page of a site would be asked for as
//! often as it is spelled: once the spellings in a section of the site proved to have the bytes of other pages, further ones
//! are asked for last, and once enough of them did, not at all.

use super::Scheduler;
use crate::{Mode, Objection, PageState};
use hashbrown::{HashMap, HashTable, hash_table::Entry};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tintype_vocab::{Digest, Observation, PageId, Why};

/// Pages whose URLs have one key; an endless number of them is a trap.
pub(super) const SPELLINGS_MAX: u32 = 8;
/// Spellings in a section that had the bytes of another page before further ones wait.
const SAME_TO_WAIT: u32 = 3;
/// The same before they are left out, as long as none had bytes of its own.
const SAME_TO_LEAVE_OUT: u32 = 16;
/// Spellings of one address that are asked for as all other pages are; a session's number differs in every link.
const AT_ONCE_MAX: usize = 2;
const SECTIONS_MAX: usize = 1 << 16;

/// What the bytes of pages said of spellings so far.
#[derive(Debug, Default)]
pub(super) struct Spellings {
    /// Of every page answered in this capture, so that bytes are recognised.
    digests: HashTable<u64>,
    /// Pages that had the bytes of another one.
    pub(super) same_bytes: u64,
    sections: HashMap<u64, Section>,
    held_back: VecDeque<PageId>,
}

/// The same as it is kept.
pub(super) type SavedSpellings = (Vec<u64>, u64, HashMap<u64, Section>, VecDeque<PageId>);

impl Spellings {
    pub(super) fn save(&self) -> SavedSpellings {
        let digests = self.digests.iter().copied().collect();
        (digests, self.same_bytes, self.sections.clone(), self.held_back.clone())
    }

    pub(super) fn restore((digests, same_bytes, sections, held_back): SavedSpellings) -> Spellings {
        let mut table = HashTable::with_capacity(digests.len());
        for digest in digests {
            table.insert_unique(digest, digest, |other| *other);
        }
        Spellings { digests: table, same_bytes, sections, held_back }
    }

    /// Whether these bytes were seen before; from now on they were.
    fn is_known(&mut self, digest: u64) -> bool {
        match self.digests.entry(digest, |other| *other == digest, |other| *other) {
            Entry::Occupied(_) => true,
            Entry::Vacant(place) => {
                place.insert(digest);
                false
            }
        }
    }
}

/// What came of the spellings in one section of a site.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Section {
    same: u32,
    different: u32,
}

impl Section {
    fn repeats(self) -> bool {
        self.same >= SAME_TO_WAIT && self.same > self.different
    }

    fn only_repeats(self) -> bool {
        self.same >= SAME_TO_LEAVE_OUT && self.different == 0
    }
}

/// The host and the first directory of a key.
fn section(key: &str) -> u64 {
    let path = key.find(")/").map_or(key.len(), |at| at + 2);
    let end = key[path..].find('/').map_or(path, |at| path + at + 1);
    rapidhash::v3::rapidhash_v3(&key.as_bytes()[..end])
}

fn short(digest: &Digest) -> u64 {
    rapidhash::v3::rapidhash_v3(&digest.0)
}

impl Scheduler {
    /// Compares the first answer of a page with those of all others.
    pub(super) fn learn_bytes(&mut self, page: PageId, observation: &Observation) {
        let Some(digest) = observation.digest.filter(|digest| *digest != Digest::EMPTY) else { return };
        if self.settings.mode != Mode::Once || !observation.outcome.saw_page() {
            return;
        }
        let same = self.spellings.is_known(short(&digest));
        self.spellings.same_bytes += u64::from(same);
        self.count_repeat(page, same);
        if !self.pages.spellings(page).iter().any(|other| self.pages.get(*other).answered) {
            return;
        }
        let section = section(self.pages.last_key());
        if self.spellings.sections.len() < SECTIONS_MAX || self.spellings.sections.contains_key(&section) {
            let section = self.spellings.sections.entry(section).or_default();
            section.same += u32::from(same);
            section.different += u32::from(!same);
        }
    }

    /// How many spellings of a page were answered, and what came of all in its section.
    fn other_spellings(&mut self, page: PageId) -> (usize, Section) {
        let spellings = self.pages.spellings(page);
        let answered = spellings.iter().filter(|other| self.pages.get(**other).answered).count();
        let section = self.spellings.sections.get(&section(self.pages.last_key()));
        (answered, section.copied().unwrap_or_default())
    }

    /// Puts a page that was chosen aside until nothing else is left, if it is probably one that was answered already.
    pub(super) fn hold_back(&mut self, page: PageId) -> bool {
        if self.settings.mode != Mode::Once {
            return false;
        }
        if self.hold_back_lesser(page) || self.families.hold_back(page) {
            return true;
        }
        // Without a spelling that was answered there is no section.
        if self.spellings.sections.is_empty() {
            return false;
        }
        let (answered, section) = self.other_spellings(page);
        let waits = answered >= AT_ONCE_MAX || answered > 0 && section.repeats();
        if waits {
            self.spellings.held_back.push_back(page);
        }
        waits
    }

    /// A page that was put aside, when there is nothing else to ask for: one of a large family, or once nothing is under
    /// way that may lead to more, another spelling.
    pub(super) fn release(&mut self) -> Option<(PageId, Why)> {
        while let Some((page, is_left_out)) = self.families.release() {
            if self.pages.get(page).state != PageState::Waiting {
                continue;
            }
            if !is_left_out {
                return Some((page, Why::Policy));
            }
            self.families.leave_out(self.pages.url(page));
            self.exclude_because(page, Objection::EndlessFamily, &self.families.told());
        }
        if let Some(put_off) = self.release_put_off() {
            return Some(put_off);
        }
        while self.in_flight == 0
            && self.retries.is_empty()
            && let Some(page) = self.spellings.held_back.pop_front()
        {
            if self.pages.get(page).state != PageState::Waiting {
                continue;
            }
            if !self.other_spellings(page).1.only_repeats() {
                return Some((page, Why::Policy));
            }
            self.exclude(page, Objection::SameBytes);
        }
        self.release_lesser()
    }

    /// Pages that had the bytes of another page of this capture.
    pub fn same_bytes(&self) -> u64 {
        self.spellings.same_bytes
    }
}
