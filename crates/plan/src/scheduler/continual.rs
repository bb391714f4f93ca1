//! A run without end: visited pages go back to the frontier, pages become known from outside, and pages that went or could
//! not be had are asked for again, less and less often.

use super::{Scheduler, taking::is_seed};
use crate::{Bid, Dice, Mode, PageState, pages::Found};
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};
use tintype_learn::{first_guess::Signs, forecast::Forecaster, knowledge::LearnerBeliefs};
use tintype_vocab::{ChangeRate, LinkKind, Mention, Observation, Outcome, PageId, Purpose, Span, TestedDay, Time};

/// How long a page that went is left alone at first; twice as long every time it is still away.
const GONE_FIRST: Span = Span::from_days(1);
const GONE_MAX: Span = Span::from_days(64);
/// The same of a page that could not be had: what is out of order is repaired sooner than what went comes back.
const FAILED_FIRST: Span = Span::from_secs(3600);
const FAILED_MAX: Span = Span::from_days(1);

/// Pages that went, and when to ask for them again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct GonePages {
    due: BinaryHeap<Reverse<(Time, PageId)>>,
    /// How long each is left alone, and until when: whatever else is due of it was seen to.
    waited: BTreeMap<PageId, (Span, Time)>,
    /// Pages that were there once, by number: what a dead link leads to is not asked for again.
    were_there: Vec<bool>,
}

impl GonePages {
    fn is_there(&mut self, page: PageId) {
        if self.were_there.len() <= page.index() {
            self.were_there.resize(page.index() + 1, false);
        }
        self.were_there[page.index()] = true;
        self.waited.remove(&page);
    }

    fn was_there(&self, page: PageId) -> bool {
        self.were_there.get(page.index()).copied().unwrap_or(false)
    }

    fn went(&mut self, page: PageId, at: Time) {
        self.leave_alone(page, at, GONE_FIRST, GONE_MAX);
    }

    fn failed(&mut self, page: PageId, at: Time) {
        self.leave_alone(page, at, FAILED_FIRST, FAILED_MAX);
    }

    fn leave_alone(&mut self, page: PageId, at: Time, first: Span, most: Span) {
        let wait = self.waited.get(&page).map_or(first, |(wait, _)| (*wait * 2).clamp(first, most));
        self.waited.insert(page, (wait, at + wait));
        self.due.push(Reverse((at + wait, page)));
    }

    fn until(&self, page: PageId) -> Option<Time> {
        self.waited.get(&page).map(|(_, until)| *until)
    }

    /// The next page whose time has come.
    fn next(&mut self, now: Time) -> Option<(Time, PageId)> {
        while let Some(Reverse((at, page))) = self.due.peek().copied().filter(|Reverse((at, _))| *at <= now) {
            self.due.pop();
            if self.until(page) == Some(at) {
                return Some((at, page));
            }
        }
        None
    }
}

/// Whether a page could not be had, which says nothing about it.
fn is_failure(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed { .. } | Outcome::Refused { .. })
}

impl Scheduler {
    /// The site says that this page exists, as a sitemap would. A page that had gone is watched again.
    pub fn announce(&mut self, url: &str, now: Time) -> Option<PageId> {
        self.begin();
        self.clock = self.clock.max(now);
        let url = &*self.current(url);
        let page = match self.pages.look_up(url) {
            Found::New { hash, .. } => {
                self.authorities.number(url)?;
                self.admit(&Signs::new(url, LinkKind::Listed, 1, now), Mention::default(), hash, 0)
            }
            Found::Known(page) => {
                if self.settings.mode != Mode::Once && self.pages.get(page).state == PageState::Visited {
                    self.wait_again(page);
                    self.knowledge.know(page, self.pages.url(page), self.clock);
                    self.tell_known(page);
                }
                page
            }
        };
        Some(page)
    }

    /// Tells a page's change rate from a better source than our own visits.
    pub fn reveal_rate(&mut self, page: PageId, rate_per_day: f64) {
        self.pages.get_mut(page).rate = ChangeRate::known(rate_per_day);
    }

