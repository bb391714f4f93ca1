//! Segments that were being written when the last process died.

use super::Repair;
use crate::{
    CaptureId, Error,
    collection::Shared,
    door, index,
    scan::{self, SegmentScan},
};
use hashbrown::HashMap;
use std::{collections::BTreeSet, path::PathBuf};

/// Segments as they were found, from the first visit on that a log may not tell.
#[derive(Debug, Default)]
pub(super) struct Looked(HashMap<String, SegmentScan>);

/// The file of a segment, whether it has its final name or not.
pub(super) fn path_of(shared: &Shared, name: &str) -> PathBuf {
    let open = shared.layout.open_segment(name);
    if door::is_file(&open) { open } else { shared.layout.segment(name) }
}

impl Looked {
    /// Reads the end of a segment that was being written and cuts what is no whole visit. What no sync is known to have
    /// saved is written again before it is believed.
    pub(super) fn look_into(&mut self, shared: &Shared, name: &str, repairs: &mut Vec<Repair>) -> Result<(), Error> {
        let path = path_of(shared, name);
        let (sound, untold) = {
            let catalogue = shared.catalogue();
            (catalogue.sound_of_open(name)?.unwrap_or_default(), catalogue.first_untold(name)?)
        };
        let len = door::len(&path).map_err(Error::io("read", &path))?;
        let from = if len < sound { 0 } else { untold.map_or(sound, |untold| untold.min(sound)) };
        shared.disk.write_again(&path, from).map_err(Error::io("sync", &path))?;
        let mut found = scan::segment_from(&path, from).map_err(Error::io("read", &path))?;
        // What was closed once is not shortened: verify and repair know more.
        let is_ours = path == shared.layout.open_segment(name) || found.whole >= sound;
        if found.whole < found.len && is_ours {
            shared.disk.truncate(&path, found.whole).map_err(Error::io("cut", &path))?;
            shared.catalogue().cut_written(name, found.whole)?;
            repairs.push(Repair::SegmentCut { segment: name.to_owned(), bytes: found.len - found.whole });
            (found.sound, found.len) = (found.whole, found.whole);
        }
        self.0.insert(name.to_owned(), found);
        Ok(())
    }

    /// The visits of one capture in a segment, from a byte on. Only of a segment that was being written, or is not there,
    /// the end is known; what of another cannot be read is for verify to say.
    pub(super) fn visits(&self, shared: &Shared, name: &str, id: &CaptureId, from: u64) -> Result<SegmentScan, Error> {
        let (path, number) = (path_of(shared, name), shared.catalogue().number_in(name, id)?);
        if !door::is_file(&path) {
            return Ok(SegmentScan::default());
        }
        let read;
        let found = match self.0.get(name).filter(|scan| scan.from <= from) {
            Some(found) => found,
            None => {
                read = scan::segment_from(&path, from).map_err(Error::io("read", &path))?;
                &read
            }
        };
        let visits = found.visits.iter().filter(|visit| Some(visit.tag.capture) == number && visit.offset >= from);
        let visits = visits.cloned().collect();
        let sound = if self.0.contains_key(name) { found.sound } else { found.len };
        Ok(SegmentScan { visits, sound, len: found.len, ..SegmentScan::default() })
    }

    /// Gives a segment its final name, unless there is no visit in it.
    pub(super) fn close(&self, shared: &Shared, name: &str, repairs: &mut Vec<Repair>) -> Result<(), Error> {
        let (open, closed) = (shared.layout.open_segment(name), shared.layout.segment(name));
        if !door::is_file(&open) {
            return Ok(());
        }
        let disk = shared.disk.as_ref();
        let is_empty = self.0.get(name).is_some_and(|found| found.visits.is_empty() && is_beginning(found));
        if is_empty {
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
}

/// Whether nothing lies before what was read but, at most, what captures say of themselves.
fn is_beginning(found: &SegmentScan) -> bool {
    found.from == 0
}

/// Indexes that are missing, or older than what they index.
pub(super) fn mend_indexes(
    shared: &Shared,
    open: &[String],
    doubtful: &BTreeSet<String>,
    repairs: &mut Vec<Repair>,
) -> Result<(), Error> {
    for name in doubtful {
        let path = shared.layout.segment(name);
        if !door::is_file(&path) || shared.catalogue().is_current(&shared.layout, name)? {
            continue;
        }
        // Of a segment that was not being written there may be a journal of another time.
        let was_open = open.contains(name);
        let known = if was_open { index::journal::read(&shared.layout, name) } else { Default::default() };
        let made = index::completed(&path, name, known).map_err(Error::io("read", &path))?;
        if made.valid_up_to < made.len {
            repairs.push(Repair::SegmentDamaged { segment: name.clone(), sound: made.valid_up_to, len: made.len });
        }
        let sizes = index::write(shared.disk.as_ref(), &shared.layout, name, made.len, &made.lines)?;
        shared.catalogue().close_segment(name, sizes, made.valid_up_to)?;
        index::journal::forget(&shared.layout, name);
        repairs.push(Repair::IndexMade { segment: name.clone() });
    }
    Ok(())
}
