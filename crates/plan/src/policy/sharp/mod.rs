//! Ours for one capture: low blur while the site is still being discovered, and proof where a person asks for it.
//!
//! Without proof: cold pages that lead to others come first, so that what is hot is known in time for the middle
//! ([`Sharp::by_pipes`]); hot pages that discovery forced to the beginning are looked at once more in the middle
//! (`second_look.rs`). With proof every page is visited and revisited around one moment, and pages too lively to be proved
//! are visited where the blur is least (`proof.rs`). There is no plan of the whole: every choice is made from what is
//! known at that step. A page takes the place of the rate believed when it became known.

mod discovery;
mod proof;
mod second_look;

use super::{
    ladder::{self, Ladder},
    view::{Choice, Policy, View},
};
use crate::PageState;
use discovery::Discovery;
use proof::Proof;
use second_look::SecondLooks;
use std::collections::VecDeque;
use tintype_vocab::{LinkKind, Observation, PageId, Purpose, Time};

/// Pages that turned out not to lead anywhere, put back per choice.
const RELABELLED_MAX: usize = 16;

/// How the capture goes on when all is known that can be known early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looks {
    /// Every page once.
    Once,
    /// Hot pages of the beginning again in the middle.
    AgainInTheMiddle,
}

#[derive(Debug)]
pub(super) struct Sharp {
    looks: Looks,
    /// Waiting pages that are likely to lead to new ones, and the others.
    fruitful: Ladder,
    barren: Ladder,
    /// Pages known beyond what the budget can pay for, in order of discovery.
    later: VecDeque<PageId>,
    /// Pages that take part: all known ones but those.
    taking_part: usize,
    /// Expected changes of these per day.
    changes_per_day: f64,
    discovery: Discovery,
    /// Listed pages up to this one were known before the first visit: an earlier capture held them.
    held: Option<PageId>,
    /// Visits settled so far: the number of the next slot.
    slot: u32,
    second_looks: SecondLooks,
    proof: Proof,
}

impl Sharp {
    pub(super) fn new(looks: Looks) -> Sharp {
        Sharp {
            looks,
            fruitful: Ladder::default(),
            barren: Ladder::default(),
            later: VecDeque::new(),
            taking_part: 0,
            changes_per_day: 0.0,
            discovery: Discovery::default(),
            held: None,
            slot: 0,
            second_looks: SecondLooks::default(),
            proof: Proof::default(),
        }
    }

    /// Whether a page is likely to lead to new ones. What a held page leads to is held as well.
    fn is_fruitful(&self, page: PageId, view: &View<'_>) -> bool {
        let is_held = self.held.is_some_and(|last| page <= last) && view.pages.get(page).kind == LinkKind::Listed;
        !is_held && self.discovery.is_fruitful(page, view.pages)
    }

    fn waiting(&self) -> usize {
        self.fruitful.len() + self.barren.len()
    }

    /// Pages of the site when all is done, as far as the budget goes.
    fn size(&self, view: &View<'_>) -> usize {
        let size = self.discovery.size(self.taking_part + self.later.len(), view.expected_pages);
        size.min(self.taking_part.saturating_add(self.affordable(view)))
    }

    /// Pages that could take part besides those that do.
    fn affordable(&self, view: &View<'_>) -> usize {
        let Some(left) = view.budget.requests else { return usize::MAX };
        let waiting = self.waiting();
        let on_their_way = view.unanswered.saturating_sub(waiting + self.later.len());
        let (needed, each) =
            if view.revisit { (2 * waiting + on_their_way + self.proof.seen_once(), 2) } else { (waiting, 1) };
        (left as usize).saturating_sub(needed) / each
    }

    /// Lets a page take part; those known first come first, as the entrance matters more than the cellar.
    fn enter(&mut self, page: PageId, view: &View<'_>) {
        self.taking_part += 1;
        let info = view.pages.get(page);
        self.changes_per_day += f64::from(info.rate.per_day);
        let fruitful = self.is_fruitful(page, view);
        self.discovery.waits(info, fruitful);
        if fruitful { &mut self.fruitful } else { &mut self.barren }.insert(page, info.rate.per_day);
    }

    fn enter_affordable(&mut self, view: &View<'_>) {
        while self.affordable(view) > 0
            && let Some(page) = self.later.pop_front()
        {
            // A redirect may have led there meanwhile.
            if !view.pages.get(page).answered {
                self.enter(page, view);
            }
        }
    }

