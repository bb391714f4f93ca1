//! First guesses as a learner: what pages with certain signs did, told by their first answers.

use super::{FirstGuess, RateSeen, Signs};
use crate::{
    learner::{Context, Effect, Learner, PageSlot, Subject, same, speaks_of_page},
    stored,
};
use tintype_vocab::{Observation, Purpose, Time};

impl<'a> Signs<'a> {
    /// What is known of a page once it has answered.
    pub fn answered(page: &Subject<'_>, seen: &'a Observation) -> Signs<'a> {
        Signs {
            media_type: seen.media_type.as_deref(),
            modified: seen.modified(),
            max_age: seen.max_age,
            ..Signs::new(&seen.url, page.kind, page.depth, seen.answered)
        }
    }
}

impl FirstGuess {
    pub(crate) fn load(bytes: &[u8]) -> Option<FirstGuess> {
        stored::from_bytes(bytes)
    }
}

impl Learner for FirstGuess {
    fn name(&self) -> &'static str {
        "first-guess"
    }

    fn blank(&self) -> Box<dyn Learner> {
        Box::new(FirstGuess::default())
    }

    /// The first visit to a page says when its version came to be. Later ones are the page's own record, which is kept
    /// elsewhere and learned from as a whole ([`RateSeen::Record`]).
    fn observe(&mut self, page: &Subject<'_>, seen: &Observation, context: &Context<'_>) -> Effect {
        let first = context.last.is_none() && seen.purpose != Purpose::Revisit && speaks_of_page(seen);
        if let Some(modified) = seen.modified().filter(|_| first) {
            let days = (seen.answered - modified).as_days_f64();
            self.learn(&Signs::answered(page, seen), &RateSeen::ChangedAgo { days });
        }
        Effect::default()
    }

    fn merge(&mut self, other: &dyn Learner, _: &[PageSlot]) {
        if let Some(other) = same(other) {
            FirstGuess::merge(self, other);
        }
    }

    fn save(&self) -> Vec<u8> {
        stored::to_bytes(self)
    }

    fn bytes(&self) -> usize {
        FirstGuess::BYTES
    }

    fn believes(&self, page: &Subject<'_>, at: Time) -> Vec<(&'static str, f64)> {
        let rate = self.guess(&Signs::new(page.url, page.kind, page.depth, at));
        vec![("changes per day by its signs", rate.per_day.into())]
    }
}
