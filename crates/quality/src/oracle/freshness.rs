//! The freshest a collection can be: longest life first.

use super::{born, serve};
use crate::{Truth, life::Page, measure::Freshness, window::Window};
use tintype_vocab::Time;

/// The highest freshness in `[from, to)` that visits at `slots` (in order of time) can give.
///
/// A version seen at a slot is fresh from there to its end, whatever else is seen, so a plan gains the sum of
/// (end − slot). At each slot, taking the version that ends last is optimal. Let a plan take x there and y, which ends
/// later, at a later slot: if x is alive at that slot, exchanging the two gains the same; if not, taking y now and nothing
/// later gains at least as much. If the plan never takes y, y instead of x gains more. Hence no bounds are needed, nor a
/// dynamic programme per page: this is exact. O((V + S) log V).
pub fn freshness(truth: &Truth, from: Time, to: Time, slots: &[Time]) -> f64 {
    let window = Window::new(from, to);
    let mut freshness = unvisited(truth, window);
    let mut versions = born(truth, window);
    versions.iter_mut().for_each(|version| version.until = version.until.min(to));
    serve(
        versions,
        window.slots(slots),
        |until| until,
        |slot, until| {
            let alive = slot < until;
            if alive {
                freshness.fresh_ms += i128::from((until - slot).as_millis());
            }
            alive
        },
    );
    freshness.share()
}

/// What is fresh without any visit, because it is held from the outset.
fn unvisited(truth: &Truth, window: Window) -> Freshness {
    let mut freshness = Freshness::default();
    let mut lives = Vec::new();
    for page in 0..truth.pages() {
        freshness.add(&Page::new(window, truth.page(page), &[], &mut lives));
    }
    freshness
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{self, at, close};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_plan_is_fresher_and_one_is_as_fresh(truth in trial::truths(3, 6), slots in trial::slots(5)) {
            let most = freshness(&truth, at(4), at(20), &slots);
            let best = trial::best(&truth, at(4), at(20), &slots, |score| score.freshness);
            prop_assert!(close(most, best), "{most} is {best}");
        }
    }

    #[test]
    fn a_slot_for_each_birth_keeps_everything_fresh() {
        let truth = trial::page(&[(0, 3), (3, 5), (7, 30)]);
        assert_eq!(freshness(&truth, at(1), at(20), &[at(3), at(7)]), 1.0);
        assert_eq!(freshness(&truth, at(1), at(20), &[at(4), at(7)]), 16.0 / 17.0);
    }
}
