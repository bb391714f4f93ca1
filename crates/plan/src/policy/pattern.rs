//! Pattern, without the importance: by how many changes there are in the period that has begun.

use super::{by_urgency::Strategy, importance_pattern};
use tintype_learn::hours::Counted;

pub(super) const STRATEGY: Strategy = Strategy { counted: Counted::Changes, ..importance_pattern::STRATEGY };
