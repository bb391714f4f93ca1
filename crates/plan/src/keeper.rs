//! Many sites under one budget: which of them may ask next.
//!
//! A keeper knows sites by number only. It asks them what their best request is worth ([`KeptSites::bid`]), gives the slots
//! that the budget leaves to the one that is worth most, and knows which of them wait and until when. Politeness stays with
//! the sites: one that may not ask yet says so, and the slot goes to the next.

mod day_budget;
mod day_hours;

pub use day_budget::{DayBudget, DaySpending};
pub use day_hours::{DayHours, ParseDayHoursError};

use crate::Step;
use std::{cmp::Reverse, collections::BinaryHeap};
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

/// A site among others.
#[derive(Debug)]
struct KeptSite {
    terms: SiteTerms,
    state: State,
    bid: LatestBid,
    requests: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It may have something to ask for.
    Ready,
    WaitsUntil(Time),
    /// Not before something of it was answered.
    Parked,
}

/// What a site bid last, weighed, and how fast that grows.
#[derive(Clone, Copy, Debug)]
struct LatestBid {
    value: f64,
    per_day: f64,
    at: Time,
}

impl LatestBid {
    /// What it would bid now if it went on growing so.
    fn estimate(&self, now: Time) -> f64 {
        self.value + self.per_day * (now - self.at).as_days_f64()
    }

    fn renew(&mut self, value: f64, now: Time) {
        let days = (now - self.at).as_days_f64();
        // It falls with a request, and says nothing then of how fast it grows.
        if days > 0.0 && value > self.value {
            self.per_day = (value - self.value) / days;
        }
        (self.value, self.at) = (value, now);
    }
}

/// Gives out the requests of a process.
#[derive(Debug, Default)]
pub struct Keeper {
    budget: Option<DayBudget>,
    /// By number; numbers of sites that have left are given again.
    sites: Vec<Option<KeptSite>>,
    waits: BinaryHeap<Reverse<(Time, usize)>>,
    /// The site that was looked at last.
    cursor: usize,
}

impl Keeper {
    /// Without a budget every site asks as fast as politeness lets it.
    pub fn new(budget: Option<DayBudget>) -> Keeper {
        Keeper { budget, ..Keeper::default() }
    }

    /// The number by which a site is known from now on.
    pub fn add(&mut self, terms: SiteTerms) -> usize {
        let bid = LatestBid { value: 0.0, per_day: 0.0, at: Time::MIN };
        let site = Some(KeptSite { terms, state: State::Ready, bid, requests: 0 });
        match self.sites.iter().position(Option::is_none) {
            Some(free) => {
                self.sites[free] = site;
                free
            }
            None => {
                self.sites.push(site);
                self.sites.len() - 1
            }
        }
    }

    pub fn remove(&mut self, site: usize) {
        self.sites[site] = None;
    }

    /// Something of the site was answered, so it may have something else to ask for.
    pub fn touch(&mut self, site: usize) {
        if let Some(kept) = self.sites.get_mut(site).and_then(Option::as_mut) {
            kept.state = State::Ready;
        }
    }

    /// The same of all sites.
    pub fn touch_all(&mut self) {
        self.sites.iter_mut().flatten().for_each(|kept| kept.state = State::Ready);
    }

    /// An answer of so many bytes came.
    pub fn spend_bytes(&mut self, site: usize, bytes: u64, now: Time) {
        let ceiling = self.sites[site].as_mut().and_then(|kept| kept.terms.ceiling.as_mut());
        self.budget.iter_mut().chain(ceiling).for_each(|budget| budget.spend_bytes(bytes, now));
    }

    pub fn budget(&self) -> Option<&DayBudget> {
        self.budget.as_ref()
    }

