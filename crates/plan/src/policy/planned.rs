//! A policy that follows a plan of the whole site, made when every page is known.
//!
//! Where pages become known later, as in a capture that follows links, what is known is planned again whenever the last
//! plan has run out.

use super::{Choice, Policy, View};
use crate::{
    PageState,
    schedule::{Plan, Site},
};
use hashbrown::HashSet;
use std::collections::VecDeque;
use tintype_vocab::{ChangeRate, Observation, PageId, Time};

type Planner = dyn Fn(&Site, &View<'_>) -> Plan + Send;

pub(super) struct Planned {
    make: Box<Planner>,
    looks_again: bool,
    /// Known since the last plan was made.
    new: Vec<PageId>,
    plan: VecDeque<PageId>,
    /// Chosen and not yet observed.
    asked: HashSet<PageId>,
    /// Visits of which a log told before any plan was made, by page.
    made: Vec<u8>,
}

impl std::fmt::Debug for Planned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a plan with {} visits left, {} pages new since", self.plan.len(), self.new.len())
    }
}

impl Planned {
    pub(super) fn new(looks_again: bool, make: impl Fn(&Site, &View<'_>) -> Plan + Send + 'static) -> Planned {
        Planned {
            make: Box::new(make),
            looks_again,
            new: Vec::new(),
            plan: VecDeque::new(),
            asked: HashSet::new(),
            made: Vec::new(),
        }
    }

    fn plan(&mut self, view: &View<'_>) {
        let pages = std::mem::take(&mut self.new);
        let rates: Vec<ChangeRate> = pages.iter().map(|page| view.pages.get(*page).rate).collect();
        let plan = (self.make)(&Site::new(&rates, view.slot), view);
        let mut made = std::mem::take(&mut self.made);
        let is_left = |page: &PageId| match made.get_mut(page.index()).filter(|made| **made > 0) {
            Some(made) => {
                *made -= 1;
                false
            }
            None => true,
        };
        self.plan = plan.into_iter().map(|nth| pages[nth as usize]).filter(is_left).collect();
    }
}

impl Policy for Planned {
    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.new.push(page);
    }

    fn choose(&mut self, _now: Time, view: &View<'_>) -> Choice {
        if self.plan.is_empty() && !self.new.is_empty() {
            self.plan(view);
        }
        let Some(&page) = self.plan.front() else { return Choice::Done };
        // Its turn comes again before its last visit is answered.
        let pending = self.asked.contains(&page) || view.pages.get(page).state == PageState::Retrying;
        if pending && view.pages.get(page).state != PageState::Excluded {
            return Choice::Done;
        }
        self.plan.pop_front();
        self.asked.insert(page);
        Choice::Visit(page)
    }

    fn looks_again(&self, _revisit: bool) -> bool {
        self.looks_again
    }

    fn on_observation(&mut self, page: PageId, _observation: &Observation, _view: &View<'_>) {
        self.asked.remove(&page);
        if self.plan.is_empty() && !self.new.is_empty() {
            self.made.resize(self.made.len().max(page.index() + 1), 0);
            self.made[page.index()] = self.made[page.index()].saturating_add(1);
        }
    }
}
