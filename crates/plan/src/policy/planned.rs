//! A policy that follows a plan of the whole site, made when every page is known.
//!
//! Where pages become known later, as in a capture that follows links, what is known is planned again whenever the last
//! plan has run out.

use super::view::{Choice, Policy, View};
use crate::{
    PageState,
    schedule::{Plan, RatedSite},
};
use hashbrown::{HashMap, HashSet};
use std::collections::VecDeque;
use tintype_vocab::{ChangeRate, Observation, PageId, Time};

type Planner = dyn Fn(&RatedSite, &View<'_>) -> Plan + Send;

pub(super) struct Planned {
    make: Box<Planner>,
    looks_again: bool,
    /// Known since the last plan was made.
    new: Vec<PageId>,
    plan: VecDeque<PageId>,
    /// Chosen and not yet observed.
    asked: HashSet<PageId>,
    /// Visited and not there: nothing to be revisited for.
    absent: HashSet<PageId>,
    /// Visits that were not chosen here: a log told of them, or a redirect led there.
    made: HashMap<PageId, u8>,
}

impl std::fmt::Debug for Planned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a plan with {} visits left, {} pages new since", self.plan.len(), self.new.len())
    }
}

impl Planned {
    pub(super) fn new(looks_again: bool, make: impl Fn(&RatedSite, &View<'_>) -> Plan + Send + 'static) -> Planned {
        Planned {
            make: Box::new(make),
            looks_again,
            new: Vec::new(),
            plan: VecDeque::new(),
            asked: HashSet::new(),
            absent: HashSet::new(),
            made: HashMap::new(),
        }
    }

    fn plan(&mut self, view: &View<'_>) {
        let pages = std::mem::take(&mut self.new);
        let rates: Vec<ChangeRate> = pages.iter().map(|page| view.pages.get(*page).rate).collect();
        let plan = (self.make)(&RatedSite::new(&rates, view.slot), view);
        self.plan = plan.into_iter().map(|nth| pages[nth as usize]).collect();
    }

    /// Whether a visit of the plan need not be made: the page is not there, or somebody saw to it before us.
    fn is_seen_to(&mut self, page: PageId) -> bool {
        let made = self.made.get_mut(&page).filter(|made| **made > 0);
        let seen_to = made.is_some();
        made.into_iter().for_each(|made| *made -= 1);
        seen_to || self.absent.contains(&page)
    }
}

impl Policy for Planned {
    saves!(new, plan, asked, absent, made);

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.new.push(page);
    }

    fn choose(&mut self, _now: Time, view: &View<'_>) -> Choice {
        loop {
            while let Some(page) = self.plan.front().copied()
                && self.is_seen_to(page)
            {
                self.plan.pop_front();
            }
            if !self.plan.is_empty() || self.new.is_empty() {
                break;
            }
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
        if view.pages.get(page).answered { Choice::Revisit(page) } else { Choice::Visit(page) }
    }

    fn looks_again(&self, _revisit: bool) -> bool {
        self.looks_again
    }

    fn has_nothing_left(&self, _view: &View<'_>) -> bool {
        self.plan.is_empty() && self.new.is_empty()
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if !self.asked.remove(&page) {
            let made = self.made.entry(page).or_default();
            *made = made.saturating_add(1);
        }
        if !observation.outcome.saw_page() && view.pages.get(page).state == PageState::Visited {
            self.absent.insert(page);
        }
    }
}
