//! Every request goes where most changes are to be expected, by a closed form.
//!
//! A visit is worth the changes to be expected since the one before: by the page's own past and its cohort's, by the hours
//! its site keeps and the spells it has, by what listings have said or kept silent about; and by how old the copy would
//! grow if nobody looked (age). Were rates known, any growing function of the changes to be expected would choose alike,
//! R − xR′ among them; they are learned, and the expectation itself, which counts what a page might do at most, teaches
//! most. Nothing is tuned to a site: what listings are worth is learned, and age is measured against the time one round
//! over all pages would take.

use super::{
    age_price::AgePrice,
    view::{Choice, Policy, View},
    watching::{Past, Watching, rested},
};
use tintype_learn::{
    changes::{ChangeClock, Changes},
    grid::Curve,
    hint::Hints,
    lastmod::Lastmods,
    learner::Learner,
};
use tintype_vocab::{Change, Observation, PageId, Time};

#[derive(Debug, Default)]
pub(super) struct Posterior {
    watching: Watching,
    age_price: AgePrice,
}

/// What visits are worth now.
struct Worth<'a> {
    past: Past<'a>,
    /// Days that one round over all pages takes.
    round_days: f64,
    age_price: f64,
}

impl Worth<'_> {
    fn index(&self, page: PageId, at: Time) -> f64 {
        let (changes, page) = (self.past.changes, self.past.view.knowledge.slot(page));
        let last = changes.last(page).unwrap_or(at);
        let hinted = self.past.hints.strength(page) + self.past.told(page);
        let worth = changes.telling(page) * (self.past.expected(page, last, at) * rested(last, at) + hinted);
        let days = (changes.days(page, at) - self.past.fresh_days(page, last)).max(1e-6);
        let age = changes.expect(page, Curve::Age, days) / self.round_days.powi(2);
        worth + self.age_price * age
    }
}

impl Posterior {
    fn worth_now<'a>(&self, view: &'a View<'a>) -> Option<Worth<'a>> {
        let (round_days, age_price) = (self.watching.round_days(), self.age_price.get());
        Some(Worth { past: Past::new(view)?, round_days, age_price })
    }

    /// Keeps account of how old the copy had grown.
    fn mind_age(&mut self, observation: &Observation, page: PageId, view: &View<'_>) {
        let round_days = self.watching.round_days();
        if let (Some(last), Change::New { .. }) = (view.learned.last, observation.change) {
            self.age_price.found(page, last, view.learned.modified, observation.answered, round_days);
        }
        self.age_price.visited(self.watching.ripening.len());
    }
}

impl Policy for Posterior {
    saves!(watching, age_price);

    fn learns(&self) -> Vec<Box<dyn Learner>> {
        vec![Box::new(Changes::new(ChangeClock::Site)), Box::<Hints>::default(), Box::<Lastmods>::default()]
    }

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.watching.know(page);
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        self.watching.begin(now);
        if let Some(page) = self.watching.next_unseen(view) {
            return Choice::Visit(page);
        }
        let Some(worth) = self.worth_now(view) else { return Choice::Done };
        let Some(best) = self.watching.ripening.pick(now, |page, at| worth.index(page, at)) else {
            return Choice::Done;
        };
        let chance = 1.0 - (-worth.index(best, now)).exp();
        let Some(hub) = self.watching.hub_instead_of(chance, now, &worth.past) else { return Choice::Visit(best) };
        self.watching.ripening.put(best);
        Choice::Visit(hub)
    }

    fn bid(&self, view: &View<'_>) -> Option<f64> {
        let worth = self.worth_now(view)?;
        // It asks first for what it has never seen, which is a version for certain.
        Some(self.watching.bid(view, &worth.past, |page, at| worth.index(page, at), |_| 1.0))
    }

    fn worth(&self, page: PageId, at: Time, view: &View<'_>) -> Option<f64> {
        let worth = self.worth_now(view)?;
        self.watching.ripening.contains(page).then(|| worth.index(page, at))
    }

    fn on_recall(&mut self, page: PageId, view: &View<'_>) {
        if let Some(past) = Past::new(view) {
            self.watching.recall(page, view.now, &past);
        }
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if self.watching.settle(page, observation, view) {
            self.mind_age(observation, page, view);
        }
    }
}
