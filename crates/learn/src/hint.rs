//! Change evidence without a visit: a listing that words one of its entries anew says that the page behind it changed.
//!
//! How far a lister can be believed is learned from what visits find afterwards: how often a hint was right, how many
//! changes were hinted at, and how much a page that is (or is no longer) listed changes against what its own past says.
//! A page can be listed by many; the lister that catches most is the one whose silence counts.

mod folding;
mod saved;

use crate::learner::PageSlot;
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// Entries of one lister that are remembered.
const ENTRIES_MAX: usize = 2000;
/// Entries of all listers together: 32 MB. Who comes later is remembered as far as there is room.
const ENTRIES_ALL_MAX: usize = 1 << 22;
/// Imaginary visits behind a lister nobody has tested yet.
const HIT_STRENGTH: f64 = 3.0;
const CATCH_STRENGTH: f64 = 4.0;
/// Imaginary changes behind the habit of a standing.
const HABIT_STRENGTH: f64 = 10.0;
/// Before any test, one hint in three is thought to be right.
const RIGHT_AT_FIRST: (f64, f64) = (1.0, 2.0);
/// A hint is never taken for certain.
const SURE: f64 = 0.999;

/// Where a page stands with the listings of its site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    #[default]
    Unlisted,
    Listed,
    /// It was listed once and is no more.
    Dropped,
}

/// A listing has said nothing of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Silence {
    pub from: Time,
    pub until: Time,
    /// Share of changes that it would have shown.
    pub shown: f64,
}

/// All that listings say of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heard {
    /// Changes to be expected because of a hint.
    pub strength: f64,
    /// When that hint was read, and how far its lister is right.
    pub hinted: Option<Time>,
    pub right: f64,
    pub silence: Option<Silence>,
    /// When the lister that counts began to list it.
    pub since: Option<Time>,
    pub standing: Standing,
    pub habit: f64,
}

/// What is known of a page: thirty-two bytes, for most pages of a site are listed.
#[derive(Clone, Copy, Debug)]
struct Entry {
    place: Place,
    /// Who gave the latest hint that no visit has tested yet, and when; nobody if there is none.
    hinted_by: PageSlot,
    hinted: Time,
    /// When the lister that counts began to list it.
    since: Time,
    /// When its own listing was seen last.
    seen: Time,
}

/// How a page stands and the lister whose silence counts, in one number: only who is listed has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place(u32);

impl Place {
    const UNLISTED: Place = Place(u32::MAX);
    const DROPPED: Place = Place(u32::MAX - 1);
    /// By a page that nobody knows any more.
    const LISTED: Place = Place(u32::MAX - 2);

    fn new(standing: Standing, by: Option<PageSlot>) -> Place {
        match (standing, by) {
            (_, Some(PageSlot(by))) => Place(by),
            (Standing::Unlisted, None) => Place::UNLISTED,
            (Standing::Listed, None) => Place::LISTED,
            (Standing::Dropped, None) => Place::DROPPED,
        }
    }

    fn standing(self) -> Standing {
        match self {
            Place::UNLISTED => Standing::Unlisted,
            Place::DROPPED => Standing::Dropped,
            Place(_) => Standing::Listed,
        }
    }

    fn by(self) -> Option<PageSlot> {
        (self.0 < Place::LISTED.0).then_some(PageSlot(self.0))
    }
}

impl Default for Entry {
    fn default() -> Entry {
        let never = Time::default();
        Entry { place: Place::UNLISTED, hinted_by: PageSlot::NONE, hinted: never, since: never, seen: never }
    }
}

impl Entry {
    fn by(&self) -> Option<PageSlot> {
        self.place.by()
    }

    fn hint(&self) -> Option<(PageSlot, Time)> {
        (self.hinted_by != PageSlot::NONE).then_some((self.hinted_by, self.hinted))
    }

    fn set_hint(&mut self, hint: Option<(PageSlot, Time)>) {
        (self.hinted_by, self.hinted) = hint.unwrap_or((PageSlot::NONE, Time::default()));
    }
}

#[derive(Clone, Debug, Default)]
struct Lister {
    /// Entries and the fingerprints of their wording, by page.
    entries: Box<[(PageSlot, u32)]>,
    right: f64,
    wrong: f64,
    caught: f64,
    missed: f64,
}

