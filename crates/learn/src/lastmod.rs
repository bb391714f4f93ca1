//! What sitemaps say of when pages changed, and how far they can be believed: some tell the truth, some tell it late, some
//! stamp everything anew with every reading.
//!
//! A date behind the latest visit says that the page has changed since. Visits find out how often that was right, and which
//! changes should have been told of and were not, by how old they were when the sitemap was read: one that is made anew
//! once a day is silent about the past day and no more.

mod folding;
mod saved;
#[cfg(test)]
mod tests;

use crate::{hint::Silence, learner::PageSlot};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tintype_vocab::{Span, Time};

/// Before any test, one date in two is thought to be right; what is thought without a test fades as there are more, or
/// every page would be visited once because of a sitemap that lies.
const TESTS_AT_FIRST: f64 = 2.0;
/// Imaginary changes that were not told of.
const MISSED_AT_FIRST: f64 = 4.0;
/// A date is never taken for certain.
const SURE: f64 = 0.999;
/// Old tests count less with every new one: a sitemap may be repaired, or break.
const TESTS_KEPT: f64 = 0.995;
/// How old a change was when the sitemap was read, in steps.
const AGES: [Span; 6] = [
    Span::ZERO,
    Span::from_secs(3600),
    Span::from_secs(6 * 3600),
    Span::from_secs(86_400),
    Span::from_secs(2 * 86_400),
    Span::from_secs(7 * 86_400),
];
/// A step more of delay must show so much more of the changes.
const DELAY_GAIN: f64 = 0.02;
/// Clocks of a server and of what makes its sitemap differ a little.
const SLACK: Span = Span::from_secs(60);
/// Sitemaps that are told apart: as many as an index may name.
const LISTERS_MAX: usize = 50_000;

/// What a sitemap says of a page.
#[derive(Clone, Copy, Debug)]
struct Dated {
    /// What was last said of it, by which sitemap, in the body that was read when.
    claim: Time,
    heard: Time,
    by: PageSlot,
    /// It is said to have changed, and no visit has tested that yet.
    is_told: bool,
}

impl Dated {
    /// Nothing was said.
    const NOTHING: Dated = Dated { claim: Time::MIN, heard: Time::MIN, by: PageSlot::NONE, is_told: false };
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Reading {
    /// The latest body.
    body: Time,
    /// The latest time it was known to be so still.
    seen: Time,
}

/// What visits have taught about the dates in the sitemaps of one site.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "saved::Saved", into = "saved::Saved")]
pub struct Lastmods {
    /// By page: the latest visit, or [`Time::MIN`].
    visited: Vec<Time>,
    /// By page, no farther than sitemaps speak of any.
    dated: Vec<Dated>,
    listers: BTreeMap<PageSlot, Reading>,
    right: f64,
    wrong: f64,
    /// Changes that were told of and that were not, by their age.
    shown: [(f64, f64); AGES.len()],
}

impl Default for Lastmods {
    fn default() -> Lastmods {
        let (right, wrong) = (0.0, 0.0);
        let (visited, dated) = (Vec::new(), Vec::new());
        Lastmods { visited, dated, listers: BTreeMap::new(), right, wrong, shown: [(0.0, 0.0); AGES.len()] }
    }
}

impl Lastmods {
    fn visited(&self, page: PageSlot) -> Option<Time> {
        self.visited.get(page.index()).copied().filter(|visited| *visited != Time::MIN)
    }

    fn set_visited(&mut self, page: PageSlot, visited: Time) {
        if self.visited.len() <= page.index() {
            self.visited.resize(page.index() + 1, Time::MIN);
        }
        self.visited[page.index()] = visited;
    }

    /// What a sitemap says of a page, if one was ever read that does.
    fn dated(&self, page: PageSlot) -> Option<&Dated> {
        self.dated.get(page.index()).filter(|dated| dated.by != PageSlot::NONE)
    }

    fn dated_mut(&mut self, page: PageSlot) -> &mut Dated {
        if self.dated.len() <= page.index() {
            self.dated.resize(page.index() + 1, Dated::NOTHING);
        }
        &mut self.dated[page.index()]
    }

    /// A sitemap was read that says this of when pages changed. Returns those that are told of and were not before.
    pub fn read(&mut self, lister: PageSlot, now: Time, dated: &[(PageSlot, Time)]) -> Vec<PageSlot> {
        if self.listers.len() >= LISTERS_MAX && !self.listers.contains_key(&lister) {
            return Vec::new();
        }
        self.listers.insert(lister, Reading { body: now, seen: now });
        let mut told = Vec::new();
        for &(page, claim) in dated.iter().filter(|(page, claim)| *page != lister && *claim <= now) {
            let before = self.dated(page).map(|dated| dated.claim);
            let is_news = self.visited(page).is_some_and(|visited| is_behind(claim, visited, before));
            let dated = self.dated_mut(page);
            if is_news && !dated.is_told {
                told.push(page);
            }
            // Only who said it takes it back, and not in the same body.
            if dated.is_told && !is_news && (dated.by != lister || dated.heard == now) {
                continue;
            }
            let is_told = is_news || (dated.is_told && dated.claim == claim);
            *dated = Dated { claim, heard: now, by: lister, is_told };
        }
        told
    }

