//! An error that is corrected by asking differently.

use std::fmt;

/// What is wrong with what was asked, and what to do instead. Rooms that check what they are asked for return it, so that
/// the command line can show the next step and end with the exit code of a usage error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageError {
    pub problem: String,
    /// What to type or change next.
    pub next: String,
}

impl UsageError {
    pub fn new(problem: impl fmt::Display, next: impl Into<String>) -> UsageError {
        UsageError { problem: problem.to_string(), next: next.into() }
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for UsageError {}
