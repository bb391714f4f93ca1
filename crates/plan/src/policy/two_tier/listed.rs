//! What sitemaps and feeds say has changed, and how far they are to be believed: some stamp everything anew every night.

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};
use tintype_learn::directory::{Memory, PageNumber};
use tintype_vocab::Links;

/// Pages that were dated later than they were last seen.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Listed {
    pages: HashSet<PageNumber>,
    /// Of those that were looked at: all, and the ones that had changed.
    tried: f64,
    right: f64,
}

impl Listed {
    /// Takes note of the dates a page gives for others.
    pub(super) fn hear(&mut self, links: &Links, memory: &Memory) {
        for link in links.iter() {
            let Some(modified) = link.modified else { continue };
            let Some(number) = memory.find(link.url) else { continue };
            if memory.activity().last_seen(number).is_some_and(|seen| seen < modified) {
                self.pages.insert(number);
            }
        }
    }

    pub(super) fn saw(&mut self, page: PageNumber, changed: bool) {
        if self.pages.contains(&page) {
            self.tried += 1.0;
            self.right += f64::from(u8::from(changed));
        }
    }

    /// The chance that a page has changed because it is said to have, by how often that was right in this capture; low at
    /// first, so that not all of them are asked for before that is known. None if nobody says so.
    pub(super) fn chance(&self, page: PageNumber) -> f64 {
        if self.pages.contains(&page) { (self.right + 1.0) / (self.tried + 3.0) } else { 0.0 }
    }
}
