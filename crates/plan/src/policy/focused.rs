//! Ours for a capture that wants some media types only: what is likely to be wanted first, then what leads there.
//!
//! Every request should bring a wanted file. A page that may carry links brings none itself, but what pages like it were
//! found to lead to ([`leads::Leads`]) says how many will follow, and each of these costs a request too: if it leads to
//! `n` files, one request and `n` more bring `n`, and the next best share comes first. Chances and leads are learned all
//! the time, so worth is reckoned anew before it counts. Only so many pages are kept in order ([`queue::Queue`]).

pub(crate) mod credits;
pub(crate) mod leads;
pub(super) mod queue;
mod trials;

use super::view::{Choice, Policy, View};
use crate::{PageState, alike};
use credits::{Credit, Credits};
use leads::{Gain, Leads};
use queue::{Bounds, Queue, Worth};
use std::collections::VecDeque;
use tintype_vocab::{Observation, PageId, Purpose, Time};
use trials::Trials;

/// From this worth on pages are told apart by grades only: no estimate is finer.
const FRUITFUL: f32 = 0.3;
const GRADES: f32 = 16.0;
/// One page in so many is reckoned anew after every visit, the best ones besides.
const ROUND: usize = 64;
/// Pages whose worth turned out lower when their turn came, put back per choice.
const DEMOTED_MAX: usize = 16;

/// As many pages as it is worth keeping in order; the paper keeps as many.
pub(super) const ROOM: usize = 10_000;

/// What becomes of pages there is no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surplus {
    /// They wait outside, four bytes each, until there is room.
    Waits,
    /// They are given up, as in the paper.
    LetGo,
}

#[derive(Debug)]
pub(super) struct Focused {
    queue: Queue,
    /// Pages that are kept in order.
    room: usize,
    surplus: Surplus,
    outside: VecDeque<PageId>,
    let_go: Vec<PageId>,
    leads: Leads,
    credits: Credits,
    trials: Trials,
    /// Pages that became known since the last visit was settled.
    fresh: Vec<PageId>,
    /// Visits settled since all worths were reckoned.
    settled: usize,
}

impl Focused {
    pub(super) fn new(room: usize, surplus: Surplus) -> Focused {
        Focused {
            queue: Queue::new(Bounds::NONE),
            room: room.max(1),
            surplus,
            outside: VecDeque::new(),
            let_go: Vec::new(),
            leads: Leads::default(),
            credits: Credits::default(),
            trials: Trials::default(),
            fresh: Vec::new(),
            settled: 0,
        }
    }

    /// The share of requests that will bring a wanted file if this page is asked for, and what it leads to. Among pages
    /// that are about as fruitful the newest comes first, so that what was found is fetched before more is found.
    fn worth(&self, page: PageId, view: &View<'_>) -> Worth {
        if self.trials.is_due(alike::kind(view.pages.url(page))) {
            return Worth::newest_first(1.0, page);
        }
        let (wanted, lead) = self.leads.media_guess(page, view);
        let worth = wanted + (1.0 - wanted) * lead / (1.0 + lead);
        if worth < FRUITFUL {
            Worth::oldest_first(worth, page)
        } else {
            Worth::newest_first((worth * GRADES).round() / GRADES, page)
        }
    }

    fn enter(&mut self, page: PageId, view: &View<'_>) {
        let (worth, url) = (self.worth(page, view), view.pages.url(page));
        self.queue.push(page, worth, url);
        if self.queue.len() <= self.room {
            return;
        }
        let surplus = self.queue.thin(self.room - self.room / 8, |page| alike::kind(view.pages.url(page)));
        surplus.iter().for_each(|page| self.credits.forget(*page));
        match self.surplus {
            Surplus::Waits => self.outside.extend(surplus),
            Surplus::LetGo => self.let_go.extend(surplus),
        }
    }

    /// Lets in some of those outside, once half of the places are empty.
    fn refill(&mut self, view: &View<'_>) {
        while self.queue.len() <= self.room / 2
            && let Some(page) = self.outside.pop_front()
        {
            if view.pages.get(page).state == PageState::Waiting {
                self.enter(page, view);
            }
        }
    }

    /// Reckons every worth anew now and then: so often that each visit pays for a few.
    fn reckon(&mut self, view: &View<'_>) {
        if self.settled * ROUND < self.queue.len() {
            return;
        }
        self.settled = 0;
        self.credits.keep(|page| matches!(view.pages.get(page).state, PageState::Waiting | PageState::InFlight));
        let waiting = self.queue.pages();
        self.trials.count(waiting.iter().map(|page| alike::kind(view.pages.url(*page))));
        for page in waiting {
            let worth = self.worth(page, view);
            self.queue.set(page, worth);
        }
    }

    /// A page was visited, and these became known. Credits the visit, and puts right what the one before was credited with.
    fn learn(&mut self, page: PageId, observation: &Observation, fresh: &[PageId], view: &View<'_>) {
        let gains: Vec<(PageId, Gain)> = fresh.iter().map(|found| (*found, self.leads.gain(*found, view))).collect();
        let nth = self.leads.note(view.pages.url(page), gains.iter().map(|(_, gain)| gain.files()).sum());
        for (found, gain) in gains.into_iter().filter(|(found, _)| self.queue.holds(*found)) {
            self.credits.give(found, Credit { from: page, nth, gain });
        }
        if let Some(Credit { from, nth, gain }) = self.credits.settle(page) {
            let wanted = observation.real_media_type().is_some_and(|media_type| view.media.rules.want(media_type));
            let found = Gain { wanted: f32::from(u8::from(wanted)), ..gain };
            self.leads.correct(view.pages.url(from), nth, found.files() - gain.files());
        }
    }

    /// The most promising page, by what is known now.
    fn take_best(&mut self, view: &View<'_>) -> Option<PageId> {
        for _ in 0..DEMOTED_MAX {
            let page = self.queue.best()?;
            let worth = self.worth(page, view);
            self.queue.set(page, worth);
            if self.queue.best() == Some(page) {
                break;
            }
        }
        let page = self.queue.best()?;
        self.queue.remove(page);
        self.trials.ask(alike::kind(view.pages.url(page)));
        Some(page)
    }
}

impl Policy for Focused {
    saves!(queue, outside, let_go, leads, credits, trials, fresh, settled);

    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        self.fresh.push(page);
        self.enter(page, view);
    }

    fn choose(&mut self, _now: Time, view: &View<'_>) -> Choice {
        self.refill(view);
        self.reckon(view);
        self.take_best(view).map_or(Choice::Done, Choice::Visit)
    }

    fn let_go(&mut self) -> Vec<PageId> {
        std::mem::take(&mut self.let_go)
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        // A log told of it, or a redirect led there: not we chose it.
        self.queue.remove(page);
        let fresh = std::mem::take(&mut self.fresh);
        if observation.purpose == Purpose::Visit && view.pages.get(page).state == PageState::Visited {
            self.settled += 1;
            self.learn(page, observation, &fresh, view);
        }
    }
}
