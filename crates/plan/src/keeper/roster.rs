//! The sites of a keeper by their numbers: which may ask, which wait and until when.

use super::{
    SiteTerms,
    contest::{Contest, LatestBid},
};
use std::collections::BTreeSet;
use tintype_vocab::Time;

/// A site among others.
#[derive(Debug)]
pub(super) struct KeptSite {
    pub(super) terms: SiteTerms,
    state: State,
    pub(super) bid: LatestBid,
    pub(super) requests: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It may have something to ask for.
    Ready,
    WaitsUntil(Time),
    /// Not before something of it was answered.
    Parked,
}

/// Sites that share a kind of turn, by their states.
#[derive(Debug, Default)]
struct Ranks {
    ready: BTreeSet<usize>,
    waits: BTreeSet<(Time, usize)>,
}

impl Ranks {
    fn leave(&mut self, site: usize, state: State) {
        match state {
            State::Ready => _ = self.ready.remove(&site),
            State::WaitsUntil(until) => _ = self.waits.remove(&(until, site)),
            State::Parked => {}
        }
    }

    fn enter(&mut self, site: usize, state: State) {
        match state {
            State::Ready => _ = self.ready.insert(site),
            State::WaitsUntil(until) => _ = self.waits.insert((until, site)),
            State::Parked => {}
        }
    }

    fn first_wait(&self) -> Option<Time> {
        self.waits.first().map(|(until, _)| *until)
    }
}

/// Numbers of sites that have left are given again.
#[derive(Debug, Default)]
pub(super) struct Roster {
    sites: Vec<Option<KeptSite>>,
    free: BTreeSet<usize>,
    /// Those that compete for slots, and those whose requests are made at once.
    spread: Ranks,
    at_once: Ranks,
    endless: usize,
    /// The bids of those that compete and are ready.
    contest: Contest,
    /// The site that was looked at last.
    cursor: usize,
}

impl Roster {
    pub(super) fn add(&mut self, terms: SiteTerms) -> usize {
        let site = self.free.pop_first().unwrap_or(self.sites.len());
        if site == self.sites.len() {
            self.sites.push(None);
        }
        self.endless += usize::from(terms.endless);
        self.sites[site] = Some(KeptSite { terms, state: State::Parked, bid: LatestBid::NONE, requests: 0 });
        self.set(site, State::Ready);
        site
    }

    pub(super) fn remove(&mut self, site: usize) {
        self.set(site, State::Parked);
        let gone = self.sites[site].take();
        self.endless -= usize::from(gone.is_some_and(|kept| kept.terms.endless));
        self.free.insert(site);
    }

    /// So many numbers were given.
    pub(super) fn len(&self) -> usize {
        self.sites.len()
    }

    pub(super) fn contains(&self, site: usize) -> bool {
        self.sites.get(site).is_some_and(Option::is_some)
    }

    pub(super) fn get(&self, site: usize) -> &KeptSite {
        self.sites[site].as_ref().expect("a site that is asked is kept")
    }

    pub(super) fn get_mut(&mut self, site: usize) -> &mut KeptSite {
        self.sites[site].as_mut().expect("a site that is asked is kept")
    }

    /// Whether any of them goes on for ever.
    pub(super) fn has_endless(&self) -> bool {
        self.endless > 0
    }

    pub(super) fn set(&mut self, site: usize, state: State) {
        let kept = self.sites[site].as_mut().expect("a site with a state is kept");
        let before = std::mem::replace(&mut kept.state, state);
        if before == state {
            return;
        }
        let ranks = if kept.terms.at_once { &mut self.at_once } else { &mut self.spread };
        ranks.leave(site, before);
        ranks.enter(site, state);
        if !kept.terms.at_once && (before == State::Ready || state == State::Ready) {
            self.contest.set(site, (state == State::Ready).then_some(kept.bid));
        }
    }

    /// All of them may have something to ask for.
    pub(super) fn ready_all(&mut self) {
        for site in 0..self.sites.len() {
            if self.contains(site) {
                self.set(site, State::Ready);
            }
        }
    }

    /// Those whose time has come are ready.
    pub(super) fn wake(&mut self, now: Time) {
        while let Some(site) = self.whose_time_has_come(now) {
            self.set(site, State::Ready);
        }
    }

    fn whose_time_has_come(&self, now: Time) -> Option<usize> {
        let first = [&self.spread, &self.at_once].map(|ranks| ranks.waits.first());
        first.into_iter().flatten().find(|(until, _)| *until <= now).map(|(_, site)| *site)
    }

    /// When the first of all that wait may ask.
    pub(super) fn first_wait(&self) -> Option<Time> {
        self.spread.first_wait().into_iter().chain(self.at_once.first_wait()).min()
    }

    /// The same of those that wait for no slot.
    pub(super) fn first_at_once(&self) -> Option<Time> {
        self.at_once.first_wait()
    }

    /// One that waits for no slot and may have something to ask for.
    pub(super) fn ready_at_once(&self) -> Option<usize> {
        self.at_once.ready.first().copied()
    }

    /// The next site that is ready.
    pub(super) fn in_turn(&mut self) -> Option<usize> {
        let ready = &self.spread.ready;
        let next = ready.range(self.cursor + 1..).next().or_else(|| ready.first()).copied()?;
        self.cursor = next;
        Some(next)
    }

    /// The site that is taken to bid most.
    pub(super) fn seeming_best(&mut self, now: Time) -> Option<usize> {
        self.contest.best(now)
    }

    /// What a site that is ready bids now.
    pub(super) fn renew_bid(&mut self, site: usize, value: f64, now: Time) {
        let kept = self.sites[site].as_mut().expect("a site that bids is kept");
        kept.bid.renew(value, now);
        if kept.state == State::Ready && !kept.terms.at_once {
            self.contest.set(site, Some(kept.bid));
        }
    }
}
