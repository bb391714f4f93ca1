//! What opening a collection mends: whatever a kill, a power cut or a full disk can leave behind.
//!
//! Every step can be interrupted and done again. A torn log line is cut. A segment still named `.open` is cut behind
//! its last whole visit (the bytes beyond were never reported), visits the log does not know are entered there, and the
//! segment is closed, so that a resumed capture starts a new one. Missing or stale indexes are made anew.

use crate::{
    CaptureHead, CaptureId, Error,
    collection::{Shared, capture_ids},
    index,
    layout::{OPEN_SUFFIX, SEGMENT_SUFFIX, names},
    log::{reader, writer::LogWriter},
    scan::{self, LogScan, SegmentScan},
    state::State,
};
use std::{collections::BTreeMap, fmt, path::Path};
use tintype_vocab::PageUrl;

/// One thing that was mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// The end of a log was no whole line.
    LogCut {
        log: String,
        bytes: u64,
    },
    /// The end of a segment was no whole visit.
    SegmentCut {
        segment: String,
        bytes: u64,
    },
    /// Visits that were on disk but not yet in the log.
    Revived {
        capture: String,
        visits: u64,
    },
    /// Visits in the log whose records are gone; they will be made again.
    Lost {
        segment: String,
        visits: u64,
    },
    /// A log without a readable beginning was written again from its segments.
    LogRestored {
        log: String,
    },
    /// A capture that had kept nothing yet.
    EmptyRemoved {
        name: String,
    },
    SegmentClosed {
        segment: String,
    },
    IndexMade {
        segment: String,
    },
    /// Records that were left out of an index on purpose now have one.
    MoreIndexed {
        segment: String,
        records: u64,
    },
    /// A damaged segment was written again without what could not be read; the original is beside it.
    SegmentRewritten {
        segment: String,
    },
    /// A closed segment is not sound to its end; verify and repair know more.
    SegmentDamaged {
        segment: String,
        sound: u64,
        len: u64,
    },
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Repair::LogCut { log, bytes } => write!(f, "cut {bytes} bytes of an unfinished line from log {log}"),
            Repair::SegmentCut { segment, bytes } => write!(f, "cut {bytes} unreported bytes from segment {segment}"),
            Repair::Revived { capture, visits } => write!(f, "entered {visits} visits into the log of {capture}"),
            Repair::Lost { segment, visits } => write!(f, "lost {visits} visits with the end of segment {segment}"),
            Repair::LogRestored { log } => write!(f, "wrote log {log} again from its segments"),
            Repair::EmptyRemoved { name } => write!(f, "removed {name}, which held nothing"),
            Repair::SegmentClosed { segment } => write!(f, "closed segment {segment}"),
            Repair::IndexMade { segment } => write!(f, "made the index of segment {segment}"),
            Repair::MoreIndexed { segment, records } => {
                write!(f, "indexed {records} records of segment {segment} that had been left out")
            }
            Repair::SegmentRewritten { segment } => write!(f, "wrote the sound records of segment {segment} again"),
            Repair::SegmentDamaged { segment, sound, len } => {
                write!(f, "segment {segment} is sound only to byte {sound} of {len}; run repair")
            }
        }
    }
}

/// A capture as recovery leaves it.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub(crate) head: CaptureHead,
    pub(crate) ended: bool,
    pub(crate) log_len: u64,
}

pub(crate) fn recover(shared: &Shared) -> Result<Vec<Repair>, Error> {
    let mut repairs = Vec::new();
    let open = segments(shared, OPEN_SUFFIX)?;
    let mut unfinished = Vec::new();
    for id in capture_ids(&shared.layout)? {
        if reader::end(&shared.layout.log_of(&id))?.is_none() {
            unfinished.push(id);
        }
    }
    // A segment whose log is gone brings it back.
    let orphaned = open.iter().filter_map(|(_, owner)| owner.as_ref().map(|(id, _)| id.clone()));
    unfinished.extend(orphaned.filter(|id| !shared.layout.log_of(id).exists()));
    unfinished.sort();
    unfinished.dedup();
    if !unfinished.is_empty() {
        let all = all_segments(shared)?;
        for id in unfinished {
            mend_capture(shared, &id, &all, &mut repairs)?;
        }
    }
    close_strays(shared, &mut repairs)?;
    mend_indexes(shared, &mut repairs)?;
    Ok(repairs)
}

type Owned = (String, Option<(CaptureId, Option<CaptureHead>)>);

