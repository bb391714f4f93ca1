//! A made-up newspaper whose clock is turned by hand.

use super::week::{HOURS_BETWEEN, RECAPTURES};
use crate::PastSite;
use serde::Serialize;
use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};
use tintype_quality::Truth;
use tintype_vocab::{Span, Time};
use tintype_world::{
    machine::Machine,
    synthetic::{self, Made, SyntheticConfig},
};

pub(super) const WORLD: &str = "news";
/// Into the first day, so that the first capture does not meet what the site does at full hours.
const FIRST_CAPTURE: Span = Span::from_secs(90 * 60);
/// In the course of all its days; a good third of them are there from the first.
pub(super) const PAGES: usize = 400;
pub(super) const DAYS: u32 = 28;

/// The site while it is being served, and what is true of it.
#[derive(Debug)]
pub struct Newspaper {
    pub(super) made: Made,
    pub(super) truth: Truth,
    /// The moment of the first capture, and the site's last.
    pub(super) from: Time,
    pub(super) until: Time,
    /// By so much it is later than the same newspaper in the lab.
    pub(super) later: Span,
    origin: String,
    clock: Arc<AtomicI64>,
}

/// As many whole weeks after the first day as have all captures in the past.
fn weeks_to(now: Time, first_day: Time) -> Span {
    let (week, last_capture) = (Span::from_days(7), FIRST_CAPTURE + Span::from_secs(3600 * HOURS_BETWEEN * RECAPTURES));
    let weeks = (now - (first_day + last_capture)).as_millis().div_euclid(week.as_millis());
    week * weeks.max(0)
}

/// What is told of it.
#[derive(Debug, Serialize)]
pub(super) struct About {
    pub(super) url: String,
    pub(super) from: String,
    pub(super) days: u32,
    pub(super) pages_at_first: usize,
    pub(super) pages_in_all: usize,
    pub(super) versions: usize,
}

impl Newspaper {
    /// One that will be served at `origin`, and what answers for it. Its week of captures is the latest that is over `now`,
    /// beginning as Mondays do: what it publishes does not depend on which week that is.
    pub fn open(origin: &str, now: Time) -> (Newspaper, PastSite) {
        let origin = origin.to_owned();
        let wish = SyntheticConfig {
            pages: PAGES,
            days: f64::from(DAYS),
            origin: origin.clone(),
            ..SyntheticConfig::default()
        };
        let later = weeks_to(now, wish.from);
        let wish = SyntheticConfig { from: wish.from + later, ..wish };
        let make = synthetic::named(WORLD).expect("the demo's world is registered").make;
        // One to be served, the same again to be judged by: a world is a function of its wish.
        let (served, made) = (make(&wish), make(&wish));
        let (from, until) = (wish.from + FIRST_CAPTURE, wish.from + Span::from_days(DAYS.into()));
        let clock = Arc::new(AtomicI64::new(from.as_millis()));
        let machine = Machine::new(served.history, Some(Box::new(served.contents)), None);
        let truth = made.history.truth(|_| 1.0);
        let past = PastSite::new(machine, origin.clone());
        (Newspaper { made, truth, from, until, later, origin, clock }, past)
    }

    /// The site's clock, for the one who serves it.
    pub fn clock(&self) -> impl Fn() -> Time + Send + Sync + use<> {
        let clock = self.clock.clone();
        move || Time::from_millis(clock.load(Ordering::SeqCst))
    }

    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Sets the site's clock. It stands still until the next call, so a capture sees one moment.
    pub(super) fn turn_to(&self, now: Time) {
        self.clock.store(now.as_millis(), Ordering::SeqCst);
    }

    /// The page of the history behind a URL.
    pub(super) fn page(&self, url: &str) -> Option<u32> {
        self.made.history.find(url.strip_prefix(self.origin())?)
    }

    pub(super) fn about(&self) -> About {
        let pages = 0..self.truth.pages();
        About {
            url: format!("{}/", self.origin()),
            from: self.from.to_rfc3339_secs(),
            days: DAYS,
            pages_at_first: pages.filter(|page| self.truth.alive(*page, self.from).is_some()).count(),
            pages_in_all: self.truth.pages(),
            versions: self.truth.versions().len(),
        }
    }
}
