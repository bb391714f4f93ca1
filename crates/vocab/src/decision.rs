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
    /// A page that is being built by its scripts needs it.
    Rendered,
}

/// One request the scheduler let out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub at: Time,
    /// Observations settled before this decision. Requests overlap, so the order of lines alone does not tell.
    pub settled: u64,
    pub page: PageId,
    pub url: String,
    #[serde(default = "usual_purpose", skip_serializing_if = "is_usual_purpose")]
    pub purpose: Purpose,
    #[serde(default, skip_serializing_if = "is_first_try")]
    pub attempt: u8,
    #[serde(default = "usual_reason", skip_serializing_if = "is_usual_reason")]
    pub why: Why,
    /// What may be spent on each way into the site, requests and bytes, where somebody decided about it since the decision
    /// before: who goes on with a capture may say something else than who began it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<[Option<u64>; 2]>,
}

fn usual_purpose() -> Purpose {
    Purpose::Visit
}

fn is_usual_purpose(purpose: &Purpose) -> bool {
    *purpose == usual_purpose()
}

fn is_first_try(attempt: &u8) -> bool {
    *attempt == 0
}

fn usual_reason() -> Why {
    Why::Policy
}

fn is_usual_reason(why: &Why) -> bool {
    *why == usual_reason()
}

impl Decision {
    pub fn of(request: &Request, at: Time, settled: u64, why: Why) -> Decision {
        let Request { page, url, purpose, attempt, .. } = request.clone();
        Decision { at, settled, page, url, purpose, attempt, why, budgets: Vec::new() }
    }
}

/// One line of a capture's log, as a scheduler sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    Decision(Decision),
    Observation(Box<Observation>),
}
