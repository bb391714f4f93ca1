//! Importance-Pattern, the paper's own strategy: by how important changes are in the period that has begun.

use super::by_urgency::Strategy;

pub(super) const STRATEGY: Strategy =
    Strategy { counts: f64::from, promise: |pattern, at| (pattern.at(at), pattern.seen_at(at)) };
