//! Blocks that many pages of a site have.

use super::keep_most;
use crate::page::Layout;
use rapidhash::v3::rapidhash_v3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Blocks counted; those of the fewest pages make room.
const BLOCKS_MAX: usize = 4_096;
/// Pages that have a block before it is part of the template.
const PAGES_MIN: u32 = 3;
/// And the share of all pages seen, as far as they can be counted: one in so many.
const ONE_IN: u32 = 8;

/// Which pages have a block: a bit for each, by the hash of its URL. Counts a few pages, and what more are.
type Pages = u64;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Templates {
    all: Pages,
    blocks: BTreeMap<u64, Pages>,
}

impl Templates {
    pub(super) fn see(&mut self, url: &str, page: &Layout) {
        let bit = 1 << (rapidhash_v3(url.as_bytes()) >> 58);
        self.all |= bit;
        for print in page.blocks().map(|block| block.fingerprint()).filter(|print| *print != 0) {
            *self.blocks.entry(print).or_default() |= bit;
        }
        self.make_room();
    }

    pub(super) fn has(&self, print: u64) -> bool {
        let pages = self.blocks.get(&print).map_or(0, |pages| pages.count_ones());
        pages >= PAGES_MIN && pages * ONE_IN >= self.all.count_ones()
    }

    pub(super) fn merge(&mut self, other: &Templates) {
        self.all |= other.all;
        for (print, pages) in &other.blocks {
            *self.blocks.entry(*print).or_default() |= pages;
        }
        self.make_room();
    }

    /// Forgets the blocks of the fewest pages, down to half of the room, so that it is not done for every page.
    fn make_room(&mut self) {
        if self.blocks.len() > BLOCKS_MAX {
            keep_most(&mut self.blocks, BLOCKS_MAX / 2, |pages| pages.count_ones());
        }
    }
}
