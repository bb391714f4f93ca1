//! Organ pipes without a middle phase: what section 5.5 of the SHARC paper holds SHARC-online against.

use tintype_plan::{Choice, Policy, View};
use tintype_vocab::{PageId, Time};

/// The coldest known page until half of the site is captured, then the hottest.
#[derive(Debug, Default)]
pub struct WithoutMiddle {
    /// Known and not yet chosen, from the coldest to the hottest.
    waiting: Vec<(f32, PageId)>,
    chosen: usize,
}

impl Policy for WithoutMiddle {
    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        let rate = view.pages.get(page).rate.per_day;
        let place = self.waiting.partition_point(|(other, _)| *other <= rate);
        self.waiting.insert(place, (rate, page));
    }

    fn choose(&mut self, _now: Time, view: &View<'_>) -> Choice {
        let size = view.expected_pages.max(self.chosen + self.waiting.len());
        let Some(last) = self.waiting.len().checked_sub(1) else { return Choice::Done };
        let (_, page) = self.waiting.remove(if 2 * self.chosen < size { 0 } else { last });
        self.chosen += 1;
        Choice::Visit(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        capture::{CaptureSubject, Manner, SharcTree, take},
        synthetic::Sharc,
    };
    use tintype_vocab::Span;

    #[test]
    fn pages_told_beforehand_come_cold_then_hot() {
        let mut site = SharcTree::new(&Sharc::default(), 9, 20, 1);
        let manner = Manner {
            policy: Box::<WithoutMiddle>::default(),
            start: Time::from_secs(0),
            slot: Span::from_secs(3600),
            revisit: false,
            size: 9,
            told: true,
            requests_max: None,
        };
        let rates: Vec<f32> =
            take(&mut site, manner).unwrap().visits.iter().map(|visit| site.believed(visit.page).per_day).collect();
        let (first, second) = rates.split_at(5);
        assert!(first.is_sorted() && second.iter().rev().is_sorted() && first[4] <= second[3], "{rates:?}");
    }
}