/// What visits have taught about the listings of one site.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "saved::Saved", into = "saved::Saved")]
pub struct Hints {
    pages: Vec<Entry>,
    /// By page; nothing of one that never listed anything.
    listers: Vec<Option<Box<Lister>>>,
    /// Of all listers.
    entries: u32,
    right: f64,
    wrong: f64,
    /// Changes found and changes expected, by standing.
    habits: [(f64, f64); 3],
}

impl Default for Hints {
    fn default() -> Hints {
        let (right, wrong) = RIGHT_AT_FIRST;
        Hints { pages: Vec::new(), listers: Vec::new(), entries: 0, right, wrong, habits: [(0.0, 0.0); 3] }
    }
}

impl Hints {
    fn make_room(&mut self, page: PageSlot) {
        if self.pages.len() <= page.index() {
            self.pages.resize(page.index() + 1, Entry::default());
            self.listers.resize(page.index() + 1, None);
        }
    }

    fn lister(&self, page: PageSlot) -> Option<&Lister> {
        self.listers.get(page.index())?.as_deref()
    }

    fn lister_mut(&mut self, page: PageSlot) -> &mut Lister {
        self.listers[page.index()].get_or_insert_default()
    }

    fn entries_of(&self, lister: PageSlot) -> usize {
        self.lister(lister).map_or(0, |lister| lister.entries.len())
    }

    /// A lister lists these from now on; returns what it listed before.
    fn replace_entries(&mut self, lister: PageSlot, entries: Vec<(PageSlot, u32)>) -> Box<[(PageSlot, u32)]> {
        match &mut self.listers[lister.index()] {
            None if entries.is_empty() => Box::default(),
            place => std::mem::replace(&mut place.get_or_insert_default().entries, entries.into()),
        }
    }

    /// A body was seen, with these links and the fingerprints of their wording (0: none). Returns the pages hinted at.
    pub fn read(&mut self, lister: PageSlot, now: Time, links: &[(PageSlot, u32)]) -> Vec<PageSlot> {
        let mut entries: Vec<_> =
            links.iter().copied().filter(|&(page, wording)| page != lister && wording != 0).take(ENTRIES_MAX).collect();
        entries.sort_unstable();
        let mut entries = summed(&entries);
        self.make_room(lister);
        let others = self.entries as usize - self.entries_of(lister);
        entries.truncate(ENTRIES_ALL_MAX.saturating_sub(others));
        self.entries = (others + entries.len()) as u32;
        entries.iter().for_each(|&(page, _)| self.make_room(page));
        let before = self.replace_entries(lister, Vec::new());
        let mut hinted = Vec::new();
        for &(page, wording) in &entries {
            let known = before.binary_search_by_key(&page, |&(page, _)| page).ok().map(|at| before[at].1);
            if known.is_some_and(|known| known != wording) {
                self.pages[page.index()].set_hint(Some((lister, now)));
                hinted.push(page);
            }
            self.list(page, lister, known.is_none(), now);
        }
        for (page, _) in before {
            let entry = &mut self.pages[page.index()];
            if entry.by() == Some(lister) && entries.binary_search_by_key(&page, |&(page, _)| page).is_err() {
                entry.place = Place::DROPPED;
            }
        }
        self.replace_entries(lister, entries);
        self.read_again(lister, now);
        hinted
    }

    /// The lister was seen and had not changed.
    pub fn read_again(&mut self, lister: PageSlot, now: Time) {
        if let Some(entry) = self.pages.get_mut(lister.index()) {
            entry.seen = now;
        }
    }

    fn list(&mut self, page: PageSlot, lister: PageSlot, new_here: bool, now: Time) {
        let by = self.pages[page.index()].by();
        let better = by.is_none_or(|by| by != lister && self.catches(lister) > self.catches(by));
        if better || (by == Some(lister) && new_here) {
            let entry = &mut self.pages[page.index()];
            (entry.place, entry.since) = (Place::new(Standing::Listed, Some(lister)), now);
        }
    }

    /// Share of the changes of its entries that this lister's wording shows.
    fn catches(&self, lister: PageSlot) -> f64 {
        self.lister(lister).map_or(0.0, |lister| lister.caught / (lister.caught + lister.missed + CATCH_STRENGTH))
    }

    /// Share of the changes of a page that a listing it is in shows; nothing of a page that none lists.
    pub fn tells_of(&self, page: PageSlot) -> f64 {
        self.pages.get(page.index()).and_then(Entry::by).map_or(0.0, |by| self.catches(by))
    }

