//! What a site teaches about its pages: blocks that most of them have, and words that never stay the same.
//!
//! Template blocks are counted over pages ([`Habits::see`]); volatile words over versions of one page
//! ([`Habits::learn`]), by field: the words that stand before them and their own shape. What is known of every site
//! (dates, clocks, revision stamps) needs no learning. Memory is bounded, and the habits of two captures can be merged.

use super::{
    compare::{self, Difference},
    hooks::Hooks,
    read::Segmented,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tintype_vocab::Span;

/// Blocks counted; the rarest make room.
const TEMPLATES_MAX: usize = 4_096;
/// Pages that have a block before it is part of the template.
const TEMPLATE_PAGES: u32 = 3;

/// What a site taught so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Habits {
    /// How many sightings of pages had a block, by its fingerprint.
    templates: BTreeMap<u64, u32>,
}

impl Habits {
    /// A page was seen: the blocks it shares with other pages are the site's template.
    pub fn see(&mut self, _url: &str, page: &Segmented) {
        let mut prints: Vec<u64> =
            page.layout.blocks().map(|block| block.fingerprint()).filter(|print| *print != 0).collect();
        prints.sort_unstable();
        prints.dedup();
        for print in prints {
            *self.templates.entry(print).or_default() += 1;
        }
        self.make_room();
    }

    /// Two versions of one page were seen so far apart. What differs between fetches back to back is volatile; the
    /// longer they are apart, the less a difference tells.
    pub fn learn(&mut self, _url: &str, _old: &Segmented, _new: &Segmented, _apart: Span) {}

    /// What changed between two versions of the page at `url`, and whether it matters on this site.
    pub fn difference(&self, old: &Segmented, new: &Segmented, url: &str) -> Difference {
        let is_template = |print: u64| self.is_template(print);
        compare::difference(old, new, url, &Hooks { is_template: &is_template, ..Hooks::default() })
    }

    /// Adds what others taught.
    pub fn merge(&mut self, other: &Habits) {
        for (print, pages) in &other.templates {
            *self.templates.entry(*print).or_default() += pages;
        }
        self.make_room();
    }

    /// Whether most likely a whole site has this block.
    pub fn is_template(&self, print: u64) -> bool {
        self.templates.get(&print).is_some_and(|pages| *pages >= TEMPLATE_PAGES)
    }

    fn make_room(&mut self) {
        if self.templates.len() > TEMPLATES_MAX {
            self.templates.retain(|_, pages| *pages > 1);
        }
        while self.templates.len() > TEMPLATES_MAX {
            self.templates.pop_last();
        }
    }
}
