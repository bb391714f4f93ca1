//! Changes as a learner: one visit after the other, each with what was believed before it.

use super::{
    Changes, Elapsed, days_between, kind,
    page::PageChanges,
    timing::{Timing, Visit},
};
use crate::{
    cohort::CohortId,
    learner::{Context, Effect, Learner, PageSlot, Subject, same, speaks_of_page},
};
use tintype_vocab::{Observation, Time};

impl Learner for Changes {
    fn name(&self) -> &'static str {
        "changes"
    }

    fn blank(&self) -> Box<dyn Learner> {
        Box::new(Changes::new(self.clock()))
    }

    fn fits(&self, wanted: &dyn Learner) -> bool {
        same::<Changes>(wanted).is_some_and(|wanted| wanted.clock() == self.clock())
    }

    fn observe(&mut self, page: &Subject<'_>, seen: &Observation, context: &Context<'_>) -> Effect {
        if !speaks_of_page(seen) {
            return Effect::default();
        }
        let (slot, now, grid) = (page.slot, seen.answered, self.grid);
        let found = self.found(seen, slot, context.known_since);
        let cohort = match self.page(slot) {
            Some(page) => page.cohort,
            None => self.cohort(kind(page.url)),
        };
        if self.pages.len() <= slot.index() {
            self.pages.resize_with(slot.index() + 1, || None);
        }
        let prior = self.cohorts.prior(cohort);
        let place = &mut self.pages[slot.index()];
        self.visited += usize::from(place.is_none());
        let has_spells = self.timing.is_some();
        let page = place.get_or_insert_with(|| Box::new(PageChanges::new(now, cohort, has_spells)));
        let visit = found.map(|found| Visit { last: page.last, now, found });
        let anew = match (visit, &mut self.timing) {
            (Some(visit), Some(timing)) => page.time(timing, &grid, prior, slot, &visit),
            _ => false,
        };
        page.evidence.fade();
        if let Some(Visit { last, found, .. }) = visit {
            found.tell(&mut page.evidence, &grid, last, |from| days_between(self.timing.as_ref(), from, now));
        }
        page.count(seen.change);
        page.last = now;
        page.believe(&grid, prior);
        Effect { moved_all: self.relearn() || anew, hinted: Vec::new() }
    }

    fn merge(&mut self, other: &dyn Learner, slots: &[PageSlot]) {
        if let Some(other) = same::<Changes>(other).filter(|other| other.clock() == self.clock()) {
            self.add(other, slots);
        }
    }

    fn save(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn bytes(&self) -> usize {
        let undated: usize = self.pages.iter().flatten().map(|page| page.bytes()).sum();
        let kinds = self.by_kind.capacity() * (size_of::<(u64, CohortId)>() + 1);
        let timing = self.timing.as_ref().map_or(0, Timing::bytes);
        let pages = self.pages.capacity() * size_of::<usize>() + self.visited * size_of::<PageChanges>() + undated;
        pages + kinds + self.cohorts.bytes() + timing
    }

    fn believes(&self, page: &Subject<'_>, at: Time) -> Vec<(&'static str, f64)> {
        let Some(last) = self.last(page.slot) else { return Vec::new() };
        let elapsed = Elapsed { last, at, silence: None, habit: 1.0 };
        vec![
            ("changes per day", self.mean_per_day(page.slot)),
            ("changes since the latest visit", self.changes_in(page.slot, &elapsed)),
            ("share of changes that say something", self.telling(page.slot)),
        ]
    }
}
