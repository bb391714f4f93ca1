//! A run without end: visited pages go back to the frontier, pages become known from outside, and pages that went are asked
//! for again, less and less often.

use super::Scheduler;
use crate::{Bid, Dice, Mode, PageState, pages::Found};
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};
use tintype_learn::{first_guess::Signs, knowledge::LearnerBeliefs};
use tintype_vocab::{ChangeRate, LinkKind, Mention, Observation, Outcome, PageId, Purpose, Span, Time};

/// How long a page that went is left alone at first; twice as long every time it is still away.
const GONE_FIRST: Span = Span::from_days(1);
const GONE_MAX: Span = Span::from_days(64);

/// Pages that went, and when to ask for them again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct GonePages {
    due: BinaryHeap<Reverse<(Time, PageId)>>,
    /// How long each was left alone last.
    waited: BTreeMap<PageId, Span>,
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
        let wait = self.waited.get(&page).map_or(GONE_FIRST, |wait| (*wait * 2).min(GONE_MAX));
        self.waited.insert(page, wait);
        self.due.push(Reverse((at + wait, page)));
    }

    fn next(&mut self, now: Time) -> Option<(Time, PageId)> {
        let Reverse(due) = self.due.peek().copied().filter(|Reverse((at, _))| *at <= now)?;
        self.due.pop();
        Some(due)
    }
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

    /// After a visit in a continual run the page waits for the next one, unless it is gone.
    pub(super) fn keep_watching(&mut self, page: PageId, outcome: &Outcome) {
        let gone = matches!(outcome, Outcome::Gone { .. });
        if self.settings.mode != Mode::Once && !gone && self.pages.get(page).state == PageState::Visited {
            self.wait_again(page);
        }
        if self.settings.mode == Mode::Kept {
            match outcome {
                Outcome::Gone { .. } if self.gone.was_there(page) => self.gone.went(page, self.clock),
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

    /// All earlier runs were recalled: this one begins.
    pub fn begin_after_recall(&mut self) {
        self.release_in_flight();
        self.settled = 0;
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

    pub(super) fn tell_known(&mut self, page: PageId) {
        let dice = Dice::new(self.settings.run_seed, self.steps);
        let view = view!(self, self.clock, &[], dice);
        self.policy.on_known(page, &view);
    }
}