    /// The explore-first rule: in the first half the page whose rank among the waiting ones is where we are in the
    /// capture, or a colder one that leads to others; in the second half the hottest. A moment that was asked for is the
    /// middle, wherever it lies in the capture: around it stand organ pipes, as far as there are slots on both sides.
    fn by_pipes(&mut self, view: &View<'_>) -> Option<PageId> {
        let (waiting, size) = (self.waiting(), self.size(view));
        let done = self.taking_part - waiting;
        // Slots that lie nearer to the middle than this one.
        let nearer = view.slots_to_moment().map_or(size.saturating_sub(2 * done), |slots| slots.saturating_mul(2));
        if nearer == 0 {
            let middle = self.looks == Looks::AgainInTheMiddle;
            let hottest = self.rank_of_hottest()?;
            if middle && let Some(page) = self.second_looks.next(hottest, self.slot, size, self.changes_per_day, view) {
                return Some(page);
            }
            return self.take(hottest, view);
        }
        self.second_looks.postpone();
        let last = waiting.checked_sub(1)?;
        let left = size.saturating_sub(done);
        let nth = (left.saturating_sub(nearer) * waiting).checked_div(left).unwrap_or(0).min(last);
        let limit = if self.discovery.knows_little() { last } else { nth };
        self.explore(limit, view).or_else(|| self.take_at(nth, view))
    }

    /// The coldest page that leads to others, if it is not hotter than the `nth` waiting one.
    fn explore(&mut self, nth: usize, view: &View<'_>) -> Option<PageId> {
        for _ in 0..RELABELLED_MAX {
            let limit = ladder::rank_at(&[&self.fruitful, &self.barren], nth)?;
            let coldest = self.fruitful.rank_at(0).filter(|coldest| *coldest <= limit)?;
            let page = self.take_fruitful(coldest, view)?;
            if self.is_fruitful(page, view) {
                return Some(page);
            }
            self.barren.insert(page, view.pages.get(page).rate.per_day);
        }
        None
    }

    fn take_at(&mut self, nth: usize, view: &View<'_>) -> Option<PageId> {
        self.take(ladder::rank_at(&[&self.fruitful, &self.barren], nth)?, view)
    }

    fn take(&mut self, rank: ladder::Rank, view: &View<'_>) -> Option<PageId> {
        self.barren.take(rank).or_else(|| self.take_fruitful(rank, view))
    }

    fn take_fruitful(&mut self, rank: ladder::Rank, view: &View<'_>) -> Option<PageId> {
        let page = self.fruitful.take(rank)?;
        self.discovery.gone(view.pages.get(page).depth);
        Some(page)
    }

    fn rank_of_hottest(&self) -> Option<ladder::Rank> {
        ladder::rank_at(&[&self.fruitful, &self.barren], self.waiting().checked_sub(1)?)
    }

    fn take_hottest(&mut self, view: &View<'_>) -> Option<PageId> {
        self.take(self.rank_of_hottest()?, view)
    }

    fn drop_waiting(&mut self, page: PageId, view: &View<'_>) {
        self.barren.remove(page);
        if self.fruitful.remove(page) {
            self.discovery.gone(view.pages.get(page).depth);
        }
    }
}

impl Policy for Sharp {
    saves!(fruitful, barren, later, taking_part, changes_per_day, discovery, held, slot, second_looks, proof);

    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        if self.slot == 0 && view.pages.get(page).kind == LinkKind::Listed {
            self.held = Some(page);
        }
        self.discovery.known(view.pages.get(page), self.is_fruitful(page, view));
        if self.later.is_empty() && self.affordable(view) > 0 {
            self.enter(page, view);
        } else {
            self.later.push_back(page);
        }
    }

    fn choose(&mut self, _now: Time, view: &View<'_>) -> Choice {
        self.enter_affordable(view);
        let page = if view.revisit { self.by_proof(view) } else { self.by_pipes(view) };
        match page {
            // What is seen again before the moment proves nothing for it.
            None if view.revisit && self.proof.awaits(view) => view.as_of.map_or(Choice::Done, Choice::WaitUntil),
            None => Choice::Done,
            Some(page) if view.pages.get(page).answered => Choice::Revisit(page),
            Some(page) => Choice::Visit(page),
        }
    }

    fn looks_again(&self, revisit: bool) -> bool {
        revisit || self.looks == Looks::AgainInTheMiddle
    }

    fn has_nothing_left(&self, view: &View<'_>) -> bool {
        let nobody = self.waiting() == 0 && self.later.is_empty();
        nobody && (!view.revisit || self.proof.is_over())
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        // A log told of it, or a redirect led there: not we chose it.
        self.drop_waiting(page, view);
        let info = view.pages.get(page);
        if observation.purpose == Purpose::Visit && info.state == PageState::Visited {
            if observation.outcome.saw_page() && discovery::may_lead_on(info) {
                self.discovery.visited(&observation.url, info.depth);
            }
            if observation.outcome.saw_page() {
                self.second_looks.visited(page, self.slot);
            }
        }
        if view.revisit {
            self.proof.observed(page, observation, self.slot);
        } else if observation.purpose == Purpose::Revisit {
            self.second_looks.taken(page);
        }
        self.slot += u32::from(observation.purpose != Purpose::Robots);
    }
}
