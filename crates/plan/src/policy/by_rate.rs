//! Hottest or coldest first: by believed change rate, ties in order of discovery.

use super::{
    ladder::Ladder,
    view::{Choice, Policy, View},
};
use tintype_vocab::{PageId, Time};

#[derive(Debug)]
pub(super) struct ByRate {
    waiting: Ladder,
    take: fn(&mut Ladder) -> Option<PageId>,
}

impl ByRate {
    pub(super) fn hottest_first() -> ByRate {
        ByRate { waiting: Ladder::default(), take: Ladder::take_hottest }
    }

    pub(super) fn coldest_first() -> ByRate {
        ByRate { waiting: Ladder::default(), take: Ladder::take_coldest }
    }
}

impl Policy for ByRate {
    saves!(waiting);

    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        self.waiting.insert(page, view.pages.get(page).rate.per_day);
    }

    fn choose(&mut self, _now: Time, _view: &View<'_>) -> Choice {
        (self.take)(&mut self.waiting).map_or(Choice::Done, Choice::Visit)
    }
}
