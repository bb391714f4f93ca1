//! When the pages of a site change, from what was seen of them.
//!
//! Visits come in order of time from a [`Source`], which is read twice: the first reading ([`survey`]) finds out how often
//! each page changes, which clock the site lives by and whether its changes come in bursts; the second ([`learned`]) then
//! counts changes by that clock. Memory is bounded whatever the source holds: a few dozen bytes for each of at most
//! [`PAGES_MAX`] pages, and less than 800 more for those that ever changed. Read [`Learned`] first.

mod learned;
mod source;
mod survey;

pub(crate) use learned::{Habit, Learned, Noticed};
pub(crate) use source::{OfCollection, OfHistory, Source, by_site};

use tintype_vocab::Time;

/// Pages of one site that are looked at; the visits of others are passed over, and counted.
pub(crate) const PAGES_MAX: usize = 200_000;

/// One visit, as patterns want to hear of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight<'a> {
    /// Identity of the page.
    pub(crate) key: &'a str,
    /// What people call it.
    pub(crate) name: &'a str,
    pub(crate) at: Time,
    pub(crate) saw: Saw,
}

/// What a visit saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Saw {
    /// The page, for the first time; `newborn` if the site was known before and the page was not there.
    First {
        newborn: bool,
    },
    Same,
    /// At least one change since the visit before, the latest at a known moment or not.
    Change {
        at: Option<Time>,
        importance: f64,
    },
    /// The page is not there.
    Gone,
}
