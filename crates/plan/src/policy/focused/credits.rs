//! Which visit led to a page that waits, and what that visit was credited with for it.
//!
//! What a visit led to is judged when it is made, by what the model thinks of the pages it found; in the beginning that is
//! not much. When such a page is asked for, the truth is known, and the visit's credit is put right.

use super::leads::Gain;
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use tintype_vocab::PageId;

/// What a visit was credited with for one page it found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Credit {
    /// The page that was visited.
    pub(crate) from: PageId,
    /// The number of that visit among those to pages of its kind.
    pub(crate) nth: u32,
    pub(crate) gain: Gain,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Credits {
    open: HashMap<PageId, Credit>,
}

impl Credits {
    pub(crate) fn give(&mut self, page: PageId, credit: Credit) {
        self.open.insert(page, credit);
    }

    /// The credit given for a page that is settled now.
    pub(crate) fn settle(&mut self, page: PageId) -> Option<Credit> {
        self.open.remove(&page)
    }

    pub(crate) fn forget(&mut self, page: PageId) {
        self.open.remove(&page);
    }

    /// Forgets credits for pages that will not be settled.
    pub(crate) fn keep(&mut self, may_be_settled: impl Fn(PageId) -> bool) {
        self.open.retain(|page, _| may_be_settled(*page));
    }
}
