//! What policies have in mind that watch a site by what visits are worth: who was never seen, who may be chosen, the hubs,
//! the pace of visits. What a visit is worth is for them to say.

use super::{
    hub::{Hubs, Telling},
    newcomers::Newcomers,
    ripening::Ripening,
    view::View,
    visit_pace::VisitPace,
};
use crate::PageState;
use serde::{Deserialize, Serialize};
use tintype_learn::{
    changes::{Changes, Elapsed},
    hint::Hints,
    lastmod::Lastmods,
    learner::{PageSlot, speaks_of_page},
};
use tintype_vocab::{LinkKind, Observation, PageId, Span, Time};

/// Nothing is believed about changes within a minute: a day's budget that is spent at once goes round.
const REST: Span = Span::from_secs(60);

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Watching {
    pub(super) newcomers: Newcomers,
    pub(super) ripening: Ripening,
    hubs: Hubs,
    pace: VisitPace,
}

/// What pages' own pasts, listings and sitemaps let expect.
pub(super) struct Past<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) changes: &'a Changes,
    pub(super) hints: &'a Hints,
    /// Where a sitemap was read.
    pub(super) lastmods: Option<&'a Lastmods>,
}

impl<'a> Past<'a> {
    pub(super) fn new(view: &'a View<'a>) -> Option<Past<'a>> {
        let (changes, hints) = (view.knowledge.changes()?, view.knowledge.hints()?);
        let lastmods = view.knowledge.lastmods().filter(|lastmods| !lastmods.is_empty());
        Some(Past { view, changes, hints, lastmods })
    }

    /// Changes to be expected by the page's own past and what listings kept silent about.
    pub(super) fn expected(&self, page: PageSlot, last: Time, at: Time) -> f64 {
        let (silence, habit) = (self.view.knowledge.silence(page, last), self.hints.habit(page));
        self.changes.changes_in(page, &Elapsed { last, at, silence, habit })
    }

    /// The same leaving aside what sitemaps kept silent about ([`Knowledge::untold_share`]).
    ///
    /// [`Knowledge::untold_share`]: tintype_learn::knowledge::Knowledge::untold_share
    pub(super) fn expected_unheard(&self, page: PageSlot, last: Time, at: Time) -> f64 {
        let (silence, habit) = (self.hints.silence(page, last), self.hints.habit(page));
        self.changes.changes_in(page, &Elapsed { last, at, silence, habit })
    }

    /// Of the changes expected, the share that no sitemap would have told of.
    pub(super) fn untold_share(&self, page: PageSlot, last: Time, at: Time) -> f64 {
        self.lastmods.map_or(1.0, |_| self.view.knowledge.untold_share(page, last, at))
    }

    /// Changes that a sitemap speaks of.
    pub(super) fn told(&self, page: PageSlot) -> f64 {
        self.lastmods.map_or(0.0, |lastmods| lastmods.strength(page))
    }

    /// Days in which a sitemap said that the copy is right: it did not grow old meanwhile.
    pub(super) fn fresh_days(&self, page: PageSlot, last: Time) -> f64 {
        let silence = self.lastmods.and_then(|lastmods| lastmods.silence(page, last));
        silence.map_or(0.0, |silence| silence.shown * (silence.until - silence.from).as_days_f64())
    }
}

/// How far a page has rested since its latest visit.
pub(super) fn rested(last: Time, at: Time) -> f64 {
    ((at - last).as_secs_f64() / REST.as_secs_f64()).min(1.0)
}

impl Telling for Past<'_> {
    fn per_day(&self, page: PageId) -> f64 {
        self.changes.mean_per_day(self.view.knowledge.slot(page))
    }

    fn chance(&self, page: PageId) -> f64 {
        let (page, now) = (self.view.knowledge.slot(page), self.view.now);
        if self.lastmods.is_some_and(|lastmods| lastmods.is_told(page)) {
            return 0.0;
        }
        let last = self.changes.last(page).unwrap_or(now);
        1.0 - (-self.expected(page, last, now)).exp()
    }

    fn days(&self, from: Time, to: Time) -> f64 {
        self.changes.busy_days(from, to)
    }

    fn is_right(&self) -> f64 {
        self.lastmods.map_or(1.0, Lastmods::may_be_right)
    }
}

impl Watching {
    /// A page became known.
    pub(super) fn know(&mut self, page: PageId) {
        self.newcomers.push(page);
        self.hubs.count_birth();
    }

