//! Sharp pages: those whose visit and revisit saw the same version.

use super::Moments;
use tintype_vocab::{ChangeRate, Time};

/// Whether a change at the very moment of a visit comes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// `(visit, revisit]`: a visit sees the change that happens at that moment. True of everything here.
    HalfOpen,
    /// `[visit, revisit]`: it does not, as in Example 7.9 of the SHARC paper.
    Closed,
}

/// Whether nothing changed from visit to revisit; changes in order of time.
pub fn is_sharp<T: PartialOrd + Copy>(changes: &[T], visit: T, revisit: T, ends: Ends) -> bool {
    let seen = changes.partition_point(|&change| match ends {
        Ends::HalfOpen => change <= visit,
        Ends::Closed => change < visit,
    });
    changes.get(seen).is_none_or(|&next| next > revisit)
}

/// Which two of many visits have to agree for the page to be sharp: the last one at or before the reference moment and the
/// first one after it. Visits in order of time.
///
/// A capture offered as one dated whole is asked about one moment, and only the visits next to it can prove what the page
/// was then: wider pairs ask for more than is needed. With one visit and one revisit, and the moment where the paper puts
/// it, between the last of all visits and the first of all revisits, this is the paper's pair.
pub fn bracket<T: PartialOrd + Copy>(visits: &[T], moment: T) -> Option<(T, T)> {
    let after = visits.partition_point(|&visit| visit <= moment);
    Some((visits[after.checked_sub(1)?], *visits.get(after)?))
}

/// The expected number of sharp pages: for every page its change rate, visit and revisit.
pub fn expected_sharp(pages: impl IntoIterator<Item = (f64, f64, f64)>) -> f64 {
    pages.into_iter().map(|(rate, visit, revisit)| (-rate * (revisit - visit)).exp()).sum()
}

/// Whether a page will be sharp whose change rate is believed. Summed over pages: how many will be.
pub fn sharp_moments(rate: ChangeRate, visit: Time, revisit: Time) -> Moments {
    Moments::of_chance(rate.still_chance(revisit - visit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{at, close};
    use tintype_vocab::Span;

    #[test]
    fn a_change_at_the_visit_is_seen_by_it_unless_ends_are_closed() {
        for (change, half_open, closed) in [(0, true, true), (1, true, false), (2, false, false), (3, false, false)] {
            assert_eq!(is_sharp(&[change], 1, 3, Ends::HalfOpen), half_open, "{change}");
            assert_eq!(is_sharp(&[change], 1, 3, Ends::Closed), closed, "{change}");
        }
        assert!(is_sharp(&[0, 4], 1, 3, Ends::Closed));
    }

    #[test]
    fn the_visits_next_to_the_moment_have_to_agree() {
        let visits = [1, 4, 6, 9];
        assert_eq!(bracket(&visits, 5), Some((4, 6)));
        assert_eq!(bracket(&visits, 4), Some((4, 6)));
        assert_eq!((bracket(&visits, 0), bracket(&visits, 9), bracket(&[], 3)), (None, None, None));
    }

    #[test]
    fn with_one_visit_and_one_revisit_the_bracket_is_the_pair() {
        // Example 7.9: six visits, then six revisits.
        for (visit, revisit) in [(0, 11), (1, 10), (2, 9), (3, 8), (4, 7), (5, 6)] {
            assert_eq!(bracket(&[visit, revisit], 5), Some((visit, revisit)));
        }
    }

    #[test]
    fn sharp_pages_are_expected_as_often_as_nothing_happens() {
        let pages = [(0.0, 0.0, 11.0), (0.5, 1.0, 3.0)];
        assert!(close(expected_sharp(pages), 1.0 + (-1.0_f64).exp()));
        let day = |rate| sharp_moments(rate, at(0), at(0) + Span::from_days(2));
        let both = [ChangeRate::known(0.5), ChangeRate { per_day: 1.0, shape: 2.0 }].map(day);
        let (known, unsure) = ((-1.0_f64).exp(), 0.25);
        let sum: Moments = both.into_iter().sum();
        assert!(close(sum.mean, known + unsure));
        assert!(close(sum.variance, known * (1.0 - known) + unsure * (1.0 - unsure)));
    }
}
