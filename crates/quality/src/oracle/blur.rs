//! The least blur of one capture that visits every page once.

use super::assignment;
use crate::{
    Truth,
    life::Page,
    measure::{mean, missed},
    window::Window,
};
use tintype_vocab::Time;

/// A capture of one visit per page.
#[derive(Clone, Debug, PartialEq)]
pub struct OneVisit {
    pub blur: f64,
    /// For every page the number of its slot.
    pub slot: Vec<usize>,
}

/// The least blur over the query interval `[from, to)` of a capture that gives every page a slot of its own.
///
/// Nothing is held from the outset. Exact: a linear assignment on the exact blur (22) of every page in every slot, a bound
/// for offline and online schedules alike. O(N² S) after O(V S) for the costs.
///
/// # Panics
/// If there are fewer slots than pages, or slots outside the query interval.
pub fn blur(truth: &Truth, from: Time, to: Time, slots: &[Time]) -> OneVisit {
    let window = Window::new(from, to);
    assert!(slots.iter().all(|&slot| window.contains(slot)), "slots lie in the query interval");
    let cost = costs(truth, window, slots);
    let slot = assignment(&cost, truth.pages(), slots.len());
    let blur = slot.iter().enumerate().map(|(page, slot)| cost[page * slots.len() + slot]).sum();
    OneVisit { blur, slot }
}

/// Blur of every page, in order, for every slot.
fn costs(truth: &Truth, window: Window, slots: &[Time]) -> Vec<f64> {
    let mut lives = Vec::new();
    let mut costs = Vec::with_capacity(truth.pages() * slots.len());
    for page in 0..truth.pages() {
        let page = Page::new(window, truth.page(page), &[], &mut lives);
        let blur = |&slot| mean(missed(page.changes(), [slot].into_iter(), window), window);
        costs.extend(slots.iter().map(blur));
    }
    costs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{self, at, close};
    use proptest::prelude::*;

    const WINDOW: std::ops::Range<i64> = 4..20;

    /// Expected changes between a moment of the window and the visit, moment by moment.
    fn blur_of_page(truth: &Truth, page: usize, slot: Time) -> f64 {
        let visit = slot.as_millis() as f64;
        let missed = WINDOW.map(|now| trial::missed_between(truth, page, visit, now as f64 + 0.5));
        missed.sum::<f64>() / WINDOW.count() as f64
    }

    fn slowly(truth: &Truth, page: usize, slots: &[Time], used: u32) -> f64 {
        if page == truth.pages() {
            return 0.0;
        }
        let free = (0..slots.len()).filter(|slot| used & 1 << slot == 0);
        let rest = |slot: usize| slowly(truth, page + 1, slots, used | 1 << slot);
        free.map(|slot| blur_of_page(truth, page, slots[slot]) + rest(slot)).fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #[test]
        fn no_order_of_visits_has_less_blur(truth in trial::truths(4, 5), mut slots in trial::slots(6)) {
            slots.retain(|slot| WINDOW.contains(&slot.as_millis()));
            prop_assume!(slots.len() >= truth.pages());
            let least = blur(&truth, at(WINDOW.start), at(WINDOW.end), &slots);
            prop_assert!(close(least.blur, slowly(&truth, 0, &slots, 0)), "{least:?}");
            let visits = least.slot.iter().enumerate().map(|(page, &slot)| blur_of_page(&truth, page, slots[slot]));
            prop_assert!(close(least.blur, visits.sum()), "{least:?}");
        }
    }
}
