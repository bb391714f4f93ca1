//! Round after round over the whole site, each planned by the rates learned so far as if it were a capture.

use super::{believed::Rates, by_list::Listing, view::View};
use crate::schedule::{Plan, RatedSite};
use tintype_learn::learner::Learner;
use tintype_vocab::{ChangeRate, PageId, Time};

#[derive(Debug)]
pub(super) struct Rounds {
    plan: fn(&RatedSite) -> Plan,
}

impl Rounds {
    pub(super) fn new(plan: fn(&RatedSite) -> Plan) -> Rounds {
        Rounds { plan }
    }
}

impl Listing for Rounds {
    fn learns(&self) -> Vec<Box<dyn Learner>> {
        Rates::Learned.learners()
    }

    fn list(&mut self, pages: &[(PageId, Time)], _now: Time, view: &View<'_>) -> Vec<f64> {
        let believed = Rates::Learned.of(view);
        let rate = |page: PageId| ChangeRate { per_day: believed.mean_per_day(page) as f32, ..ChangeRate::default() };
        let rates: Vec<ChangeRate> = pages.iter().map(|(page, _)| rate(*page)).collect();
        let mut turns = vec![0.0; pages.len()];
        for (slot, page) in (self.plan)(&RatedSite::new(&rates, view.slot)).into_iter().enumerate() {
            turns[page as usize] = -(slot as f64);
        }
        turns
    }
}
