//! A made-up newspaper on loopback whose clock is turned by hand.

use anyhow::Context;
use serde::Serialize;
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicI64, Ordering},
};
use tintype_quality::Truth;
use tintype_serve::site::{Bound, Question, Reply, Server, recorded};
use tintype_vocab::{Span, Time};
use tintype_world::{
    machine::{Ask, Machine, site_clock},
    synthetic::{self, Made, Wish},
};

pub(super) const WORLD: &str = "news";
/// Into the first day, so that the first capture does not meet what the site does at full hours.
const FIRST_CAPTURE: Span = Span::from_secs(90 * 60);
/// In the course of all its days; a good third of them are there from the first.
pub(super) const PAGES: usize = 400;
pub(super) const DAYS: u32 = 28;

/// The site while it is being served, and what is true of it.
pub(super) struct Newspaper {
    pub(super) made: Made,
    pub(super) truth: Truth,
    /// The moment of the first capture, and the site's last.
    pub(super) from: Time,
    pub(super) until: Time,
    server: Server,
    clock: Arc<AtomicI64>,
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
    pub(super) fn open() -> anyhow::Result<Newspaper> {
        let bound = Bound::to(([127, 0, 0, 1], 0).into()).context("cannot listen on 127.0.0.1")?;
        let origin = bound.origin();
        let wish = Wish { pages: PAGES, days: f64::from(DAYS), origin: origin.clone(), ..Wish::default() };
        let make = synthetic::named(WORLD).expect("the demo's world is registered").make;
        // One to be served, the same again to be judged by: a world is a function of its wish.
        let (served, made) = (make(&wish), make(&wish));
        let (from, until) = (wish.from + FIRST_CAPTURE, wish.from + Span::from_days(DAYS.into()));
        let clock = Arc::new(AtomicI64::new(from.as_millis()));
        let machine = Mutex::new(Machine::new(served.history, Some(Box::new(served.contents)), None));
        let site = Served { machine, clock: clock.clone(), origin };
        let server = bound.serve(move |question| site.answer(question)).context("cannot serve")?;
        let truth = made.history.truth(|_| 1.0);
        Ok(Newspaper { made, truth, from, until, server, clock })
    }

    pub(super) fn origin(&self) -> String {
        self.server.origin()
    }

    /// Sets the site's clock. It stands still until the next call, so a capture sees one moment.
    pub(super) fn turn_to(&self, now: Time) {
        self.clock.store(now.as_millis(), Ordering::SeqCst);
    }

    /// The page of the history behind a URL.
    pub(super) fn page(&self, url: &str) -> Option<u32> {
        self.made.history.find(url.strip_prefix(&self.origin())?)
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

struct Served {
    machine: Mutex<Machine>,
    clock: Arc<AtomicI64>,
    origin: String,
}

impl Served {
    fn answer(&self, Question { target, if_none_match, if_modified_since, .. }: &Question) -> Reply {
        let now = Time::from_millis(self.clock.load(Ordering::SeqCst));
        let (if_none_match, if_modified_since) = (if_none_match.as_deref(), if_modified_since.as_deref());
        let ask = Ask { target, origin: &self.origin, if_none_match, if_modified_since };
        let mut machine = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
        let document = machine.respond(&ask, now).expect("a made-up site can print all its pages");
        let mut fields = document.headers;
        fields.extend(site_clock(now).map(|(name, value)| (name.to_owned(), value)));
        fields.extend(document.content_type.map(|value| ("Content-Type".to_owned(), value)));
        let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        recorded(document.status, fields, document.body)
    }
}
