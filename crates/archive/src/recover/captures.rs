//! Captures whose log and segments may not say the same.

use super::{
    Recovered, Repair,
    logs::{agree, cut_log, mend_log},
    segments::{Looked, path_of},
};
use crate::{
    CaptureHead, CaptureId, Error,
    catalogue::Recorded,
    collection::Shared,
    door,
    log::{range::LogRange, reader},
    scan::LogScan,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// Brings a capture into order. Nothing if there is nothing left of it.
pub(super) fn mend(
    shared: &Shared,
    id: &CaptureId,
    looked: &Looked,
    repairs: &mut Vec<Repair>,
) -> Result<Option<Recovered>, Error> {
    let (info, known) = {
        let catalogue = shared.catalogue();
        (catalogue.info(id)?, catalogue.recorded(id)?)
    };
    if let (Some(info), Some(known)) = (info, known)
        && let Some(tail) = Tail::of(shared, &known)?
    {
        return tail.mend(shared, id, info.head, looked, repairs).map(Some);
    }
    mend_whole(shared, id, looked, repairs)
}

/// What was written of a capture since the catalogue was told how much is on disk.
struct Tail {
    log: LogRange,
    log_from: u64,
    /// Segments that may have visits which the log does not tell, with where those begin.
    segments: BTreeMap<String, u64>,
}

impl Tail {
    /// Nothing unless what is known is there.
    fn of(shared: &Shared, known: &Recorded) -> Result<Option<Tail>, Error> {
        let has = |path: &Path, bytes: u64| door::len(path).is_ok_and(|len| len >= bytes);
        let log = known.log.clone();
        if known.bytes == 0 || !has(&log.path, log.from + known.bytes) {
            return Ok(None);
        }
        let Some(first) = &known.segment else {
            return Ok(Some(Tail { log, log_from: known.bytes, segments: BTreeMap::new() }));
        };
        if known.segment_bytes > 0 && !has(&path_of(shared, first), known.segment_bytes) {
            return Ok(None);
        }
        let mut segments: BTreeMap<_, _> = shared.catalogue().segments_from(&known.id, first)?.into_iter().collect();
        segments.entry(first.clone()).and_modify(|from| *from = known.segment_bytes.max(*from));
        Ok(Some(Tail { log, log_from: known.bytes, segments }))
    }

    /// What no sync is known to have saved is written again before it is believed.
    fn mend(
        self,
        shared: &Shared,
        id: &CaptureId,
        head: CaptureHead,
        looked: &Looked,
        repairs: &mut Vec<Repair>,
    ) -> Result<Recovered, Error> {
        let Tail { log: range, log_from, mut segments } = self;
        shared.disk.write_again(&range.path, range.from + log_from).map_err(Error::io("sync", &range.path))?;
        let mut log = LogScan::from_byte(&range, log_from)?;
        cut_log(shared, id, &range, &log, repairs)?;
        // What was announced in a segment may have been cut from it.
        for name in log.records.keys() {
            segments.entry(name.clone()).or_default();
        }
        for (name, from) in &segments {
            let found = looked.visits(shared, name, id, *from)?;
            agree(shared, (id, &range), &head, name, &found, &mut log, repairs)?;
        }
        settle(shared, id, head, range, &log)
    }
}

/// Holds all of a capture's log against all of its segments.
fn mend_whole(
    shared: &Shared,
    id: &CaptureId,
    looked: &Looked,
    repairs: &mut Vec<Repair>,
) -> Result<Option<Recovered>, Error> {
    let own = shared.catalogue().segments_of(id)?;
    let Some((head, range, mut log)) = mend_log(shared, id, &own, repairs)? else {
        shared.catalogue().drop_capture(id)?;
        return Ok(None);
    };
    shared.catalogue().put_capture(id, &head, None, 0, false)?;
    let named: BTreeSet<String> = own.into_iter().chain(log.records.keys().cloned()).collect();
    for name in &named {
        let found = looked.visits(shared, name, id, 0)?;
        agree(shared, (id, &range), &head, name, &found, &mut log, repairs)?;
    }
    settle(shared, id, head, range, &log).map(Some)
}

/// Says in the catalogue that log and segments agree.
fn settle(
    shared: &Shared,
    id: &CaptureId,
    head: CaptureHead,
    range: LogRange,
    log: &LogScan,
) -> Result<Recovered, Error> {
    let whole = LogRange { to: Some(range.from + log.sound), ..range.clone() };
    let end = if log.ended { reader::end(&whole)? } else { None };
    let catalogue = shared.catalogue();
    match &end {
        Some(end) => catalogue.put_capture(id, &head, Some(end), log.sound, true)?,
        None => catalogue.settle(id, log.sound)?,
    }
    Ok(Recovered { head, ended: end.is_some(), log: range, log_len: log.sound })
}
