//! What is believed of how often every page changes, folded from observations as they come.
//!
//! A page costs about 550 bytes here once it was visited in a run that goes on, and nothing in one that does not; about
//! as much again where it matters when pages change ([`Watch::with_timing`]).

use super::{
    View,
    timing::{Found, Spanned, Spells, Timing, Visit},
};
use crate::PageState;
use hashbrown::HashMap;
use tintype_learn::{
    cohort::{CohortId, Cohorts},
    grid::{Curve, Evidence, Grid, Weights},
};
use tintype_vocab::{Change, Observation, PageId, Time};

/// First guesses are learned anew after this many visits, or a visit to every other page if that is more.
const RELEARN_AFTER: usize = 100;
/// A site may contradict itself this often, and once more per four confirmations, before its dates are ignored.
const CONTRADICTIONS_FREE: u32 = 2;
const CONFIRMATIONS_PER: u32 = 4;

/// Imaginary changes that said something, behind every page.
const TELLING_STRENGTH: u32 = 2;

/// Where change rates come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rates {
    /// From visits.
    Learned,
    /// From somebody who knows, through the page's `rate`.
    Given,
}

#[derive(Debug)]
struct Watched {
    /// The latest visit.
    last: Time,
    cohort: CohortId,
    evidence: Evidence,
    belief: Weights,
    /// A second opinion, where there is timing.
    spells: Option<Box<Spells>>,
    /// Changes found that said something, and all.
    changes: (u32, u32),
}

#[derive(Debug)]
pub(super) struct Watch {
    rates: Rates,
    grid: Grid,
    cohorts: Cohorts,
    /// Cohorts by a hash of directory and file extension.
    by_kind: HashMap<u64, CohortId>,
    pages: Vec<Option<Box<Watched>>>,
    timing: Option<Timing>,
    /// When each page became known.
    known: Vec<Time>,
    watched: usize,
    unlearned: usize,
    confirmed: u32,
    contradicted: u32,
}

impl Watch {
    pub(super) fn new(rates: Rates) -> Watch {
        let grid = Grid::default();
        Watch {
            rates,
            grid,
            cohorts: Cohorts::new(&grid),
            by_kind: HashMap::new(),
            pages: Vec::new(),
            timing: None,
            known: Vec::new(),
            watched: 0,
            unlearned: 0,
            confirmed: 0,
            contradicted: 0,
        }
    }

    /// Learns also when pages change.
    pub(super) fn with_timing() -> Watch {
        Watch { timing: Some(Timing::default()), ..Watch::new(Rates::Learned) }
    }

    pub(super) fn on_known(&mut self, page: PageId, now: Time) {
        if self.known.len() <= page.index() {
            self.known.resize(page.index() + 1, Time::MAX);
            self.pages.resize_with(page.index() + 1, || None);
        }
        self.known[page.index()] = now;
    }

    /// The latest visit, if there was one.
    pub(super) fn last(&self, page: PageId) -> Option<Time> {
        Some(self.pages.get(page.index())?.as_ref()?.last)
    }

    /// Days from the latest visit to `at`.
    pub(super) fn days(&self, page: PageId, at: Time) -> f64 {
        self.last(page).map_or(0.0, |last| (at - last).as_days_f64())
    }

    /// How many pages are watched.
    pub(super) fn len(&self) -> usize {
        self.watched
    }

    /// The expectation of a curve when so many days have passed since the latest visit.
    pub(super) fn expect(&self, page: PageId, view: &View<'_>, curve: Curve, days: f64) -> f64 {
        match (self.rates, &self.pages[page.index()]) {
            (Rates::Given, _) => {
                let rate = f64::from(view.pages.get(page).rate.per_day).max(1e-9);
                curve.at(rate * days) / rate.powi(curve.per_rate())
            }
            (Rates::Learned, Some(watched)) => self.grid.expect(&watched.belief, curve, days),
            (Rates::Learned, None) => 0.0,
        }
    }

    pub(super) fn mean_per_day(&self, page: PageId, view: &View<'_>) -> f64 {
        match (self.rates, &self.pages[page.index()]) {
            (Rates::Given, _) => f64::from(view.pages.get(page).rate.per_day),
            (Rates::Learned, Some(watched)) => self.grid.mean_per_day(&watched.belief),
            (Rates::Learned, None) => 0.0,
        }
    }

    /// Learns from a visit. Returns whether first guesses were learned anew, so that every belief may have moved.
    pub(super) fn observe(&mut self, observation: &Observation, page: PageId, view: &View<'_>) -> bool {
        if view.pages.get(page).state != PageState::Waiting {
            return false;
        }
        let (now, grid) = (observation.answered, self.grid);
        let found = self.found(observation, page);
        let cohort = match &self.pages[page.index()] {
            Some(watched) => watched.cohort,
            None => self.cohort(view.pages.url(page)),
        };
        let prior = self.cohorts.prior(cohort);
        let place = &mut self.pages[page.index()];
        self.watched += usize::from(place.is_none());
        let watched = place.get_or_insert_with(|| {
            let spells = self.timing.is_some().then(|| Box::new(Spells::new(prior)));
            Box::new(Watched {
                last: now,
                cohort,
                evidence: Evidence::default(),
                belief: *prior,
                spells,
                changes: (0, 0),
            })
        });
        let visit = found.map(|found| Visit { last: watched.last, now, found });
        let anew = match (visit, &mut self.timing) {
            (Some(visit), Some(timing)) => watched.time(timing, &grid, page, &visit),
            _ => false,
        };
        watched.evidence.fade();
        if let Some(Visit { last, found, .. }) = visit {
            found.tell(&mut watched.evidence, &grid, last, |from| days_between(self.timing.as_ref(), from, now));
        }
        if let Change::New { .. } = observation.change {
            let (telling, all) = &mut watched.changes;
            (*telling, *all) = (*telling + u32::from(observation.change.matters()), *all + 1);
        }
        watched.last = now;
        watched.believe(prior);
        self.relearn() || anew
    }

