//! When a page was last seen, and what of.

use serde::{Deserialize, Serialize};

/// Four bytes per page in place of a set of pages per version: in which version the page was last met, whether it is
/// there, and whether what it was before that version is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Mark(u32);

impl Mark {
    const THERE: u32 = 1;
    const LOGGED: u32 = 2;
    const FLAGS: u32 = 2;
    /// Versions that can be told apart.
    pub(super) const VERSION_MAX: u32 = u32::MAX >> Mark::FLAGS;
    pub(super) const NEVER: Mark = Mark(0);

    pub(super) fn new(version: u32, there: bool, logged: bool) -> Mark {
        let flags = if there { Mark::THERE } else { 0 } | if logged { Mark::LOGGED } else { 0 };
        Mark(version << Mark::FLAGS | flags)
    }

    pub(super) fn is_there(self) -> bool {
        self.0 & Mark::THERE != 0
    }

    pub(super) fn is_of(self, version: u32) -> bool {
        self.0 >> Mark::FLAGS == version
    }

    pub(super) fn is_logged(self, version: u32) -> bool {
        self.is_of(version) && self.0 & Mark::LOGGED != 0
    }
}
