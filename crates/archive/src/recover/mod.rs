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
    repair::aside,
};
use segments::Looked;
use std::{collections::BTreeSet, path::Path};

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
    let strange = shared.layout.passed_over()?;
    let name_of = |(directory, name): (&str, String)| format!("{directory}/{name}");
    let mut repairs: Vec<Repair> =
        strange.into_iter().map(|strange| Repair::PassedOver { name: name_of(strange) }).collect();
    // What no sync is known to have saved is written again before it is believed.
    for (name, from) in shared.catalogue().grown_logs(&shared.layout)? {
        let path = shared.layout.log_file(&name);
        shared.disk.write_again(&path, from).map_err(Error::io("sync", &path))?;
    }
    let Survey { unsettled, open, torn, stale, foreign } = shared.catalogue().survey(&shared.layout)?;
    for (name, sound, len) in torn {
        let path = shared.layout.log_file(&name);
        shared.disk.truncate(&path, sound).map_err(Error::io("cut", &path))?;
        repairs.push(Repair::LogCut { log: name, bytes: len - sound });
    }
    for name in foreign {
        set_aside(shared, &shared.layout.open_segment(&name), &mut repairs)?;
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

/// Gives a file that nothing proves to be ours another name, which keeps it out of the way as it is.
fn set_aside(shared: &Shared, path: &Path, repairs: &mut Vec<Repair>) -> Result<(), Error> {
    let aside = aside(path);
    shared.disk.rename(path, &aside).map_err(Error::io("set aside", path))?;
    let directory = path.parent().unwrap_or(path);
    shared.disk.sync_dir(directory).map_err(Error::io("sync", directory))?;
    let below = |path: &Path| path.strip_prefix(shared.layout.root()).unwrap_or(path).display().to_string();
    repairs.push(Repair::SetAside { name: below(path), to: below(&aside) });
    Ok(())
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
