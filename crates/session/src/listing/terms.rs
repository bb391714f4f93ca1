//! What decides how crawls of a source are learned from.

use serde::{Deserialize, Serialize};
use tintype_plan::deadline::{BROKEN_SHARE_MAX, Promise};
use tintype_vocab::Span;

/// What is promised of a copy, how often it may be crawled at the most, and for how long an object may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    pub promise: Promise,
    pub step: Span,
    /// An object that is missing for no longer has not left.
    pub bridge: Span,
}

impl Default for Terms {
    /// Of a source without a declaration, such as one that was only imported.
    fn default() -> Terms {
        let promise = Promise { precision: Some(0.9), recall: Some(0.9), broken_share_max: BROKEN_SHARE_MAX };
        Terms { promise, step: Span::from_secs(15 * 60), bridge: Span::ZERO }
    }
}
