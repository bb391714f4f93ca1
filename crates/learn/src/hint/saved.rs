//! Hints read back, and those of two logs together.

use super::{ENTRIES_ALL_MAX, Entry, Hints, Lister, Place, RIGHT_AT_FIRST, Standing};
use crate::{learner::PageSlot, stored};
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// How a page stands, whose silence counts and since when, and the latest hint.
type SavedEntry = (Standing, Option<PageSlot>, Time, Option<(PageSlot, Time)>);

/// What a page lists, when that was seen last, and how often it was right, wrong, spoke and kept silent.
type SavedLister = (Vec<(PageSlot, u32)>, Time, [f64; 4]);

/// Hints as they are kept.
#[derive(Serialize, Deserialize)]
pub(super) struct Saved {
    pages: Vec<SavedEntry>,
    listers: Vec<SavedLister>,
    entries: u32,
    right: f64,
    wrong: f64,
    habits: [(f64, f64); 3],
}

impl From<Hints> for Saved {
    fn from(hints: Hints) -> Saved {
        let lister = |(entry, lister): (&Entry, Option<Box<Lister>>)| {
            let Lister { entries, right, wrong, caught, missed } =
                lister.map_or_else(Lister::default, |lister| *lister);
            (entries.into_vec(), entry.seen, [right, wrong, caught, missed])
        };
        let entry = |entry: &Entry| (entry.place.standing(), entry.by(), entry.since, entry.hint());
        Saved {
            pages: hints.pages.iter().map(entry).collect(),
            listers: hints.pages.iter().zip(hints.listers).map(lister).collect(),
            entries: hints.entries,
            right: hints.right,
            wrong: hints.wrong,
            habits: hints.habits,
        }
    }
}

impl TryFrom<Saved> for Hints {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Hints, &'static str> {
        let Saved { pages, listers, entries, right, wrong, habits } = saved;
        if pages.len() != listers.len() {
            return Err("pages without what they list");
        }
        let entry = |((standing, by, since, hint), (_, seen, _)): (SavedEntry, &SavedLister)| {
            let mut entry = Entry { place: Place::new(standing, by), since, seen: *seen, ..Entry::default() };
            entry.set_hint(hint);
            entry
        };
        let lister = |(entries, _, counts): SavedLister| {
            let is_blank = entries.is_empty() && counts == [0.0; 4];
            let [right, wrong, caught, missed] = counts;
            (!is_blank).then(|| Box::new(Lister { entries: entries.into(), right, wrong, caught, missed }))
        };
        let pages = pages.into_iter().zip(&listers).map(entry).collect();
        Ok(Hints { pages, listers: listers.into_iter().map(lister).collect(), entries, right, wrong, habits })
    }
}

impl Hints {
    pub(crate) fn load(bytes: &[u8]) -> Option<Hints> {
        stored::from_bytes(bytes).filter(Hints::is_sound)
    }

    /// Whether every page it speaks of is there.
    fn is_sound(&self) -> bool {
        let there = |page: PageSlot| page.index() < self.pages.len();
        let entry =
            |entry: &Entry| entry.by().is_none_or(there) && entry.hint().is_none_or(|(lister, _)| there(lister));
        let lister = |lister: &Lister| {
            lister.entries.is_sorted_by(|one, other| one.0 < other.0)
                && lister.entries.iter().all(|(page, _)| there(*page))
        };
        let listers = || self.listers.iter().flatten().map(|lister| &**lister);
        listers().map(|lister| lister.entries.len()).sum::<usize>() == self.entries as usize
            && self.pages.iter().all(entry)
            && listers().all(lister)
    }

    /// Adds what another log says.
    pub(super) fn add(&mut self, other: &Hints, slots: &[PageSlot]) {
        let here = |page: PageSlot| slots.get(page.index()).copied().filter(|slot| *slot != PageSlot::NONE);
        for (page, (entry, lister)) in (0..).map(PageSlot).zip(other.pages.iter().zip(&other.listers)) {
            let Some(page) = here(page) else { continue };
            self.make_room(page);
            let mine = &mut self.pages[page.index()];
            if entry.heard() > mine.heard() {
                let by = entry.by().and_then(here);
                let hint = entry.hint().and_then(|(lister, at)| Some((here(lister)?, at)));
                // Listed by the same page before and after: since the first time.
                mine.since = if by.is_some() && by == mine.by() { mine.since.min(entry.since) } else { entry.since };
                mine.place = Place::new(entry.place.standing(), by);
                mine.set_hint(hint);
            }
            self.add_entries(page, entry.seen, lister.as_deref(), here);
            if let Some(theirs) = lister {
                self.lister_mut(page).add_counts(theirs);
            }
        }
        (self.right, self.wrong) =
            (self.right + other.right - RIGHT_AT_FIRST.0, self.wrong + other.wrong - RIGHT_AT_FIRST.1);
        for (mine, theirs) in self.habits.iter_mut().zip(other.habits) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
        let all = self.pages.iter().flat_map(|entry| [entry.by(), entry.hint().map(|(lister, _)| lister)]);
        all.flatten().collect::<Vec<_>>().into_iter().for_each(|page| self.make_room(page));
        // A hint that a later visit has tested is none any more.
        for entry in &mut self.pages {
            entry.set_hint(entry.hint().filter(|(_, at)| *at >= entry.seen));
        }
    }

    /// What a page listed when it was last seen, if the other log saw it later.
    fn add_entries(
        &mut self,
        page: PageSlot,
        seen: Time,
        theirs: Option<&Lister>,
        here: impl Fn(PageSlot) -> Option<PageSlot>,
    ) {
        if seen <= self.pages[page.index()].seen {
            return;
        }
        let theirs = theirs.map_or(&[][..], |lister| &lister.entries);
        let entries = theirs.iter().filter_map(|&(page, wording)| Some((here(page)?, wording)));
        let mut entries: Vec<(PageSlot, u32)> = entries.collect();
        entries.sort_unstable();
        let others = self.entries as usize - self.entries_of(page);
        entries.truncate(ENTRIES_ALL_MAX.saturating_sub(others));
        entries.iter().for_each(|(page, _)| self.make_room(*page));
        self.entries = (others + entries.len()) as u32;
        self.replace_entries(page, entries);
        self.pages[page.index()].seen = seen;
    }
}

impl Lister {
    fn add_counts(&mut self, other: &Lister) {
        (self.right, self.wrong) = (self.right + other.right, self.wrong + other.wrong);
        (self.caught, self.missed) = (self.caught + other.caught, self.missed + other.missed);
    }
}

impl Entry {
    /// When something was last heard of the page.
    fn heard(&self) -> Time {
        self.hint().map_or(self.since, |(_, at)| at.max(self.since))
    }
}
