//! Hottest or coldest first: by believed change rate, ties in order of discovery.

use super::{Choice, Policy, View};
use std::{cmp::Reverse, collections::BinaryHeap};
use tintype_vocab::{PageId, Time};

/// Rates as integers that order like the floats they come from (rates are never negative or NaN).
type Rank = u32;

#[derive(Debug)]
pub(super) struct ByRate {
    heap: BinaryHeap<(Rank, Reverse<PageId>)>,
    rank: fn(f32) -> Rank,
}

impl ByRate {
    pub(super) fn hottest_first() -> ByRate {
        ByRate { heap: BinaryHeap::new(), rank: |rate| rate.max(0.0).to_bits() }
    }

    pub(super) fn coldest_first() -> ByRate {
        ByRate { heap: BinaryHeap::new(), rank: |rate| !rate.max(0.0).to_bits() }
    }
}

impl Policy for ByRate {
    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        let rank = (self.rank)(view.pages.get(page).rate_per_day);
        self.heap.push((rank, Reverse(page)));
    }

    fn choose(&mut self, _now: Time, _view: &View<'_>) -> Choice {
        self.heap.pop().map_or(Choice::Done, |(_, Reverse(page))| Choice::Visit(page))
    }
}
