//! A URL that was found and has not been taken in as a page.

use crate::policy::focused::credits::Credit;
use serde::{Deserialize, Serialize};
use tintype_vocab::{LinkKind, Mention, PageId};

/// Of no page: an earlier capture found it.
pub(crate) const NOBODY: PageId = PageId(u32::MAX);

/// What has to be known of a URL to take it in when its turn comes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Candidate {
    pub(crate) url: String,
    pub(crate) kind: LinkKind,
    pub(crate) mention: Mention,
    pub(crate) depth: u16,
    pub(crate) hops: u8,
    /// The page it was found on.
    pub(crate) from: PageId,
    /// What that page was credited with for it.
    pub(crate) credit: Option<Credit>,
    /// As the so-manieth it was found.
    pub(crate) nth: u64,
    /// It was thought not to be worth a request once before.
    pub(crate) is_doubtful: bool,
}

/// What a candidate is worth, and whose turn it is among equals. Worths are not negative, and such floats order like their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Rank {
    bits: u32,
    turn: u32,
}

/// From this worth on candidates are told apart by grades only, and of one grade the newest comes first, so that what was
/// found is fetched before more is found.
const FRUITFUL: f32 = 0.3;
const GRADES: f32 = 16.0;

impl Rank {
    /// Of the candidate with this number, by the order in which they were found.
    pub(crate) fn of(worth: f32, nth: u32) -> Rank {
        let worth = worth.max(0.0);
        match worth < FRUITFUL {
            true => Rank { bits: worth.to_bits(), turn: !nth },
            false => Rank { bits: ((worth * GRADES).round() / GRADES).to_bits(), turn: nth },
        }
    }

    /// The oldest first, whatever they are worth.
    pub(crate) fn oldest_first(nth: u32) -> Rank {
        Rank { bits: 1.0_f32.to_bits(), turn: !nth }
    }

    /// The same candidate, if it is worth something else now.
    pub(crate) fn at(self, worth: f32) -> Rank {
        let nth = if self.worth() < FRUITFUL { !self.turn } else { self.turn };
        Rank::of(worth, nth)
    }

    pub(crate) fn worth(self) -> f32 {
        f32::from_bits(self.bits)
    }

    pub(crate) fn bits(self) -> u32 {
        self.bits
    }
}
