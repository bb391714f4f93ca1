//! Somebody who looks on while a capture takes pages in, and says in the end what they showed together.
//!
//! A crawl of a source is such a capture: what its pages list is read as they come by, only further pages of the listing
//! are followed, and what came out stands in the log before its last line, so that either all of it is known or nothing.

use std::fmt;
use tintype_observe::Described;
use tintype_vocab::{Links, ObjectCrawl, Outcome, Visit};

/// What a visit showed of a page.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    pub described: &'a Described<'a>,
    pub body: &'a [u8],
    /// Nothing is missing at the end.
    pub is_whole: bool,
}

/// See [`Capture::attach`](crate::Capture::attach).
pub trait CaptureObserver: fmt::Debug + Send {
    /// A page was visited, or asked for in vain. Returns where to go from it.
    fn see(&mut self, visit: &Visit, page: Option<Shown<'_>>) -> Links;

    /// The capture came to its end. Returns what is to be kept of it.
    fn conclude(&mut self) -> Option<ObjectCrawl>;
}

/// Whether an answer shows a page, be it the one that is held.
pub(crate) fn shows_page(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Body { .. } | Outcome::NotModified)
}
