//! What is believed of how often every page of a site changes, folded from observations as they come.
//!
//! A page costs about 100 bytes here once it was visited, and as many again for each opinion on it once it has changed at a
//! moment that nobody knows: there are two by the site's own clock ([`ChangeClock::Site`]).

mod elapsed;
mod folding;
mod page;
mod saved;
mod spells;
mod timing;

pub use elapsed::Elapsed;

use crate::{
    cohort::{CohortId, Cohorts},
    grid::{Curve, Grid, Weights},
    learner::PageSlot,
};
use hashbrown::HashMap;
use page::PageChanges;
use serde::{Deserialize, Serialize};
use timing::{Found, Timing};
use tintype_vocab::{Change, Observation, Time};

/// First guesses are learned anew after this many visits, or a visit to every other page if that is more.
const RELEARN_AFTER: usize = 100;
/// A site may contradict itself this often, and once more per four confirmations, before its dates are ignored.
const CONTRADICTIONS_FREE: u32 = 2;
const CONFIRMATIONS_PER: u32 = 4;

/// The time in which rates are reckoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangeClock {
    /// Every hour is as long as any other, as in the literature.
    Steady,
    /// By the hours the site keeps and the spells its pages have.
    Site,
}

/// How often the pages of a site change.
#[derive(Debug)]
pub struct Changes {
    grid: Grid,
    cohorts: Cohorts,
    /// Cohorts by a hash of directory and file extension.
    by_kind: HashMap<u64, CohortId>,
    pages: Vec<Option<Box<PageChanges>>>,
    timing: Option<Timing>,
    visited: usize,
    unlearned: usize,
    confirmed: u32,
    contradicted: u32,
    /// Visits that found the bytes of before under a later date.
    came_back: u32,
}

impl Changes {
    pub fn new(clock: ChangeClock) -> Changes {
        let grid = Grid::default();
        Changes {
            grid,
            cohorts: Cohorts::new(&grid),
            by_kind: HashMap::new(),
            pages: Vec::new(),
            timing: (clock == ChangeClock::Site).then(Timing::default),
            visited: 0,
            unlearned: 0,
            confirmed: 0,
            contradicted: 0,
            came_back: 0,
        }
    }

    /// The time it reckons in.
    pub fn clock(&self) -> ChangeClock {
        if self.timing.is_some() { ChangeClock::Site } else { ChangeClock::Steady }
    }

    fn page(&self, page: PageSlot) -> Option<&PageChanges> {
        self.pages.get(page.index())?.as_deref()
    }

    /// The latest visit, if there was one.
    pub fn last(&self, page: PageSlot) -> Option<Time> {
        Some(self.page(page)?.last)
    }

    /// Days from the latest visit to `at`.
    pub fn days(&self, page: PageSlot, at: Time) -> f64 {
        self.last(page).map_or(0.0, |last| (at - last).as_days_f64())
    }

    /// Days between two moments by the hours the site keeps.
    pub fn busy_days(&self, from: Time, to: Time) -> f64 {
        days_between(self.timing.as_ref(), from, to)
    }

    /// How many pages were visited.
    pub fn len(&self) -> usize {
        self.visited
    }

    pub fn is_empty(&self) -> bool {
        self.visited == 0
    }

    /// The expectation of a curve when so many days have passed since the latest visit.
    pub fn expect(&self, page: PageSlot, curve: Curve, days: f64) -> f64 {
        self.page(page).map_or(0.0, |page| self.grid.expect(&self.belief(page), curve, days))
    }

    /// The chance that a page has changed since its latest visit, by the hours of its site; nothing of one never visited.
    pub fn chance_at(&self, page: PageSlot, at: Time) -> Option<f64> {
        let elapsed = Elapsed { last: self.last(page)?, at, silence: None, habit: 1.0 };
        Some(1.0 - (-self.changes_in(page, &elapsed)).exp())
    }

    pub fn mean_per_day(&self, page: PageSlot) -> f64 {
        self.page(page).map_or(0.0, |page| f64::from(page.mean_per_day))
    }

    fn belief(&self, page: &PageChanges) -> Weights {
        page.belief(&self.grid, self.cohorts.prior(page.cohort))
    }

    /// Changes to be expected, with all that is known of when pages change.
    pub fn changes_in(&self, page: PageSlot, elapsed: &Elapsed) -> f64 {
        let Some(page) = self.page(page) else { return 0.0 };
        let days = elapsed.days(|from, to| days_between(self.timing.as_ref(), from, to), |days| days);
        let steady = f64::from(page.mean_per_day) * days;
        let second = || page.spells.as_ref()?.changes(self.timing.as_ref()?, elapsed);
        second().map_or(steady, |(bursty, weight)| weight * bursty + (1.0 - weight) * steady)
    }

