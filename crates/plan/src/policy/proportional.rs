//! Visits in proportion to the change rate: whoever has the most changes to be expected comes first.

use super::believed::Believed;
use tintype_vocab::{PageId, Time};

pub(super) fn worth(believed: &Believed<'_>, page: PageId, at: Time) -> f64 {
    believed.mean_per_day(page) * believed.days(page, at)
}
