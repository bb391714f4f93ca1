//! Why a table is refused.

use crate::Impossible;
use std::{fmt, io};

/// A table that cannot be played, and the line that says so. Lines are counted from 1, the header.
#[derive(Debug)]
pub struct Malformed {
    pub line: u64,
    pub what: Fault,
}

/// What is wrong with a line. Texts are those found there, cut to a length fit to be shown.
#[derive(Debug)]
pub enum Fault {
    MissingColumn(&'static str),
    Fields {
        expected: usize,
        found: usize,
    },
    Time(String),
    /// Outside the years in which there is a web.
    TimeOutOfRange(String),
    EventKind(String),
    Size(String),
    /// Not absolute, or with control characters in it.
    Path(String),
    PathTooLong,
    Flag(String),
    Count(String),
    /// An object without an identifier.
    NoId,
    /// An object that was last seen before it was first seen.
    NegativeLife,
    /// A time that is not later than the one before it.
    NotLater,
    /// More than is read of one table.
    TooMuch,
    RowTooLong,
    NotUtf8,
    /// A quoted field that does not end, or goes on after its end.
    Quotes,
    /// Well written, but it cannot have happened after the lines before it.
    Impossible(Impossible),
    /// The compressed file ends before its end.
    Torn,
    /// The file cannot be read any further.
    Read(io::Error),
}

/// Longer texts are not repeated in messages.
const SHOWN_CHARS: usize = 40;

/// As much of a text as a message repeats.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(SHOWN_CHARS).collect()
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::MissingColumn(name) => write!(f, "there is no column {name}"),
            Fault::Fields { expected, found } => write!(f, "{found} fields where the header has {expected}"),
            Fault::Time(text) => write!(f, "{text:?} is no time; write unix seconds or 2026-11-15T21:55:03Z"),
            Fault::TimeOutOfRange(text) => write!(f, "the time {text:?} is not between the years 1970 and 2200"),
            Fault::EventKind(text) => write!(f, "{text:?} is no kind of event; there are A, M and D"),
            Fault::Size(text) => write!(f, "{text:?} is no size in bytes"),
            Fault::Path(text) => write!(f, "{text:?} is no path; paths begin with / and have no control characters"),
            Fault::PathTooLong => write!(f, "the path is longer than {} bytes", super::PATH_BYTES_MAX),
            Fault::Flag(text) => write!(f, "{text:?} is neither 0 nor 1"),
            Fault::Count(text) => write!(f, "{text:?} is no number of things"),
            Fault::NoId => f.write_str("the object has no identifier"),
            Fault::NegativeLife => f.write_str("the object was last seen before it was first seen"),
            Fault::NotLater => f.write_str("the time is not later than the one before"),
            Fault::TooMuch => f.write_str("the table is too long to be read any further"),
            Fault::RowTooLong => write!(f, "the line is longer than {} bytes", super::ROW_BYTES_MAX),
            Fault::NotUtf8 => f.write_str("the text is not UTF-8"),
            Fault::Quotes => f.write_str("a quoted field has no end, or goes on after it"),
            Fault::Impossible(why) => write!(f, "the event {why}"),
            Fault::Torn => f.write_str("the compressed file ends here, before its end"),
            Fault::Read(error) => write!(f, "cannot be read: {error}"),
        }
    }
}

impl std::error::Error for Malformed {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.what {
            Fault::Read(error) => Some(error),
            Fault::Impossible(why) => Some(why),
            _ => None,
        }
    }
}