    fn is_right(&self, lister: PageSlot) -> f64 {
        let all = self.right / (self.right + self.wrong);
        let (right, wrong) = self.lister(lister).map_or((0.0, 0.0), |lister| (lister.right, lister.wrong));
        (right + HIT_STRENGTH * all) / (right + wrong + HIT_STRENGTH)
    }

    /// Changes to be expected of this page because of a hint.
    pub fn strength(&self, page: PageSlot) -> f64 {
        let hint = self.pages.get(page.index()).and_then(Entry::hint);
        hint.map_or(0.0, |(lister, _)| -(1.0 - self.is_right(lister).min(SURE)).ln())
    }

    /// All that was heard of a page, with what was kept silent about since a moment.
    pub fn heard(&self, page: PageSlot, last: Time) -> Heard {
        let entry = self.pages.get(page.index()).copied().unwrap_or_default();
        Heard {
            strength: self.strength(page),
            hinted: entry.hint().map(|(_, at)| at),
            right: entry.hint().map_or(0.0, |(lister, _)| self.is_right(lister)),
            silence: self.silence(page, last),
            since: entry.by().map(|_| entry.since),
            standing: entry.place.standing(),
            habit: self.habit(page),
        }
    }

    pub fn standing(&self, page: PageSlot) -> Standing {
        self.pages.get(page.index()).map_or(Standing::Unlisted, |entry| entry.place.standing())
    }

    /// How much a page of this standing changes against what its own past says.
    pub fn habit(&self, page: PageSlot) -> f64 {
        let (found, expected) = self.habits[self.standing(page) as usize];
        ((found + HABIT_STRENGTH) / (expected + HABIT_STRENGTH)).clamp(0.02, 20.0)
    }

    /// The time since `last` in which a change would have shown in a listing, and the chance that it would.
    pub fn silence(&self, page: PageSlot, last: Time) -> Option<Silence> {
        let entry = self.pages.get(page.index())?;
        let by = entry.by().filter(|_| entry.hint().is_none())?;
        let (from, until) = (entry.since.max(last), self.pages[by.index()].seen);
        (until > from).then(|| Silence { from, until, shown: self.catches(by) })
    }

    /// A visit tells whether hint and silence were right. `expected` is what the page's own past let expect without
    /// them (before [`Hints::habit`]), `told` what a sitemap did; `changed` the moment of the change if there was one and
    /// the moment is known.
    pub fn test(&mut self, page: PageSlot, last: Time, changed: Option<Option<Time>>, expected: f64, told: f64) {
        self.make_room(page);
        let (own, hinted) = (expected * self.habit(page), self.strength(page));
        let habit = &mut self.habits[self.pages[page.index()].place.standing() as usize];
        habit.1 += expected;
        let all = own + hinted + told;
        if changed.is_some() && all > 0.0 {
            // Several changes hide behind one; the page's own share of them is what the hint does not explain.
            habit.0 += own / (1.0 - (-all).exp());
        }
        self.test_silence(page, last, changed.flatten());
        if let Some((lister, _)) = self.pages[page.index()].hint() {
            self.pages[page.index()].set_hint(None);
            let credit = if changed.is_some() && all > 0.0 { hinted / all } else { 0.0 };
            let doubt = if changed.is_some() { 0.0 } else { 1.0 };
            let lister = self.lister_mut(lister);
            (lister.right, lister.wrong) = (lister.right + credit, lister.wrong + doubt);
            (self.right, self.wrong) = (self.right + credit, self.wrong + doubt);
        }
    }

    /// Whether a change that the lister could have shown was shown.
    fn test_silence(&mut self, page: PageSlot, last: Time, changed: Option<Time>) {
        let entry = self.pages[page.index()];
        let (Some(by), Some(changed)) = (entry.by(), changed) else { return };
        if changed > entry.since.max(last) && changed <= self.pages[by.index()].seen {
            let lister = self.lister_mut(by);
            match entry.hint() {
                Some((_, hinted)) if hinted >= changed => lister.caught += 1.0,
                _ => lister.missed += 1.0,
            }
        }
    }
}

