//! Any policy twice: when its pass is over, the same pages once more in the same order.

use super::view::{Choice, Policy, View};
use crate::PageState;
use std::collections::VecDeque;
use tintype_learn::{
    learner::Learner,
    stored::{self, Bytes},
};
use tintype_vocab::{Observation, PageId, Purpose, Time};

/// More requests are never under way at once.
const UNDER_WAY_MAX: usize = 256;

#[derive(Debug)]
pub(super) struct SecondPass {
    first: Box<dyn Policy>,
    /// Pages seen once, in the order in which they were.
    seen_once: VecDeque<PageId>,
}

impl SecondPass {
    pub(super) fn new(first: Box<dyn Policy>) -> SecondPass {
        SecondPass { first, seen_once: VecDeque::new() }
    }
}

impl Policy for SecondPass {
    fn learns(&self) -> Vec<Box<dyn Learner>> {
        self.first.learns()
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(stored::to_bytes(&(Bytes(self.first.save()?), &self.seen_once)))
    }

    fn load(&mut self, bytes: &[u8]) -> bool {
        let Some((Bytes(first), seen_once)) = stored::from_bytes(bytes) else { return false };
        self.seen_once = seen_once;
        self.first.load(&first)
    }

    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        self.first.on_known(page, view);
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        match self.first.choose(now, view) {
            Choice::Done if view.unanswered == 0 => self.seen_once.pop_front().map_or(Choice::Done, Choice::Revisit),
            choice => choice,
        }
    }

    fn looks_again(&self, _revisit: bool) -> bool {
        true
    }

    fn has_nothing_left(&self, _view: &View<'_>) -> bool {
        self.seen_once.is_empty()
    }

    fn let_go(&mut self) -> Vec<PageId> {
        self.first.let_go()
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        match observation.purpose {
            Purpose::Visit if observation.outcome.saw_page() && view.pages.get(page).state == PageState::Visited => {
                self.seen_once.push_back(page);
            }
            // A log may tell of it, with as many answers out of order as requests were under way.
            Purpose::Revisit => {
                let place = self.seen_once.iter().take(UNDER_WAY_MAX).position(|other| *other == page);
                place.map(|place| self.seen_once.remove(place));
            }
            Purpose::Visit | Purpose::Probe | Purpose::Robots => {}
        }
        self.first.on_observation(page, observation, view);
    }
}
