//! Which versions teach and which are tested: windows that slide by one version, as in the NEAR-Miner paper.

use std::ops::Range;
use tintype_vocab::{Span, Time};

/// Test `n` learns from the versions `n..n + train` and is held against the one after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    /// When the first version was there.
    pub from: Time,
    /// From one version to the next.
    pub every: Span,
    /// Versions that teach.
    pub train: usize,
    /// Versions that are tested.
    pub test: usize,
}

/// What somebody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The distance of versions; `None` leaves it to the history.
    pub every: Option<Span>,
    pub train: usize,
    pub test: usize,
}

/// A history that spans fewer than three versions: nothing can be learned from one and tested on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooShort {
    pub versions: usize,
    pub every: Span,
    /// A distance that would leave enough, if there is one.
    pub enough: Option<Span>,
}

/// Distances that are tried when nobody says one, the longest first.
const DISTANCES: [Span; 10] = [
    Span::from_days(7),
    Span::from_days(1),
    Span::from_secs(12 * 3600),
    Span::from_secs(6 * 3600),
    Span::from_secs(3 * 3600),
    Span::from_secs(3600),
    Span::from_secs(1800),
    Span::from_secs(600),
    Span::from_secs(60),
    Span::from_secs(1),
];

/// Two versions make the first change that can be learned, one more is tested.
const VERSIONS_MIN: usize = 3;

impl Windows {
    /// The windows that fit between two moments. Where a distance is said and the time is too short for it, there are
    /// fewer tests, and then fewer versions that teach; always one at least, as a test is about what changed since.
    pub fn fit(from: Time, to: Time, wanted: Wanted) -> Result<Windows, TooShort> {
        let all = wanted.train + wanted.test;
        let longest = |versions: usize| DISTANCES.into_iter().find(|every| held(from, to, *every) >= versions);
        let every = wanted.every.or_else(|| longest(all)).or_else(|| longest(VERSIONS_MIN)).unwrap_or(DISTANCES[0]);
        let versions = held(from, to, every);
        if versions < VERSIONS_MIN {
            return Err(TooShort { versions, every, enough: longest(VERSIONS_MIN) });
        }
        let train = wanted.train.clamp(1, versions - 1);
        Ok(Windows { from, every, train, test: wanted.test.min(versions - train) })
    }

    pub fn versions(&self) -> usize {
        self.train + self.test
    }

    pub fn time(&self, version: usize) -> Time {
        self.from + self.every * version as i64
    }

    /// The version that a test is about.
    pub fn tested(&self, test: usize) -> usize {
        test + self.train
    }

    /// The versions a test may learn from.
    pub fn taught(&self, test: usize) -> Range<usize> {
        test..test + self.train
    }
}

/// How many versions there are from one moment to another, both included.
fn held(from: Time, to: Time, every: Span) -> usize {
    if every <= Span::ZERO || to < from {
        return 0;
    }
    ((to - from).as_millis() / every.as_millis()) as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(days: i64, every: Option<i64>, train: usize, test: usize) -> Result<Windows, TooShort> {
        let from = Time::from_secs(1_000_000);
        Windows::fit(from, from + Span::from_days(days), Wanted { every: every.map(Span::from_days), train, test })
    }

    fn shape(windows: Result<Windows, TooShort>) -> (i64, usize, usize) {
        let windows = windows.unwrap();
        (windows.every.as_millis() / 3_600_000, windows.train, windows.test)
    }

    #[test]
    fn the_longest_distance_that_leaves_enough_is_taken() {
        assert_eq!(shape(fit(365, None, 20, 10)), (7 * 24, 20, 10));
        assert_eq!(shape(fit(184, None, 20, 10)), (24, 20, 10));
        assert_eq!(shape(fit(28, None, 20, 10)), (12, 20, 10));
        assert_eq!(shape(fit(29, None, 20, 10)), (24, 20, 10), "both ends count");
    }

    #[test]
    fn a_distance_that_is_said_costs_tests_first() {
        assert_eq!(shape(fit(184, Some(7), 20, 10)), (7 * 24, 20, 7));
        assert_eq!(shape(fit(70, Some(7), 20, 10)), (7 * 24, 10, 1));
        assert_eq!(shape(fit(2, Some(1), 20, 10)), (24, 2, 1));
    }

    #[test]
    fn no_test_is_about_the_first_version() {
        let windows = fit(9, Some(1), 0, 20).unwrap();
        assert_eq!((windows.tested(0), windows.taught(0), windows.test), (1, 0..1, 9));
    }

    #[test]
    fn too_little_is_said_with_what_would_do() {
        let short = fit(6, Some(7), 20, 10).unwrap_err();
        assert_eq!((short.versions, short.enough), (1, Some(Span::from_days(1))));
        assert!(fit(0, None, 20, 10).is_err() && fit(-3, None, 1, 1).is_err());
        assert_eq!(fit(9, Some(0), 1, 1).unwrap_err().versions, 0, "no distance at all");
    }

    #[test]
    fn windows_slide_by_one_version() {
        let windows = fit(365, None, 20, 10).unwrap();
        assert_eq!((windows.taught(0), windows.tested(0)), (0..20, 20));
        assert_eq!((windows.taught(9), windows.tested(9), windows.versions()), (9..29, 29, 30));
        assert_eq!(windows.time(2) - windows.time(0), Span::from_days(14));
    }
}
