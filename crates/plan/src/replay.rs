//! Replaying a log: every step a scheduler took, taken again.

use crate::{Scheduler, SeedError, Settings, Step};
use std::fmt;
use tintype_vocab::{Decision, Entry, Request};

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

/// Feeds the log of a first capture to a fresh scheduler and checks that it takes every step again.
pub fn replay(settings: Settings, entries: impl IntoIterator<Item = Entry>) -> Result<Scheduler, Divergence> {
    replay_with(Scheduler::new(settings).map_err(Divergence::Settings)?, entries)
}

/// The same with a scheduler that was told what the one of the log was told to begin with.
pub fn replay_with(
    mut scheduler: Scheduler,
    entries: impl IntoIterator<Item = Entry>,
) -> Result<Scheduler, Divergence> {
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
        match scheduler.retake(&logged) {
            Step::Fetch(request) if same(&request) => {}
            other => return Err(Divergence::Step { number, logged: Box::new(logged), replayed: format!("{other:?}") }),
        }
    }
    for observation in observations {
        scheduler.settle(&observation);
    }
    Ok(scheduler)
}
