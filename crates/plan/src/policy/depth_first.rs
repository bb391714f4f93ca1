//! Newest discovery first: follows one thread to its end before taking up the next.

use super::{Choice, Policy, View};
use tintype_vocab::{PageId, Time};

#[derive(Debug, Default)]
pub(super) struct DepthFirst {
    stack: Vec<PageId>,
}

impl Policy for DepthFirst {
    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.stack.push(page);
    }

    fn choose(&mut self, _now: Time, _view: &View<'_>) -> Choice {
        self.stack.pop().map_or(Choice::Done, Choice::Visit)
    }
}
