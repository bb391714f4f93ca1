//! What was found last first, the links of a page in their order: down one branch before the next.

use super::view::{Choice, Policy, View};
use tintype_vocab::{PageId, Time};

#[derive(Debug, Default)]
pub(super) struct DepthFirst {
    /// Found since the last choice, in the order of the page.
    found: Vec<PageId>,
    stack: Vec<PageId>,
}

impl Policy for DepthFirst {
    saves!(found, stack);

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.found.push(page);
    }

    fn choose(&mut self, _now: Time, _view: &View<'_>) -> Choice {
        self.stack.extend(self.found.drain(..).rev());
        self.stack.pop().map_or(Choice::Done, Choice::Visit)
    }
}
