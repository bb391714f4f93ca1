//! How often pages change as a policy reckons with it: as learned, or as given by a source that knows.

use super::view::View;
use tintype_learn::{
    changes::{ChangeClock, Changes},
    grid::Curve,
    learner::Learner,
};
use tintype_vocab::{PageId, Time};

/// Where change rates come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rates {
    /// From visits.
    Learned,
    /// From the page's `rate`, which somebody who knows has told.
    Given,
}

impl Rates {
    /// What a policy that reckons with rates reads: even given ones count from the latest visit. The rules of the literature
    /// know no hours.
    pub(super) fn learners(self) -> Vec<Box<dyn Learner>> {
        vec![Box::new(Changes::new(ChangeClock::Steady))]
    }

    pub(super) fn of<'v>(self, view: &'v View<'v>) -> Believed<'v> {
        Believed { rates: self, view, changes: view.knowledge.changes() }
    }
}

/// What is believed of changes at a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Believed<'v> {
    rates: Rates,
    view: &'v View<'v>,
    changes: Option<&'v Changes>,
}

impl Believed<'_> {
    /// The latest visit, if there was one.
    pub(super) fn last(&self, page: PageId) -> Option<Time> {
        self.changes?.last(self.view.knowledge.slot(page))
    }

    /// Days from the latest visit to `at`.
    pub(super) fn days(&self, page: PageId, at: Time) -> f64 {
        self.last(page).map_or(0.0, |last| (at - last).as_days_f64())
    }

    /// How many pages were visited.
    pub(super) fn visited(&self) -> usize {
        self.changes.map_or(0, Changes::len)
    }

    /// The expectation of a curve when so many days have passed since the latest visit.
    pub(super) fn expect(&self, page: PageId, curve: Curve, days: f64) -> f64 {
        match self.rates {
            Rates::Given => {
                let rate = f64::from(self.view.pages.get(page).rate.per_day).max(1e-9);
                curve.at(rate * days) / rate.powi(curve.per_rate())
            }
            Rates::Learned => {
                self.changes.map_or(0.0, |changes| changes.expect(self.view.knowledge.slot(page), curve, days))
            }
        }
    }

    pub(super) fn mean_per_day(&self, page: PageId) -> f64 {
        match self.rates {
            Rates::Given => f64::from(self.view.pages.get(page).rate.per_day),
            Rates::Learned => self.changes.map_or(0.0, |changes| changes.mean_per_day(self.view.knowledge.slot(page))),
        }
    }
}
