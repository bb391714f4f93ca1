//! Hottest or coldest first: by believed change rate, ties in order of discovery.

use super::{Choice, Policy, View};
use std::collections::{BTreeMap, VecDeque};
use tintype_vocab::{PageId, Time};

/// A rate to within one per cent: no belief is finer than that, and pages fall into few enough queues that taking
/// the next one costs the same with a thousand pages known as with ten million.
type Rank = u16;

/// Positive floats order like their bits; the upper half keeps seven bits of mantissa.
fn rank(rate: f32) -> Rank {
    (rate.max(0.0).to_bits() >> 16) as Rank
}

#[derive(Debug)]
pub(super) struct ByRate {
    /// No queue is ever empty.
    queues: BTreeMap<Rank, VecDeque<PageId>>,
    hottest_first: bool,
}

impl ByRate {
    pub(super) fn hottest_first() -> ByRate {
        ByRate { queues: BTreeMap::new(), hottest_first: true }
    }

    pub(super) fn coldest_first() -> ByRate {
        ByRate { queues: BTreeMap::new(), hottest_first: false }
    }
}

impl Policy for ByRate {
    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        self.queues.entry(rank(view.pages.get(page).rate.per_day)).or_default().push_back(page);
    }

    fn choose(&mut self, _now: Time, _view: &View<'_>) -> Choice {
        let end = if self.hottest_first { self.queues.last_entry() } else { self.queues.first_entry() };
        let Some(mut queue) = end else { return Choice::Done };
        let page = queue.get_mut().pop_front();
        if queue.get().is_empty() {
            queue.remove();
        }
        page.map_or(Choice::Done, Choice::Visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_order_like_rates_down_to_one_per_cent() {
        let rates = [0.0, 1e-9, 0.005, 0.0051, 0.5, 0.505, 1.0, 100.0, f32::INFINITY];
        assert!(rates.windows(2).all(|pair| rank(pair[0]) < rank(pair[1])));
        assert_eq!(rank(-1.0), rank(0.0));
    }
}
