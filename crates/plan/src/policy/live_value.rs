//! The version alive that is worth most comes first: V ← V e^−c + w (1 − e^−c) for every period that passes, with c
//! changes to be expected in it that are worth w each; a visit takes the value and leaves nothing.
//!
//! Unlike an urgency, the value of a page that changed an hour ago does not vanish with the hour, and what was worth much
//! is lost when something less important covers it. How often a page changes, when, and what changes of that hour are
//! worth is learned ([`VersionWorth`]), each shrunk to what is known of more pages: the cheap bound for anything finer.

use super::{believed::Rates, by_list::Listing, view::View};
use tintype_learn::{
    learner::Learner,
    pattern::{Calendar, Periods},
    worth::VersionWorth,
};
use tintype_vocab::{Observation, PageId, Time};

#[derive(Debug)]
pub(super) struct LiveValue {
    calendar: Calendar,
    periods: Periods,
    /// Of every page that was visited: what is worth catching there, and as of when.
    values: Vec<Option<(f64, Time)>>,
}

impl LiveValue {
    pub(super) fn new(calendar: Calendar) -> LiveValue {
        LiveValue { calendar, periods: Periods::new(calendar), values: Vec::new() }
    }
}

impl Listing for LiveValue {
    saves!(values);

    fn learns(&self) -> Vec<Box<dyn Learner>> {
        let mut learners = Rates::Learned.learners();
        learners.push(Box::new(VersionWorth::new(self.calendar)));
        learners
    }

    fn is_over(&self, made: Time, now: Time) -> bool {
        self.periods.number(made) != self.periods.number(now)
    }

    fn list(&mut self, pages: &[(PageId, Time)], now: Time, view: &View<'_>) -> Vec<f64> {
        let (believed, worth) = (Rates::Learned.of(view), view.knowledge.worth());
        // Values are those of the beginning of the period, so that they do not depend on how often somebody asked.
        let to = self.periods.start(self.periods.number(now));
        let mut value = |page: PageId| {
            let worth = worth?.page(view.knowledge.slot(page))?;
            let (value, as_of) = self.values.get_mut(page.index())?.as_mut()?;
            if *as_of < to {
                *value = worth.live_value(*value, *as_of, to, believed.mean_per_day(page));
                *as_of = to;
            }
            Some(*value)
        };
        pages.iter().map(|(page, _)| value(*page).unwrap_or(0.0)).collect()
    }

    /// A visit takes what is there.
    fn on_visit(&mut self, page: PageId, observation: &Observation, _view: &View<'_>) {
        if self.values.len() <= page.index() {
            self.values.resize(page.index() + 1, None);
        }
        self.values[page.index()] = Some((0.0, observation.answered));
    }
}
