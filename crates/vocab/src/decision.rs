//! A step a scheduler took, as the log keeps it.

use crate::{Observation, PageId, Purpose, Request, Time};
use serde::{Deserialize, Serialize};

/// Why this page and why now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// A person named it.
    Seed,
    /// The host's rules come first.
    Rules,
    /// The server sent us here from another URL.
    Redirect,
    /// An earlier try failed.
    Retry,
    /// It was in flight when an earlier run stopped.
    Resumed,
    /// The policy chose it.
    Policy,
}

/// One request the scheduler let out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub at: Time,
    /// Observations settled before this decision. Requests overlap, so the order of lines alone does not tell.
    pub settled: u64,
    pub page: PageId,
    pub url: String,
    pub purpose: Purpose,
    #[serde(default)]
    pub attempt: u8,
    pub why: Why,
}

impl Decision {
    pub fn of(request: &Request, at: Time, settled: u64, why: Why) -> Decision {
        let Request { page, url, purpose, attempt, .. } = request.clone();
        Decision { at, settled, page, url, purpose, attempt, why }
    }
}

/// One line of a capture's log, as a scheduler sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    Decision(Decision),
    Observation(Box<Observation>),
}
