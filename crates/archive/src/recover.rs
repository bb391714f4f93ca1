//! What opening a collection mends: whatever a kill, a power cut or a full disk can leave behind.
//!
//! Every step can be interrupted and done again. A torn log line is cut. A segment still named `.open` is cut behind
//! its last whole visit (the bytes beyond were never reported), visits the log does not know are entered there, and the
//! segment is closed, so that a resumed capture starts a new one. Missing or stale indexes are made anew.

use crate::{
    CaptureHead, CaptureId, Error,
    catalogue::{Catalogue, Recorded, Survey},
    checkpoint,
    collection::Shared,
    index,
    log::{reader, writer::LogWriter},
    scan::{self, LogScan, SegmentScan},
    state::State,
};
use std::{
    collections::BTreeSet,
    fmt,
    path::{Path, PathBuf},
};
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

/// Mends what is not as it should be. A catalogue that turns out to be unreadable is made anew first.
pub(crate) fn recover_or_rebuild(shared: &Shared) -> Result<Vec<Repair>, Error> {
    match recover(shared) {
        Err(Error::State { path, source }) if source.is_damage() && path == shared.layout.catalogue() => {
            let anew = Catalogue::anew(&shared.layout)?;
            *shared.catalogue() = anew;
            recover(shared)
        }
        other => other,
    }
}

fn recover(shared: &Shared) -> Result<Vec<Repair>, Error> {
    let mut repairs = Vec::new();
    let Survey { unsettled, open, stale } = shared.catalogue().survey(&shared.layout)?;
    for id in unsettled {
        mend_capture(shared, &id, &mut repairs)?;
    }
    let open: Vec<String> = open.into_iter().map(|(name, _)| name).collect();
    close_strays(shared, &open, &mut repairs)?;
    let doubtful: BTreeSet<String> = open.into_iter().chain(stale).collect();
    mend_indexes(shared, &doubtful, &mut repairs)?;
    Ok(repairs)
}

/// Brings one unfinished capture into order, if it is not. Nothing if there is nothing left of it.
pub(crate) fn recover_capture(shared: &Shared, id: &CaptureId) -> Result<Option<Recovered>, Error> {
    let (info, known) = {
        let catalogue = shared.catalogue();
        (catalogue.info(id)?, catalogue.recorded(id)?)
    };
    match (info, known) {
        (Some(info), Some(known)) if known.is_settled => {
            Ok(Some(Recovered { head: info.head, ended: known.has_ended, log_len: known.bytes }))
        }
        _ => mend_capture(shared, id, &mut Vec::new()),
    }
}

fn mend_capture(shared: &Shared, id: &CaptureId, repairs: &mut Vec<Repair>) -> Result<Option<Recovered>, Error> {
    let (info, known) = {
        let catalogue = shared.catalogue();
        (catalogue.info(id)?, catalogue.recorded(id)?)
    };
    if let (Some(info), Some(known)) = (info, known)
        && let Some(tail) = Tail::of(shared, &known)
    {
        return tail.mend(shared, id, info.head, repairs).map(Some);
    }
    mend_whole_capture(shared, id, repairs)
}

/// What was written of a capture since the catalogue was told how much is on disk.
struct Tail {
    log: PathBuf,
    log_from: u64,
    /// The segment with its path, whether it is open, and how much of it is known.
    segment: Option<(String, PathBuf, bool, u64)>,
}

impl Tail {
    /// Nothing unless what is known is there.
    fn of(shared: &Shared, known: &Recorded) -> Option<Tail> {
        let has = |path: &Path, bytes: u64| std::fs::metadata(path).is_ok_and(|file| file.len() >= bytes);
        let log = shared.layout.log_of(&known.id);
        if known.bytes == 0 || !has(&log, known.bytes) {
            return None;
        }
        let segment = known.segment.as_ref().map(|name| {
            let (open, closed) = (shared.layout.open_segment(name), shared.layout.segment(name));
            let is_open = open.exists();
            (name.clone(), if is_open { open } else { closed }, is_open, known.segment_bytes)
        });
        let segment = match segment {
            // It was about to be made.
            Some((_, path, _, 0)) if !path.exists() => None,
            Some((_, path, _, bytes)) if !has(&path, bytes) => return None,
            other => other,
        };
        Some(Tail { log, log_from: known.bytes, segment })
    }

