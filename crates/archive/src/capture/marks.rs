//! The share of a capture in the segment at hand, and what the catalogue is told of it.

use super::Capture;
use crate::{Error, segment::Segment, writing::Writing};
use tintype_vocab::Time;

/// How often the catalogue is told how much is on disk: so much less than a segment has recovery to read.
const MARKS_PER_SEGMENT: u64 = 128;

/// What the catalogue was last told.
#[derive(Debug, Default)]
pub(super) struct Marked {
    /// So much of the log was on disk.
    log: u64,
    /// The first segment with a visit that this part of the log may not tell, and where such visits begin.
    segment: Option<(String, u64)>,
}

impl Capture {
    /// Returns where the segment ends, all of which survives a power cut then; nothing if this capture has no visit yet.
    pub(super) fn sync_segment(&self) -> Result<Option<(String, u64)>, Error> {
        let mut writing = self.writing();
        writing.sync()?;
        let here = writing.segment().filter(|_| self.announced.is_some());
        Ok(here.map(|segment| (segment.name().to_owned(), segment.synced())))
    }

    pub(super) fn is_far_from_mark(&self, at: Option<&(String, u64)>) -> bool {
        let far = self.shared.segment_max / MARKS_PER_SEGMENT;
        let in_segment = match (at, &self.marked.segment) {
            (Some((name, bytes)), Some((marked, from))) => name != marked || *bytes >= from + far,
            _ => false,
        };
        in_segment || self.log.lock().synced() >= self.marked.log + far
    }

    /// The segment for a visit, and the number of this capture in it. A capture that is new to a segment says there
    /// first what it is.
    pub(crate) fn make_room<'a>(
        &mut self,
        writing: &'a mut Writing,
        asked: Time,
    ) -> Result<(&'a mut Segment, u32), Error> {
        // What is imported may be of any day.
        let now = if self.head.kind.is_scheduled() { asked } else { self.head.started };
        let segment = writing.make_room(&self.shared, now)?;
        let number = match &self.announced {
            Some((name, number)) if name == segment.name() => *number,
            _ => self.announce(segment, now)?,
        };
        Ok((segment, number))
    }

    fn announce(&mut self, segment: &mut Segment, now: Time) -> Result<u32, Error> {
        let (name, at) = (segment.name().to_owned(), segment.len());
        let (number, is_new) = self.shared.catalogue().announce(&name, &self.id, at)?;
        if is_new {
            let capture = (self.id.as_str(), number);
            self.recorder.warcinfo(segment, now, &self.shared.host, capture, &self.head);
        }
        if self.marked.segment.is_none() {
            self.mark(Some((name.clone(), at)))?;
        }
        self.announced = Some((name, number));
        Ok(number)
    }

    /// The same for a segment that was synced.
    pub(super) fn mark_synced(&mut self, at: Option<(String, u64)>) -> Result<(), Error> {
        self.writing().mark();
        at.as_ref().map_or(Ok(()), |(name, bytes)| self.shared.catalogue().note_sound(name, *bytes))?;
        self.mark(at)
    }

    /// Tells the catalogue how much is on disk, so that recovery need look only at what came after.
    fn mark(&mut self, segment: Option<(String, u64)>) -> Result<(), Error> {
        let named = segment.as_ref().map(|(name, bytes)| (name.as_str(), *bytes));
        let log = self.log.lock().synced();
        self.shared.catalogue().mark(&self.id, log, named)?;
        self.marked = Marked { log, segment };
        Ok(())
    }
}
