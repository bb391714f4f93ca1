//! Any policy twice: when its pass is over, the same pages once more in the same order.

use super::{Choice, Policy, View};
use crate::PageState;
use std::collections::VecDeque;
use tintype_vocab::{Observation, PageId, Purpose, Time};

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
    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        self.first.on_known(page, view);
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        match self.first.choose(now, view) {
            Choice::Done if view.unanswered == 0 => self.seen_once.pop_front().map_or(Choice::Done, Choice::Visit),
            choice => choice,
        }
    }

    fn looks_again(&self, _revisit: bool) -> bool {
        true
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        match observation.purpose {
            Purpose::Visit if observation.outcome.saw_page() && view.pages.get(page).state == PageState::Visited => {
                self.seen_once.push_back(page);
            }
            // A log told of it, not we.
            Purpose::Revisit if self.seen_once.front() == Some(&page) => drop(self.seen_once.pop_front()),
            Purpose::Visit | Purpose::Probe | Purpose::Robots | Purpose::Revisit => {}
        }
        self.first.on_observation(page, observation, view);
    }
}
