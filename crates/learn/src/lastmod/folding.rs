//! Dates of sitemaps as a learner: every visit tests what was said of its page; a sitemap then says what it says.

use super::{Dated, Lastmods, Reading};
use crate::learner::{Context, Effect, Learner, PageSlot, Subject, same, speaks_of_page};
use tintype_vocab::{Change, LinkKind, Observation, Span, Time};

impl Learner for Lastmods {
    fn name(&self) -> &'static str {
        "lastmods"
    }

    fn blank(&self) -> Box<dyn Learner> {
        Box::new(Lastmods::default())
    }

    fn observe(&mut self, page: &Subject<'_>, seen: &Observation, context: &Context<'_>) -> Effect {
        if !speaks_of_page(seen) {
            return Effect::default();
        }
        let changed = match seen.change {
            Change::New { .. } => Some(Some(seen.modified())),
            Change::Same => Some(None),
            Change::First | Change::Unknown => None,
        };
        if let Some(changed) = changed {
            self.test(page.slot, seen.answered, changed, context.expected);
        }
        if seen.change != Change::Unknown {
            self.visit(page.slot, seen.answered);
        }
        let hinted = match (page.kind, seen.change) {
            (LinkKind::Sitemap, Change::First | Change::New { .. }) if !context.dated.is_empty() => {
                self.read(page.slot, seen.answered, context.dated)
            }
            (LinkKind::Sitemap, Change::Same) => {
                self.read_again(page.slot, seen.answered);
                Vec::new()
            }
            _ => Vec::new(),
        };
        Effect { moved_all: false, hinted }
    }

    fn merge(&mut self, other: &dyn Learner, slots: &[PageSlot]) {
        if let Some(other) = same::<Lastmods>(other) {
            self.add(other, slots);
        }
    }

    fn save(&self) -> Vec<u8> {
        crate::stored::to_bytes(self)
    }

    fn bytes(&self) -> usize {
        let listers = self.listers.len() * 2 * size_of::<(PageSlot, Reading)>();
        self.visited.capacity() * size_of::<Time>() + self.dated.capacity() * size_of::<Dated>() + listers
    }

    fn believes(&self, page: &Subject<'_>, at: Time) -> Vec<(&'static str, f64)> {
        if self.is_empty() {
            return Vec::new();
        }
        let silence = self.silence(page.slot, at - Span::from_days(7));
        let silent_days = silence.map_or(0.0, |silence| (at.min(silence.until) - silence.from).as_days_f64());
        vec![
            ("share of the sitemap's dates that are right", self.is_right()),
            ("changes the sitemap tells of", self.strength(page.slot)),
            ("days of the past week in which the sitemap was silent", silent_days),
        ]
    }
}
