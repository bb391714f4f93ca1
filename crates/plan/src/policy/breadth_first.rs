//! In order of discovery: what every crawler does when it knows nothing.

use super::view::{Choice, Policy, View};
use std::collections::VecDeque;
use tintype_vocab::{PageId, Time};

#[derive(Debug, Default)]
pub(super) struct BreadthFirst {
    queue: VecDeque<PageId>,
}

impl Policy for BreadthFirst {
    saves!(queue);

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.queue.push_back(page);
    }

    fn choose(&mut self, _now: Time, _view: &View<'_>) -> Choice {
        self.queue.pop_front().map_or(Choice::Done, Choice::Visit)
    }
}
