//! Many sites under one budget: which of them may ask next.
//!
//! A keeper knows sites by number only. It asks them what their best request is worth ([`KeptSites::bid`]), gives the slots
//! that the budget leaves to the one that is worth most, and knows which of them wait and until when. Politeness stays with
//! the sites: one that may not ask yet says so, and the slot goes to the next.

mod contest;
mod day_budget;
mod day_hours;
mod roster;

pub use day_budget::{DayBudget, DaySpending};
pub use day_hours::{DayHours, ParseDayHoursError};

use crate::Step;
use roster::{Roster, State};
use tintype_vocab::{Purpose, Request, Span, Time};

/// Where nothing counts requests, none is made that is expected to bring less than this many changes.
pub const GAIN_MIN: f64 = 0.01;
/// How soon sites are looked at again after nothing was worth a request.
const LOOK_AGAIN: Span = Span::from_secs(60);
/// Sites whose bids are taken anew for every slot, besides those that seem best.
const REFRESHED: usize = 8;

/// The sites of a keeper, by their numbers.
pub trait KeptSites {
    /// What a site would do now.
    fn ask(&mut self, site: usize, now: Time) -> Step;

    /// What the next request of a site is worth. Asking changes nothing.
    fn bid(&self, site: usize, now: Time) -> Bid;
}

/// What the next request of a site is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bid {
    /// Changes that it is expected to bring.
    Worth(f64),
    /// The policy has no opinion; the site has so many pages.
    Pages(usize),
}

/// What a person decided about a site among others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SiteTerms {
    /// What its changes count, where others count 1.
    pub weight: f64,
    /// What it may take of the budget of all.
    pub ceiling: Option<DayBudget>,
    /// When it may be asked.
    pub hours: Option<DayHours>,
    /// Requests go on for ever, so one that brings next to nothing is not made where nothing counts them.
    pub endless: bool,
    /// Its requests are made as soon as politeness lets them, and taken from what the day has left: a listing that is read
    /// over hours is no picture of anything. It is for who begins it to see that there is enough.
    pub at_once: bool,
}

impl Default for SiteTerms {
    fn default() -> SiteTerms {
        SiteTerms { weight: 1.0, ceiling: None, hours: None, endless: false, at_once: false }
    }
}

/// What to do now.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    Fetch(usize, Request),
    /// Nothing before this moment.
    WaitUntil(Time, Pause),
    /// Nothing until something under way has ended.
    Idle,
    /// The site has nothing left to ask for.
    Over(usize),
}

/// Why nothing is asked before a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// The sites wait, each for its own reason.
    Sites,
    /// The requests or bytes of the day are spread over it.
    Budget,
    /// Another request is expected to gain next to nothing.
    NothingWorth,
}

/// Gives out the requests of a process.
#[derive(Debug, Default)]
pub struct Keeper {
    budget: Option<DayBudget>,
    sites: Roster,
}

impl Keeper {
    /// Without a budget every site asks as fast as politeness lets it.
    pub fn new(budget: Option<DayBudget>) -> Keeper {
        Keeper { budget, sites: Roster::default() }
    }

    /// The number by which a site is known from now on.
    pub fn add(&mut self, terms: SiteTerms) -> usize {
        self.sites.add(terms)
    }

    pub fn remove(&mut self, site: usize) {
        self.sites.remove(site);
    }

    /// Something of the site was answered, so it may have something else to ask for.
    pub fn touch(&mut self, site: usize) {
        if self.sites.contains(site) {
            self.sites.set(site, State::Ready);
        }
    }

    /// The same of all sites.
    pub fn touch_all(&mut self) {
        self.sites.ready_all();
    }

    /// An answer of so many bytes came.
    pub fn spend_bytes(&mut self, site: usize, bytes: u64, now: Time) {
        let ceiling = self.sites.get_mut(site).terms.ceiling.as_mut();
        self.budget.iter_mut().chain(ceiling).for_each(|budget| budget.spend_bytes(bytes, now));
    }

    pub fn budget(&self) -> Option<&DayBudget> {
        self.budget.as_ref()
    }

