//! A fixed interval, as cron has it: every page in turn (Browsertrix, ArchiveBox, changedetection.io, Heritrix 3).

use super::by_due::Intervals;
use tintype_vocab::Span;

pub(super) const INTERVALS: Intervals = Intervals {
    start: Span::ZERO,
    min: Span::ZERO,
    max: Span::ZERO,
    unchanged: |interval| interval,
    changed: |interval| interval,
};
