//! Dense numbers for things that live in vectors.

use serde::{Deserialize, Serialize};

/// A site: what one politeness rule covers and one capture spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SiteId(pub u32);

/// A page of one site, numbered in the order it became known, so that state can be a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PageId(pub u32);

impl PageId {
    /// Position of this page in a per-site vector.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
