//! All that is known of changes as bytes, and of two logs together.

use super::{Changes, page::PageChanges, spells::Spells, timing::Timing};
use crate::{
    cohort::{CohortId, Cohorts},
    grid::{Grid, RateEvidence},
    learner::PageSlot,
    stored,
};
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// First guesses follow from beliefs and beliefs from first guesses: after so many steps both stand still.
const MERGE_STEPS: usize = 10;

#[derive(Serialize, Deserialize)]
struct Saved {
    cohorts: Cohorts,
    /// The kind of every cohort, in order.
    kinds: Vec<u64>,
    pages: Vec<SavedPage>,
    /// How far the numbers of pages went.
    slots: u32,
    timing: Option<Timing>,
    unlearned: u64,
    confirmed: u32,
    contradicted: u32,
    came_back: u32,
}

#[derive(Serialize, Deserialize)]
struct SavedPage {
    slot: PageSlot,
    last: Time,
    cohort: CohortId,
    visits: u32,
    evidence: RateEvidence,
    mean_per_day: f32,
    spells: Option<Spells>,
    changes: (u32, u32),
}

impl Changes {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let pages = (0..).map(PageSlot).zip(&self.pages).filter_map(|(slot, page)| Some((slot, page.as_deref()?)));
        stored::to_bytes(&Saved {
            cohorts: self.cohorts.clone(),
            kinds: self.kinds(),
            pages: pages.map(|(slot, page)| saved(slot, page)).collect(),
            slots: self.pages.len() as u32,
            timing: self.timing.clone(),
            unlearned: self.unlearned as u64,
            confirmed: self.confirmed,
            contradicted: self.contradicted,
            came_back: self.came_back,
        })
    }

    /// The kind of every cohort, in the order of their numbers.
    fn kinds(&self) -> Vec<u64> {
        let mut kinds = vec![0; self.by_kind.len()];
        self.by_kind.iter().for_each(|(kind, cohort)| kinds[*cohort as usize] = *kind);
        kinds
    }

    pub(crate) fn load(bytes: &[u8]) -> Option<Changes> {
        let saved: Saved = stored::from_bytes(bytes)?;
        let sound = |page: &SavedPage| {
            page.slot.0 < saved.slots
                && (page.cohort as usize) < saved.kinds.len()
                && page.spells.is_some() == saved.timing.is_some()
                && (0.0..1e6).contains(&page.mean_per_day)
                && page.spells.as_ref().is_none_or(Spells::is_sound)
        };
        let in_order = saved.pages.is_sorted_by(|one, other| one.slot < other.slot);
        let sparse = saved.slots as usize > 64 * (1 + bytes.len());
        if saved.cohorts.len() != saved.kinds.len() || !saved.pages.iter().all(sound) || !in_order || sparse {
            return None;
        }
        let mut pages = Vec::new();
        pages.resize_with(saved.slots as usize, || None);
        let visited = saved.pages.len();
        for page in saved.pages {
            let slot = page.slot.index();
            pages[slot] = Some(Box::new(restored(page)));
        }
        let cohorts = saved.kinds.len();
        let by_kind: HashMap<u64, CohortId> = saved.kinds.into_iter().zip(0..).collect();
        (by_kind.len() == cohorts).then_some(())?;
        Some(Changes {
            grid: Grid::default(),
            cohorts: saved.cohorts,
            by_kind,
            pages,
            timing: saved.timing,
            visited,
            unlearned: saved.unlearned as usize,
            confirmed: saved.confirmed,
            contradicted: saved.contradicted,
            came_back: saved.came_back,
        })
    }

    /// Adds what another log says.
    pub(super) fn add(&mut self, other: &Changes, slots: &[PageSlot]) {
        let kinds = other.kinds();
        for (slot, page) in (0..).map(PageSlot).zip(&other.pages) {
            let (Some(page), Some(slot)) = (page.as_deref(), slots.get(slot.index())) else { continue };
            if self.pages.len() <= slot.index() {
                self.pages.resize_with(slot.index() + 1, || None);
            }
            let cohort = self.cohort(kinds[page.cohort as usize]);
            match &mut self.pages[slot.index()] {
                Some(mine) => mine.add(page),
                place => {
                    *place = Some(Box::new(PageChanges { cohort, ..page.clone() }));
                    self.visited += 1;
                }
            }
        }
        self.confirmed = self.confirmed.saturating_add(other.confirmed);
        self.contradicted = self.contradicted.saturating_add(other.contradicted);
        self.came_back = self.came_back.saturating_add(other.came_back);
        if let (Some(mine), Some(theirs)) = (&mut self.timing, &other.timing) {
            mine.add(theirs, slots);
        }
        for page in self.pages.iter_mut().flatten() {
            page.believe(&self.grid, self.cohorts.prior(page.cohort));
        }
        (0..MERGE_STEPS).for_each(|_| self.learn_cohorts());
    }
}

fn saved(slot: PageSlot, page: &PageChanges) -> SavedPage {
    let PageChanges { last, cohort, visits, mean_per_day, changes, .. } = *page;
    let (evidence, spells) = (page.evidence.clone(), page.spells.clone());
    SavedPage { slot, last, cohort, visits, evidence, mean_per_day, spells, changes }
}

fn restored(page: SavedPage) -> PageChanges {
    let SavedPage { last, cohort, visits, evidence, mean_per_day, spells, changes, .. } = page;
    PageChanges { last, cohort, visits, evidence, mean_per_day, spells, changes }
}
