//! How freshness went: the one number of a [`Score`](crate::Score) drawn out over the window.

use crate::{
    Seen, Truth,
    judge::ByPage,
    life::{Life, Page},
    window::Window,
};
use tintype_vocab::Time;

/// Freshness in each of `bins` equal parts of `[from, to)`: the share of page time alive during which the latest version
/// we held was the one alive. Weighted with the page time alive of each part, the mean is the freshness that
/// [`judge`](crate::judge) finds. A part in which no page was alive is wholly fresh.
///
/// # Panics
/// If visits are out of order, or go to a page the truth does not have.
pub fn freshness_over_time(truth: &Truth, from: Time, to: Time, visits: &[Seen], bins: usize) -> Vec<f64> {
    let window = Window::new(from, to);
    let visits = ByPage::new(truth.pages(), window, visits);
    let edges = edges(window, bins);
    let (mut alive, mut fresh) = (vec![0; bins], vec![0; bins]);
    let mut lives = Vec::new();
    for number in 0..truth.pages() {
        let page = Page::new(window, truth.page(number), visits.of(number), &mut lives);
        for &Life { from, until, seen, .. } in page.lives {
            spread(&edges, &mut alive, from, until);
            spread(&edges, &mut fresh, seen.unwrap_or(until), until);
        }
    }
    let share = |(fresh, alive): (i128, i128)| if alive == 0 { 1.0 } else { fresh as f64 / alive as f64 };
    fresh.into_iter().zip(alive).map(share).collect()
}

/// Where the parts begin, and where the last one ends.
fn edges(window: Window, bins: usize) -> Vec<Time> {
    let length = i128::from(window.millis());
    let edge = |nth: usize| (length * nth as i128 / bins as i128) as i64;
    if bins == 0 {
        return Vec::new();
    }
    (0..=bins).map(|nth| Time::from_millis(window.from.as_millis() + edge(nth))).collect()
}

/// Adds the milliseconds of `[from, until)` to the parts they fall into.
fn spread(edges: &[Time], sums: &mut [i128], from: Time, until: Time) {
    let first = edges.partition_point(|edge| *edge <= from).saturating_sub(1);
    let parts = edges.windows(2).zip(sums).skip(first);
    for (part, sum) in parts.take_while(|(part, _)| part[0] < until) {
        *sum += i128::from((until.min(part[1]) - from.max(part[0])).as_millis().max(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        judge,
        trial::{self, at, close, page},
    };
    use proptest::prelude::*;

    /// Page time alive in each part, millisecond by millisecond.
    fn alive(truth: &Truth, edges: &[Time]) -> Vec<f64> {
        let at_once = |now| (0..truth.pages()).filter(|page| truth.alive(*page, at(now)).is_some()).count();
        let part = |part: &[Time]| (part[0].as_millis()..part[1].as_millis()).map(at_once).sum::<usize>() as f64;
        edges.windows(2).map(part).collect()
    }

    proptest! {
        #[test]
        fn the_parts_make_up_the_whole(truth in trial::truths(3, 6), plan in trial::visits(3, 8), bins in 1_usize..25) {
            let plan: Vec<Seen> = plan.into_iter().filter(|visit| (visit.page as usize) < truth.pages()).collect();
            let course = freshness_over_time(&truth, at(4), at(20), &plan, bins);
            prop_assert_eq!(course.len(), bins);
            let weights = alive(&truth, &edges(Window::new(at(4), at(20)), bins));
            let all: f64 = weights.iter().sum();
            let fresh: f64 = course.iter().zip(&weights).map(|(share, weight)| share * weight).sum();
            let mean = if all == 0.0 { 1.0 } else { fresh / all };
            let whole = judge(&truth, at(4), at(20), &plan).freshness;
            prop_assert!(close(mean, whole), "{} is {}", mean, whole);
        }
    }

    #[test]
    fn a_change_makes_stale_until_a_visit() {
        // Held from the outset, changed at 5, seen at 8.
        let course = freshness_over_time(&page(&[(0, 5), (5, 40)]), at(0), at(12), &[Seen { at: at(8), page: 0 }], 4);
        assert_eq!(course, [1.0, 2.0 / 3.0, 1.0 / 3.0, 1.0]);
    }

    #[test]
    fn where_nothing_lives_nothing_is_stale() {
        assert_eq!(freshness_over_time(&page(&[(6, 8)]), at(0), at(8), &[], 2), [1.0, 0.0]);
        assert_eq!(freshness_over_time(&page(&[(6, 8)]), at(3), at(3), &[], 2), [1.0, 1.0]);
        assert!(freshness_over_time(&Truth::default(), at(0), at(8), &[], 0).is_empty());
    }
}
