//! Policies: what to ask for next, if it were up to them alone.
//!
//! A policy sees the known pages, beliefs, the budget left and dice. It cannot fetch, sleep or overspend. To add
//! one: one file here and one line in [`REGISTRY`]; the suite in `tests/every_policy.rs` then checks it unasked.

mod breadth_first;
mod by_rate;
mod depth_first;

use crate::{Budget, Dice, Pages};
use tintype_vocab::{Observation, PageId, Time};

/// The policy of a capture when nobody names one.
pub const DEFAULT: &str = "breadth-first";

/// One registered policy.
#[derive(Clone, Copy, Debug)]
pub struct Registered {
    pub name: &'static str,
    pub summary: &'static str,
    make: fn() -> Box<dyn Policy>,
}

/// Every policy there is.
pub const REGISTRY: &[Registered] = &[
    Registered {
        name: "breadth-first",
        summary: "in order of discovery, the entrance first",
        make: || Box::<breadth_first::BreadthFirst>::default(),
    },
    Registered {
        name: "depth-first",
        summary: "newest discovery first",
        make: || Box::<depth_first::DepthFirst>::default(),
    },
    Registered {
        name: "hottest-first",
        summary: "most often changing first",
        make: || Box::new(by_rate::ByRate::hottest_first()),
    },
    Registered {
        name: "coldest-first",
        summary: "least often changing first",
        make: || Box::new(by_rate::ByRate::coldest_first()),
    },
];

pub fn names() -> impl Iterator<Item = &'static str> {
    REGISTRY.iter().map(|entry| entry.name)
}

/// A fresh policy by name.
pub fn make(name: &str) -> Option<Box<dyn Policy>> {
    REGISTRY.iter().find(|entry| entry.name == name).map(|entry| (entry.make)())
}

/// All a policy may see.
#[derive(Debug)]
pub struct View<'a> {
    /// The moment this is about: of the question, of the discovery, of the answer.
    pub now: Time,
    pub pages: &'a Pages,
    pub budget: Budget,
    pub dice: Dice,
}

/// All a policy may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    Visit(PageId),
    WaitUntil(Time),
    /// Nothing more to ask for with what is known now.
    Done,
}

/// Chooses the next request. The scheduler calls [`Policy::on_known`] for every page that joins the frontier and
/// [`Policy::on_observation`] for every settled visit, and skips a chosen page that needs no visit any more. A policy
/// that chose a page does not choose it again before it was observed; whether it may be asked for once more (its state
/// is `Waiting`) depends on the run, not on the policy.
pub trait Policy: std::fmt::Debug + Send {
    fn on_known(&mut self, page: PageId, view: &View<'_>);
    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice;
    fn on_observation(&mut self, _observation: &Observation, _view: &View<'_>) {}
}
