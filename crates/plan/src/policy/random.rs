//! Any page, by the dice.

use super::view::{Choice, Policy, View};
use crate::PageState;
use tintype_vocab::{Observation, PageId, Time};

#[derive(Debug, Default)]
pub(super) struct Random {
    frontier: Vec<PageId>,
    inside: Vec<bool>,
}

impl Random {
    fn put(&mut self, page: PageId) {
        if self.inside.len() <= page.index() {
            self.inside.resize(page.index() + 1, false);
        }
        if !std::mem::replace(&mut self.inside[page.index()], true) {
            self.frontier.push(page);
        }
    }
}

impl Policy for Random {
    saves!(frontier, inside);

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.put(page);
    }

    fn choose(&mut self, _now: Time, view: &View<'_>) -> Choice {
        let mut dice = view.dice.clone();
        while !self.frontier.is_empty() {
            let drawn = (dice.unit() * self.frontier.len() as f64) as usize;
            let page = self.frontier.swap_remove(drawn);
            self.inside[page.index()] = false;
            if view.pages.get(page).state == PageState::Waiting {
                return Choice::Visit(page);
            }
        }
        Choice::Done
    }

    fn on_observation(&mut self, page: PageId, _observation: &Observation, view: &View<'_>) {
        if view.pages.get(page).state == PageState::Waiting {
            self.put(page);
        }
    }
}
