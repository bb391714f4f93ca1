//! Crawls of a source, read back from the logs of its captures.

use crate::{CaptureId, CaptureInfo, Error, Reading, log::reader::Lines};
use std::vec;
use tintype_vocab::ObjectCrawl;

/// The crawls of one source in the order in which they were made. Captures that did not come to their end say nothing.
#[derive(Debug)]
pub struct ObjectCrawls {
    captures: vec::IntoIter<CaptureInfo>,
    at_hand: Option<(CaptureId, Lines)>,
    /// The beginning of a crawl that takes more lines than one.
    begun: Option<ObjectCrawl>,
}

impl ObjectCrawls {
    pub(crate) fn new(reading: &Reading, source: &str, after: Option<&CaptureId>) -> Result<ObjectCrawls, Error> {
        let mut captures = reading.captures_of(source)?;
        let is_later = |id: &CaptureId| after.is_none_or(|after| id > after);
        captures.retain(|capture| capture.end.is_some() && is_later(&capture.id));
        Ok(ObjectCrawls { captures: captures.into_iter(), at_hand: None, begun: None })
    }

    fn advance(&mut self) -> Result<Option<(CaptureId, ObjectCrawl)>, Error> {
        loop {
            let Some((id, lines)) = &mut self.at_hand else {
                let Some(capture) = self.captures.next() else { return Ok(None) };
                let lines = Lines::open(&capture.log, 0)?;
                (self.at_hand, self.begun) = (Some((capture.id, lines)), None);
                continue;
            };
            let Some(line) = lines.next_objects()? else {
                self.at_hand = None;
                continue;
            };
            let (crawl, more) = line.after(self.begun.take());
            if !more {
                return Ok(Some((id.clone(), crawl)));
            }
            self.begun = Some(crawl);
        }
    }
}

impl Iterator for ObjectCrawls {
    type Item = Result<(CaptureId, ObjectCrawl), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}
