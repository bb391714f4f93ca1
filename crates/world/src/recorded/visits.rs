//! A recorded history as visits to its pages.

use super::window;
use crate::{EventKind, History};
use std::{collections::HashSet, convert::Infallible};
use tintype_learn::site_patterns::{VisitRecord, VisitResult, VisitSource};
use tintype_vocab::{Span, Time};

/// A recorded history as if every page had been looked at once a minute.
#[derive(Debug)]
pub struct HistoryVisits<'a> {
    pub history: &'a History,
}

const LOOKS_EVERY: Span = Span::from_secs(60);

impl HistoryVisits<'_> {
    /// From when to when it was recorded.
    pub fn window(&self) -> (Time, Time) {
        window(self.history)
    }
}

impl VisitSource for HistoryVisits<'_> {
    type Error = Infallible;

    fn for_each(&self, each: &mut dyn FnMut(VisitRecord<'_>)) -> Result<(), Infallible> {
        let (from, to) = self.window();
        let mut alive = HashSet::new();
        for event in self.history.events() {
            let path = self.history.path(event.page);
            // What is older than the window was there when recording began, and was not watched before.
            let at = event.at.max(from);
            let mut visit = |at, saw| each(VisitRecord { key: path, name: path, at, saw });
            match event.kind {
                EventKind::Added => {
                    alive.insert(event.page);
                    visit(at, VisitResult::First { newborn: event.at > from });
                }
                EventKind::Modified if event.at < from => {}
                EventKind::Modified => {
                    visit(at - LOOKS_EVERY, VisitResult::Same);
                    visit(at, VisitResult::Change { at: Some(at), importance: 1.0 });
                }
                EventKind::Deleted => {
                    alive.remove(&event.page);
                    visit(at, VisitResult::Gone);
                }
            }
        }
        let mut alive: Vec<u32> = alive.into_iter().collect();
        alive.sort_unstable();
        for page in alive {
            let path = self.history.path(page);
            each(VisitRecord { key: path, name: path, at: to, saw: VisitResult::Same });
        }
        Ok(())
    }
}