/// Segments by final name, with the capture each belongs to.
fn segments(shared: &Shared, suffix: &str) -> Result<Vec<Owned>, Error> {
    let directory = shared.layout.warc();
    let mut segments = Vec::new();
    for name in names(&directory, suffix).map_err(Error::io("list", &directory))? {
        let path = directory.join(&name);
        let owner = scan::owner(&path).map_err(Error::io("read", &path))?;
        segments.push((name.trim_end_matches(".open").to_owned(), owner));
    }
    Ok(segments)
}

fn all_segments(shared: &Shared) -> Result<Vec<Owned>, Error> {
    let mut all = segments(shared, SEGMENT_SUFFIX)?;
    all.extend(segments(shared, OPEN_SUFFIX)?);
    Ok(all)
}

/// Brings one unfinished capture into order. Nothing if there is nothing left of it.
pub(crate) fn recover_capture(shared: &Shared, id: &CaptureId) -> Result<Option<Recovered>, Error> {
    mend_capture(shared, id, &all_segments(shared)?, &mut Vec::new())
}

fn mend_capture(
    shared: &Shared,
    id: &CaptureId,
    all: &[Owned],
    repairs: &mut Vec<Repair>,
) -> Result<Option<Recovered>, Error> {
    let own: BTreeMap<String, Option<CaptureHead>> = all
        .iter()
        .filter_map(|(name, owner)| owner.as_ref().filter(|(owner, _)| owner == id).map(|(_, head)| (name, head)))
        .map(|(name, head)| (name.clone(), head.clone()))
        .collect();
    let Some((head, mut log)) = mend_log(shared, id, &own, repairs)? else { return Ok(None) };
    for name in own.keys() {
        if shared.layout.open_segment(name).exists() || !log.closed.contains(name) {
            mend_segment(shared, id, &head, name, &mut log, repairs)?;
        }
    }
    let gone = |name: &String| !own.contains_key(name) && !shared.layout.segment(name).exists();
    for name in log.records.keys().filter(|name| gone(name)).cloned().collect::<Vec<_>>() {
        agree(shared, id, &head, &name, &SegmentScan::default(), &mut log, repairs)?;
    }
    Ok(Some(Recovered { head, ended: log.ended, log_len: log.sound }))
}

/// Cuts a torn end; writes a log without beginning again.
fn mend_log(
    shared: &Shared,
    id: &CaptureId,
    segments: &BTreeMap<String, Option<CaptureHead>>,
    repairs: &mut Vec<Repair>,
) -> Result<Option<(CaptureHead, LogScan)>, Error> {
    let path = shared.layout.log_of(id);
    let disk = shared.disk.as_ref();
    let scan = if path.exists() { LogScan::of(&path)? } else { LogScan::default() };
    if let Some(head) = scan.head.clone() {
        if scan.sound < scan.len {
            disk.truncate(&path, scan.sound).map_err(Error::io("cut", &path))?;
            repairs.push(Repair::LogCut { log: id.to_string(), bytes: scan.len - scan.sound });
        }
        return Ok(Some((head, scan)));
    }
    let Some(head) = segments.values().flatten().next().cloned() else {
        if path.exists() {
            disk.remove(&path).map_err(Error::io("remove", &path))?;
            repairs.push(Repair::EmptyRemoved { name: id.to_string() });
        }
        return Ok(None);
    };
    if path.exists() {
        disk.truncate(&path, 0).map_err(Error::io("cut", &path))?;
    }
    let mut log = LogWriter::open(disk, &path, 0)?;
    log.head(&head);
    log.commit()?;
    disk.sync_dir(&shared.layout.log()).map_err(Error::io("sync", &path))?;
    repairs.push(Repair::LogRestored { log: id.to_string() });
    Ok(Some((head, LogScan::of(&path)?)))
}

/// Brings a segment and the log to say the same, then closes it.
fn mend_segment(
    shared: &Shared,
    id: &CaptureId,
    head: &CaptureHead,
    name: &str,
    log: &mut LogScan,
    repairs: &mut Vec<Repair>,
) -> Result<(), Error> {
    let open = shared.layout.open_segment(name);
    let is_open = open.exists();
    let path = if is_open { open } else { shared.layout.segment(name) };
    let mut found = scan::segment(&path).map_err(Error::io("read", &path))?;
    if is_open {
        cut(shared, name, &path, &mut found, repairs)?;
    }
    agree(shared, id, head, name, &found, log, repairs)?;
    if is_open {
        close(shared, name, repairs)?;
    }
    let mut writer = LogWriter::open(shared.disk.as_ref(), &shared.layout.log_of(id), log.sound)?;
    writer.closed(name);
    writer.commit()?;
    log.sound = writer.len();
    Ok(())
}

