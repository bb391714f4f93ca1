//! The most sharp pages one capture can have.

use super::serve;
use crate::{Truth, Version};
use tintype_vocab::Time;

/// The most pages whose visit and revisit can see the same version, if every page gets one slot of each kind at most.
///
/// All visits come before all revisits, both in order of time. A page can use the visit slots since its version came to
/// be and the revisit slots before that version ends: two chains of capacities, of which this is the maximum flow.
/// Pages that can be revisited together form a matroid, and who could be visited at one slot could be at any later one.
/// So it is enough to take, slot by slot, any page that can still be revisited along with those taken: where there is
/// none, no larger set exists among the pages so far. O((N + S) log (N + S)).
///
/// # Panics
/// If slots are out of order.
pub fn sharp(truth: &Truth, visits: &[Time], revisits: &[Time]) -> usize {
    assert!(visits.is_sorted() && revisits.is_sorted(), "slots come in order of time");
    let (Some(&last), Some(&first)) = (visits.last(), revisits.first()) else { return 0 };
    assert!(last <= first, "revisits come after all visits");
    let mut free = LatestFree::new(revisits.len());
    let mut sharp = 0;
    serve(
        alive(truth, last),
        visits,
        |until| until,
        |_, until| {
            let revisited = free.take(revisits.partition_point(|&slot| slot < until));
            sharp += usize::from(revisited);
            revisited
        },
    );
    sharp
}

fn alive(truth: &Truth, now: Time) -> Vec<Version> {
    let alive = |page| truth.alive(page, now).map(|version| truth.versions()[version]);
    (0..truth.pages()).filter_map(alive).collect()
}

/// Slots that are taken from the back, found through the slots that are gone (union–find).
struct LatestFree {
    /// For the first n slots: `below[n] == n` if the last of them is free, otherwise a smaller n to look at.
    below: Vec<usize>,
}

impl LatestFree {
    fn new(slots: usize) -> LatestFree {
        LatestFree { below: (0..=slots).collect() }
    }

    /// Takes the latest free one of the first `usable` slots, if there is one.
    fn take(&mut self, usable: usize) -> bool {
        let mut slot = usable;
        while self.below[slot] != slot {
            self.below[slot] = self.below[self.below[slot]];
            slot = self.below[slot];
        }
        if slot > 0 {
            self.below[slot] = slot - 1;
        }
        slot > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{self, at};
    use proptest::prelude::*;

    /// By trying every pair of slots for every page from `page` on.
    fn slowly(truth: &Truth, page: usize, visits: &[Time], revisits: &[Time], used: [u32; 2]) -> usize {
        if page == truth.pages() {
            return 0;
        }
        let mut most = slowly(truth, page + 1, visits, revisits, used);
        for (v, &visit) in visits.iter().enumerate().filter(|(v, _)| used[0] & 1 << v == 0) {
            for (r, &revisit) in revisits.iter().enumerate().filter(|(r, _)| used[1] & 1 << r == 0) {
                let version = truth.alive(page, visit);
                if version.is_some() && version == truth.alive(page, revisit) {
                    let used = [used[0] | 1 << v, used[1] | 1 << r];
                    most = most.max(1 + slowly(truth, page + 1, visits, revisits, used));
                }
            }
        }
        most
    }

    proptest! {
        #[test]
        fn no_pairing_has_more_sharp_pages(truth in trial::truths(5, 4), slots in trial::slots(8), split in 0_usize..8) {
            let (visits, revisits) = slots.split_at(split.min(slots.len()));
            let most = sharp(&truth, visits, revisits);
            prop_assert_eq!(most, slowly(&truth, 0, visits, revisits, [0, 0]));
        }
    }

    /// Golden S35. The last page changes between any visit and any revisit.
    #[test]
    fn example_7_9_has_five_sharp_pages() {
        let histories: [&[i64]; 6] = [&[], &[1], &[2, 9], &[2, 8, 10], &[1, 3, 7, 11], &[2, 3, 4, 5, 6, 7]];
        let mut truth = Truth::default();
        for history in histories {
            let from = [-1].iter().chain(history);
            let until = history.iter().map(|&change| at(change)).chain([Time::MAX]);
            truth.push_page(from.zip(until).map(|(&from, until)| Version { from: at(from), until, weight: 1.0 }));
        }
        let slots: Vec<Time> = (0..12).map(at).collect();
        assert_eq!(sharp(&truth, &slots[..6], &slots[6..]), 5);
    }
}
