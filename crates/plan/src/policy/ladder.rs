//! Pages by believed change rate, from which any rung can be taken: the coldest, the hottest, the seventeenth.

use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use tintype_vocab::PageId;

/// A rate to within one per cent: no belief is finer than that, and pages fall into few enough queues that taking
/// any rung costs the same with a thousand pages known as with ten million.
pub(super) type Rank = u16;

/// Positive floats order like their bits; the upper half keeps seven bits of mantissa.
pub(super) fn rank(rate: f32) -> Rank {
    (rate.max(0.0).to_bits() >> 16) as Rank
}

const RANKS: usize = 1 << 15;
const ABSENT: Rank = Rank::MAX;

/// Pages of equal rank stand in the order in which they came.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Ladder {
    queues: HashMap<Rank, VecDeque<PageId>>,
    /// How many pages have which ranks, as sums over halves, quarters and so on (Fenwick); empty until somebody comes.
    sums: Vec<u32>,
    /// The rank under which a page stands here, by its number.
    ranks: Vec<Rank>,
    len: usize,
}

impl Ladder {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn contains(&self, page: PageId) -> bool {
        self.ranks.get(page.index()).is_some_and(|rank| *rank != ABSENT)
    }

    pub(super) fn insert(&mut self, page: PageId, rate: f32) {
        if self.sums.is_empty() {
            self.sums = vec![0; RANKS + 1];
        }
        let rank = rank(rate).min(RANKS as Rank - 1);
        if self.ranks.len() <= page.index() {
            self.ranks.resize(page.index() + 1, ABSENT);
        }
        self.ranks[page.index()] = rank;
        self.queues.entry(rank).or_default().push_back(page);
        self.count(rank, 1);
    }

    /// The rank of the `nth` page from the cold end.
    pub(super) fn rank_at(&self, nth: usize) -> Option<Rank> {
        rank_at(&[self], nth)
    }

    /// Takes the page that came first among those of a rank.
    pub(super) fn take(&mut self, rank: Rank) -> Option<PageId> {
        let queue = self.queues.get_mut(&rank)?;
        let page = queue.pop_front();
        if queue.is_empty() {
            self.queues.remove(&rank);
        }
        if let Some(page) = page {
            self.ranks[page.index()] = ABSENT;
            self.count(rank, -1);
        }
        page
    }

    /// Takes a page off that somebody else has seen to; quick for those that came early.
    pub(super) fn remove(&mut self, page: PageId) -> bool {
        let Some(rank) = self.ranks.get(page.index()).copied().filter(|rank| *rank != ABSENT) else { return false };
        let Some(queue) = self.queues.get_mut(&rank) else { return false };
        // From both ends: those who leave out of turn came early or just now.
        let len = queue.len();
        let at = (0..len).flat_map(|at| [at, len - 1 - at]).find(|at| queue[*at] == page);
        let at = at.expect("a page stands in the queue of its rank");
        queue.remove(at);
        if queue.is_empty() {
            self.queues.remove(&rank);
        }
        self.ranks[page.index()] = ABSENT;
        self.count(rank, -1);
        true
    }

    /// Takes the `nth` page from the cold end.
    pub(super) fn take_at(&mut self, nth: usize) -> Option<PageId> {
        self.rank_at(nth).and_then(|rank| self.take(rank))
    }

    pub(super) fn take_coldest(&mut self) -> Option<PageId> {
        self.take_at(0)
    }

    pub(super) fn take_hottest(&mut self) -> Option<PageId> {
        self.len.checked_sub(1).and_then(|last| self.take_at(last))
    }

    fn count(&mut self, rank: Rank, change: i32) {
        self.len = (self.len as i64 + i64::from(change)) as usize;
        let mut at = usize::from(rank) + 1;
        while at <= RANKS {
            self.sums[at] = self.sums[at].wrapping_add_signed(change);
            at += at & at.wrapping_neg();
        }
    }
}

/// The rank of the `nth` page from the cold end when several ladders are held side by side.
pub(super) fn rank_at(ladders: &[&Ladder], nth: usize) -> Option<Rank> {
    if nth >= ladders.iter().map(|ladder| ladder.len).sum() {
        return None;
    }
    let (mut below, mut left, mut half) = (0, nth, RANKS / 2);
    while half > 0 {
        let sum = |ladder: &&Ladder| ladder.sums.get(below + half).map_or(0, |sum| *sum as usize);
        let pages: usize = ladders.iter().map(sum).sum();
        if pages <= left {
            left -= pages;
            below += half;
        }
        half /= 2;
    }
    Some(below as Rank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranks_order_like_rates_down_to_one_per_cent() {
        let rates = [0.0, 1e-9, 0.005, 0.0051, 0.5, 0.505, 1.0, 100.0, f32::INFINITY];
        assert!(rates.windows(2).all(|pair| rank(pair[0]) < rank(pair[1])));
        assert_eq!(rank(-1.0), rank(0.0));
    }

    proptest! {
        #[test]
        fn any_rung_is_what_sorting_would_give(
            rates in proptest::collection::vec(0.0f32..100.0, 1..60),
            takes in proptest::collection::vec((0usize..60, any::<bool>()), 0..60),
        ) {
            let (mut one, mut two) = (Ladder::default(), Ladder::default());
            let mut sorted: Vec<(Rank, usize)> = Vec::new();
            for (page, rate) in rates.iter().enumerate() {
                if page % 3 == 0 { &mut two } else { &mut one }.insert(PageId(page as u32), *rate);
                sorted.push((rank(*rate), page));
            }
            sorted.sort_unstable();
            for (nth, first) in takes {
                prop_assert_eq!(rank_at(&[&one, &two], nth), sorted.get(nth).map(|entry| entry.0));
                let (ladder, third) = if first { (&mut one, false) } else { (&mut two, true) };
                let own: Vec<usize> = (0..sorted.len()).filter(|at| sorted[*at].1.is_multiple_of(3) == third).collect();
                let wanted = own.get(nth).map(|at| sorted[*at]);
                let taken = ladder.take_at(nth);
                prop_assert_eq!(taken.is_some(), wanted.is_some());
                if let (Some(page), Some((expected, _))) = (taken, wanted) {
                    let at = sorted.iter().position(|entry| entry.1 == page.index()).unwrap();
                    prop_assert_eq!(sorted[at].0, expected);
                    sorted.remove(at);
                }
            }
        }
    }
}