    /// A choice is about to be made.
    pub(super) fn begin(&mut self, now: Time) {
        self.pace.choose(now);
        self.hubs.forget_births();
    }

    /// Days that one round over all pages takes.
    pub(super) fn round_days(&self) -> f64 {
        (self.ripening.len() as f64 * self.pace.days()).max(1e-6)
    }

    /// From one request to the next.
    pub(super) fn request_gap(&self) -> Span {
        Span::from_millis((self.pace.days() * Span::from_days(1).as_millis() as f64) as i64)
    }

    /// The page known longest that nobody has seen, which leaves.
    pub(super) fn next_unseen(&mut self, view: &View<'_>) -> Option<PageId> {
        let ripening = &self.ripening;
        self.newcomers.next(view, |page| ripening.contains(page))
    }

    /// The page worth most of those that nobody has seen; not one that is about to be chosen.
    pub(super) fn best_unseen(
        &mut self,
        view: &View<'_>,
        but: Option<PageId>,
        worth: impl Fn(PageId) -> f64,
    ) -> Option<(f64, PageId)> {
        let ripening = &self.ripening;
        self.newcomers.best(view, |page| ripening.contains(page) || but == Some(page), worth)
    }

    /// A hub that is worth more than a page that has a new version by this chance.
    pub(super) fn hub_instead_of(&mut self, chance: f64, now: Time, about: &impl Telling) -> Option<PageId> {
        if self.hubs.is_empty() {
            return None;
        }
        self.hubs.sort(self.ripening.pages(), about);
        self.hubs.better_than(chance, now, about)
    }

    /// An earlier run chose this page.
    pub(super) fn recall(&mut self, page: PageId, now: Time, about: &impl Telling) {
        if !self.hubs.is_empty() {
            self.hubs.sort(self.ripening.pages(), about);
            self.hubs.choose(page, now, about);
        }
    }

    /// What the next choice is expected to bring.
    pub(super) fn bid(
        &self,
        view: &View<'_>,
        about: &impl Telling,
        index: impl Fn(PageId, Time) -> f64,
        unseen: impl Fn(PageId) -> f64,
    ) -> f64 {
        let newcomers = self.newcomers.ends(view, |page| self.ripening.contains(page)).map(unseen);
        newcomers.fold(self.ripening.bid(view.now, index).max(self.hubs.bid(view.now, about)), f64::max)
    }

    /// Takes an answer in. Returns whether it is one of a page that is watched, and not of a hub.
    pub(super) fn settle(&mut self, page: PageId, observation: &Observation, view: &View<'_>) -> bool {
        if self.pace.is_recalling() {
            self.pace.recall(observation.asked);
        }
        let is_watched = self.sort_in(page, observation, view);
        self.hubs.forget_births();
        is_watched
    }

    fn sort_in(&mut self, page: PageId, observation: &Observation, view: &View<'_>) -> bool {
        if !speaks_of_page(observation) {
            self.hubs.take_out(page);
            self.ripening.take_out(page);
            return false;
        }
        if view.pages.get(page).state != PageState::Waiting {
            return false;
        }
        let is_hub = view.pages.get(page).kind == LinkKind::Sitemap;
        if is_hub {
            self.ripening.take_out(page);
            self.hubs.read(page, observation.answered, view.learned.hinted.len());
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
        !is_hub
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        posterior::Posterior,
        tintype::Tintype,
        view::{Choice, Policy},
    };
    use super::*;
    use crate::{PageInfo, Pages};
    use tintype_learn::knowledge::{About, Knowledge};
    use tintype_vocab::{Change, ChangeRate, Outcome, Purpose, Request, SiteId};

    /// Visits to a page whose every change has the first importance, and to one whose changes have the second, both
    /// changed whenever somebody looks.
    fn visits(policy: &mut dyn Policy, importances: [f32; 2]) -> [usize; 2] {
        let mut pages = Pages::default();
        let info = PageInfo::waiting(1);
        let ids = ["http://e.com/a/one", "http://e.com/b/two"].map(|url| pages.add_unlisted(url, info));
        let mut knowledge = Knowledge::default();
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
        let policies: [fn() -> Box<dyn Policy>; 2] = [|| Box::<Posterior>::default(), || Box::<Tintype>::default()];
        for policy in policies {
            let [news, clock] = visits(&mut *policy(), [0.5, 0.0]);
            assert!(news > 5 * clock, "{news} {clock}");
            let [one, other] = visits(&mut *policy(), [0.5, 0.5]);
            assert!(one.abs_diff(other) < 100, "{one} {other}");
        }
    }
}
