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

    pub(crate) fn spend_request(&mut self) {
        self.requests = self.requests.map(|left| left.saturating_sub(1));
    }

    pub(crate) fn spend_bytes(&mut self, bytes: u64) {
        self.bytes = self.bytes.map(|left| left.saturating_sub(bytes));
    }
}
