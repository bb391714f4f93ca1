//! The page that is worth most comes first: what all policies with an index share.

use super::{
    Choice, Policy, View,
    newcomers::Newcomers,
    ripening::Ripening,
    watch::{Rates, Watch},
};
use crate::PageState;
use tintype_vocab::{Observation, Outcome, PageId, Purpose, Time};

/// What a visit is worth at a moment. It must not fall while the page is left alone.
pub(super) type Worth = fn(&Watch, PageId, &View<'_>, Time) -> f64;

/// Pages never seen come first, in order of discovery; then whatever is worth most.
#[derive(Debug)]
pub(super) struct ByIndex {
    worth: Worth,
    watch: Watch,
    newcomers: Newcomers,
    ripening: Ripening,
}

impl ByIndex {
    pub(super) fn new(rates: Rates, worth: Worth) -> ByIndex {
        ByIndex { worth, watch: Watch::new(rates), newcomers: Newcomers::default(), ripening: Ripening::default() }
    }
}

/// Whether a visit said anything about its page; rules say nothing.
pub(super) fn speaks_of_page(observation: &Observation) -> bool {
    observation.purpose != Purpose::Robots && !matches!(observation.outcome, Outcome::Gone { .. })
}

impl Policy for ByIndex {
    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        self.watch.on_known(page, view.now);
        self.newcomers.push(page);
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        let ripening = &self.ripening;
        if let Some(page) = self.newcomers.next(view, |page| ripening.contains(page)) {
            return Choice::Visit(page);
        }
        let (watch, worth) = (&self.watch, self.worth);
        self.ripening.pick(now, |page, at| worth(watch, page, view, at)).map_or(Choice::Done, Choice::Visit)
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if !speaks_of_page(observation) {
            return self.ripening.take_out(page);
        }
        if self.watch.observe(observation, page, view) {
            self.ripening.shake();
        }
        if view.pages.get(page).state == PageState::Waiting {
            self.ripening.put(page);
        }
    }
}