    /// After a visit in a continual run the page waits for the next one, unless it is gone or leads elsewhere for good.
    pub(super) fn keep_watching(&mut self, page: PageId, outcome: &Outcome) {
        let leads_elsewhere = self.aliases.contains(page);
        let gone = leads_elsewhere || matches!(outcome, Outcome::Gone { .. });
        let failed = self.settings.mode == Mode::Kept && is_failure(outcome);
        if self.settings.mode != Mode::Once && !gone && !failed && self.pages.get(page).state == PageState::Visited {
            self.wait_again(page);
        }
        if self.settings.mode == Mode::Kept {
            match outcome {
                _ if failed => self.gone.failed(page, self.clock),
                _ if gone && (self.gone.was_there(page) || leads_elsewhere && is_seed(self.pages.get(page))) => {
                    self.gone.went(page, self.clock);
                }
                outcome if outcome.saw_page() => self.gone.is_there(page),
                _ => {}
            }
        }
    }

    /// Pages that went long enough ago wait again. They come back as of the moment they were due, however late that is
    /// noticed.
    pub(super) fn look_for_gone(&mut self, now: Time) {
        while let Some((due, page)) = self.gone.next(now) {
            if self.pages.get(page).state == PageState::Visited {
                self.wait_again(page);
                self.knowledge.know(page, self.pages.url(page), due);
                self.tell_known(page);
            }
        }
    }

    /// Takes in what an earlier run saw, as if it had been this one. What is out of today's reach is passed over.
    pub fn recall(&mut self, observation: &Observation) {
        self.begin();
        if observation.purpose == Purpose::Robots {
            return self.settle(observation);
        }
        let url = &*self.current(&observation.url);
        if matches!(self.pages.look_up(url), Found::New { .. }) {
            if !self.entrances.contains(self.pages.last_key()) {
                return;
            }
            self.announce(url, observation.asked);
        }
        self.settle(observation);
    }

    /// The same of a run that watched the site: it had chosen what it saw.
    pub fn recall_chosen(&mut self, observation: &Observation) {
        self.begin();
        if observation.purpose == Purpose::Visit
            && let Some(page) = self.page_of(&observation.url)
        {
            let dice = Dice::new(self.settings.run_seed, self.steps);
            let view = view!(self, observation.asked, &[], dice);
            self.policy.on_recall(page, &view);
        }
        self.recall(observation);
    }

    /// All earlier runs were recalled: this one begins, with dice of its own.
    pub fn begin_after_recall(&mut self, run_seed: u64) {
        self.release_in_flight();
        self.settled = 0;
        self.settings.run_seed = run_seed;
    }

    /// Pages that are or may be asked for.
    pub fn watched(&self) -> impl Iterator<Item = PageId> {
        let is_watched = |page: &PageId| self.pages.get(*page).state == PageState::Waiting;
        self.pages.ids().filter(is_watched)
    }

    /// The page of a URL, if it is known.
    pub fn page_of(&mut self, url: &str) -> Option<PageId> {
        let url = &*self.current(url);
        self.pages.find(url)
    }

    /// Changes of a page per day, by all that is learned of it.
    pub fn believed_per_day(&self, page: PageId) -> f64 {
        let learned = self.knowledge.changes().map(|changes| changes.mean_per_day(self.knowledge.slot(page)));
        learned.unwrap_or_else(|| self.pages.get(page).rate.per_day.into())
    }

    /// The chance that a page has changed since it was visited last; nothing where that is not learned.
    pub fn believed_chance(&self, page: PageId, at: Time) -> Option<f64> {
        self.knowledge.changes()?.chance_at(self.knowledge.slot(page), at)
    }

    /// The chance that a page has a version we do not hold, by the forecasts that the policy goes by, as far as they came true
    /// on this site; nothing where it makes none.
    pub fn foretold(&self, page: PageId, at: Time) -> Option<f64> {
        self.knowledge.borne_out(self.knowledge.slot(page), at)
    }

