//! Importance, without the pattern: by how important changes are on average, whatever the hour.

use super::by_urgency::Strategy;

pub(super) const STRATEGY: Strategy = Strategy { counts: f64::from, promise: |pattern, _| pattern.overall() };
