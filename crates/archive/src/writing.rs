//! The segment that all captures of a process write to, one visit at a time, so that files grow with bytes and days and
//! not with captures.

use crate::{Error, collection::Shared, door, index, segment::Segment};
use tintype_vocab::Time;

/// An index that is larger is not written again for a few lines more: its segment is not gone on with.
const INDEX_MAX: u64 = 512 << 10;

/// The segment at hand.
#[derive(Debug, Default)]
pub(crate) struct Writing {
    segment: Option<Segment>,
    /// Closing or opening one failed: only recovery knows what is on disk.
    has_failed: bool,
}

impl Writing {
    pub(crate) fn segment(&self) -> Option<&Segment> {
        self.segment.as_ref()
    }

    /// Whether only recovery knows what is on disk.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed || self.segment().is_some_and(Segment::has_failed)
    }

    /// A segment with room for a visit of this day. Days only go forward, also where visits of several captures
    /// come in around midnight.
    pub(crate) fn make_room(&mut self, shared: &Shared, now: Time) -> Result<&mut Segment, Error> {
        let day = day_of(now);
        let is_over =
            |segment: &Segment| segment.len() >= shared.segment_max || day_in(segment.name()) < Some(day.as_str());
        if self.segment.as_ref().is_some_and(is_over) {
            self.close(shared)?;
        }
        if self.segment.is_none() {
            self.segment = Some(self.guarded(|_| open(shared, now, &day))?);
        }
        Ok(self.segment.as_mut().expect("just opened"))
    }

    /// Makes all records so far survive a power cut.
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.segment.as_mut().map_or(Ok(()), Segment::sync)
    }

    /// Recovery need not read again what is on disk.
    pub(crate) fn mark(&mut self) {
        self.segment.iter_mut().for_each(Segment::mark);
    }

    /// Closes and indexes the segment, if there is one.
    pub(crate) fn close(&mut self, shared: &Shared) -> Result<(), Error> {
        let Some(segment) = self.segment.take() else { return Ok(()) };
        self.guarded(|_| {
            let (disk, layout) = (shared.disk.as_ref(), &shared.layout);
            let (name, len, lines) = segment.close(disk, layout)?;
            let sizes = index::write_lines(disk, layout, &name, len, lines)?;
            shared.catalogue().close_segment(&name, sizes, len)?;
            index::journal::forget(layout, &name);
            shared.merger.wake(layout);
            Ok(())
        })
    }

    fn guarded<T>(&mut self, work: impl FnOnce(&mut Writing) -> Result<T, Error>) -> Result<T, Error> {
        if self.has_failed {
            return Err(Error::Stopped("of this collection".to_owned()));
        }
        let result = work(self);
        self.has_failed = result.is_err();
        result
    }
}

/// Goes on with the latest segment if it is of this day and small, or makes a new one.
fn open(shared: &Shared, now: Time, day: &str) -> Result<Segment, Error> {
    let (disk, layout) = (shared.disk.as_ref(), &shared.layout);
    let latest = shared.catalogue().latest_segment(layout)?;
    let small = latest.filter(|(name, sizes)| {
        let is_small = sizes.segment < shared.segment_max / 2 && sizes.index < INDEX_MAX;
        is_small && day_in(name) == Some(day) && name.ends_with(&shared.segment_end())
    });
    let small = small.filter(|(name, _)| !door::is_taken(&layout.more_index_of(name)));
    let indexed = small.and_then(|(name, sizes)| index::read(layout, &name).map(|lines| (name, sizes, lines)));
    if let Some((name, sizes, lines)) = indexed {
        shared.catalogue().reopen_segment(&name, sizes.segment)?;
        return Segment::reopen(disk, layout, name, sizes.segment, &lines);
    }
    let name = shared.segment_name(now);
    shared.catalogue().open_segment(&name)?;
    Segment::create(disk, layout, name)
}

/// Begins the names of our segments, before the time.
pub(crate) const NAME_START: &str = "tintype-";
const DAY_LEN: usize = 8;

fn day_of(now: Time) -> String {
    let mut day = now.to_timestamp17();
    day.truncate(DAY_LEN);
    day
}

fn day_in(name: &str) -> Option<&str> {
    name.strip_prefix(NAME_START)?.get(..DAY_LEN)
}
