//! How far the moments of a query interval are from the visits that answer for them.

/// The integral over `[from, to]` of the distance to the nearest visit: SHARC's ω, for any number of visits.
///
/// One visit inside is (2), one outside the general interval of section 4.4 continued, two are (19), and K visits at the
/// best places leave `(to - from)² / 4K`. Linear in the visits.
///
/// # Panics
/// If there are no visits, or they are out of order, or the interval ends before it begins.
pub fn penalty(visits: &[f64], from: f64, to: f64) -> f64 {
    sides(visits, from, to).map(Side::missed).sum()
}

/// The expected blur (3) of a capture: for every page its change rate and the times of its visits.
///
/// A change rate is per unit of the times. An empty interval asks for nothing and has no blur.
pub fn expected_blur<V: AsRef<[f64]>>(pages: impl IntoIterator<Item = (f64, V)>, from: f64, to: f64) -> f64 {
    if from == to {
        return 0.0;
    }
    pages.into_iter().map(|(rate, visits)| rate * penalty(visits.as_ref(), from, to) / (to - from)).sum()
}

/// The moments that one visit answers for on one side of it: from `near` to `far` away.
///
/// A change between the visit and such a moment is missed there. So a change up to `near` away is missed at all of these
/// moments, and one further away at those beyond it. No change is missed on two sides, which is why sides add up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    near: f64,
    far: f64,
}

impl Side {
    /// The integral over all changes of the time for which a change is missed: also that of the distance to the visit.
    pub(super) fn missed(self) -> f64 {
        let width = self.far - self.near;
        width * (self.near + width / 2.0)
    }

    /// The integral over all changes of that time's square.
    pub(super) fn missed_squared(self) -> f64 {
        let width = self.far - self.near;
        width * width * (self.near + width / 3.0)
    }
}

/// Both sides of every visit, cut to the query interval. Between two visits the middle divides them.
pub(super) fn sides(visits: &[f64], from: f64, to: f64) -> impl Iterator<Item = Side> {
    assert!(!visits.is_empty(), "somebody has to answer");
    assert!(visits.is_sorted(), "visits come in order of time");
    assert!(from <= to, "a query interval does not end before it begins");
    let middles = visits.windows(2).map(move |pair| f64::midpoint(pair[0], pair[1]).clamp(from, to));
    let begins = [from].into_iter().chain(middles.clone());
    let ends = middles.chain([to]);
    visits.iter().zip(begins.zip(ends)).flat_map(|(&visit, (begin, end))| {
        let after = Side { near: (begin - visit).max(0.0), far: (end - visit).max(0.0) };
        let before = Side { near: (visit - end).max(0.0), far: (visit - begin).max(0.0) };
        [before, after]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::close;
    use proptest::{collection::vec, prelude::*};

    /// In as many steps; the integrand is piecewise linear, so the middle of a step is its mean but at the kinks.
    fn slowly(visits: &[f64], from: f64, to: f64) -> f64 {
        const STEPS: u32 = 2_000;
        let step = (to - from) / f64::from(STEPS);
        let nearest = |now: f64| visits.iter().map(|visit| (visit - now).abs()).fold(f64::INFINITY, f64::min);
        (0..STEPS).map(|nth| nearest(from + step * (f64::from(nth) + 0.5)) * step).sum()
    }

    proptest! {
        #[test]
        fn the_penalty_is_the_integral_of_the_distance(
            mut visits in vec(-20.0_f64..30.0, 1..8), from in -5.0_f64..5.0, length in 0.0_f64..12.0,
        ) {
            visits.sort_by(f64::total_cmp);
            let (exact, steps) = (penalty(&visits, from, from + length), slowly(&visits, from, from + length));
            prop_assert!((exact - steps).abs() < 1e-4 * (1.0 + steps), "{exact} is {steps}");
        }

        #[test]
        fn a_visit_more_never_hurts(mut visits in vec(-20.0_f64..30.0, 1..8), more in -20.0_f64..30.0) {
            visits.sort_by(f64::total_cmp);
            let before = penalty(&visits, 0.0, 10.0);
            visits.insert(visits.partition_point(|&visit| visit < more), more);
            prop_assert!(penalty(&visits, 0.0, 10.0) <= before + 1e-9);
        }
    }

    #[test]
    fn visits_in_the_middle_of_equal_parts_leave_the_least() {
        for count in 1..9 {
            let part = 12.0 / f64::from(count);
            let visits: Vec<f64> = (0..count).map(|nth| part * (f64::from(nth) + 0.5)).collect();
            assert!(close(penalty(&visits, 0.0, 12.0), 144.0 / 4.0 / f64::from(count)));
        }
    }

    #[test]
    fn an_interval_of_no_length_has_no_blur() {
        assert_eq!(expected_blur([(3.0, [7.0])], 2.0, 2.0), 0.0);
        assert_eq!(penalty(&[7.0], 2.0, 2.0), 0.0);
    }

    #[test]
    #[should_panic(expected = "somebody has to answer")]
    fn without_a_visit_there_is_no_answer() {
        penalty(&[], 0.0, 1.0);
    }
}
