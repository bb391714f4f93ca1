//! Rules and patterns of change.

use super::DirectoryId;
use serde::{Deserialize, Serialize};

/// When all directories of the head changed, the tail did not: a negative evolution association rule (Definition 7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Nested, outermost first.
    pub head: Vec<DirectoryId>,
    /// A directory within the last of the head.
    pub tail: DirectoryId,
    /// Transitions it was learned from.
    pub transitions: u32,
    /// Of these: in which the whole head, the tail, and all of them changed.
    pub head_changed: u32,
    pub tail_changed: u32,
    pub together: u32,
    /// Of the head's changes with the tail's (Definition 3), −1..0.
    pub correlation: f64,
    /// The share of the head's changes without the tail's (Definition 6).
    pub confidence: f64,
}

/// Nested directories that often change together, outermost first: a positive evolution pattern (Definition 4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    pub directories: Vec<DirectoryId>,
    pub transitions: u32,
    /// Transitions in which all of them changed.
    pub changed: u32,
}

/// The correlation of change (φ) of a head and a tail that changed so often, alone and together, in so many
/// transitions: equation (1), and with shares of a single transition Definition 3. None if one of them changed always
/// or never: then it says nothing, and there is no rule.
pub fn correlation(transitions: f64, head: f64, tail: f64, together: f64) -> Option<f64> {
    let spread = head * (transitions - head) * tail * (transitions - tail);
    (spread > 0.0).then(|| (transitions * together - head * tail) / spread.sqrt())
}

/// The confidence of a rule (Definition 6) whose head changed so often, alone and with the tail.
pub fn confidence(head: f64, together: f64) -> f64 {
    (head - together) / head
}