    /// What no sync is known to have saved is written again before it is believed.
    fn mend(
        self,
        shared: &Shared,
        id: &CaptureId,
        head: CaptureHead,
        repairs: &mut Vec<Repair>,
    ) -> Result<Recovered, Error> {
        let disk = shared.disk.as_ref();
        let Tail { log: path, log_from, segment } = self;
        disk.write_again(&path, log_from).map_err(Error::io("sync", &path))?;
        let mut log = LogScan::from_byte(&path, log_from)?;
        cut_log(shared, id, &path, &log, repairs)?;
        if let Some((name, path, is_open, from)) = segment {
            disk.write_again(&path, from).map_err(Error::io("sync", &path))?;
            let mut found = scan::segment_from(&path, from).map_err(Error::io("read", &path))?;
            if is_open {
                cut(shared, &name, &path, &mut found, repairs)?;
            }
            agree(shared, id, &head, &name, &found, &mut log, repairs)?;
            if is_open {
                close(shared, &name, found.whole > 0 && (from > 0 || !found.visits.is_empty()), repairs)?;
            }
            if !log.closed.contains(&name) {
                note_closed(shared, id, &name, &mut log)?;
            }
        }
        let catalogue = shared.catalogue();
        match reader::end(&path)?.filter(|_| log.ended) {
            Some(end) => catalogue.put_capture(id, &head, Some(&end), log.sound, true)?,
            None => catalogue.settle(id, log.sound)?,
        }
        Ok(Recovered { head, ended: log.ended, log_len: log.sound })
    }
}

/// Holds all of a capture's log against all of its segments.
fn mend_whole_capture(shared: &Shared, id: &CaptureId, repairs: &mut Vec<Repair>) -> Result<Option<Recovered>, Error> {
    let own = shared.catalogue().segments_of(id)?;
    let Some((head, mut log)) = mend_log(shared, id, &own, repairs)? else {
        shared.catalogue().drop_capture(id)?;
        return Ok(None);
    };
    shared.catalogue().put_capture(id, &head, None, 0, false)?;
    for name in &own {
        if shared.layout.open_segment(name).exists() || !log.closed.contains(name) {
            mend_segment(shared, id, &head, name, &mut log, repairs)?;
        }
    }
    let gone = |name: &String| !own.contains(name) && !shared.layout.segment(name).exists();
    for name in log.records.keys().filter(|name| gone(name)).cloned().collect::<Vec<_>>() {
        agree(shared, id, &head, &name, &SegmentScan::default(), &mut log, repairs)?;
    }
    shared.catalogue().settle(id, log.sound)?;
    Ok(Some(Recovered { head, ended: log.ended, log_len: log.sound }))
}

/// What the segments of a capture say it set out to do.
fn stated_head(shared: &Shared, segments: &[String]) -> Result<Option<CaptureHead>, Error> {
    for name in segments {
        let (open, closed) = (shared.layout.open_segment(name), shared.layout.segment(name));
        let path = if open.exists() { open } else { closed };
        if let Some((_, Some(head))) = scan::owner(&path).map_err(Error::io("read", &path))? {
            return Ok(Some(head));
        }
    }
    Ok(None)
}

