//! Requests and bytes left.

use serde::{Deserialize, Serialize};

/// What a capture may still spend. `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

impl Budget {
    pub fn is_spent(&self) -> bool {
        self.requests == Some(0) || self.bytes == Some(0)
    }

    /// Requests and bytes, as logs keep them.
    pub(crate) fn as_pair(&self) -> [Option<u64>; 2] {
        [self.requests, self.bytes]
    }

    pub(crate) fn from_pair([requests, bytes]: [Option<u64>; 2]) -> Budget {
        Budget { requests, bytes }
    }
}
