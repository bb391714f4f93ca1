//! The decision log: every step a scheduler took, enough to take it again.

use crate::{Scheduler, SeedError, Settings, Step};
use serde::{Deserialize, Serialize};
use std::fmt;
use tintype_vocab::{Observation, PageId, Purpose, Request, Time};

/// Why this page and why now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// A person named it.
    Seed,
    /// The host's rules come first.
    Rules,
    /// The server sent us here from another URL.
    Redirect,
    /// An earlier try failed.
    Retry,
    /// It was in flight when an earlier run stopped.
    Resumed,
    /// The policy chose it.
    Policy,
}

/// One request the scheduler let out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub at: Time,
    /// Observations settled before this decision. Requests overlap, so the order of lines alone does not tell.
    pub settled: u64,
    pub page: PageId,
    pub url: String,
    pub purpose: Purpose,
    #[serde(default)]
    pub attempt: u8,
    pub why: Why,
}

impl Decision {
    pub(crate) fn of(request: &Request, at: Time, settled: u64, why: Why) -> Decision {
        let Request { page, url, purpose, attempt, .. } = request.clone();
        Decision { at, settled, page, url, purpose, attempt, why }
    }
}

/// One line of a capture's log, as a scheduler sees it.
#[derive(Clone, Debug)]
pub enum Entry {
    Decision(Decision),
    Observation(Observation),
}

/// The first step at which a replayed scheduler did something else.
#[derive(Clone, Debug)]
pub enum Divergence {
    Settings(SeedError),
    Step { number: usize, logged: Box<Decision>, replayed: String },
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Divergence::Settings(error) => error.fmt(f),
            Divergence::Step { number, logged, replayed } => {
                write!(
                    f,
                    "step {number}: the log asked for {} ({:?}), the replay {replayed}",
                    logged.url, logged.purpose
                )
            }
        }
    }
}

impl std::error::Error for Divergence {}

/// Feeds a log to a fresh scheduler and checks that it takes every step again.
pub fn replay(settings: Settings, entries: impl IntoIterator<Item = Entry>) -> Result<Scheduler, Divergence> {
    let mut scheduler = Scheduler::new(settings).map_err(Divergence::Settings)?;
    let (mut decisions, mut seen) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry {
            Entry::Decision(decision) => decisions.push(decision),
            Entry::Observation(observation) => seen.push(observation),
        }
    }
    let mut observations = seen.into_iter();
    let mut settled = 0;
    for (number, logged) in decisions.into_iter().enumerate() {
        while settled < logged.settled {
            let Some(observation) = observations.next() else { break };
            scheduler.settle(&observation);
            settled += 1;
        }
        let same = |request: &Request| {
            (request.page, &request.url, request.purpose) == (logged.page, &logged.url, logged.purpose)
        };
        match scheduler.next(logged.at) {
            Step::Fetch(request) if same(&request) => {}
            other => return Err(Divergence::Step { number, logged: Box::new(logged), replayed: format!("{other:?}") }),
        }
    }
    for observation in observations {
        scheduler.settle(&observation);
    }
    Ok(scheduler)
}