    /// What the policy's forecasts came to, day by day.
    pub fn tested_days(&self) -> impl Iterator<Item = TestedDay> {
        self.knowledge.forecaster().into_iter().flat_map(Forecaster::tested_days)
    }

    /// Since when a page is known, where that is remembered.
    pub fn known_since(&self, page: PageId) -> Option<Time> {
        Some(self.knowledge.known_since(self.knowledge.slot(page))).filter(|since| *since < Time::MAX)
    }

    /// The share of a page's changes that a listing or a sitemap tells of: so much their silence says.
    pub fn heard_of(&self, page: PageId) -> f64 {
        let slot = self.knowledge.slot(page);
        let listed = self.knowledge.hints().map_or(0.0, |hints| hints.tells_of(slot));
        let dated = self.knowledge.lastmods().map_or(0.0, |lastmods| lastmods.tells_of(slot));
        listed.max(dated)
    }

    /// What is believed of a page, learner by learner; nothing of a page that is not known.
    pub fn explain(&mut self, url: &str, now: Time) -> Option<(PageId, Vec<LearnerBeliefs>)> {
        let page = self.page_of(url)?;
        let about = super::learning::about(&self.pages, page, self.pages.url(page));
        Some((page, self.knowledge.explain(&about, now)))
    }

    /// What the next request is worth. Asking changes nothing.
    pub fn bid(&self, now: Time) -> Bid {
        if self.settings.mode == Mode::Once || !self.urgent.is_empty() || !self.retries_due.is_empty() {
            return Bid::Worth(1.0);
        }
        let dice = Dice::new(self.settings.run_seed, self.steps);
        let bid = self.policy.bid(&view!(self, now, &[], dice));
        bid.map_or(Bid::Pages(self.pages.len()), Bid::Worth)
    }

    /// What a visit to a page that was seen before is worth at a moment to come; nothing where that is not reckoned.
    pub fn worth(&self, page: PageId, at: Time) -> Option<f64> {
        let dice = Dice::new(self.settings.run_seed, self.steps);
        self.policy.worth(page, at, &view!(self, at, &[], dice))
    }

    /// When a page is worth so much, as far as can be foreseen; nothing if not within two months.
    pub fn worth_at(&self, page: PageId, worth: f64, now: Time) -> Option<Time> {
        let is_worth = |after: Span| self.worth(page, now + after).is_some_and(|value| value >= worth);
        let mut late = Span::from_secs(1);
        while !is_worth(late) {
            late = late * 2;
            (late <= GONE_MAX).then_some(())?;
        }
        let mut early = if late > Span::from_secs(1) { late / 2 } else { Span::ZERO };
        for _ in 0..12 {
            let middle = (early + late) / 2;
            if is_worth(middle) { late = middle } else { early = middle }
        }
        Some(now + late)
    }

    /// When a page that went or could not be had is asked for again.
    pub fn left_alone_until(&self, page: PageId) -> Option<Time> {
        self.gone.until(page).filter(|_| self.pages.get(page).state == PageState::Visited)
    }

    pub(super) fn tell_known(&mut self, page: PageId) {
        let dice = Dice::new(self.settings.run_seed, self.steps);
        let view = view!(self, self.clock, &[], dice);
        self.policy.on_known(page, &view);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run that recalls what an earlier one saw has not asked itself: what that one had seen to is not due again.
    #[test]
    fn what_was_asked_for_again_meanwhile_is_not_due_any_longer() {
        let (page, day) = (PageId(3), |day: i64| Time::from_secs(86_400 * day));
        let mut gone = GonePages::default();
        gone.is_there(page);
        [0, 1, 3].into_iter().for_each(|at| gone.went(page, day(at)));
        assert_eq!((gone.next(day(6)), gone.until(page)), (None, Some(day(7))));
        assert_eq!(gone.next(day(8)), Some((day(7), page)));
        assert_eq!(gone.next(day(8)), None);
        gone.went(page, day(8));
        gone.is_there(page);
        assert_eq!((gone.next(day(99)), gone.until(page)), (None, None), "it came back");
    }
}
