//! StormCrawler's AdaptiveScheduler: half as long again after no change, halfway to the shortest after one.

use super::by_due::Intervals;
use tintype_vocab::Span;

const MIN: Span = Span::from_secs(3600);

pub(super) const INTERVALS: Intervals = Intervals {
    start: Span::from_days(1),
    min: MIN,
    max: Span::from_days(14),
    unchanged: |interval| interval * 3 / 2,
    changed: |interval| Span::from_millis((interval.as_millis() + MIN.as_millis()) / 2),
};