/// One entry per page: the wordings of all its mentions together.
fn summed(sorted: &[(PageSlot, u32)]) -> Vec<(PageSlot, u32)> {
    let mut entries: Vec<(PageSlot, u32)> = Vec::with_capacity(sorted.len());
    for &(page, wording) in sorted {
        match entries.last_mut() {
            Some((last, sum)) if *last == page => *sum = sum.rotate_left(5) ^ wording,
            _ => entries.push((page, wording)),
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRONT: PageSlot = PageSlot(0);
    const STORY: PageSlot = PageSlot(1);
    const OTHER: PageSlot = PageSlot(2);

    fn day(day: i64) -> Time {
        Time::from_secs(day * 86_400)
    }

    #[test]
    fn a_new_wording_hints_at_the_page_behind_it_and_at_no_other() {
        let mut hints = Hints::default();
        assert!(hints.read(FRONT, day(1), &[(STORY, 7), (OTHER, 8)]).is_empty());
        assert_eq!(hints.read(FRONT, day(2), &[(OTHER, 8), (STORY, 9)]), [STORY]);
        assert!(hints.strength(STORY) > 0.0);
        assert_eq!(hints.strength(OTHER), 0.0);
        hints.test(STORY, day(1), Some(Some(day(2))), 0.1, 0.0);
        assert_eq!(hints.strength(STORY), 0.0);
    }

    #[test]
    fn listers_are_believed_as_far_as_they_were_right() {
        let strength_after = |right: bool| {
            let mut hints = Hints::default();
            for round in 1..50 {
                hints.read(FRONT, day(round), &[(STORY, round as u32)]);
                let changed = right.then_some(Some(day(round)));
                hints.test(STORY, day(round) + tintype_vocab::Span::from_secs(-9), changed, 0.01, 0.0);
            }
            hints.read(FRONT, day(60), &[(STORY, 1000)]);
            hints.strength(STORY)
        };
        assert!(strength_after(true) > 2.0, "{}", strength_after(true));
        assert!(strength_after(false) < 0.1, "{}", strength_after(false));
    }

    #[test]
    fn silence_counts_once_the_lister_has_shown_that_it_speaks() {
        let mut hints = Hints::default();
        hints.read(FRONT, day(0), &[(STORY, 1)]);
        hints.read_again(FRONT, day(10));
        assert_eq!(hints.silence(STORY, day(0)).unwrap().shown, 0.0);
        for round in 1..40 {
            hints.read(FRONT, day(10 + round), &[(STORY, 1 + round as u32)]);
            hints.test(STORY, day(9 + round), Some(Some(day(10 + round))), 0.01, 0.0);
        }
        hints.read_again(FRONT, day(60));
        let silence = hints.silence(STORY, day(50)).unwrap();
        assert_eq!((silence.from, silence.until), (day(50), day(60)));
        assert!(silence.shown > 0.8, "{silence:?}");
        hints.read(FRONT, day(61), &[(STORY, 999)]);
        assert_eq!(hints.silence(STORY, day(50)), None);
    }

    #[test]
    fn a_page_that_lists_nothing_costs_forty_bytes() {
        let mut hints = Hints::default();
        (0..100).for_each(|page| assert!(hints.read(PageSlot(page), day(1), &[(OTHER, 0)]).is_empty()));
        assert_eq!((size_of::<Entry>(), hints.listers.iter().flatten().count()), (32, 0));
        hints.read(FRONT, day(2), &[(STORY, 7)]);
        assert_eq!(hints.listers.iter().flatten().count(), 1);
    }

    #[test]
    fn hints_read_back_as_they_were() {
        let mut hints = Hints::default();
        hints.read(FRONT, day(1), &[(STORY, 7), (OTHER, 8)]);
        hints.read(FRONT, day(2), &[(STORY, 9)]);
        hints.read(STORY, day(2), &[]);
        hints.test(OTHER, day(1), Some(Some(day(2))), 0.1, 0.0);
        let again = Hints::load(&crate::stored::to_bytes(&hints)).unwrap();
        assert_eq!(format!("{again:?}"), format!("{hints:?}"));
        assert_eq!((again.standing(OTHER), again.standing(STORY)), (Standing::Dropped, Standing::Listed));
        assert_eq!(again.heard(STORY, day(0)), hints.heard(STORY, day(0)));
    }

    #[test]
    fn pages_that_left_the_listing_are_learned_to_be_still() {
        let mut hints = Hints::default();
        hints.read(FRONT, day(0), &[(STORY, 1), (OTHER, 2)]);
        hints.read(FRONT, day(1), &[(OTHER, 2)]);
        assert_eq!((hints.standing(STORY), hints.standing(OTHER)), (Standing::Dropped, Standing::Listed));
        (2..200).for_each(|at| hints.test(STORY, day(at), None, 0.5, 0.0));
        assert!(hints.habit(STORY) < 0.2);
        assert_eq!(hints.habit(OTHER), 1.0);
    }
}