    /// What may be asked at `now`, by which site.
    pub fn next(&mut self, now: Time, sites: &mut impl KeptSites) -> Turn {
        self.sites.wake(now);
        let slot = self.budget.as_mut().map(|budget| budget.next_slot(now)).filter(|slot| *slot > now);
        if let Some(turn) = self.serve_at_once(now, sites) {
            return turn;
        }
        if let Some(slot) = slot {
            return Turn::WaitUntil(self.sites.first_at_once().map_or(slot, |first| first.min(slot)), Pause::Budget);
        }
        while let Some(site) = self.best(now, sites) {
            let kept = self.sites.get(site);
            if self.budget.is_none() && kept.terms.endless && kept.bid.value < GAIN_MIN * kept.terms.weight {
                return self.look_again(now);
            }
            if let Some(opens) = self.opens(site, now).filter(|opens| *opens > now) {
                self.sites.set(site, State::WaitsUntil(opens));
                continue;
            }
            if let Some(turn) = self.ask(site, now, sites) {
                return turn;
            }
        }
        self.sites.first_wait().map_or(Turn::Idle, |until| Turn::WaitUntil(until, Pause::Sites))
    }

    /// What a site does now; nothing if it has to wait.
    fn ask(&mut self, site: usize, now: Time, sites: &mut impl KeptSites) -> Option<Turn> {
        match sites.ask(site, now) {
            Step::Fetch(request) => {
                // Knowing the rules is no part of what is bought.
                if request.purpose != Purpose::Robots {
                    self.spend(site, now);
                }
                return Some(Turn::Fetch(site, request));
            }
            Step::WaitUntil(until) => self.sites.set(site, State::WaitsUntil(until)),
            Step::Idle => self.sites.set(site, State::Parked),
            Step::Done => return Some(Turn::Over(site)),
        }
        None
    }

    /// Those that wait for no slot. What was begun is ended, even if it turns out to be longer than the day has room for.
    fn serve_at_once(&mut self, now: Time, sites: &mut impl KeptSites) -> Option<Turn> {
        while let Some(site) = self.sites.ready_at_once() {
            if let Some(turn) = self.ask(site, now, sites) {
                return Some(turn);
            }
        }
        None
    }

    /// Those that are ready are not worth asking, but those that wait may be.
    fn look_again(&self, now: Time) -> Turn {
        let later = now + LOOK_AGAIN;
        let first = self.sites.first_wait().map_or(later, |until| until.min(later));
        Turn::WaitUntil(first, Pause::NothingWorth)
    }

    /// When the site's own hours and ceiling let it ask.
    fn opens(&mut self, site: usize, now: Time) -> Option<Time> {
        let terms = &mut self.sites.get_mut(site).terms;
        let hours = terms.hours.map(|hours| hours.opens(now));
        let ceiling = terms.ceiling.as_mut().map(|ceiling| ceiling.next_slot(now));
        hours.max(ceiling)
    }

    fn spend(&mut self, site: usize, now: Time) {
        let kept = self.sites.get_mut(site);
        kept.requests += 1;
        self.budget.iter_mut().chain(&mut kept.terms.ceiling).for_each(|budget| budget.spend_request(now));
    }

    /// The site whose request is worth most. Of many sites only some bids are taken anew each time, in turn, and those of
    /// the sites that seem best; the others are taken to have grown as before.
    fn best(&mut self, now: Time, sites: &impl KeptSites) -> Option<usize> {
        if !self.is_weighed() {
            let site = self.sites.in_turn()?;
            self.refresh(site, now, sites);
            return Some(site);
        }
        for _ in 0..REFRESHED.min(self.sites.len()) {
            let site = self.sites.in_turn()?;
            self.refresh(site, now, sites);
        }
        loop {
            let best = self.sites.seeming_best(now)?;
            if self.sites.get(best).bid.at == now {
                return Some(best);
            }
            self.refresh(best, now, sites);
        }
    }

    /// Whether it matters who comes first: not where each site may ask as fast as its hosts let it.
    fn is_weighed(&self) -> bool {
        self.budget.is_some() || self.sites.has_endless()
    }

    fn refresh(&mut self, site: usize, now: Time, sites: &impl KeptSites) {
        let kept = self.sites.get(site);
        let bid = match sites.bid(site, now) {
            Bid::Worth(worth) => worth,
            // In proportion to what they have: who had fewest requests for its pages comes first.
            Bid::Pages(pages) => (pages.max(1) as f64) / (kept.requests as f64 + 1.0),
        };
        let value = kept.terms.weight * bid;
        self.sites.renew_bid(site, value, now);
    }
}

#[cfg(test)]
mod tests;
