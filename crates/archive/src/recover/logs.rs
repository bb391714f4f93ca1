//! Logs that end within a line, or without what their segments say.

use super::{Repair, segments::path_of};
use crate::{
    CaptureHead, CaptureId, Error,
    collection::Shared,
    log::writer::LogWriter,
    scan::{self, LogScan, SegmentScan},
    state::State,
};
use std::path::Path;
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

/// Cuts a torn end; writes a log without beginning again.
pub(super) fn mend_log(
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
    let Some(head) = stated_head(shared, id, segments)? else {
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

pub(super) fn cut_log(
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
        shared.catalogue().drop_checkpoint(id)?;
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
