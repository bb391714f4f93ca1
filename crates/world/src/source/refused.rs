//! Why a source is refused.

use crate::recorded::Malformed;
use std::{io, path::PathBuf};
use tintype_vocab::Time;

/// A directory that holds no source.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("cannot read {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}: {source}", path.display())]
    Malformed { path: PathBuf, source: Malformed },
    #[error("{}: {source}", path.display())]
    Unsound { path: PathBuf, source: Unsound },
}

/// Objects that cannot have been seen so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsound {
    #[error("there is no object, and nobody is known to have looked")]
    NoLooks,
    #[error("the look at {at} is not later than the one before")]
    LooksOutOfOrder { at: Time },
    #[error("the object {id:?} left before it came")]
    Negative { id: String },
    #[error("the object {id:?} was seen before the first look or after the last")]
    Outside { id: String },
    #[error("the object {id:?} was there twice at once")]
    SeenTwice { id: String },
    #[error("the object {id:?} has {found} attributes where there are {expected}")]
    Attributes { id: String, expected: usize, found: usize },
}
