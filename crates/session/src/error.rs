//! What can go wrong with a session, and what is worth a word although nothing went wrong.

use std::fmt;
use tintype_plan::{Divergence, SeedError};

/// A session cannot be opened or read back.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Archive(#[from] tintype_archive::Error),
    #[error("{0}")]
    Settings(#[from] SeedError),
    /// The settings at the head of a log cannot be understood.
    #[error("the log of the capture is from another version: {0}")]
    OtherVersion(#[source] serde_json::Error),
    /// A log that was fed to a fresh session led it somewhere else.
    #[error("{0}")]
    Diverged(#[from] Divergence),
}

/// Something derived is missing or could not be saved: the capture goes on without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    DirectoriesUnreadable { site: String, error: String },
    GainsUnreadable { site: String, error: String },
    MediaUnreadable { error: String },
    NotSaved { what: String, error: String },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::DirectoriesUnreadable { site, error } => {
                write!(f, "what was learned of {site} cannot be read, so nothing is skipped: {error}")
            }
            Warning::GainsUnreadable { site, error } => {
                write!(f, "what building pages of {site} brought cannot be read, so it is learned again: {error}")
            }
            Warning::MediaUnreadable { error } => write!(f, "what was learned of media types cannot be read: {error}"),
            Warning::NotSaved { what, error } => write!(f, "{what} could not be saved for next time: {error}"),
        }
    }
}
