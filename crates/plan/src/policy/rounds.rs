//! Round after round over the whole site, each planned by the rates learned so far as if it were a capture.

use super::{
    View,
    by_list::Listing,
    watch::{Rates, Watch},
};
use crate::schedule::{Plan, Site};
use tintype_vocab::{ChangeRate, Observation, PageId, Time};

#[derive(Debug)]
pub(super) struct Rounds {
    watch: Watch,
    plan: fn(&Site) -> Plan,
}

impl Rounds {
    pub(super) fn new(plan: fn(&Site) -> Plan) -> Rounds {
        Rounds { watch: Watch::new(Rates::Learned), plan }
    }
}

impl Listing for Rounds {
    fn on_known(&mut self, page: PageId, now: Time) {
        self.watch.on_known(page, now);
    }

    fn list(&mut self, pages: &[(PageId, Time)], _now: Time, view: &View<'_>) -> Vec<f64> {
        let rate =
            |page: PageId| ChangeRate { per_day: self.watch.mean_per_day(page, view) as f32, ..ChangeRate::default() };
        let rates: Vec<ChangeRate> = pages.iter().map(|(page, _)| rate(*page)).collect();
        let mut turns = vec![0.0; pages.len()];
        for (slot, page) in (self.plan)(&Site::new(&rates, view.slot)).into_iter().enumerate() {
            turns[page as usize] = -(slot as f64);
        }
        turns
    }

    fn learn(&mut self, page: PageId, _last: Option<Time>, observation: &Observation, view: &View<'_>) {
        self.watch.observe(observation, page, view);
    }
}
