//! Every visit of a capture as its log tells it, with where its record lies: what a feed of events is made from.

use crate::{
    Before, CaptureId, CaptureInfo, Error, Original, Place,
    log::{
        entry::Observed,
        reader::{LoggedLine, Observations},
    },
};
use tintype_vocab::{Decision, Observation};

/// A visit and where its answer is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedVisit {
    /// Its links are left out.
    pub observation: Observation,
    /// The version it took the place of, or found gone.
    pub before: Option<Before>,
    /// The response record that holds what was answered, also where this visit only found it again.
    pub original: Option<Original>,
    /// The record of this very visit.
    pub place: Option<Place>,
}

impl LoggedVisit {
    fn new(observed: Observed) -> LoggedVisit {
        let original = observed.original();
        let Observed { observation, before, place, .. } = observed;
        LoggedVisit { observation, before, original, place }
    }
}

/// A step of a capture: a request that was let out, or the visit it became.
#[derive(Clone, Debug, PartialEq)]
pub enum LoggedStep {
    Asked(Decision),
    Visited(Box<LoggedVisit>),
}

/// The visits of one capture in the order of its log, from a byte of it on. Whoever kept [`LoggedVisits::read_to`] can go
/// on later with what was logged meanwhile.
#[derive(Debug)]
pub struct LoggedVisits {
    pub capture: CaptureId,
    pub site: String,
    lines: Observations,
    read_to: u64,
}

impl LoggedVisits {
    pub fn open(capture: &CaptureInfo, from: u64) -> Result<LoggedVisits, Error> {
        let lines = Observations::open(&capture.log, from)?;
        Ok(LoggedVisits { capture: capture.id.clone(), site: capture.head.site.clone(), lines, read_to: from })
    }

    /// What was asked or what came of it, whatever is next.
    pub fn step(&mut self) -> Option<Result<LoggedStep, Error>> {
        loop {
            let (end, line) = match self.lines.step() {
                Ok(line) => line?,
                Err(error) => return Some(Err(error)),
            };
            self.read_to = end.unwrap_or(self.read_to);
            match line {
                Some(LoggedLine::Decided(decision)) => return Some(Ok(LoggedStep::Asked(decision))),
                Some(LoggedLine::Observed(observed)) => {
                    return Some(Ok(LoggedStep::Visited(Box::new(LoggedVisit::new(*observed)))));
                }
                None => {}
            }
        }
    }

    /// The byte of the log to begin with next time.
    pub fn read_to(&self) -> u64 {
        self.read_to
    }
}

impl Iterator for LoggedVisits {
    type Item = Result<LoggedVisit, Error>;

    fn next(&mut self) -> Option<Result<LoggedVisit, Error>> {
        loop {
            match self.step()? {
                Ok(LoggedStep::Visited(visit)) => return Some(Ok(*visit)),
                Ok(LoggedStep::Asked(_)) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
