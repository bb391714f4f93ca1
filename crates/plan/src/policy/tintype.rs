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
    hub::{Hubs, Telling},
    newcomers::Newcomers,
    ripening::Ripening,
    view::{Choice, Policy, View},
    visit_pace::VisitPace,
};
use crate::PageState;
use tintype_learn::{
    changes::{ChangeClock, Changes, Elapsed},
    grid::Curve,
    hint::Hints,
    lastmod::Lastmods,
    learner::{Learner, PageSlot, speaks_of_page},
};
use tintype_vocab::{Change, LinkKind, Observation, PageId, Span, Time};

/// Nothing is believed about changes within a minute: a day's budget that is spent at once goes round.
const REST: Span = Span::from_secs(60);

#[derive(Debug, Default)]
pub(super) struct Tintype {
    newcomers: Newcomers,
    ripening: Ripening,
    age_price: AgePrice,
    hubs: Hubs,
    pace: VisitPace,
}

/// What visits are worth now.
struct Worth<'a> {
    view: &'a View<'a>,
    changes: &'a Changes,
    hints: &'a Hints,
    /// Where a sitemap was read.
    lastmods: Option<&'a Lastmods>,
    /// Days that one round over all pages takes.
    round_days: f64,
    age_price: f64,
}

impl<'a> Worth<'a> {
    fn new(view: &'a View<'a>, round_days: f64, age_price: f64) -> Option<Worth<'a>> {
        let (changes, hints) = (view.knowledge.changes()?, view.knowledge.hints()?);
        let lastmods = view.knowledge.lastmods().filter(|lastmods| !lastmods.is_empty());
        Some(Worth { view, changes, hints, lastmods, round_days, age_price })
    }

    fn changes_in(&self, page: PageSlot, last: Time, at: Time) -> f64 {
        let (silence, habit) = (self.view.knowledge.silence(page, last), self.hints.habit(page));
        self.changes.changes_in(page, &Elapsed { last, at, silence, habit })
    }

    fn index(&self, page: PageId, at: Time) -> f64 {
        let (changes, page) = (self.changes, self.view.knowledge.slot(page));
        let last = changes.last(page).unwrap_or(at);
        let hinted = self.hints.strength(page) + self.lastmods.map_or(0.0, |lastmods| lastmods.strength(page));
        let rested = ((at - last).as_secs_f64() / REST.as_secs_f64()).min(1.0);
        let worth = changes.telling(page) * (self.changes_in(page, last, at) * rested + hinted);
        // A copy does not grow old while a sitemap says that it is right.
        let silence = self.lastmods.and_then(|lastmods| lastmods.silence(page, last));
        let fresh = silence.map_or(0.0, |silence| silence.shown * (silence.until - silence.from).as_days_f64());
        let days = (changes.days(page, at) - fresh).max(1e-6);
        let age = changes.expect(page, Curve::Age, days) / self.round_days.powi(2);
        worth + self.age_price * age
    }
}

impl Telling for Worth<'_> {
    fn per_day(&self, page: PageId) -> f64 {
        self.changes.mean_per_day(self.view.knowledge.slot(page))
    }

    fn chance(&self, page: PageId) -> f64 {
        let (page, now) = (self.view.knowledge.slot(page), self.view.now);
        if self.lastmods.is_some_and(|lastmods| lastmods.is_told(page)) {
            return 0.0;
        }
        let last = self.changes.last(page).unwrap_or(now);
        1.0 - (-self.changes_in(page, last, now)).exp()
    }

    fn is_right(&self) -> f64 {
        self.lastmods.map_or(1.0, Lastmods::may_be_right)
    }
}

impl Tintype {
    /// A hub that is worth more than this page, which then stays where it was.
    fn hub_instead_of(&mut self, page: PageId, now: Time, view: &View<'_>) -> Option<PageId> {
        if self.hubs.is_empty() {
            return None;
        }
        let worth = Worth::new(view, self.round_days(), self.age_price.get())?;
        self.hubs.sort(self.ripening.pages(), &worth);
        let chance = 1.0 - (-worth.index(page, now)).exp();
        let hub = self.hubs.better_than(chance, now, &worth)?;
        self.ripening.put(page);
        Some(hub)
    }

    /// Days that one round over all pages takes.
    fn round_days(&self) -> f64 {
        (self.ripening.len() as f64 * self.pace.days()).max(1e-6)
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
    saves!(newcomers, ripening, age_price, hubs, pace);

    fn learns(&self) -> Vec<Box<dyn Learner>> {
        vec![Box::new(Changes::new(ChangeClock::Site)), Box::<Hints>::default(), Box::<Lastmods>::default()]
    }

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.newcomers.push(page);
        self.hubs.count_birth();
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        self.pace.choose(now);
        self.hubs.forget_births();
        let ripening = &self.ripening;
        if let Some(page) = self.newcomers.next(view, |page| ripening.contains(page)) {
            return Choice::Visit(page);
        }
        let Some(worth) = Worth::new(view, self.round_days(), self.age_price.get()) else { return Choice::Done };
        let best = self.ripening.pick(now, |page, at| worth.index(page, at));
        best.map_or(Choice::Done, |best| Choice::Visit(self.hub_instead_of(best, now, view).unwrap_or(best)))
    }

    /// A page that was never seen is a version for certain.
    fn bid(&self, view: &View<'_>) -> Option<f64> {
        if self.newcomers.has_unseen(|page| self.ripening.contains(page)) {
            return Some(1.0);
        }
        let worth = Worth::new(view, self.round_days(), self.age_price.get())?;
        let page = self.ripening.bid(view.now, |page, at| worth.index(page, at));
        Some(page.max(self.hubs.bid(view.now, &worth)))
    }

    fn worth(&self, page: PageId, at: Time, view: &View<'_>) -> Option<f64> {
        let worth = Worth::new(view, self.round_days(), self.age_price.get())?;
        self.ripening.contains(page).then(|| worth.index(page, at))
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if self.pace.is_recalling() {
            self.pace.recall(observation.asked);
        }
        self.learn(page, observation, view);
        self.hubs.forget_births();
    }
}

impl Tintype {
    fn learn(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if !speaks_of_page(observation) {
            self.hubs.take_out(page);
            return self.ripening.take_out(page);
        }
        if view.pages.get(page).state != PageState::Waiting {
            return;
        }
        let is_hub = view.pages.get(page).kind == LinkKind::Sitemap;
        if is_hub {
            self.ripening.take_out(page);
            self.hubs.read(page, observation.answered, view.learned.hinted.len());
        } else {
            self.mind_age(observation, page, view);
        }
        if view.learned.moved_all {
            self.ripening.shake();
        }
        for hinted in &view.learned.hinted {
            if self.ripening.contains(*hinted) {
                self.ripening.put(*hinted);
            }
        }
        if !is_hub {
            self.ripening.put(page);
        }
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
