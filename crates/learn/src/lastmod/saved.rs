//! Dates of sitemaps read back, and those of two logs together.

use super::{Dated, LISTERS_MAX, Lastmods};
use crate::{learner::PageSlot, stored};

impl Lastmods {
    pub(crate) fn load(bytes: &[u8]) -> Option<Lastmods> {
        stored::from_bytes(bytes).filter(Lastmods::is_sound)
    }

    fn is_sound(&self) -> bool {
        let counts = self.shown.iter().flat_map(|(caught, missed)| [*caught, *missed]).chain([self.right, self.wrong]);
        self.listers.len() <= LISTERS_MAX && counts.into_iter().all(|count| count.is_finite() && count >= 0.0)
    }

    /// Adds what another log says.
    pub(super) fn add(&mut self, other: &Lastmods, slots: &[PageSlot]) {
        let here = |page: PageSlot| slots.get(page.index()).copied().filter(|slot| *slot != PageSlot::NONE);
        for (lister, reading) in &other.listers {
            if let Some(lister) = here(*lister) {
                let mine = self.listers.entry(lister).or_insert(*reading);
                if reading.seen > mine.seen {
                    *mine = *reading;
                }
            }
        }
        for (page, entry) in (0..).map(PageSlot).zip(&other.pages) {
            let Some(page) = here(page) else { continue };
            let mine = self.page(page);
            let visited = mine.visited.max(entry.visited);
            if entry.heard > mine.heard {
                *mine = Dated { by: entry.by.and_then(here), ..*entry };
            }
            // What a later visit has tested is told of no more.
            mine.is_told &= mine.heard >= visited;
            mine.visited = visited;
        }
        (self.right, self.wrong) = (self.right + other.right, self.wrong + other.wrong);
        for (mine, theirs) in self.shown.iter_mut().zip(other.shown) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
    }
}
