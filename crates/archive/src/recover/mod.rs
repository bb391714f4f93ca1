//! What opening a collection mends: whatever a kill, a power cut or a full disk can leave behind.
//!
//! Every step can be interrupted and done again. A segment that was being written is cut behind its last whole visit (the
//! bytes beyond were never reported). A torn log line is cut, and visits the log of their capture does not know are
//! entered there. Then the segment is closed, and missing or stale indexes are made anew.

mod captures;
mod logs;
mod repairs;
mod segments;

pub(crate) use logs::agree;
pub use repairs::Repair;

use crate::{
    CaptureHead, CaptureId, Error,
    catalogue::{Catalogue, Survey},
    collection::Shared,
    log::range::LogRange,
};
use segments::Looked;
use std::collections::BTreeSet;

/// A capture as recovery leaves it.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub(crate) head: CaptureHead,
    pub(crate) ended: bool,
    pub(crate) log: LogRange,
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
    let Survey { unsettled, open, torn, stale } = shared.catalogue().survey(&shared.layout)?;
    for (name, sound, len) in torn {
        let path = shared.layout.log_file(&name);
        shared.disk.truncate(&path, sound).map_err(Error::io("cut", &path))?;
        repairs.push(Repair::LogCut { log: name, bytes: len - sound });
    }
    let mut looked = Looked::default();
    for name in &open {
        looked.look_into(shared, name, &mut repairs)?;
    }
    for id in unsettled {
        captures::mend(shared, &id, &looked, &mut repairs)?;
    }
    for name in &open {
        looked.close(shared, name, &mut repairs)?;
    }
    let doubtful: BTreeSet<String> = open.iter().cloned().chain(stale).collect();
    segments::mend_indexes(shared, &open, &doubtful, &mut repairs)?;
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
            Ok(Some(Recovered { head: info.head, ended: known.has_ended, log: known.log, log_len: known.bytes }))
        }
        _ => {
            // Records that wait to be written may be of this capture.
            shared.writing().sync()?;
            captures::mend(shared, id, &Looked::default(), &mut Vec::new())
        }
    }
}
