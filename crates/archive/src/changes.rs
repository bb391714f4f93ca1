//! The changes that visits saw, for those who tell people of them.

use crate::{
    Before, CaptureId, CaptureInfo, Error, Original, Payload, Reading,
    log::{
        entry::Observed,
        reader::{Observations, last_visit},
    },
};
use std::vec;
use tintype_vocab::{Change, Observation, Time};

/// A page that was found changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    pub site: String,
    pub capture: CaptureId,
    /// The visit that found it so; its links are left out.
    pub observation: Observation,
    /// In 0..=1, 1 while nothing finer is known.
    pub importance: f32,
    /// Nothing where an older version of this program wrote the log.
    pub before: Option<Before>,
    /// The response record with the payload of the new version; nothing if only history was imported.
    pub after: Option<Original>,
}

/// The two versions of a change, as far as they are held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bodies {
    pub before: Option<Payload>,
    pub after: Option<Payload>,
}

impl Changed {
    fn of(capture: &CaptureInfo, observed: Observed) -> Option<Changed> {
        let Change::New { importance } = observed.observation.change else { return None };
        let (site, capture) = (capture.head.site.clone(), capture.id.clone());
        let after = observed.original();
        let Observed { observation, before, .. } = observed;
        Some(Changed { site, capture, observation, importance, before, after })
    }

    /// Both versions, read from their segments.
    pub fn bodies(&self, reading: &Reading) -> Result<Bodies, Error> {
        let read = |of: Option<&Original>| of.map_or(Ok(None), |of| reading.payload(of));
        let before = read(self.before.as_ref().and_then(|before| before.original.as_ref()))?;
        Ok(Bodies { before, after: read(self.after.as_ref())? })
    }
}

/// Walks the changes of a collection, capture by capture in order of their start, within a capture in the order of its
/// log. Logs are read one at a time and a line at a time.
#[derive(Debug)]
pub struct Changes {
    reading: Reading,
    since: Time,
    newest_first: bool,
    captures: vec::IntoIter<CaptureInfo>,
    at_hand: Option<AtHand>,
}

/// The changes of one capture.
#[derive(Debug)]
enum AtHand {
    Forwards(Box<(CaptureInfo, Observations)>),
    /// Those of a whole capture, because logs are only read forwards.
    Backwards(Vec<Changed>),
}

impl Changes {
    pub(crate) fn new(reading: Reading, since: Time) -> Result<Changes, Error> {
        let captures = reading.captures()?.into_iter();
        Ok(Changes { reading, since, newest_first: false, captures, at_hand: None })
    }

    /// Only those of one site.
    #[must_use]
    pub fn of_site(mut self, site: &str) -> Changes {
        let captures: Vec<_> = self.captures.filter(|capture| capture.head.site == site).collect();
        self.captures = captures.into_iter();
        self
    }

    /// The latest capture first, and within a capture the latest change. Takes the memory of one capture's changes.
    #[must_use]
    pub fn newest_first(mut self) -> Changes {
        self.newest_first = true;
        self
    }

    fn advance(&mut self) -> Result<Option<Changed>, Error> {
        loop {
            let found = match &mut self.at_hand {
                Some(AtHand::Backwards(changes)) => changes.pop(),
                Some(AtHand::Forwards(log)) => next_in(&mut log.1, &log.0, self.since)?,
                None => None,
            };
            if found.is_some() {
                return Ok(found);
            }
            let next = if self.newest_first { self.captures.next_back() } else { self.captures.next() };
            let Some(capture) = next else { return Ok(None) };
            self.at_hand = self.open(capture)?;
        }
    }

    fn open(&self, capture: CaptureInfo) -> Result<Option<AtHand>, Error> {
        let path = self.reading.layout().log_of(&capture.id);
        // Visits are logged as they are made, but for imports, which have no seeds.
        let is_over = capture.end.is_some() && !capture.head.seeds.is_empty();
        if is_over && last_visit(&path)?.is_some_and(|last| last < self.since) {
            return Ok(None);
        }
        let mut lines = Observations::open(&path, 0)?;
        if !self.newest_first {
            return Ok(Some(AtHand::Forwards(Box::new((capture, lines)))));
        }
        let mut changes = Vec::new();
        while let Some(changed) = next_in(&mut lines, &capture, self.since)? {
            changes.push(changed);
        }
        changes.sort_by_key(|changed| changed.observation.asked);
        Ok(Some(AtHand::Backwards(changes)))
    }
}

fn next_in(lines: &mut Observations, capture: &CaptureInfo, since: Time) -> Result<Option<Changed>, Error> {
    while let Some((_, observed)) = lines.next()? {
        let recent = observed.filter(|observed| observed.observation.answered >= since);
        if let Some(changed) = recent.and_then(|observed| Changed::of(capture, observed)) {
            return Ok(Some(changed));
        }
    }
    Ok(None)
}

impl Iterator for Changes {
    type Item = Result<Changed, Error>;

    fn next(&mut self) -> Option<Result<Changed, Error>> {
        self.advance().transpose()
    }
}
