//! Some objects of a source, asked for one by one: an ordinary small capture, read back from its log like everything else.

use super::place::Place;
use crate::Error;
use std::collections::BTreeMap;
use tintype_archive::{CaptureInfo, CaptureKind, Reading};
use tintype_learn::{decay::Probe, ledger::Ledger};
use tintype_plan::Dice;
use tintype_vocab::{Entry, Outcome, Time, UrlKey};

/// The name under which probes of a source are captured: its listing has a history of its own.
pub fn site_of(source: &str) -> String {
    format!("{source} (probe)")
}

/// The probes of a source since a moment, in order; those that were cut short say nothing.
pub(super) fn since(reading: &Reading, source: &str, after: Option<Time>) -> Result<Vec<Probe>, Error> {
    let site = site_of(source);
    let is_one = |capture: &CaptureInfo| {
        let is_later = after.is_none_or(|after| capture.head.started > after);
        capture.head.kind == CaptureKind::Probe && capture.end.is_some() && is_later
    };
    let mut probes = Vec::new();
    for capture in reading.captures_of(&site)?.iter().filter(|capture| is_one(capture)) {
        probes.push(read(reading, capture)?);
    }
    Ok(probes)
}

fn read(reading: &Reading, capture: &CaptureInfo) -> Result<Probe, Error> {
    let mut answers: BTreeMap<Place, Option<bool>> =
        capture.head.seeds.iter().map(|url| (Place::of(url), None)).collect();
    // Where objects are that moved to another spelling of their address.
    let mut moved: BTreeMap<Place, Place> = BTreeMap::new();
    for entry in reading.entries(&capture.id)? {
        let Entry::Observation(seen) = entry? else { continue };
        let place = Place::of(&seen.url);
        let object = moved.get(&place).unwrap_or(&place);
        if let Some(answer) = answers.get_mut(object) {
            *answer = is_there(&seen.url, &seen.outcome).or(*answer);
            if let Outcome::Redirected { to, .. } = &seen.outcome {
                moved.insert(Place::of(to), object.clone());
            }
        }
    }
    let known = || answers.values().flatten();
    let (asked, kept) = (known().count() as u32, known().filter(|there| **there).count() as u32);
    Ok(Probe { at: capture.head.started, asked, kept })
}

/// Whether an object is there, by what its URL answers; nothing if that does not say.
fn is_there(url: &str, outcome: &Outcome) -> Option<bool> {
    match outcome {
        Outcome::Body { .. } | Outcome::NotModified => Some(true),
        Outcome::Redirected { to, .. } => Some(UrlKey::of(to) == UrlKey::of(url)),
        Outcome::Gone { .. } => Some(false),
        Outcome::Refused { .. } | Outcome::Failed { .. } => None,
    }
}

/// So many different objects of those that are there by the last crawl, drawn by lot.
pub fn draw(ledger: &Ledger, count: u32, seed: u64) -> Vec<String> {
    let mut ids: Vec<String> = ledger.lives().filter(|life| life.right_censored).map(|life| life.id).collect();
    ids.sort_unstable();
    let mut dice = Dice::new(seed, 0);
    let count = (count as usize).min(ids.len());
    for nth in 0..count {
        let rest = ids.len() - nth;
        ids.swap(nth, nth + ((dice.unit() * rest as f64) as usize).min(rest - 1));
    }
    ids.truncate(count);
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_learn::ledger::FoundObjects;
    use tintype_vocab::{Failure, Object};

    #[test]
    fn what_an_answer_says_of_an_object() {
        let says = |outcome| is_there("http://e.com/car/1", &outcome);
        let redirected = |to: &str| Outcome::Redirected { status: 302, to: to.into() };
        assert_eq!(says(Outcome::Body { status: 200 }), Some(true));
        assert_eq!(says(Outcome::NotModified), Some(true));
        assert_eq!(says(Outcome::Gone { status: 410 }), Some(false));
        assert_eq!(says(redirected("http://e.com/cars")), Some(false));
        assert_eq!(says(redirected("https://e.com/car/1")), Some(true));
        assert_eq!(says(Outcome::Refused { status: 403, retry_after: None }), None);
        assert_eq!(says(Outcome::Failed { cause: Failure::Unreachable }), None);
    }

    #[test]
    fn lots_are_different_objects_and_the_same_for_a_seed() {
        let objects = (0..50).map(|id| Object { id: format!("{id}"), attributes: Vec::new() }).collect();
        let mut ledger = Ledger::default();
        ledger.see(FoundObjects { at: Time::from_secs(1_700_000_000), objects, unread: 0 });
        let drawn = draw(&ledger, 20, 7);
        assert_eq!(drawn, draw(&ledger, 20, 7));
        assert_ne!(drawn, draw(&ledger, 20, 8));
        assert_eq!(drawn.iter().collect::<std::collections::BTreeSet<_>>().len(), 20);
        assert_eq!(draw(&ledger, 99, 7).len(), 50);
    }
}
