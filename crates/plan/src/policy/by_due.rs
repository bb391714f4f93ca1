//! Whoever has been due longest comes first: what all policies with intervals share.

use super::view::{Choice, Policy, View};
use crate::PageState;
use std::{cmp::Reverse, collections::BinaryHeap};
use tintype_learn::learner::speaks_of_page;
use tintype_vocab::{Change, Observation, PageId, Span, Time};

/// How long to leave a page alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Intervals {
    pub(super) start: Span,
    pub(super) min: Span,
    pub(super) max: Span,
    pub(super) unchanged: fn(Span) -> Span,
    pub(super) changed: fn(Span) -> Span,
}

/// Never idle: when nobody is due yet, the next one is visited early, so that all policies spend the same.
#[derive(Debug)]
pub(super) struct ByDue {
    intervals: Intervals,
    /// When, which turn of the page, and which page. A page has one turn that counts.
    due: BinaryHeap<Reverse<(Time, u32, PageId)>>,
    pages: Vec<(Span, u32)>,
    turns: u32,
}

impl ByDue {
    pub(super) fn new(intervals: Intervals) -> ByDue {
        ByDue { intervals, due: BinaryHeap::new(), pages: Vec::new(), turns: 0 }
    }

    fn queue(&mut self, page: PageId, at: Time) {
        self.turns += 1;
        self.pages[page.index()].1 = self.turns;
        self.due.push(Reverse((at, self.turns, page)));
    }
}

impl Policy for ByDue {
    saves!(due, pages, turns);

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        if self.pages.len() <= page.index() {
            self.pages.resize(page.index() + 1, (self.intervals.start, 0));
        }
        self.queue(page, Time::MIN);
    }

    fn choose(&mut self, _now: Time, _view: &View<'_>) -> Choice {
        while let Some(Reverse((_, turn, page))) = self.due.pop() {
            if self.pages[page.index()].1 == turn {
                return Choice::Visit(page);
            }
        }
        Choice::Done
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if !speaks_of_page(observation) || view.pages.get(page).state != PageState::Waiting {
            return;
        }
        let Intervals { min, max, unchanged, changed, .. } = self.intervals;
        let interval = &mut self.pages[page.index()].0;
        *interval = match observation.change {
            Change::Same => unchanged(*interval).clamp(min, max),
            Change::New { .. } => changed(*interval).clamp(min, max),
            Change::First | Change::Unknown => *interval,
        };
        let at = observation.answered + *interval;
        self.queue(page, at);
    }
}
