//! Dates of sitemaps read back, and those of two logs together.

use super::{AGES, Dated, LISTERS_MAX, Lastmods, Reading};
use crate::{learner::PageSlot, stored};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tintype_vocab::Time;

/// A page: its latest visit, what was said of it, by whom, when, and whether it is told of.
type SavedPage = (Option<Time>, Option<Time>, Option<PageSlot>, Option<Time>, bool);

/// What sitemaps taught, as it is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct Saved {
    pages: Vec<SavedPage>,
    listers: BTreeMap<PageSlot, Reading>,
    right: f64,
    wrong: f64,
    shown: [(f64, f64); AGES.len()],
}

impl From<Lastmods> for Saved {
    fn from(lastmods: Lastmods) -> Saved {
        let page = |page: PageSlot| {
            let (visited, dated) = (lastmods.visited(page), lastmods.dated(page));
            let said = |what: fn(&Dated) -> Time| dated.map(what);
            let is_told = dated.is_some_and(|dated| dated.is_told);
            (visited, said(|dated| dated.claim), dated.map(|dated| dated.by), said(|dated| dated.heard), is_told)
        };
        let count = lastmods.visited.len().max(lastmods.dated.len()) as u32;
        let pages = (0..count).map(PageSlot).map(page).collect();
        let Lastmods { listers, right, wrong, shown, .. } = lastmods;
        Saved { pages, listers, right, wrong, shown }
    }
}

impl From<Saved> for Lastmods {
    fn from(saved: Saved) -> Lastmods {
        let Saved { pages, listers, right, wrong, shown } = saved;
        let visited = pages.iter().map(|(visited, ..)| visited.unwrap_or(Time::MIN)).collect();
        let dated = |(_, claim, by, heard, is_told): &SavedPage| match (*claim, *by, *heard) {
            (Some(claim), Some(by), Some(heard)) => Dated { claim, heard, by, is_told: *is_told },
            _ => Dated::NOTHING,
        };
        let mut dated: Vec<Dated> = pages.iter().map(dated).collect();
        let last = dated.iter().rposition(|dated| dated.by != PageSlot::NONE);
        dated.truncate(last.map_or(0, |last| last + 1));
        dated.shrink_to_fit();
        Lastmods { visited, dated, listers, right, wrong, shown }
    }
}

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
        for theirs in (0..other.visited.len().max(other.dated.len()) as u32).map(PageSlot) {
            let Some(page) = here(theirs) else { continue };
            let visited = self.visited(page).max(other.visited(theirs));
            if let Some(dated) = other.dated(theirs)
                && self.dated(page).is_none_or(|mine| dated.heard > mine.heard)
            {
                *self.dated_mut(page) = here(dated.by).map_or(Dated::NOTHING, |by| Dated { by, ..*dated });
            }
            if let Some(mine) = self.dated.get_mut(page.index()) {
                // What a later visit has tested is told of no more.
                mine.is_told &= visited.is_none_or(|visited| mine.heard >= visited);
            }
            if let Some(visited) = visited {
                self.set_visited(page, visited);
            }
        }
        (self.right, self.wrong) = (self.right + other.right, self.wrong + other.wrong);
        for (mine, theirs) in self.shown.iter_mut().zip(other.shown) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
    }
}