    /// The sitemap was seen and had not changed.
    pub fn read_again(&mut self, lister: PageSlot, now: Time) {
        if let Some(reading) = self.listers.get_mut(&lister) {
            reading.seen = now;
        }
    }

    /// Whether any sitemap with dates was read.
    pub fn is_empty(&self) -> bool {
        self.listers.is_empty()
    }

    /// Share of the dates behind a visit that are right.
    pub fn is_right(&self) -> f64 {
        self.share_right(0.5)
    }

    /// The share, where so much of what was not tested yet is right.
    fn share_right(&self, untested: f64) -> f64 {
        let tests = self.right + self.wrong;
        let imagined = TESTS_AT_FIRST / (1.0 + tests);
        ((self.right + untested * imagined) / (tests + imagined)).min(SURE)
    }

    /// The same, hoped for as long as little is known.
    pub fn may_be_right(&self) -> f64 {
        self.share_right(1.0)
    }

    /// Whether a page is said to have changed since its latest visit.
    pub fn is_told(&self, page: PageSlot) -> bool {
        self.dated(page).is_some_and(|dated| dated.is_told)
    }

    /// Changes to be expected of this page because of what is said.
    pub fn strength(&self, page: PageSlot) -> f64 {
        if self.is_told(page) { -(1.0 - self.is_right()).ln() } else { 0.0 }
    }

    /// Share of changes that are told of when they are this old, in steps of age.
    fn shows(&self, age: usize) -> f64 {
        let (caught, missed) = self.shown[age..].iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        caught / (caught + missed + MISSED_AT_FIRST)
    }

    /// How late sitemaps tell of changes, and the share they tell of by then.
    fn delay(&self) -> (Span, f64) {
        let gain = |age: usize| self.shows(age) - DELAY_GAIN * age as f64;
        let age = (0..AGES.len()).rev().max_by(|one, other| gain(*one).total_cmp(&gain(*other))).unwrap_or(0);
        (AGES[age], self.shows(age))
    }

    /// The latest time at which the sitemap that names a page was known to do so.
    fn listed(&self, page: PageSlot) -> Option<Time> {
        let dated = self.dated(page)?;
        let reading = self.listers.get(&dated.by)?;
        (dated.heard == reading.body).then_some(reading.seen)
    }

    /// Share of the changes of a page that a sitemap tells of in the end; nothing of a page that none dates.
    pub fn tells_of(&self, page: PageSlot) -> f64 {
        self.listed(page).map_or(0.0, |_| self.delay().1)
    }

    /// The time since `last` in which a change would have been told of, and the chance that it would.
    pub fn silence(&self, page: PageSlot, last: Time) -> Option<Silence> {
        let listed = self.listed(page).filter(|_| !self.is_told(page))?;
        let (delay, shown) = self.delay();
        let until = listed - delay;
        (until > last).then_some(Silence { from: last, until, shown })
    }

    /// A visit tells whether what was said and what was not said is right. `changed` is the moment of the change if there was
    /// one and the moment is known; `expected` what was to be expected without any date.
    pub fn test(&mut self, page: PageSlot, now: Time, changed: Option<Option<Time>>, expected: f64) {
        let Some(last) = self.visited(page) else { return };
        let (is_told, heard) = (self.is_told(page), self.dated(page).map(|dated| dated.heard));
        // A change that came after the reading is not the one that was told of, and hides whether that came to be.
        let is_hidden = changed.flatten() > heard;
        if is_told && !is_hidden {
            let told = self.strength(page);
            let credit = if changed.is_some() { told / (told + expected) } else { 0.0 };
            let doubt = if changed.is_some() { 0.0 } else { 1.0 };
            (self.right, self.wrong) = (TESTS_KEPT * self.right + credit, TESTS_KEPT * self.wrong + doubt);
        }
        let (Some(changed), Some(listed)) = (changed, self.listed(page)) else { return };
        let claim = self.dated(page).filter(|_| is_told).map(|dated| dated.claim);
        let halfway = last + (now - last) / 2;
        let moment = changed.filter(|moment| *moment > last).or(claim).unwrap_or(halfway);
        if moment > last && moment <= listed {
            let age = AGES.iter().rposition(|age| listed - moment >= *age).unwrap_or(0);
            let (caught, missed) = &mut self.shown[age];
            (*caught, *missed) = (TESTS_KEPT * *caught, TESTS_KEPT * *missed);
            match claim {
                Some(claim) if covers(claim, moment) => *caught += 1.0,
                _ => *missed += 1.0,
            }
        }
    }

    /// The page was visited.
    pub fn visit(&mut self, page: PageSlot, now: Time) {
        self.set_visited(page, now);
        if let Some(dated) = self.dated.get_mut(page.index()) {
            dated.is_told = false;
        }
    }
}

/// Whether a date says that the page changed after a visit. A day without an hour may mean any hour of it, so that it
/// counts when it is a later day than was said before.
fn is_behind(claim: Time, visited: Time, before: Option<Time>) -> bool {
    let later_day =
        is_day(claim) && before.is_some_and(|before| claim > before) && claim + Span::from_days(1) > visited;
    claim > visited || later_day
}

/// Whether a date speaks of this change, or a later one.
fn covers(claim: Time, moment: Time) -> bool {
    let slack = if is_day(claim) { Span::from_days(1) } else { SLACK };
    claim + slack >= moment
}

fn is_day(claim: Time) -> bool {
    claim == claim.midnight()
}
