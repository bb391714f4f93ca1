//! A week of captures, each judged by what was really published.

use super::newspaper::Newspaper;
use crate::{CaptureOrder, Crawler};
use anyhow::Context;
use serde::Serialize;
use std::{
    collections::{HashMap, HashSet},
    path::Path,
};
use tintype_archive::Collection;
use tintype_quality::{Seen, judge};
use tintype_vocab::{Change, Entry, Observation, Outcome, Purpose, Span, Time};

/// Recaptures after the first capture, and the hours between them: in a week every part of the day has its turn, so
/// that what is learned does not depend on whether people work at that hour.
pub(super) const RECAPTURES: i64 = 8;
pub(super) const HOURS_BETWEEN: i64 = 21;

/// One capture, as it is told.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Round {
    #[serde(skip)]
    pub(super) at: Time,
    pub(super) site_time: String,
    pub(super) requests: u64,
    pub(super) pages: u64,
    pub(super) new: u64,
    pub(super) changed: u64,
    pub(super) unchanged: u64,
    /// Unchanged ones that the server answered with 304, without a body.
    pub(super) confirmed: u64,
    /// Seen by the capture before and not by this one.
    pub(super) gone: u64,
    pub(super) bytes: u64,
    /// What the confirmed pages would have cost once more.
    pub(super) bytes_spared: u64,
    /// Versions that came to be since the first capture, and those of them that some capture saw.
    pub(super) versions: u64,
    pub(super) caught: u64,
}

/// What a capture saw, by the newspaper's clock.
pub(super) struct Sighting {
    pub(super) at: Time,
    pub(super) observations: Vec<Observation>,
}

/// The week as it goes on.
pub(super) struct Week<'a> {
    newspaper: &'a Newspaper,
    crawler: &'a dyn Crawler,
    out: &'a Path,
    pub(super) rounds: Vec<Round>,
    pub(super) sightings: Vec<Sighting>,
    seen: Vec<Seen>,
    /// Bytes of the latest whole answer for each URL.
    sizes: HashMap<String, u64>,
    there: HashSet<String>,
}

impl<'a> Week<'a> {
    pub(super) fn new(newspaper: &'a Newspaper, crawler: &'a dyn Crawler, out: &'a Path) -> Week<'a> {
        let (rounds, sightings, seen) = (Vec::new(), Vec::new(), Vec::new());
        Week { newspaper, crawler, out, rounds, sightings, seen, sizes: HashMap::new(), there: HashSet::new() }
    }

    /// The moment of the last capture.
    pub(super) fn end(&self) -> Time {
        self.sightings.last().map_or(self.newspaper.from, |sighting| sighting.at)
    }

    /// Turns the clock on and captures the site as `tintype capture` does.
    pub(super) fn capture(&mut self) -> anyhow::Result<&Round> {
        let at = self.newspaper.from + Span::from_secs(HOURS_BETWEEN * 3600 * self.rounds.len() as i64);
        self.newspaper.turn_to(at);
        self.crawler.turn_to(at);
        let observations = self.ask()?;
        let round = self.count(at, &observations);
        self.sightings.push(Sighting { at, observations });
        self.rounds.push(round);
        Ok(&self.rounds[self.rounds.len() - 1])
    }

    /// Captures, and reads in the collection's log what was seen.
    fn ask(&self) -> anyhow::Result<Vec<Observation>> {
        let seed = format!("{}/", self.newspaper.origin());
        let (delay, revisit, budget) = (Span::ZERO, false, None);
        let order = CaptureOrder { seed: &seed, collection: self.out, delay, revisit, budget };
        let id = self.crawler.capture(&order)?.context("the demo was stopped")?;
        let entries = Collection::read(self.out)?.entries(&id)?;
        let observations = entries.filter_map(|entry| match entry {
            Ok(Entry::Observation(observation)) => Some(Ok(*observation)),
            Ok(Entry::Decision(_)) => None,
            Err(error) => Some(Err(error)),
        });
        Ok(observations.collect::<Result<_, _>>()?)
    }

    fn count(&mut self, at: Time, observations: &[Observation]) -> Round {
        let pages = || observations.iter().filter(|seen| seen.purpose != Purpose::Robots && seen.outcome.saw_page());
        let of = |wanted: fn(&Change) -> bool| pages().filter(|seen| wanted(&seen.change)).count() as u64;
        let there: HashSet<String> = pages().map(|seen| seen.url.clone()).collect();
        let gone = self.there.difference(&there).count() as u64;
        let (confirmed, bytes_spared) = self.spare(observations);
        self.there = there;
        self.seen.extend(pages().filter_map(|seen| Some(Seen { at, page: self.newspaper.page(&seen.url)? })));
        let score = judge(&self.newspaper.truth, self.newspaper.from, at + Span::from_millis(1), &self.seen);
        Round {
            at,
            site_time: at.to_rfc3339_secs(),
            requests: observations.len() as u64,
            pages: pages().count() as u64,
            new: of(|change| matches!(change, Change::First)),
            changed: of(|change| matches!(change, Change::New { .. })),
            unchanged: of(|change| matches!(change, Change::Same)),
            confirmed,
            gone,
            bytes: observations.iter().map(|seen| seen.bytes).sum(),
            bytes_spared,
            versions: score.versions,
            caught: score.seen,
        }
    }

    /// How many answers were confirmations, and what the whole answers would have cost beyond them.
    fn spare(&mut self, observations: &[Observation]) -> (u64, u64) {
        let (mut confirmed, mut spared) = (0, 0);
        for seen in observations {
            match seen.outcome {
                Outcome::NotModified => {
                    confirmed += 1;
                    let whole = self.sizes.get(&seen.url).copied().unwrap_or_default();
                    spared += whole.saturating_sub(seen.bytes);
                }
                Outcome::Body { .. } => {
                    self.sizes.insert(seen.url.clone(), seen.bytes);
                }
                _ => {}
            }
        }
        (confirmed, spared)
    }
}
