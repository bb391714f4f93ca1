//! The blur a capture turned out to have, told what really happened.

use crate::{
    Seen, Truth,
    judge::ByPage,
    life::Page,
    measure::{mean, missed},
    window::Window,
};
use tintype_vocab::Time;

/// All of time: changes and visits outside a query interval may still matter to it.
const ALWAYS: Window = Window { from: Time::MIN, to: Time::MAX };

/// Exact blur of a page over the query interval `[from, to]`, both lists in order of time: (22) of one visit, (23) of two.
///
/// # Panics
/// If there are no visits, or the interval ends before it begins.
pub fn exact_blur_of_page(changes: impl IntoIterator<Item = Time>, visits: &[Time], from: Time, to: Time) -> f64 {
    assert!(!visits.is_empty(), "somebody has to answer");
    assert!(visits.is_sorted(), "visits come in order of time");
    let window = Window::new(from, to);
    mean(missed(changes.into_iter(), visits.iter().copied(), window), window)
}

/// Exact blur of a capture: the sum over its pages.
///
/// Unlike [`judge`](crate::judge()), which watches an archive that already held the site, nothing is held from the outset,
/// and visits outside the query interval answer too. A page never visited has no answer to be wrong and adds nothing.
///
/// # Panics
/// If visits are out of order, or go to a page the truth does not have, or the interval ends before it begins.
pub fn exact_blur(truth: &Truth, from: Time, to: Time, visits: &[Seen]) -> f64 {
    let visits = ByPage::new(truth.pages(), ALWAYS, visits);
    let mut lives = Vec::new();
    let mut blur = 0.0;
    for page in (0..truth.pages()).filter(|&page| !visits.of(page).is_empty()) {
        let history = Page::new(ALWAYS, truth.page(page), &[], &mut lives);
        blur += exact_blur_of_page(history.changes(), visits.of(page), from, to);
    }
    blur
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{self, at, close};
    use proptest::prelude::*;

    /// By its definition, half millisecond by half millisecond: what lies between a moment and the visit nearest to it.
    fn slowly(truth: &Truth, from: i64, to: i64, visits: &[Seen]) -> f64 {
        let of_page = |page: usize| {
            let times = visits.iter().filter(|visit| visit.page as usize == page);
            let times: Vec<f64> = times.map(|visit| visit.at.as_millis() as f64).collect();
            let moments = (2 * from..2 * to).map(|half| half as f64 / 2.0 + 0.25);
            let missed = moments.filter_map(|now| {
                let nearest = times.iter().min_by(|a, b| (*a - now).abs().total_cmp(&(*b - now).abs()))?;
                Some(trial::missed_between(truth, page, *nearest, now))
            });
            missed.sum::<f64>() / (to - from) as f64 / 2.0
        };
        (0..truth.pages()).map(of_page).sum()
    }

    proptest! {
        #[test]
        fn a_query_misses_what_lies_between_it_and_the_nearest_visit(
            truth in trial::truths(3, 6), plan in trial::visits(3, 8), from in 2_i64..12, length in 1_i64..12,
        ) {
            let plan: Vec<Seen> = plan.into_iter().filter(|visit| (visit.page as usize) < truth.pages()).collect();
            let (exact, steps) = (
                exact_blur(&truth, at(from), at(from + length), &plan),
                slowly(&truth, from, from + length, &plan),
            );
            prop_assert!(close(exact, steps), "{exact} is {steps}");
        }
    }

    #[test]
    fn a_visit_after_the_interval_has_seen_what_came_in_between() {
        // Asked for 0 to 4, visited at 9: the change at 2 is missed for two, the one at 6 all along.
        assert_eq!(exact_blur_of_page([at(2), at(6)], &[at(9)], at(0), at(4)), 1.5);
        assert_eq!(exact_blur_of_page([at(6)], &[at(9)], at(4), at(4)), 0.0);
    }
}
