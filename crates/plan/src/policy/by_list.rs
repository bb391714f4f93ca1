//! A list of whom to visit, made now and then and followed until it is over: what all policies share that plan a period
//! or a round ahead.
//!
//! Making a list looks at every page, taking the next one from it costs a logarithm. Pages never seen come first, in
//! order of discovery.

use super::{
    newcomers::Newcomers,
    view::{Choice, Policy, View},
};
use crate::PageState;
use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};
use tintype_learn::{
    learner::{Learner, speaks_of_page},
    stored::{self, Bytes},
};
use tintype_vocab::{Observation, PageId, Time};

/// Who stands on the list, and when there is to be another one.
pub(super) trait Listing: std::fmt::Debug + Send {
    /// The learners it reads.
    fn learns(&self) -> Vec<Box<dyn Learner>> {
        Vec::new()
    }

    /// Whether a list made at `made` is out of date, even if not everybody had a turn.
    fn is_over(&self, _made: Time, _now: Time) -> bool {
        false
    }

    /// How urgent every page is that may be visited; each is given with its latest visit.
    fn list(&mut self, pages: &[(PageId, Time)], now: Time, view: &View<'_>) -> Vec<f64>;

    /// All it has in mind; see [`Policy::save`].
    fn save(&self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn load(&mut self, bytes: &[u8]) -> bool {
        bytes.is_empty()
    }

    /// A page was visited, and may be visited again.
    fn on_visit(&mut self, _page: PageId, _observation: &Observation, _view: &View<'_>) {}
}

/// An urgency that can be compared; of equals, the page known longest comes first.
#[derive(Debug)]
struct Turn(f64, Reverse<PageId>);

impl Ord for Turn {
    fn cmp(&self, other: &Turn) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

impl PartialOrd for Turn {
    fn partial_cmp(&self, other: &Turn) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Turn {
    fn eq(&self, other: &Turn) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Turn {}

#[derive(Debug)]
pub(super) struct ByList<L> {
    listing: L,
    newcomers: Newcomers,
    /// The latest visit to each page that was there.
    last: Vec<Option<Time>>,
    turns: BinaryHeap<Turn>,
    made: Time,
}

impl<L: Listing> ByList<L> {
    pub(super) fn new(listing: L) -> ByList<L> {
        ByList { listing, newcomers: Newcomers::default(), last: Vec::new(), turns: BinaryHeap::new(), made: Time::MIN }
    }

    /// Whose turn it is, leaving out whom somebody saw to since the list was made.
    fn next(&mut self, view: &View<'_>) -> Option<PageId> {
        let (last, made) = (&self.last, self.made);
        let unseen = |page: PageId| last[page.index()].is_some_and(|last| last <= made);
        let turns = std::iter::from_fn(|| self.turns.pop());
        let mut pages = turns.map(|Turn(_, Reverse(page))| page);
        pages.find(|page| unseen(*page) && view.pages.get(*page).state == PageState::Waiting)
    }

    fn make(&mut self, now: Time, view: &View<'_>) {
        let seen = self.last.iter().enumerate().filter_map(|(page, last)| Some((PageId(page as u32), (*last)?)));
        let pages: Vec<_> = seen.filter(|(page, _)| view.pages.get(*page).state == PageState::Waiting).collect();
        let urgencies = self.listing.list(&pages, now, view);
        let turns = pages.iter().zip(urgencies).map(|((page, _), urgency)| Turn(urgency, Reverse(*page)));
        self.turns = turns.collect::<Vec<Turn>>().into();
        self.made = now;
    }
}

impl<L: Listing> Policy for ByList<L> {
    fn learns(&self) -> Vec<Box<dyn Learner>> {
        self.listing.learns()
    }

    fn save(&self) -> Option<Vec<u8>> {
        let turns: Vec<(f64, PageId)> =
            self.turns.iter().map(|Turn(urgency, Reverse(page))| (*urgency, *page)).collect();
        Some(stored::to_bytes(&(Bytes(self.listing.save()?), &self.newcomers, &self.last, turns, self.made)))
    }

    fn load(&mut self, bytes: &[u8]) -> bool {
        let Some((listing, newcomers, last, turns, made)) = stored::from_bytes(bytes) else { return false };
        let (Bytes(listing), turns): (Bytes, Vec<(f64, PageId)>) = (listing, turns);
        self.turns = turns.into_iter().map(|(urgency, page)| Turn(urgency, Reverse(page))).collect();
        (self.newcomers, self.last, self.made) = (newcomers, last, made);
        self.listing.load(&listing)
    }

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        if self.last.len() <= page.index() {
            self.last.resize(page.index() + 1, None);
        }
        self.newcomers.push(page);
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        let last = &self.last;
        if let Some(page) = self.newcomers.next(view, |page| last[page.index()].is_some()) {
            return Choice::Visit(page);
        }
        let over = self.listing.is_over(self.made, now);
        let listed = if over { None } else { self.next(view) };
        let page = listed.or_else(|| {
            self.make(now, view);
            self.next(view)
        });
        page.map_or(Choice::Done, Choice::Visit)
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if page.index() >= self.last.len() {
            return;
        }
        if !speaks_of_page(observation) {
            self.last[page.index()] = None;
        } else if view.pages.get(page).state == PageState::Waiting {
            self.last[page.index()] = Some(observation.answered);
            self.listing.on_visit(page, observation, view);
        }
    }
}
