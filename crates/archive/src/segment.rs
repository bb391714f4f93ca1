//! The segment that is being written: records gather in memory, go to a file named `.open`, and get their final name
//! only when everything in it is on disk. A segment that is gone on with later keeps its name: what is in it stays where
//! it is, and nothing refers to what is being added before that is on disk.

use crate::{
    Error,
    disk::{Append, Disk},
    index::{self, IndexLines, journal::Journal},
    layout::Layout,
    log::{Place, writer::SharedLog},
};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};
use tintype_warc::Header;

/// A segment is closed when it has grown this large.
pub(crate) const SEGMENT_MAX: u64 = 1_000_000_000;
/// How many bytes of records gather before they are handed to the file.
const GATHER: usize = 1 << 20;

/// One `.open` file. What it will be called is known from the start, because index and log name it so.
#[derive(Debug)]
pub(crate) struct Segment {
    name: String,
    path: PathBuf,
    file: Box<dyn Append>,
    written: u64,
    gathered: Vec<u8>,
    /// Logs with the decisions behind what gathered.
    ahead: Vec<SharedLog>,
    synced: u64,
    /// After a failed write nothing tells what is on disk, and no later sync would save it.
    has_failed: bool,
    index: IndexLines,
    journal: Journal,
}

impl Segment {
    pub(crate) fn create(disk: &dyn Disk, layout: &Layout, name: String) -> Result<Segment, Error> {
        let path = layout.open_segment(&name);
        let file = disk.append(&path).map_err(Error::io("create", &path))?;
        disk.sync_dir(&layout.warc()).map_err(Error::io("create", &path))?;
        let (index, journal) = (IndexLines::new(&layout.spool()), Journal::create(layout, &name));
        Ok(Segment::new(name, path, file, 0, (index, journal)))
    }

    /// Goes on with a closed segment of `len` bytes, which keeps its name. `lines` is the text of its index.
    pub(crate) fn reopen(
        disk: &dyn Disk,
        layout: &Layout,
        name: String,
        len: u64,
        lines: &str,
    ) -> Result<Segment, Error> {
        let path = layout.segment(&name);
        let (mut index, mut journal) = (IndexLines::new(&layout.spool()), Journal::create(layout, &name));
        journal.push(lines);
        journal.mark(len);
        lines.split_inclusive('\n').for_each(|line| index.push(line.to_owned()));
        let file = disk.append(&path).map_err(Error::io("open", &path))?;
        Ok(Segment::new(name, path, file, len, (index, journal)))
    }

    fn new(
        name: String,
        path: PathBuf,
        file: Box<dyn Append>,
        len: u64,
        (index, journal): (IndexLines, Journal),
    ) -> Segment {
        let (gathered, ahead) = (Vec::new(), Vec::new());
        Segment { name, path, file, written: len, gathered, ahead, synced: len, has_failed: false, index, journal }
    }

    /// Whether it takes nothing more, or will not because decisions behind its records cannot be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed || self.ahead.iter().any(|log| log.lock().has_failed())
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Where the next record will start.
    pub(crate) fn len(&self) -> u64 {
        self.written + self.gathered.len() as u64
    }

    /// Bytes that survive a power cut.
    pub(crate) fn synced(&self) -> u64 {
        self.synced
    }

    /// Bytes a power cut would cost.
    pub(crate) fn unsynced(&self) -> u64 {
        self.len() - self.synced
    }

    /// The decisions of this log go to their file before any record that is taken from now on goes to its.
    pub(crate) fn follow(&mut self, log: &SharedLog) {
        if !self.ahead.iter().any(|other| other.is(log)) {
            self.ahead.push(log.clone());
        }
    }

    /// Takes a record that `encode` appends to the given buffer.
    pub(crate) fn gather(&mut self, encode: impl FnOnce(&mut Vec<u8>)) -> Place {
        let offset = self.len();
        encode(&mut self.gathered);
        self.place(offset)
    }

    /// Whether enough was gathered to hand it to the file.
    pub(crate) fn has_gathered(&self) -> bool {
        self.gathered.len() >= GATHER
    }

    /// Takes a record too large for memory.
    pub(crate) fn stream(&mut self, encode: impl FnOnce(&mut dyn Write) -> io::Result<u64>) -> Result<Place, Error> {
        self.flush()?;
        self.guarded(|segment| {
            let offset = segment.written;
            let mut through = Through { file: segment.file.as_mut(), written: 0 };
            let result = encode(&mut through);
            segment.written += through.written;
            result.map_err(Error::io("write", &segment.path))?;
            Ok(segment.place(offset))
        })
    }

    fn guarded<T>(&mut self, work: impl FnOnce(&mut Segment) -> Result<T, Error>) -> Result<T, Error> {
        if self.has_failed {
            return Err(Error::Stopped(self.name.clone()));
        }
        let result = work(self);
        self.has_failed = result.is_err();
        result
    }

    fn place(&self, offset: u64) -> Place {
        Place { segment: self.name.clone(), offset, length: self.len() - offset }
    }

    /// Notes the index line of the record just taken, if its kind has one. `start` is the beginning of its block.
    pub(crate) fn index(&mut self, header: &Header, start: &[u8], place: &Place) {
        if let Some(line) = index::line(header, start, place) {
            self.journal.push(&line);
            self.index.push(line);
        }
    }

    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.guarded(|segment| {
            segment.ahead.drain(..).try_for_each(|log| log.lock().write_decisions())?;
            if !segment.gathered.is_empty() {
                segment.file.append(&segment.gathered).map_err(Error::io("write", &segment.path))?;
                segment.written += segment.gathered.len() as u64;
                segment.gathered.clear();
            }
            segment.index.relieve().map_err(Error::io("write", &segment.path))
        })
    }

    /// Returns once every record survives a power cut.
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.flush()?;
        self.guarded(|segment| {
            if segment.synced < segment.written {
                segment.file.sync().map_err(Error::io("sync", &segment.path))?;
                refuse_removed(segment.file.as_ref(), &segment.path)?;
                segment.synced = segment.written;
            }
            Ok(())
        })
    }

    /// Recovery need not read again what is on disk.
    pub(crate) fn mark(&mut self) {
        if self.unsynced() == 0 {
            self.journal.mark(self.synced);
        }
    }

    /// The bytes of a record that has not reached the file yet.
    pub(crate) fn gathered(&self, place: &Place) -> Option<&[u8]> {
        let start = usize::try_from(place.offset.checked_sub(self.written)?).ok()?;
        self.gathered.get(start..)
    }

    /// Gives the segment its final name. Returns its length and its index lines.
    pub(crate) fn close(mut self, disk: &dyn Disk, layout: &Layout) -> Result<(String, u64, IndexLines), Error> {
        self.sync()?;
        let path = layout.segment(&self.name);
        if self.path != path {
            disk.rename(&self.path, &path).map_err(Error::io("close", &self.path))?;
            disk.sync_dir(&layout.warc()).map_err(Error::io("close", &path))?;
        }
        Ok((self.name, self.written, self.index))
    }
}

/// Nothing that goes to a file without a name survives: better to stop at once than to find out at the end.
pub(crate) fn refuse_removed(file: &dyn Append, path: &Path) -> Result<(), Error> {
    match file.is_still(path).map_err(Error::io("look at", path))? {
        true => Ok(()),
        false => Err(Error::Removed(path.to_owned())),
    }
}

struct Through<'a> {
    file: &'a mut dyn Append,
    written: u64,
}

impl Write for Through<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.append(bytes)?;
        self.written += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
