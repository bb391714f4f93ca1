//! The most versions that can be seen: earliest deadline first.

use super::{born, serve};
use crate::{Truth, window::Window};
use std::cmp::Reverse;
use tintype_vocab::Time;

/// The most versions born in `[from, to)` that visits at `slots` (in order of time) can see alive.
///
/// Versions are unit jobs between birth and end, slots are machines that serve one. Serving the one that ends first is
/// optimal: any other choice can be exchanged for it without losing a version. O((V + S) log V).
pub fn completeness(truth: &Truth, from: Time, to: Time, slots: &[Time]) -> usize {
    let window = Window::new(from, to);
    let mut seen = 0;
    serve(born(truth, window), window.slots(slots), Reverse, |slot, until| {
        let alive = slot < until;
        seen += usize::from(alive);
        alive
    });
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{self, at, close};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_plan_sees_more_and_one_sees_as_much(truth in trial::truths(3, 6), slots in trial::slots(5)) {
            let most = completeness(&truth, at(4), at(20), &slots) as f64;
            let best = trial::best(&truth, at(4), at(20), &slots, |score| score.seen as f64);
            prop_assert!(close(most, best), "{most} is {best}");
        }
    }

    #[test]
    fn the_version_that_ends_first_is_seen_first() {
        let mut truth = trial::page(&[(2, 9)]);
        truth.push_page(trial::page(&[(1, 4)]).versions().to_vec());
        assert_eq!(completeness(&truth, at(0), at(9), &[at(3), at(5)]), 2);
        assert_eq!(completeness(&truth, at(2), at(9), &[at(3), at(5)]), 0, "held from the outset");
    }
}
