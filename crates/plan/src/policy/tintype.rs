//! Ours: every request goes where it buys the archive most.
//!
//! A visit is worth the changes to be expected since the one before: by the page's own past and its cohort's, by the hours
//! its site keeps and the spells it has, by what listings have said or kept silent about; and by how old the copy would
//! grow if nobody looked (age). Were rates known, any growing function of the changes to be expected would choose alike,
//! R − xR′ among them; they are learned, and the expectation itself, which counts what a page might do at most, teaches
//! most. Nothing is tuned to a site: what listings are worth is learned, and age is measured against the time one round
//! over all pages would take.

use super::{
    age_price::AgePrice,
    newcomers::Newcomers,
    ripening::Ripening,
    view::{Choice, Policy, View},
};
use crate::PageState;
use tintype_learn::{
    changes::{ChangeClock, Changes, Elapsed},
    grid::Curve,
    hint::Hints,
    learner::{Learner, speaks_of_page},
};
use tintype_vocab::{Change, Observation, PageId, Span, Time};

/// How fast the measured pace follows the real one.
const PACE_MEMORY: f64 = 0.99;

#[derive(Debug, Default)]
pub(super) struct Tintype {
    newcomers: Newcomers,
    ripening: Ripening,
    age_price: AgePrice,
    /// Smoothed days between choices, and the latest.
    pace_days: Option<f64>,
    chose: Option<Time>,
}

/// What visits are worth now.
struct Worth<'a> {
    view: &'a View<'a>,
    changes: &'a Changes,
    hints: &'a Hints,
    /// Days that one round over all pages takes.
    round_days: f64,
    age_price: f64,
}

impl Worth<'_> {
    fn index(&self, page: PageId, at: Time) -> f64 {
        let (changes, hints, page) = (self.changes, self.hints, self.view.knowledge.slot(page));
        let last = changes.last(page).unwrap_or(at);
        let elapsed = Elapsed { last, at, silence: hints.silence(page, last), habit: hints.habit(page) };
        let worth = changes.telling(page) * (changes.changes_in(page, &elapsed) + hints.strength(page));
        let days = changes.days(page, at).max(1e-6);
        let age = changes.expect(page, Curve::Age, days) / self.round_days.powi(2);
        worth + self.age_price * age
    }
}

impl Tintype {
    /// Days that one round over all pages takes.
    fn round_days(&self) -> f64 {
        let pace = self.pace_days.unwrap_or(Span::from_secs(1).as_days_f64());
        (self.ripening.len() as f64 * pace).max(1e-6)
    }

    fn keep_pace(&mut self, now: Time) {
        if let Some(before) = self.chose.filter(|before| *before < now) {
            let days = (now - before).as_days_f64();
            self.pace_days = Some(self.pace_days.map_or(days, |pace| PACE_MEMORY * pace + (1.0 - PACE_MEMORY) * days));
        }
        self.chose = Some(now);
    }

    /// Keeps account of how old the copy had grown.
    fn mind_age(&mut self, observation: &Observation, page: PageId, view: &View<'_>) {
        let round_days = self.round_days();
        if let (Some(last), Change::New { .. }) = (view.learned.last, observation.change) {
            self.age_price.found(page, last, view.learned.modified, observation.answered, round_days);
        }
        self.age_price.visited(self.ripening.len());
    }
}

impl Policy for Tintype {
    saves!(newcomers, ripening, age_price, pace_days, chose);

    fn learns(&self) -> Vec<Box<dyn Learner>> {
        vec![Box::new(Changes::new(ChangeClock::Site)), Box::<Hints>::default()]
    }

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.newcomers.push(page);
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        self.keep_pace(now);
        let ripening = &self.ripening;
        if let Some(page) = self.newcomers.next(view, |page| ripening.contains(page)) {
            return Choice::Visit(page);
        }
        let (round_days, age_price) = (self.round_days(), self.age_price.get());
        let (Some(changes), Some(hints)) = (view.knowledge.changes(), view.knowledge.hints()) else {
            return Choice::Done;
        };
        let worth = Worth { view, changes, hints, round_days, age_price };
        let best = self.ripening.pick(now, |page, at| worth.index(page, at));
        best.map_or(Choice::Done, Choice::Visit)
    }

    /// A page that was never seen is a version for certain.
    fn bid(&self, view: &View<'_>) -> Option<f64> {
        if self.newcomers.has_unseen(|page| self.ripening.contains(page)) {
            return Some(1.0);
        }
        let (changes, hints) = (view.knowledge.changes()?, view.knowledge.hints()?);
        let (round_days, age_price) = (self.round_days(), self.age_price.get());
        let worth = Worth { view, changes, hints, round_days, age_price };
        Some(self.ripening.bid(view.now, |page, at| worth.index(page, at)))
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if !speaks_of_page(observation) {
            return self.ripening.take_out(page);
        }
        if view.pages.get(page).state != PageState::Waiting {
            return;
        }
        self.mind_age(observation, page, view);
        if view.learned.moved_all {
            self.ripening.shake();
        }
        for hinted in &view.learned.hinted {
            if self.ripening.contains(*hinted) {
                self.ripening.put(*hinted);
            }
        }
        self.ripening.put(page);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PageInfo, Pages};
    use tintype_learn::knowledge::{About, Knowledge};
    use tintype_vocab::{ChangeRate, Outcome, Purpose, Request, SiteId};

    /// Visits to a page whose every change has the first importance, and to one whose changes have the second, both
    /// changed whenever somebody looks.
    fn visits(importances: [f32; 2]) -> [usize; 2] {
        let mut pages = Pages::default();
        let info = PageInfo::waiting(1);
        let ids = ["http://e.com/a/one", "http://e.com/b/two"].map(|url| pages.add_unlisted(url, info));
        let (mut policy, mut knowledge) = (Tintype::default(), Knowledge::default());
        knowledge.learn_also(policy.learns());
        let hour = |hour: i64| Time::from_secs(1_704_067_200 + 3600 * hour);
        for page in ids {
            knowledge.know(page, pages.url(page), hour(0));
            policy.on_known(page, &View::of(&pages, hour(0)));
        }
        let mut visits = [0; 2];
        for now in 1..=500 {
            let view = View { knowledge: &knowledge, ..View::of(&pages, hour(now)) };
            let Choice::Visit(page) = policy.choose(hour(now), &view) else { panic!("nothing to do") };
            let which = page.index();
            let request = Request {
                site: SiteId(0),
                page,
                url: String::new(),
                purpose: Purpose::Visit,
                attempt: 0,
                rate: ChangeRate::default(),
            };
            let change =
                if visits[which] == 0 { Change::First } else { Change::New { importance: importances[which] } };
            let seen = Observation::of(&request, hour(now), hour(now), Outcome::Body { status: 200 });
            let seen = Observation { change, ..seen };
            let (kind, mention, rate) = (info.kind, info.mention, info.rate);
            let about = About { page, url: pages.url(page), kind, mention, depth: 1, rate };
            let learned = knowledge.observe(&about, &seen, &[]);
            let view = View { knowledge: &knowledge, learned: &learned, ..View::of(&pages, hour(now)) };
            policy.on_observation(page, &seen, &view);
            visits[which] += 1;
        }
        visits
    }

    #[test]
    fn a_page_with_a_clock_on_it_is_not_asked_for_because_it_ticks() {
        let [news, clock] = visits([0.5, 0.0]);
        assert!(news > 5 * clock, "{news} {clock}");
        let [one, other] = visits([0.5, 0.5]);
        assert!(one.abs_diff(other) < 100, "{one} {other}");
    }
}
