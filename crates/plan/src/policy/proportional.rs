//! Visits in proportion to the change rate: whoever has the most changes to be expected comes first.

use super::{View, watch::Watch};
use tintype_vocab::{PageId, Time};

pub(super) fn worth(watch: &Watch, page: PageId, view: &View<'_>, at: Time) -> f64 {
    watch.mean_per_day(page, view) * watch.days(page, at)
}
