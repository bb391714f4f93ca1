//! Nutch's AdaptiveFetchSchedule: four tenths longer after no change, a fifth shorter after one.

use super::by_due::Intervals;
use tintype_vocab::Span;

pub(super) const INTERVALS: Intervals = Intervals {
    start: Span::from_days(30),
    min: Span::from_secs(60),
    max: Span::from_days(365),
    unchanged: |interval| interval * 7 / 5,
    changed: |interval| interval * 4 / 5,
};
