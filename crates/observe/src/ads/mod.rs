//! Advertisements, by where they come from.
//!
//! A person's filter lists say it best ([`Advertisements::from_lists`], if the engine for them is compiled in: feature
//! `ads`); without any, a few names that everybody knows do ([`known`]). Lists are the caller's to read and to renew,
//! none comes along: their licences are not ours.

mod known;
#[cfg(feature = "ads")]
mod lists;

use crate::page::HookedPage;
use std::fmt;

/// What tells advertisements from the rest of a page.
#[derive(Default)]
pub struct Advertisements {
    #[cfg(feature = "ads")]
    lists: Option<lists::Lists>,
}

impl Advertisements {
    /// By filter lists in the syntax of Adblock Plus, each the text of one; by what everybody knows if there are none.
    /// Lines that cannot be understood are none.
    #[cfg(feature = "ads")]
    pub fn from_lists(lists: &[&str]) -> Result<Advertisements, NoEngine> {
        Ok(Advertisements { lists: (!lists.is_empty()).then(|| lists::Lists::new(lists)) })
    }

    /// By what everybody knows; filter lists need an engine that this build does not have.
    #[cfg(not(feature = "ads"))]
    pub fn from_lists(lists: &[&str]) -> Result<Advertisements, NoEngine> {
        if lists.is_empty() { Ok(Advertisements::default()) } else { Err(NoEngine) }
    }

    /// Whether a link or an image is an advertisement. Lists decide alone, since they know exceptions as well.
    pub fn is_one(&self, seen: &HookedPage<'_>) -> bool {
        #[cfg(feature = "ads")]
        if let Some(lists) = &self.lists {
            return lists.block(seen);
        }
        known::is_one(seen)
    }
}

impl fmt::Debug for Advertisements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Advertisements").finish_non_exhaustive()
    }
}

/// Filter lists were given to a build that cannot read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoEngine;

impl fmt::Display for NoEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this build has no filter-list engine (feature `ads`)")
    }
}

impl std::error::Error for NoEngine {}

#[cfg(test)]
mod tests;
