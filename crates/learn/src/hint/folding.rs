//! Hints as a learner: every visit tests what was hinted at, then says what it lists itself.

use super::{Entry, Hints, Lister};
use crate::learner::{Context, Effect, Learner, PageSlot, Subject, same, speaks_of_page};
use tintype_vocab::{Change, Observation, Span, Time};

impl Learner for Hints {
    fn name(&self) -> &'static str {
        "hints"
    }

    fn blank(&self) -> Box<dyn Learner> {
        Box::new(Hints::default())
    }

    fn observe(&mut self, page: &Subject<'_>, seen: &Observation, context: &Context<'_>) -> Effect {
        if !speaks_of_page(seen) {
            return Effect::default();
        }
        let changed = match seen.change {
            Change::New { .. } => Some(Some(seen.modified())),
            Change::Same if context.came_back => Some(Some(seen.modified())),
            Change::Same => Some(None),
            Change::First | Change::Unknown => None,
        };
        if let (Some(last), Some(changed)) = (context.last, changed) {
            self.test(page.slot, last, changed, context.expected, context.told);
        }
        let hinted = match seen.change {
            // What a sitemap dates is for another learner.
            _ if !context.dated.is_empty() => Vec::new(),
            Change::First | Change::New { .. } => self.read(page.slot, seen.answered, context.linked),
            Change::Same => {
                self.read_again(page.slot, seen.answered);
                Vec::new()
            }
            Change::Unknown => Vec::new(),
        };
        Effect { moved_all: false, hinted }
    }

    fn merge(&mut self, other: &dyn Learner, slots: &[PageSlot]) {
        if let Some(other) = same::<Hints>(other) {
            self.add(other, slots);
        }
    }

    fn save(&self) -> Vec<u8> {
        crate::stored::to_bytes(self)
    }

    fn bytes(&self) -> usize {
        let listers = self.listers.iter().flatten();
        let listed: usize = listers.map(|lister| size_of::<Lister>() + size_of_val(&*lister.entries)).sum();
        self.pages.capacity() * size_of::<Entry>() + self.listers.capacity() * size_of::<usize>() + listed
    }

    fn believes(&self, page: &Subject<'_>, at: Time) -> Vec<(&'static str, f64)> {
        let silence = self.silence(page.slot, at - Span::from_days(7));
        let silent_days = silence.map_or(0.0, |silence| (at.min(silence.until) - silence.from).as_days_f64());
        vec![
            ("changes a listing hints at", self.strength(page.slot)),
            ("changes against its own past, by how it is listed", self.habit(page.slot)),
            ("days of the past week in which a listing of it was silent", silent_days),
        ]
    }
}