    /// What may be asked at `now`, by which site.
    pub fn next(&mut self, now: Time, sites: &mut impl KeptSites) -> Turn {
        self.wake(now);
        let slot = self.budget.as_mut().map(|budget| budget.next_slot(now)).filter(|slot| *slot > now);
        if let Some(turn) = self.serve_at_once(now, sites) {
            return turn;
        }
        if let Some(slot) = slot {
            return Turn::WaitUntil(self.first_at_once().map_or(slot, |first| first.min(slot)), Pause::Budget);
        }
        while let Some(site) = self.best(now, sites) {
            let kept = self.kept(site);
            if self.budget.is_none() && kept.terms.endless && kept.bid.value < GAIN_MIN * kept.terms.weight {
                return self.look_again(now);
            }
            if let Some(opens) = self.opens(site, now).filter(|opens| *opens > now) {
                self.wait(site, opens);
                continue;
            }
            if let Some(turn) = self.ask(site, now, sites) {
                return turn;
            }
        }
        match self.waits.peek() {
            Some(Reverse((until, _))) => Turn::WaitUntil(*until, Pause::Sites),
            None => Turn::Idle,
        }
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
            Step::WaitUntil(until) => self.wait(site, until),
            Step::Idle => self.kept_mut(site).state = State::Parked,
            Step::Done => return Some(Turn::Over(site)),
        }
        None
    }

    /// Those that wait for no slot. What was begun is ended, even if it turns out to be longer than the day has room for.
    fn serve_at_once(&mut self, now: Time, sites: &mut impl KeptSites) -> Option<Turn> {
        let urgent: Vec<usize> =
            self.at_once().filter(|(_, kept)| kept.state == State::Ready).map(|(site, _)| site).collect();
        urgent.into_iter().find_map(|site| self.ask(site, now, sites))
    }

    fn at_once(&self) -> impl Iterator<Item = (usize, &KeptSite)> {
        let kept = self.sites.iter().enumerate().filter_map(|(site, kept)| Some((site, kept.as_ref()?)));
        kept.filter(|(_, kept)| kept.terms.at_once)
    }

    /// When the first of them may ask.
    fn first_at_once(&self) -> Option<Time> {
        let waits = self.at_once().filter_map(|(_, kept)| match kept.state {
            State::WaitsUntil(until) => Some(until),
            State::Ready | State::Parked => None,
        });
        waits.min()
    }

    fn kept(&self, site: usize) -> &KeptSite {
        self.sites[site].as_ref().expect("a site that is asked is kept")
    }

    fn kept_mut(&mut self, site: usize) -> &mut KeptSite {
        self.sites[site].as_mut().expect("a site that is asked is kept")
    }

    /// Those that are ready are not worth asking, but those that wait may be.
    fn look_again(&self, now: Time) -> Turn {
        let later = now + LOOK_AGAIN;
        let first = self.waits.peek().map_or(later, |Reverse((until, _))| (*until).min(later));
        Turn::WaitUntil(first, Pause::NothingWorth)
    }

    fn wake(&mut self, now: Time) {
        while let Some(Reverse((until, site))) = self.waits.peek().copied() {
            let waits = |kept: &&mut KeptSite| kept.state == State::WaitsUntil(until);
            let kept = self.sites[site].as_mut().filter(waits);
            if kept.is_some() && until > now {
                return;
            }
            if let Some(kept) = kept {
                kept.state = State::Ready;
            }
            self.waits.pop();
        }
    }

    fn wait(&mut self, site: usize, until: Time) {
        self.kept_mut(site).state = State::WaitsUntil(until);
        self.waits.push(Reverse((until, site)));
    }

    /// When the site's own hours and ceiling let it ask.
    fn opens(&mut self, site: usize, now: Time) -> Option<Time> {
        let terms = &mut self.kept_mut(site).terms;
        let hours = terms.hours.map(|hours| hours.opens(now));
        let ceiling = terms.ceiling.as_mut().map(|ceiling| ceiling.next_slot(now));
        hours.max(ceiling)
    }

    fn spend(&mut self, site: usize, now: Time) {
        let kept = self.sites[site].as_mut().expect("a site that asked is kept");
        kept.requests += 1;
        self.budget.iter_mut().chain(&mut kept.terms.ceiling).for_each(|budget| budget.spend_request(now));
    }

    /// The site whose request is worth most. Of many sites only some bids are taken anew each time, in turn, and those of
    /// the sites that seem best; the others are taken to have grown as before.
    fn best(&mut self, now: Time, sites: &impl KeptSites) -> Option<usize> {
        if !self.is_weighed() {
            let site = self.in_turn()?;
            self.refresh(site, now, sites);
            return Some(site);
        }
        for _ in 0..REFRESHED.min(self.sites.len()) {
            let site = self.in_turn()?;
            self.refresh(site, now, sites);
        }
        loop {
            let best = self.seeming_best(now)?;
            if self.kept(best).bid.at == now {
                return Some(best);
            }
            self.refresh(best, now, sites);
        }
    }

    fn seeming_best(&self, now: Time) -> Option<usize> {
        let ready = self.sites.iter().enumerate().filter_map(|(site, kept)| Some((site, kept.as_ref()?)));
        let ready = ready.filter(|(_, kept)| kept.state == State::Ready);
        let bids = ready.map(|(site, kept)| (kept.bid.estimate(now), Reverse(site)));
        bids.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, Reverse(site))| site)
    }

    /// Whether it matters who comes first: not where each site may ask as fast as its hosts let it.
    fn is_weighed(&self) -> bool {
        self.budget.is_some() || self.sites.iter().flatten().any(|kept| kept.terms.endless)
    }

    /// The next site that is ready.
    fn in_turn(&mut self) -> Option<usize> {
        let count = self.sites.len();
        let is_ready = |site: &usize| self.sites[*site].as_ref().is_some_and(|kept| kept.state == State::Ready);
        let next = (1..=count).map(|step| (self.cursor + step) % count).find(is_ready)?;
        self.cursor = next;
        Some(next)
    }

    fn refresh(&mut self, site: usize, now: Time, sites: &impl KeptSites) {
        let kept = self.kept_mut(site);
        let bid = match sites.bid(site, now) {
            Bid::Worth(worth) => worth,
            // In proportion to what they have: who had fewest requests for its pages comes first.
            Bid::Pages(pages) => (pages.max(1) as f64) / (kept.requests as f64 + 1.0),
        };
        kept.bid.renew(kept.terms.weight * bid, now);
    }
}

#[cfg(test)]
mod tests;
