//! ChangeReader in order of time, the latest first, also of captures that went on at the same time.

use super::{Changed, InCapture, last_change};
use crate::{CaptureInfo, Error};
use tintype_vocab::Time;

/// Walks the changes of a collection from the latest back. Logs are only read forwards, so this takes the memory of the
/// changes of one capture, or of those that went on at one time; imported ones may be of any time.
#[derive(Debug)]
pub struct NewestFirst {
    since: Time,
    /// Captures not yet looked into, with a time none of their changes is later than; the latest last.
    waiting: Vec<(Time, CaptureInfo)>,
    /// What is left of those looked into, each in order of time. None is empty.
    open: Vec<Vec<Changed>>,
}

impl NewestFirst {
    pub(super) fn new(since: Time, captures: impl Iterator<Item = CaptureInfo>) -> NewestFirst {
        let dated = captures.map(|capture| (last_change(&capture), capture));
        let mut waiting: Vec<_> = dated.filter(|(last, _)| *last >= since).collect();
        waiting.sort_by_key(|(last, _)| *last);
        NewestFirst { since, waiting, open: Vec::new() }
    }

    fn advance(&mut self) -> Result<Option<Changed>, Error> {
        loop {
            let latest = (0..self.open.len()).max_by_key(|nth| asked(&self.open[*nth]));
            let at = latest.and_then(|nth| asked(&self.open[nth]));
            if let Some((_, capture)) = self.waiting.pop_if(|(last, _)| at.is_none_or(|at| *last >= at)) {
                self.look_into(capture)?;
                continue;
            }
            let Some(nth) = latest else { return Ok(None) };
            let changed = self.open[nth].pop();
            if self.open[nth].is_empty() {
                self.open.remove(nth);
            }
            return Ok(changed);
        }
    }

    fn look_into(&mut self, capture: CaptureInfo) -> Result<(), Error> {
        let mut log = InCapture::open(capture, self.since)?;
        let mut changes = Vec::new();
        while let Some(changed) = log.next()? {
            changes.push(changed);
        }
        changes.sort_by_key(|changed| changed.observation.asked);
        self.open.extend((!changes.is_empty()).then_some(changes));
        Ok(())
    }
}

/// When the latest of some changes was asked for.
fn asked(changes: &[Changed]) -> Option<Time> {
    changes.last().map(|changed| changed.observation.asked)
}

impl Iterator for NewestFirst {
    type Item = Result<Changed, Error>;

    fn next(&mut self) -> Option<Result<Changed, Error>> {
        self.advance().transpose()
    }
}
