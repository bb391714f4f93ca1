//! What is known of a page before it is asked for, or once it has answered for the first time.

use tintype_vocab::{LinkKind, Span, Time};

/// What is known of a page. All but the first three may be missing.
#[derive(Clone, Copy, Debug)]
pub struct Signs<'a> {
    pub url: &'a str,
    pub kind: LinkKind,
    /// Links from the entrance.
    pub depth: u16,
    /// When a listing says it last changed.
    pub listed_modified: Option<Time>,
    /// How often a listing says it changes.
    pub listed_every: Option<Span>,
    /// Whether a feed lists it.
    pub in_feed: bool,
    /// `type/subtype`.
    pub media_type: Option<&'a str>,
    /// When its server says this version came to be.
    pub modified: Option<Time>,
    /// For how long its server says an answer may be used again.
    pub max_age: Option<Span>,
    pub now: Time,
}

impl<'a> Signs<'a> {
    /// A page of which nothing is known but where it was found.
    pub fn new(url: &'a str, kind: LinkKind, depth: u16, now: Time) -> Signs<'a> {
        Signs {
            url,
            kind,
            depth,
            listed_modified: None,
            listed_every: None,
            in_feed: false,
            media_type: None,
            modified: None,
            max_age: None,
            now,
        }
    }
}