fn cut(
    shared: &Shared,
    name: &str,
    path: &Path,
    found: &mut SegmentScan,
    repairs: &mut Vec<Repair>,
) -> Result<(), Error> {
    if found.whole < found.len {
        shared.disk.truncate(path, found.whole).map_err(Error::io("cut", path))?;
        repairs.push(Repair::SegmentCut { segment: name.to_owned(), bytes: found.len - found.whole });
        (found.sound, found.len) = (found.whole, found.whole);
    }
    Ok(())
}

/// Enters visits the log lacks, and takes back those whose records are gone.
pub(crate) fn agree(
    shared: &Shared,
    id: &CaptureId,
    head: &CaptureHead,
    name: &str,
    found: &SegmentScan,
    log: &mut LogScan,
    repairs: &mut Vec<Repair>,
) -> Result<(), Error> {
    let logged = log.offsets(name);
    let lost = logged.iter().filter(|offset| **offset >= found.sound).count() as u64;
    let missing: Vec<_> = found.visits.iter().filter(|visit| !logged.contains(&visit.offset)).collect();
    if lost == 0 && missing.is_empty() {
        return Ok(());
    }
    let path = shared.layout.log_of(id);
    let mut writer = LogWriter::open(shared.disk.as_ref(), &path, log.sound)?;
    if lost > 0 {
        writer.lost(name, found.sound);
        writer.commit()?;
        repairs.push(Repair::Lost { segment: name.to_owned(), visits: lost });
        State::forget(&shared.layout, &head.site)?;
    }
    let mut state = State::open(&shared.layout, &head.site)?;
    for visit in &missing {
        if let Some(observed) = scan::revive(&shared.layout, &state, name, visit)? {
            let before = state.page(&PageUrl::new(&observed.observation.url))?;
            writer.observe(&observed);
            state.learn(before, &observed);
        }
    }
    writer.commit()?;
    state.flush(id, writer.len())?;
    log.sound = writer.len();
    if !missing.is_empty() {
        repairs.push(Repair::Revived { capture: id.to_string(), visits: missing.len() as u64 });
    }
    Ok(())
}

/// Gives an `.open` segment its final name, unless there is no visit in it.
fn close(shared: &Shared, name: &str, repairs: &mut Vec<Repair>) -> Result<(), Error> {
    let (open, closed) = (shared.layout.open_segment(name), shared.layout.segment(name));
    let disk = shared.disk.as_ref();
    let found = scan::segment(&open).map_err(Error::io("read", &open))?;
    if found.visits.is_empty() {
        disk.remove(&open).map_err(Error::io("remove", &open))?;
        repairs.push(Repair::EmptyRemoved { name: name.to_owned() });
    } else {
        disk.rename(&open, &closed).map_err(Error::io("close", &open))?;
        repairs.push(Repair::SegmentClosed { segment: name.to_owned() });
    }
    disk.sync_dir(&shared.layout.warc()).map_err(Error::io("close", &open))
}

/// `.open` segments that belong to no unfinished capture: nothing in them was ever reported, or all of it was.
fn close_strays(shared: &Shared, repairs: &mut Vec<Repair>) -> Result<(), Error> {
    for (name, _) in segments(shared, OPEN_SUFFIX)? {
        let path = shared.layout.open_segment(&name);
        let mut found = scan::segment(&path).map_err(Error::io("read", &path))?;
        cut(shared, &name, &path, &mut found, repairs)?;
        close(shared, &name, repairs)?;
    }
    Ok(())
}

/// Indexes that are missing, or older than what they index.
fn mend_indexes(shared: &Shared, repairs: &mut Vec<Repair>) -> Result<(), Error> {
    let directory = shared.layout.warc();
    for name in names(&directory, SEGMENT_SUFFIX).map_err(Error::io("list", &directory))? {
        if shared.is_current(&name) {
            continue;
        }
        let path = shared.layout.segment(&name);
        let made = index::of_segment(&path, &name).map_err(Error::io("read", &path))?;
        if made.valid_up_to < made.len {
            repairs.push(Repair::SegmentDamaged { segment: name.clone(), sound: made.valid_up_to, len: made.len });
        }
        let sizes = index::write(shared.disk.as_ref(), &shared.layout, &name, made.len, &made.lines)?;
        shared.note_sizes(&name, sizes)?;
        repairs.push(Repair::IndexMade { segment: name });
    }
    Ok(())
}