    /// What a visit found, as far as it says anything about rates.
    fn found(&mut self, observation: &Observation, page: PageId) -> Option<Found> {
        let modified = self.modified(observation, page);
        let known = self.known[page.index()];
        match (observation.change, modified) {
            (Change::Same, _) => Some(Found::Same),
            (Change::New { .. }, Some(at)) => Some(Found::ChangedAt(at)),
            (Change::New { .. }, None) => Some(Found::Changed),
            // A page that was there before anybody knew of it has changed at that moment; a new one was born then.
            (Change::First, Some(at)) if at < known => Some(Found::ChangedAt(at)),
            (Change::First, Some(at)) => Some(Found::Born(at)),
            (Change::First, None) | (Change::Unknown, _) => None,
        }
    }

    /// Changes to be expected, with all that is known of when pages change.
    pub(super) fn changes_in(&self, page: PageId, span: &Spanned) -> f64 {
        let Some(Some(watched)) = self.pages.get(page.index()) else { return 0.0 };
        let days = span.days(|from, to| days_between(self.timing.as_ref(), from, to), |days| days);
        let steady = self.grid.mean_per_day(&watched.belief) * days;
        let second = || watched.spells.as_ref()?.changes(self.timing.as_ref()?, &self.grid, span);
        second().map_or(steady, |(bursty, weight)| weight * bursty + (1.0 - weight) * steady)
    }

    /// How many of this page's changes say something: hardly any of those of a page with a clock on it.
    pub(super) fn telling(&self, page: PageId) -> f64 {
        let Some(Some(watched)) = self.pages.get(page.index()) else { return 1.0 };
        let (telling, all) = watched.changes;
        f64::from(telling + TELLING_STRENGTH) / f64::from(all + TELLING_STRENGTH)
    }

    /// The same by the first opinion alone, as −ln of the chance that there was none: what listings are tested against.
    pub(super) fn surprise_in(&self, page: PageId, span: &Spanned) -> f64 {
        let Some(Some(watched)) = self.pages.get(page.index()) else { return 0.0 };
        let days = span.days(|from, to| days_between(self.timing.as_ref(), from, to), |days| days);
        let chance = self.grid.expect(&watched.belief, Curve::Changed, days);
        -(1.0 - chance.min(0.999)).ln()
    }

    /// When the version seen came to be, if the site says so and has not shown that it does not know.
    pub(super) fn modified(&mut self, observation: &Observation, page: PageId) -> Option<Time> {
        let modified = observation.modified()?;
        match (observation.change, self.last(page)) {
            (Change::New { .. }, Some(last)) if modified > last => self.confirmed += 1,
            (Change::New { .. }, Some(_)) => self.contradicted += 1,
            (Change::Same, Some(last)) if modified > last => self.contradicted += 1,
            _ => {}
        }
        let credible = self.contradicted <= CONTRADICTIONS_FREE + self.confirmed / CONFIRMATIONS_PER;
        let fits = self.last(page).is_none_or(|last| modified > last);
        (credible && fits).then_some(modified)
    }

    fn relearn(&mut self) -> bool {
        self.unlearned += 1;
        if self.unlearned < RELEARN_AFTER.max(self.watched / 2) {
            return false;
        }
        self.unlearned = 0;
        let members = self.pages.iter().flatten().map(|watched| (watched.cohort, &watched.belief));
        self.cohorts.learn(members);
        for watched in self.pages.iter_mut().flatten() {
            watched.believe(self.cohorts.prior(watched.cohort));
        }
        true
    }

    /// Pages of one directory and one kind of file belong together.
    fn cohort(&mut self, url: &str) -> CohortId {
        let path = url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let (directory, file) = path.rsplit_once('/').unwrap_or((path, ""));
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let kind = rapidhash::v3::rapidhash_v3(directory.as_bytes())
            ^ rapidhash::v3::rapidhash_v3(extension.as_bytes()).rotate_left(17);
        *self.by_kind.entry(kind).or_insert_with(|| self.cohorts.join())
    }
}

impl Watched {
    fn believe(&mut self, prior: &Weights) {
        self.belief = self.evidence.belief(prior);
        if let Some(spells) = &mut self.spells {
            spells.believe(prior);
        }
    }

    /// Learns when pages change. Returns whether the site's hours or spells were learned anew.
    fn time(&mut self, timing: &mut Timing, grid: &Grid, page: PageId, visit: &Visit) -> bool {
        let days = timing.clock().days(visit.last, visit.now).max(1e-6);
        let foretold = grid.expect(&self.belief, Curve::Changed, days);
        let newborn = self.spells.as_ref().is_some_and(|spells| spells.newborn);
        let anew = timing.observe(page, newborn, visit, grid.mean_per_day(&self.belief));
        if let Some(spells) = &mut self.spells {
            spells.observe(timing, grid, visit, foretold);
        }
        anew
    }
}

/// Days by the site's clock, if it has one.
fn days_between(timing: Option<&Timing>, from: Time, to: Time) -> f64 {
    match timing {
        Some(timing) => timing.clock().days(from, to),
        None => (to - from).as_days_f64(),
    }
}
