//! Olston and Pandey (WWW 2008): refresh where age × divergence − past divergence is largest. With "the copy is wrong"
//! as divergence this is the index of freshness, g(λx)/λ: pages that change too fast to keep up with are let go.

use super::{View, watch::Watch};
use tintype_learn::grid::Curve;
use tintype_vocab::{PageId, Time};

pub(super) fn worth(watch: &Watch, page: PageId, view: &View<'_>, at: Time) -> f64 {
    watch.expect(page, view, Curve::Freshness, watch.days(page, at))
}