    /// The same by the first opinion alone, as −ln of the chance that there was none: what listings are tested against.
    pub fn surprise_in(&self, page: PageSlot, elapsed: &Elapsed) -> f64 {
        let Some(page) = self.page(page) else { return 0.0 };
        let days = elapsed.days(|from, to| days_between(self.timing.as_ref(), from, to), |days| days);
        let chance = self.grid.expect(&self.belief(page), Curve::Changed, days);
        -(1.0 - chance.min(0.999)).ln()
    }

    /// How many of this page's changes say something: hardly any of those of a page with a clock on it.
    pub fn telling(&self, page: PageSlot) -> f64 {
        self.page(page).map_or(1.0, PageChanges::telling)
    }

    /// What a visit found, as far as it says anything about rates.
    fn found(&mut self, seen: &Observation, page: PageSlot, known_since: Time) -> Option<Found> {
        let modified = self.modified(seen, page);
        match (seen.change, modified) {
            // It went and came back, or the date would not be later than the visit before.
            (Change::Same, Some(at)) if self.last(page).is_some() => Some(Found::ChangedAt(at)),
            (Change::Same, _) => Some(Found::Same),
            (Change::New { .. }, Some(at)) => Some(Found::ChangedAt(at)),
            (Change::New { .. }, None) => Some(Found::Changed),
            // A page that was there before it was known has changed at that moment; a new one was born then.
            (Change::First, Some(at)) if at < known_since => Some(Found::ChangedAt(at)),
            (Change::First, Some(at)) => Some(Found::Born(at)),
            (Change::First, None) | (Change::Unknown, _) => None,
        }
    }

    /// When the version seen came to be, if the site says so and has not shown that it does not know.
    fn modified(&mut self, seen: &Observation, page: PageSlot) -> Option<Time> {
        let (modified, last) = (seen.modified()?, self.last(page));
        match (seen.change, last) {
            (Change::New { .. }, Some(last)) if modified > last => self.confirmed += 1,
            (Change::New { .. }, Some(_)) => self.contradicted += 1,
            (Change::Same, Some(last)) if modified > last => self.came_back += 1,
            _ => {}
        }
        let fits = last.is_none_or(|last| modified > last);
        (self.believes_dates() && fits).then_some(modified)
    }

    /// Whether dates of versions are right here: later ones come with other bytes, and seldom without.
    fn believes_dates(&self) -> bool {
        let contradicted = self.contradicted <= CONTRADICTIONS_FREE.saturating_add(self.confirmed / CONFIRMATIONS_PER);
        contradicted && self.came_back <= CONTRADICTIONS_FREE.saturating_add(self.confirmed)
    }

    /// Whether a page with the bytes of before was another one meanwhile, by its date.
    pub fn came_back(&self, page: PageSlot, seen: &Observation) -> bool {
        let later = self.last(page).is_some_and(|last| seen.modified().is_some_and(|modified| modified > last));
        seen.change == Change::Same && later && self.believes_dates()
    }

    /// Learns first guesses anew now and then. Returns whether it did.
    fn relearn(&mut self) -> bool {
        self.unlearned += 1;
        let due = self.unlearned >= RELEARN_AFTER.max(self.visited / 2);
        if due {
            self.learn_cohorts();
        }
        due
    }

    fn learn_cohorts(&mut self) {
        self.unlearned = 0;
        let (pages, grid, cohorts) = (&self.pages, self.grid, &self.cohorts);
        let belief = |page: &PageChanges| (page.cohort, page.belief(&grid, cohorts.prior(page.cohort)));
        let learned = cohorts.learned(pages.iter().flatten().map(|page| belief(page)));
        self.cohorts = learned;
        for page in self.pages.iter_mut().flatten() {
            page.believe(&grid, self.cohorts.prior(page.cohort));
        }
    }

    /// The cohort of a kind of page, a new one if there was none.
    fn cohort(&mut self, kind: u64) -> CohortId {
        *self.by_kind.entry(kind).or_insert_with(|| self.cohorts.join())
    }
}

/// Pages of one directory and one kind of file belong together.
fn kind(url: &str) -> u64 {
    let path = url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let (directory, file) = path.rsplit_once('/').unwrap_or((path, ""));
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    rapidhash::v3::rapidhash_v3(directory.as_bytes())
        ^ rapidhash::v3::rapidhash_v3(extension.as_bytes()).rotate_left(17)
}

/// Days by the site's clock, if it has one.
fn days_between(timing: Option<&Timing>, from: Time, to: Time) -> f64 {
    match timing {
        Some(timing) => timing.clock().days(from, to),
        None => (to - from).as_days_f64(),
    }
}
