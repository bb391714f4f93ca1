//! The chance that a page has a version we do not hold, from all that is known of it and around it, by what many sites have
//! taught.
//!
//! What a page's own past lets expect ([`crate::changes`]) and what listings say ([`crate::hint`]) are clues among others:
//! what its directory, its namesakes in other directories and its site did lately against what was expected of them, how
//! long it is since it changed or became known, what it is called. A [`Forest`] trained on other sites weighs them; how
//! far that is right here is learned from every forecast that a visit tests.

mod adaption;
mod ages;
mod clues;
mod folding;
mod forest;
mod group;
mod grow;
mod place;
mod saved;
mod shipped;
mod story;
mod tested;
mod unseen;

pub use clues::{CLUES, Clues, NAMES, Values};
pub use forest::Forest;
pub use grow::{Lessons, grow};
pub use place::Whereabouts;

use crate::learner::PageSlot;
use adaption::Adaption;
use ages::Ages;
use group::{Group, GroupNames};
use std::sync::Arc;
use story::Story;
use tested::Tested;
use tintype_vocab::{Span, TestedDay, Time};
use unseen::Unseen;

/// Days between two visits before two were made.
const PACE_AT_FIRST: f64 = 1e-3;
/// How fast the pace of visits is followed.
const PACE_KEPT: f64 = 0.98;
/// Log-odds that a page seen for the first time is hoped to have more, twice.
const HOPE: f32 = 4.0;
/// A round takes in so many pages at least.
const ROUND_MIN: f64 = 5.0;

/// Foretells changes of one site.
#[derive(Debug)]
pub struct Forecaster {
    forest: Arc<Forest>,
    pages: Vec<Option<Box<Story>>>,
    groups: Vec<Group>,
    names: GroupNames,
    site: Group,
    /// What stands for a group that nobody has met.
    nobody: Group,
    adaption: Adaption,
    ages: Ages,
    tested: Tested,
    unseen: Unseen,
    /// The first visit; the latest; days between two of them.
    began: Time,
    latest: Time,
    pace: f64,
    /// Pages that were seen and are there.
    alive: u32,
}

impl Forecaster {
    /// One that has seen nothing, with what other sites have taught.
    pub fn new(forest: Arc<Forest>) -> Forecaster {
        Forecaster {
            forest,
            pages: Vec::new(),
            groups: Vec::new(),
            names: GroupNames::default(),
            site: Group::default(),
            nobody: Group::default(),
            adaption: Adaption::default(),
            ages: Ages::default(),
            tested: Tested::default(),
            unseen: Unseen::default(),
            began: Time::MAX,
            latest: Time::MIN,
            pace: PACE_AT_FIRST,
            alive: 0,
        }
    }

    pub fn forest(&self) -> &Forest {
        &self.forest
    }

    fn story(&self, page: PageSlot) -> Option<&Story> {
        self.pages.get(page.index())?.as_deref()
    }

    /// Days that a visit to every page would take at the pace of the latest visits.
    pub fn round_days(&self) -> f64 {
        f64::from(self.alive).max(ROUND_MIN) * self.pace
    }

    /// The logarithm of the odds that a visit brings a new version.
    pub fn log_odds(&self, clues: &Clues) -> f64 {
        let directory = clues.directory.and_then(|group| self.groups.get(group as usize));
        f64::from(self.adaption.adapted(&clues.values, self.forest.log_odds(&clues.values), directory))
    }

    /// The same, hoping for the best of a page that came to be while its site was watched and that hardly anybody has looked
    /// at again, for as long as little is known of how such pages fare here.
    pub fn hopeful_log_odds(&self, page: PageSlot, clues: &Clues, at: Time) -> f64 {
        let hope = self
            .story(page)
            .filter(|story| story.born && story.visits > 0)
            .map_or(0.0, |story| HOPE * self.ages.doubt(story.age(at)) / (1.0 + story.visits as f32));
        self.log_odds(clues) + f64::from(hope)
    }

    /// The chance that a page never seen is there.
    pub fn chance_there(&self, clues: &Clues) -> f64 {
        self.unseen.chance(&clues.values, self.foretold_there(clues))
    }

    /// The same as other sites and the pages seen here let expect.
    fn foretold_there(&self, clues: &Clues) -> f64 {
        1.0 / (1.0 + (-self.log_odds(clues)).exp())
    }

    /// The chance that a page left alone for so long has a version we do not hold, as far as forecasts came true here.
    pub fn borne_out(&self, clues: &Clues, alone: Span) -> f64 {
        // As chances add up, so do their expected numbers of changes while they are small.
        let expected = self.log_odds(clues).exp().ln_1p();
        -(-expected * self.tested.factor(alone)).exp_m1()
    }

    /// What forecasts came to, day by day.
    pub fn tested_days(&self) -> impl Iterator<Item = TestedDay> + '_ {
        self.tested.days()
    }

    /// The group of a name, a new one if there was none.
    fn group(&mut self, name: u64) -> u32 {
        self.names.find(name).unwrap_or_else(|| {
            // Most pages have a group of their own: room for twice as many would be as much again of every page.
            if self.groups.len() == self.groups.capacity() {
                self.groups.reserve_exact(4.max(self.groups.len() / 8));
            }
            self.groups.push(Group::default());
            self.names.add(name)
        })
    }
}
