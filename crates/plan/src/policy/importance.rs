//! Importance, without the pattern: by how important changes are on average, whatever the hour.

use super::{by_urgency::Strategy, importance_pattern};

pub(super) const STRATEGY: Strategy =
    Strategy { promise: |pattern, _| pattern.overall(), ..importance_pattern::STRATEGY };
