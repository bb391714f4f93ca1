//! Heritrix 1's adaptive revisiting: half as long again after no change, a third less after one.

use super::by_due::Intervals;
use tintype_vocab::Span;

pub(super) const INTERVALS: Intervals = Intervals {
    start: Span::from_days(1),
    min: Span::from_secs(3600),
    max: Span::from_days(28),
    unchanged: |interval| interval * 3 / 2,
    changed: |interval| interval * 2 / 3,
};
