//! Hints read back, and those of two logs together.

use super::{ENTRIES_ALL_MAX, Entry, Hints, Lister, RIGHT_AT_FIRST};
use crate::{learner::PageSlot, stored};
use tintype_vocab::Time;

impl Hints {
    pub(crate) fn load(bytes: &[u8]) -> Option<Hints> {
        stored::from_bytes(bytes).filter(Hints::is_sound)
    }

    /// Whether every page it speaks of is there.
    fn is_sound(&self) -> bool {
        let there = |page: PageSlot| page.index() < self.pages.len();
        let entry = |entry: &Entry| entry.by.is_none_or(there) && entry.hint.is_none_or(|(lister, _)| there(lister));
        let lister = |lister: &Lister| {
            lister.entries.is_sorted_by(|one, other| one.0 < other.0)
                && lister.entries.iter().all(|(page, _)| there(*page))
        };
        let entries: usize = self.listers.iter().map(|lister| lister.entries.len()).sum();
        self.pages.len() == self.listers.len()
            && entries == self.entries as usize
            && self.pages.iter().all(entry)
            && self.listers.iter().all(lister)
    }

    /// Adds what another log says.
    pub(super) fn add(&mut self, other: &Hints, slots: &[PageSlot]) {
        let here = |page: PageSlot| slots.get(page.index()).copied().filter(|slot| *slot != PageSlot::NONE);
        for (page, (entry, lister)) in (0..).map(PageSlot).zip(other.pages.iter().zip(&other.listers)) {
            let Some(page) = here(page) else { continue };
            self.make_room(page);
            let mine = &mut self.pages[page.index()];
            if entry.heard() > mine.heard() {
                let by = entry.by.and_then(here);
                let hint = entry.hint.and_then(|(lister, at)| Some((here(lister)?, at)));
                // Listed by the same page before and after: since the first time.
                let since = if by.is_some() && by == mine.by { mine.since.min(entry.since) } else { entry.since };
                *mine = Entry { by, hint, since, ..*entry };
            }
            self.add_lister(page, lister, here);
        }
        (self.right, self.wrong) =
            (self.right + other.right - RIGHT_AT_FIRST.0, self.wrong + other.wrong - RIGHT_AT_FIRST.1);
        for (mine, theirs) in self.habits.iter_mut().zip(other.habits) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
        let all = self.pages.iter().flat_map(|entry| [entry.by, entry.hint.map(|(lister, _)| lister)]);
        all.flatten().collect::<Vec<_>>().into_iter().for_each(|page| self.make_room(page));
        // A hint that a later visit has tested is none any more.
        for (entry, lister) in self.pages.iter_mut().zip(&self.listers) {
            entry.hint = entry.hint.filter(|(_, at)| *at >= lister.seen);
        }
    }

    fn add_lister(&mut self, page: PageSlot, other: &Lister, here: impl Fn(PageSlot) -> Option<PageSlot>) {
        if other.seen > self.listers[page.index()].seen {
            let entries = other.entries.iter().filter_map(|&(page, wording)| Some((here(page)?, wording)));
            let mut entries: Vec<(PageSlot, u32)> = entries.collect();
            entries.sort_unstable();
            let others = self.entries as usize - self.listers[page.index()].entries.len();
            entries.truncate(ENTRIES_ALL_MAX.saturating_sub(others));
            entries.iter().for_each(|(page, _)| self.make_room(*page));
            self.entries = (others + entries.len()) as u32;
            let lister = &mut self.listers[page.index()];
            (lister.entries, lister.seen) = (entries, other.seen);
        }
        let lister = &mut self.listers[page.index()];
        (lister.right, lister.wrong) = (lister.right + other.right, lister.wrong + other.wrong);
        (lister.caught, lister.missed) = (lister.caught + other.caught, lister.missed + other.missed);
    }
}

impl Entry {
    /// When something was last heard of the page.
    fn heard(&self) -> Time {
        self.hint.map_or(self.since, |(_, at)| at.max(self.since))
    }
}
