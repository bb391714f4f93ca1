//! Most likely changed first.

use super::{View, watch::Watch};
use tintype_learn::grid::Curve;
use tintype_vocab::{PageId, Time};

pub(super) fn worth(watch: &Watch, page: PageId, view: &View<'_>, at: Time) -> f64 {
    watch.expect(page, view, Curve::Changed, watch.days(page, at))
}
