//! What a capture brought home, counted.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tintype_vocab::{Change, Observation, Outcome, Purpose, RenderGain};

/// Counts over the visits of a capture. Two tallies add up, so a capture cut in two counts like one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Answers of any kind, rules included.
    pub visits: u64,
    /// Pages that were seen, fresh or confirmed unchanged.
    pub pages: u64,
    /// Pages never seen before this capture.
    pub first: u64,
    /// Pages that had changed since the last capture.
    pub changed: u64,
    /// Pages that had not.
    pub unchanged: u64,
    pub redirects: u64,
    /// Second looks at pages in the same capture that saw them again.
    #[serde(default)]
    pub revisits: u64,
    /// Those that found them changed meanwhile.
    #[serde(default)]
    pub changed_meanwhile: u64,
    /// Answers whose body is not whole.
    #[serde(default)]
    pub truncated: u64,
    /// Bytes over the wire.
    pub bytes: u64,
    /// What was not there or not to be had, by cause.
    pub failures: BTreeMap<String, u64>,
    /// The first of them.
    #[serde(default)]
    pub first_failure: Option<FirstFailure>,
    /// What browsers cost and brought, where pages were built by one.
    #[serde(default)]
    pub rendered: Option<RenderTally>,
}

/// What browsers cost and brought, added up over pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenderTally {
    pub pages: u64,
    /// Those that brought something the bytes alone do not say.
    pub gained: u64,
    /// Those kept as they were served, because the browser crashed or they took too much of it.
    pub failed: u64,
    /// For how long browsers were busy, in milliseconds; the wait for servers is left out.
    pub took: i64,
    pub asked: u64,
    /// Requests that no page had named.
    pub found: u64,
    pub links: u64,
    pub words: u64,
    pub refused: u64,
}

impl RenderTally {
    fn add(&mut self, gain: &RenderGain) {
        self.pages += 1;
        self.gained += u64::from(gain.is_something());
        self.failed += u64::from(gain.failed);
        self.took += gain.took.as_millis();
        self.asked += u64::from(gain.asked);
        self.found += u64::from(gain.found);
        self.links += u64::from(gain.links);
        self.words += u64::from(gain.words);
        self.refused += u64::from(gain.refused);
    }

    fn merge(&mut self, other: &RenderTally) {
        self.pages += other.pages;
        self.gained += other.gained;
        self.failed += other.failed;
        self.took += other.took;
        self.asked += other.asked;
        self.found += other.found;
        self.links += other.links;
        self.words += other.words;
        self.refused += other.refused;
    }
}

/// What was asked for when something first went wrong, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstFailure {
    pub url: String,
    pub outcome: Outcome,
}

impl Tally {
    pub fn add(&mut self, observation: &Observation) {
        self.visits += 1;
        self.bytes += observation.bytes;
        self.truncated += u64::from(observation.truncated.is_some());
        if let Some(gain) = &observation.rendered {
            self.rendered.get_or_insert_default().add(gain);
        }
        let rules = observation.purpose == Purpose::Robots;
        // Nobody promised that it would be there.
        let unpromised = rules || observation.purpose == Purpose::Probe;
        match &observation.outcome {
            Outcome::Body { .. } | Outcome::NotModified if rules => {}
            Outcome::Body { .. } | Outcome::NotModified if observation.purpose == Purpose::Revisit => {
                self.revisits += 1;
                self.changed_meanwhile += u64::from(matches!(observation.change, Change::New { .. }));
            }
            Outcome::Body { .. } | Outcome::NotModified => self.add_page(observation.change),
            Outcome::Redirected { .. } => self.redirects += 1,
            Outcome::Gone { .. } if unpromised => {}
            Outcome::Gone { status } => self.fail(format!("{status} not there"), observation),
            Outcome::Refused { status, .. } => self.fail(format!("{status} refused"), observation),
            Outcome::Failed { cause } => self.fail(cause.to_string(), observation),
        }
    }

    fn add_page(&mut self, change: Change) {
        self.pages += 1;
        match change {
            Change::First => self.first += 1,
            Change::Same => self.unchanged += 1,
            Change::New { .. } => self.changed += 1,
            Change::Unknown => {}
        }
    }

    fn fail(&mut self, cause: String, observation: &Observation) {
        let Observation { url, outcome, .. } = observation;
        self.first_failure.get_or_insert_with(|| FirstFailure { url: url.clone(), outcome: outcome.clone() });
        *self.failures.entry(cause).or_default() += 1;
    }

    pub fn merge(&mut self, other: &Tally) {
        self.visits += other.visits;
        self.pages += other.pages;
        self.first += other.first;
        self.changed += other.changed;
        self.unchanged += other.unchanged;
        self.redirects += other.redirects;
        self.revisits += other.revisits;
        self.changed_meanwhile += other.changed_meanwhile;
        self.truncated += other.truncated;
        self.bytes += other.bytes;
        if let Some(rendered) = &other.rendered {
            self.rendered.get_or_insert_default().merge(rendered);
        }
        if self.first_failure.is_none() {
            self.first_failure.clone_from(&other.first_failure);
        }
        for (cause, count) in &other.failures {
            *self.failures.entry(cause.clone()).or_default() += count;
        }
    }

    /// Visits that did not see their page.
    pub fn failed(&self) -> u64 {
        self.failures.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::{Failure, PageId, Request, SiteId, Time, Truncated};

    fn seen(outcome: Outcome, change: Change) -> Observation {
        let (site, page, purpose) = (SiteId(0), PageId(0), Purpose::Visit);
        let request = Request { site, page, url: String::new(), purpose, attempt: 0, rate: Default::default() };
        Observation { change, bytes: 10, ..Observation::of(&request, Time::default(), Time::default(), outcome) }
    }

    #[test]
    fn every_visit_is_counted_once_and_halves_add_up() {
        let visits = [
            seen(Outcome::Body { status: 200 }, Change::First),
            seen(Outcome::Body { status: 200 }, Change::New { importance: 1.0 }),
            seen(Outcome::NotModified, Change::Same),
            Observation { truncated: Some(Truncated::Length), ..seen(Outcome::Body { status: 200 }, Change::Unknown) },
            seen(Outcome::Redirected { status: 301, to: String::new() }, Change::Unknown),
            seen(Outcome::Gone { status: 404 }, Change::Unknown),
            seen(Outcome::Failed { cause: Failure::Tls }, Change::Unknown),
            Observation { purpose: Purpose::Revisit, ..seen(Outcome::NotModified, Change::Same) },
            Observation {
                purpose: Purpose::Revisit,
                ..seen(Outcome::Body { status: 200 }, Change::New { importance: 1.0 })
            },
        ];
        let tally = |visits: &[Observation]| {
            let mut tally = Tally::default();
            visits.iter().for_each(|visit| tally.add(visit));
            tally
        };
        let whole = tally(&visits);
        assert_eq!((whole.visits, whole.pages, whole.first, whole.changed, whole.unchanged), (9, 4, 1, 1, 1));
        assert_eq!((whole.redirects, whole.failed(), whole.truncated, whole.bytes), (1, 2, 1, 90));
        assert_eq!((whole.revisits, whole.changed_meanwhile), (2, 1));
        assert_eq!(whole.first_failure.as_ref().unwrap().outcome, Outcome::Gone { status: 404 });
        let mut halves = tally(&visits[..2]);
        halves.merge(&tally(&visits[2..]));
        assert_eq!(halves, whole);
    }
}
