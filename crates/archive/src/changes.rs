//! The changes that visits saw, for those who tell people of them.

mod newest_first;

pub use newest_first::NewestFirst;

use crate::{
    Before, CaptureId, CaptureInfo, Error, Original, Payload, Reading,
    log::{
        entry::Observed,
        reader::{Observations, last_visit},
    },
};
use std::vec;
use tintype_observe::page::Judgement;
use tintype_vocab::{Change, Observation, Outcome, Time};

/// A page that was found changed, or gone.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    pub site: String,
    pub capture: CaptureId,
    /// The visit that found it so; its links are left out.
    pub observation: Observation,
    /// In 0..=1, 1 while nothing finer is known, and of a page that is gone.
    pub importance: f32,
    /// Nothing where an older version of this program wrote the log.
    pub before: Option<Before>,
    /// The response record with the payload of the new version; nothing if only history was imported.
    pub after: Option<Original>,
    /// What was judged when the version came in, with the parts that make it so important; nothing if it was not
    /// compared, or by an older version of this program.
    pub judgement: Option<Judgement>,
}

/// The two versions of a change, as far as they are held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bodies {
    pub before: Option<Payload>,
    pub after: Option<Payload>,
}

/// The importance of a page's going.
const GONE: f32 = 1.0;

impl Changed {
    /// Whether this is the end of the page rather than a new version.
    pub fn is_gone(&self) -> bool {
        matches!(self.observation.outcome, Outcome::Gone { .. })
    }

    fn of(capture: &CaptureInfo, observed: Observed) -> Option<Changed> {
        let importance = match (observed.observation.change, &observed.before) {
            (Change::New { importance }, _) => importance,
            (_, Some(_)) => GONE,
            _ => return None,
        };
        let (site, capture) = (capture.head.site.clone(), capture.id.clone());
        let after = observed.original();
        let Observed { observation, before, judgement, .. } = observed;
        // What a server says in the place of a page is no version of it.
        let after = after.filter(|_| !matches!(observation.outcome, Outcome::Gone { .. }));
        Some(Changed { site, capture, observation, importance, before, after, judgement })
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
pub struct ChangeReader {
    since: Time,
    captures: vec::IntoIter<CaptureInfo>,
    at_hand: Option<Box<InCapture>>,
}

impl ChangeReader {
    pub(crate) fn new(since: Time, captures: Vec<CaptureInfo>) -> ChangeReader {
        ChangeReader { since, captures: captures.into_iter(), at_hand: None }
    }

    /// Only those of one site.
    #[must_use]
    pub fn of_site(mut self, site: &str) -> ChangeReader {
        let captures: Vec<_> = self.captures.filter(|capture| capture.head.site == site).collect();
        self.captures = captures.into_iter();
        self
    }

    /// The latest change first.
    #[must_use]
    pub fn newest_first(self) -> NewestFirst {
        NewestFirst::new(self.since, self.captures)
    }

    fn advance(&mut self) -> Result<Option<Changed>, Error> {
        loop {
            let at_hand = self.at_hand.as_mut();
            if let Some(changed) = at_hand.map_or(Ok(None), |changes| changes.next())? {
                return Ok(Some(changed));
            }
            let Some(capture) = self.captures.next() else { return Ok(None) };
            let is_past = last_change(&capture) < self.since;
            self.at_hand = if is_past { None } else { Some(Box::new(InCapture::open(capture, self.since)?)) };
        }
    }
}

impl Iterator for ChangeReader {
    type Item = Result<Changed, Error>;

    fn next(&mut self) -> Option<Result<Changed, Error>> {
        self.advance().transpose()
    }
}

/// The changes of one capture, in the order of its log.
#[derive(Debug)]
struct InCapture {
    capture: CaptureInfo,
    lines: Observations,
    since: Time,
}

impl InCapture {
    fn open(capture: CaptureInfo, since: Time) -> Result<InCapture, Error> {
        let lines = Observations::open(&capture.log, 0)?;
        Ok(InCapture { capture, lines, since })
    }

    fn next(&mut self) -> Result<Option<Changed>, Error> {
        while let Some((_, observed)) = self.lines.next()? {
            let recent = observed.filter(|observed| observed.observation.answered >= self.since);
            if let Some(changed) = recent.and_then(|observed| Changed::of(&self.capture, observed)) {
                return Ok(Some(changed));
            }
        }
        Ok(None)
    }
}

/// No change of the capture is later, as far as can be told without reading its log.
fn last_change(capture: &CaptureInfo) -> Time {
    // Visits are logged as they are made, but for imports.
    let is_over = capture.end.is_some() && capture.head.kind.is_scheduled();
    let last = is_over.then(|| last_visit(&capture.log).ok().flatten());
    last.flatten().unwrap_or(Time::MAX)
}
