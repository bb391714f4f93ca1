//! Pages never seen, in the order they became known: the first version of a page is there for certain and nobody has it.

use super::view::View;
use crate::PageState;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tintype_vocab::PageId;

/// Pages at either end that are looked at.
const LOOK: usize = 8;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Newcomers(VecDeque<PageId>);

impl Newcomers {
    pub(super) fn push(&mut self, page: PageId) {
        self.0.push_back(page);
    }

    /// Whether one is there, as far as a look at both ends tells: most of those in between may have been seen since.
    pub(super) fn has_unseen(&self, is_seen: impl Fn(PageId) -> bool) -> bool {
        let ends = self.0.iter().take(LOOK).chain(self.0.iter().rev().take(LOOK));
        ends.copied().any(|page| !is_seen(page))
    }

    /// The one known longest that may be visited and that nobody has seen to meanwhile.
    pub(super) fn next(&mut self, view: &View<'_>, is_seen: impl Fn(PageId) -> bool) -> Option<PageId> {
        let waits = |page: PageId| view.pages.get(page).state == PageState::Waiting;
        std::iter::from_fn(|| self.0.pop_front()).find(|page| !is_seen(*page) && waits(*page))
    }
}
