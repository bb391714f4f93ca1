//! Every visit of a capture as its log tells it, with where its record lies: what a feed of events is made from.

use crate::{
    Before, CaptureId, CaptureInfo, Error, Original, Place,
    log::{entry::Observed, reader::Observations},
};
use tintype_vocab::Observation;

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

    /// The byte of the log to begin with next time.
    pub fn read_to(&self) -> u64 {
        self.read_to
    }
}

impl Iterator for LoggedVisits {
    type Item = Result<LoggedVisit, Error>;

    fn next(&mut self) -> Option<Result<LoggedVisit, Error>> {
        loop {
            let (end, observed) = match self.lines.next() {
                Ok(line) => line?,
                Err(error) => return Some(Err(error)),
            };
            self.read_to = end.unwrap_or(self.read_to);
            if let Some(observed) = observed {
                return Some(Ok(LoggedVisit::new(observed)));
            }
        }
    }
}
