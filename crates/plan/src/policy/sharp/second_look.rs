//! Hot pages that had to be visited early, because others were found through them, are visited once more in the middle.
//!
//! A second visit answers for the moments nearest to it, which spares a page of rate λ that was visited at the very
//! beginning 5/16 of λL; it makes the capture one slot longer, which costs all pages together about a third of what they
//! change in a slot. Only what is worth more than it costs is asked for, and never more than one page in a hundred, or
//! one. A quick capture of a quiet site has no second looks.

use crate::policy::{
    ladder::{Rank, rank},
    view::View,
};
use hashbrown::HashSet;
use serde::{Deserialize, Serialize};
use tintype_quality::capture::penalty;
use tintype_vocab::PageId;

/// Of the requests of a capture.
const SHARE_MAX: f64 = 0.01;
/// What one more slot costs, in expected changes of the whole site during it.
const SLOT_COSTS: f64 = 0.3;
/// Expected changes a request must spare to be worth disturbing anybody for.
const WORTH_MIN: f64 = 0.01;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct SecondLooks {
    /// Pages seen once and the slot in which they were, in that order.
    seen: Vec<(PageId, u32)>,
    /// Those to be seen again, the hottest last; nothing before the middle is reached.
    again: Option<Vec<PageId>>,
    /// Second looks taken.
    taken: HashSet<PageId>,
}

impl SecondLooks {
    pub(super) fn visited(&mut self, page: PageId, slot: u32) {
        self.seen.push((page, slot));
    }

    /// A second look was taken, by us or before we were stopped.
    pub(super) fn taken(&mut self, page: PageId) {
        self.taken.insert(page);
    }

    /// The middle is further away than it seemed.
    pub(super) fn postpone(&mut self) {
        self.again = None;
    }

    /// A page to look at again, if one is hotter than the hottest that waits for its first visit.
    pub(super) fn next(
        &mut self,
        hottest_waiting: Rank,
        slot: u32,
        size: usize,
        changes_per_day: f64,
        view: &View<'_>,
    ) -> Option<PageId> {
        if self.again.is_none() {
            self.again = Some(self.worthwhile(slot, size, changes_per_day, view));
        }
        let again = self.again.as_mut()?;
        let page = *again.last()?;
        let hotter = rank(view.pages.get(page).rate.per_day) >= hottest_waiting;
        if hotter { again.pop() } else { None }
    }

    /// Who is worth a second look at this slot, the hottest last.
    fn worthwhile(&self, slot: u32, size: usize, changes_per_day: f64, view: &View<'_>) -> Vec<PageId> {
        let (now, end) = (f64::from(slot), size as f64);
        let gain = |(page, seen): (PageId, u32)| {
            let seen = f64::from(seen);
            let spared = penalty(&[seen], 0.0, end) - penalty(&[seen, now.max(seen)], 0.0, end);
            (f64::from(view.pages.get(page).rate.per_day) * spared / end, page)
        };
        let open = self.seen.iter().filter(|(page, _)| !self.taken.contains(page));
        let gains = open.copied().map(gain);
        let least = (SLOT_COSTS * changes_per_day).max(WORTH_MIN / view.slot.as_days_f64());
        let mut gains: Vec<(f64, PageId)> = gains.filter(|(gain, _)| *gain > least).collect();
        gains.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let most = ((size as f64 * SHARE_MAX) as usize).max(1);
        gains.truncate(most.saturating_sub(self.taken.len()));
        let mut again: Vec<PageId> = gains.into_iter().map(|(_, page)| page).collect();
        again.sort_by(|a, b| view.pages.get(*a).rate.per_day.total_cmp(&view.pages.get(*b).rate.per_day));
        again
    }
}
