//! Pattern, without the importance: by how many changes there are in the period that has begun.

use super::{by_urgency::Strategy, importance_pattern};

pub(super) const STRATEGY: Strategy = Strategy { counts: |_| 1.0, ..importance_pattern::STRATEGY };
