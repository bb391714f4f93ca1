//! Most likely changed first.

use super::believed::Believed;
use tintype_learn::grid::Curve;
use tintype_vocab::{PageId, Time};

pub(super) fn worth(believed: &Believed<'_>, page: PageId, at: Time) -> f64 {
    believed.expect(page, Curve::Changed, believed.days(page, at))
}