/// Cuts a torn end; writes a log without beginning again.
fn mend_log(
    shared: &Shared,
    id: &CaptureId,
    segments: &[String],
    repairs: &mut Vec<Repair>,
) -> Result<Option<(CaptureHead, LogScan)>, Error> {
    let path = shared.layout.log_of(id);
    let disk = shared.disk.as_ref();
    let scan = match path.exists() {
        true => {
            disk.write_again(&path, 0).map_err(Error::io("sync", &path))?;
            LogScan::of(&path)?
        }
        false => LogScan::default(),
    };
    if let Some(head) = scan.head.clone() {
        cut_log(shared, id, &path, &scan, repairs)?;
        return Ok(Some((head, scan)));
    }
    let Some(head) = stated_head(shared, segments)? else {
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

fn cut_log(
    shared: &Shared,
    id: &CaptureId,
    path: &Path,
    scan: &LogScan,
    repairs: &mut Vec<Repair>,
) -> Result<(), Error> {
    if scan.sound < scan.len {
        shared.disk.truncate(path, scan.sound).map_err(Error::io("cut", path))?;
        repairs.push(Repair::LogCut { log: id.to_string(), bytes: scan.len - scan.sound });
    }
    Ok(())
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
    shared.disk.write_again(&path, 0).map_err(Error::io("sync", &path))?;
    let mut found = scan::segment(&path).map_err(Error::io("read", &path))?;
    if is_open {
        cut(shared, name, &path, &mut found, repairs)?;
    }
    agree(shared, id, head, name, &found, log, repairs)?;
    if is_open {
        close(shared, name, !found.visits.is_empty(), repairs)?;
    }
    note_closed(shared, id, name, log)
}

/// Says in the log that all visits of a segment stand there.
fn note_closed(shared: &Shared, id: &CaptureId, name: &str, log: &mut LogScan) -> Result<(), Error> {
    let mut writer = LogWriter::open(shared.disk.as_ref(), &shared.layout.log_of(id), log.sound)?;
    writer.closed(name);
    writer.commit()?;
    (log.sound, log.ended) = (writer.len(), false);
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
        checkpoint::forget(shared.disk.as_ref(), &shared.layout, id)?;
    }
    let mut state = State::open(shared, &head.site)?;
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
fn close(shared: &Shared, name: &str, has_visits: bool, repairs: &mut Vec<Repair>) -> Result<(), Error> {
    let (open, closed) = (shared.layout.open_segment(name), shared.layout.segment(name));
    let disk = shared.disk.as_ref();
    if !has_visits {
        disk.remove(&open).map_err(Error::io("remove", &open))?;
        shared.catalogue().drop_segment(name)?;
        index::journal::forget(&shared.layout, name);
        repairs.push(Repair::EmptyRemoved { name: name.to_owned() });
    } else {
        disk.rename(&open, &closed).map_err(Error::io("close", &open))?;
        repairs.push(Repair::SegmentClosed { segment: name.to_owned() });
    }
    disk.sync_dir(&shared.layout.warc()).map_err(Error::io("close", &open))
}

/// `.open` segments that belong to no unfinished capture: nothing in them was ever reported, or all of it was.
fn close_strays(shared: &Shared, open: &[String], repairs: &mut Vec<Repair>) -> Result<(), Error> {
    for name in open {
        let path = shared.layout.open_segment(name);
        if !path.exists() {
            continue;
        }
        let mut found = scan::segment(&path).map_err(Error::io("read", &path))?;
        cut(shared, name, &path, &mut found, repairs)?;
        close(shared, name, !found.visits.is_empty(), repairs)?;
    }
    Ok(())
}

/// Indexes that are missing, or older than what they index.
fn mend_indexes(shared: &Shared, doubtful: &BTreeSet<String>, repairs: &mut Vec<Repair>) -> Result<(), Error> {
    for name in doubtful {
        let path = shared.layout.segment(name);
        if !path.exists() || shared.catalogue().is_current(&shared.layout, name)? {
            continue;
        }
        let known = index::journal::read(&shared.layout, name);
        let made = index::completed(&path, name, known).map_err(Error::io("read", &path))?;
        if made.valid_up_to < made.len {
            repairs.push(Repair::SegmentDamaged { segment: name.clone(), sound: made.valid_up_to, len: made.len });
        }
        let sizes = index::write(shared.disk.as_ref(), &shared.layout, name, made.len, &made.lines)?;
        shared.note_sizes(name, sizes)?;
        index::journal::forget(&shared.layout, name);
        repairs.push(Repair::IndexMade { segment: name.clone() });
    }
    Ok(())
}
