//! Why there is no answer, on its way to becoming an outcome.

use std::fmt::Display;
use tintype_vocab::{Failure, Phase};

/// A failure with its detail for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FetchError {
    pub(super) cause: Failure,
    pub(super) note: String,
}

impl FetchError {
    pub(super) fn new(cause: Failure, note: impl Display) -> FetchError {
        FetchError { cause, note: note.to_string() }
    }

    pub(super) fn timeout(phase: Phase) -> FetchError {
        FetchError::new(Failure::Timeout(phase), Failure::Timeout(phase))
    }
}

/// An error and its causes on one line; hyper and rustls hide the telling part in the source.
pub(super) fn in_words(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = error.source();
    }
    text
}
