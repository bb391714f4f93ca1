//! Olston and Pandey (WWW 2008): refresh where age × divergence − past divergence is largest. With "the copy is wrong"
//! as divergence this is the index of freshness, g(λx)/λ: pages that change too fast to keep up with are let go.

use super::believed::Believed;
use tintype_learn::grid::Curve;
use tintype_vocab::{PageId, Time};

pub(super) fn worth(believed: &Believed<'_>, page: PageId, at: Time) -> f64 {
    believed.expect(page, Curve::Freshness, believed.days(page, at))
}
