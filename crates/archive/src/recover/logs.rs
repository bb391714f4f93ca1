//! Logs that end within a line, or without what their segments say.

use super::{Repair, segments::path_of, set_aside};
use crate::{
    CaptureHead, CaptureId, Error, checkpoint,
    collection::Shared,
    door,
    log::{range::LogRange, writer::LogWriter},
    scan::{self, LogScan, SegmentScan},
    state::State,
};
use tintype_vocab::PageUrl;

/// What the segments of a capture say it set out to do.
fn stated_head(shared: &Shared, id: &CaptureId, segments: &[String]) -> Result<Option<CaptureHead>, Error> {
    for name in segments {
        let path = path_of(shared, name);
        let announced = scan::announced(&path).map_err(Error::io("read", &path))?;
        let head = announced.into_iter().filter(|announced| announced.id == *id).find_map(|announced| announced.head);
        if head.is_some() {
            return Ok(head);
        }
    }
    Ok(None)
}

/// Cuts a torn end; writes a log without beginning again, in a file of its own if there is something behind it.
pub(super) fn mend_log(
    shared: &Shared,
    id: &CaptureId,
    segments: &[String],
    repairs: &mut Vec<Repair>,
) -> Result<Option<(CaptureHead, LogRange, LogScan)>, Error> {
    let known = shared.catalogue().recorded(id)?;
    let log = known.map_or_else(|| LogRange::whole(shared.layout.log_file(id.as_str())), |known| known.log);
    let scan = match door::is_file(&log.path) {
        true => {
            shared.disk.write_again(&log.path, log.from).map_err(Error::io("sync", &log.path))?;
            LogScan::of(&log)?
        }
        false => LogScan::default(),
    };
    if let Some(head) = scan.head.clone() {
        cut_log(shared, id, &log, &scan, repairs)?;
        return Ok(Some((head, log, scan)));
    }
    empty(shared, &log, repairs)?;
    let Some(head) = stated_head(shared, id, segments)? else {
        repairs.push(Repair::EmptyRemoved { name: id.to_string() });
        return Ok(None);
    };
    let mut writer = LogWriter::open(shared.disk.as_ref(), &log, 0)?;
    writer.head(id, &head, false);
    writer.commit()?;
    shared.disk.sync_dir(&shared.layout.log()).map_err(Error::io("sync", &log.path))?;
    repairs.push(Repair::LogRestored { log: id.to_string() });
    let scan = LogScan::of(&log)?;
    Ok(Some((head, log, scan)))
}

/// Takes away what is there of a log without beginning. A file that holds nothing else is set aside unless it is empty:
/// without a beginning nothing says that it is ours.
fn empty(shared: &Shared, log: &LogRange, repairs: &mut Vec<Repair>) -> Result<(), Error> {
    let Ok(len) = door::len(&log.path) else { return Ok(()) };
    match log.from {
        0 if len > 0 => set_aside(shared, &log.path, repairs),
        0 => shared.disk.remove(&log.path).map_err(Error::io("remove", &log.path)),
        from if from < len => shared.disk.truncate(&log.path, from).map_err(Error::io("cut", &log.path)),
        _ => Ok(()),
    }
}

pub(super) fn cut_log(
    shared: &Shared,
    id: &CaptureId,
    log: &LogRange,
    scan: &LogScan,
    repairs: &mut Vec<Repair>,
) -> Result<(), Error> {
    if scan.sound < scan.len {
        shared.disk.truncate(&log.path, log.from + scan.sound).map_err(Error::io("cut", &log.path))?;
        repairs.push(Repair::LogCut { log: id.to_string(), bytes: scan.len - scan.sound });
    }
    Ok(())
}

/// Enters visits the log lacks, and takes back those whose records are gone.
pub(crate) fn agree(
    shared: &Shared,
    (id, range): (&CaptureId, &LogRange),
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
    let mut writer = LogWriter::open(shared.disk.as_ref(), range, log.sound)?;
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
    (log.sound, log.ended) = (writer.len(), false);
    if !missing.is_empty() {
        repairs.push(Repair::Revived { capture: id.to_string(), visits: missing.len() as u64 });
    }
    Ok(())
}
