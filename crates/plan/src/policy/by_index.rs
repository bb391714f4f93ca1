//! The page that is worth most comes first: what all policies with an index share.

use super::{
    believed::{Believed, Rates},
    newcomers::Newcomers,
    ripening::Ripening,
    view::{Choice, Policy, View},
};
use crate::PageState;
use tintype_learn::learner::{Learner, speaks_of_page};
use tintype_vocab::{Observation, PageId, Time};

/// What a visit is worth at a moment. It must not fall while the page is left alone.
pub(super) type Worth = fn(&Believed<'_>, PageId, Time) -> f64;

/// Pages never seen come first, in order of discovery; then whatever is worth most.
#[derive(Debug)]
pub(super) struct ByIndex {
    rates: Rates,
    worth: Worth,
    newcomers: Newcomers,
    ripening: Ripening,
}

impl ByIndex {
    pub(super) fn new(rates: Rates, worth: Worth) -> ByIndex {
        ByIndex { rates, worth, newcomers: Newcomers::default(), ripening: Ripening::default() }
    }
}

impl Policy for ByIndex {
    saves!(newcomers, ripening);

    fn learns(&self) -> Vec<Box<dyn Learner>> {
        self.rates.learners()
    }

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.newcomers.push(page);
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        let ripening = &self.ripening;
        if let Some(page) = self.newcomers.next(view, |page| ripening.contains(page)) {
            return Choice::Visit(page);
        }
        let (believed, worth) = (self.rates.of(view), self.worth);
        self.ripening.pick(now, |page, at| worth(&believed, page, at)).map_or(Choice::Done, Choice::Visit)
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if !speaks_of_page(observation) {
            return self.ripening.take_out(page);
        }
        if view.learned.moved_all {
            self.ripening.shake();
        }
        if view.pages.get(page).state == PageState::Waiting {
            self.ripening.put(page);
        }
    }
}
