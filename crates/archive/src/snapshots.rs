//! What captures began with, kept by digest, so that each can name it.

use crate::{Collection, Derived, Error, Reading, catalogue::Catalogue, disk::publish, door, layout::Layout};
use std::{path::PathBuf, time::SystemTime};
use tintype_vocab::Digest;
use tintype_warc::digest::sha1;

/// No honest one is larger.
const SNAPSHOT_MAX: u64 = 1 << 30;
/// Snapshots that are kept, the latest ones: captures that began with an older one are replayed from what the logs tell.
const SNAPSHOTS_MAX: usize = 32;

impl Collection {
    /// Keeps what a capture begins with, once for all that begin with the same; [`Reading::snapshot`] gives it back.
    pub fn keep_snapshot(&self, bytes: &[u8]) -> Result<Digest, Error> {
        let digest = sha1(bytes);
        let path = self.layout().snapshot(&digest);
        if !door::is_file(&path) {
            let directory = self.layout().snapshots();
            self.disk().create_dir(&directory).map_err(Error::io("create", &directory))?;
            publish(self.disk(), &path, bytes).map_err(Error::io("write", &path))?;
            self.drop_old_snapshots(&path);
        }
        Ok(digest)
    }

    /// Whether a snapshot is still there for a capture to begin with. One that is about to be dropped is made one of the
    /// latest again.
    pub fn goes_on_with(&self, digest: &Digest) -> Result<bool, Error> {
        let path = self.layout().snapshot(digest);
        let mut snapshots = dated_files(self.layout());
        snapshots.sort();
        let Some(place) = snapshots.iter().position(|(_, snapshot)| *snapshot == path) else { return Ok(false) };
        if snapshots.len() - place > SNAPSHOTS_MAX / 2 {
            let Some(bytes) = self.reading().snapshot(digest) else { return Ok(false) };
            publish(self.disk(), &path, &bytes).map_err(Error::io("write", &path))?;
        }
        Ok(true)
    }

    /// Whatever cannot be removed now can be later.
    fn drop_old_snapshots(&self, newest: &PathBuf) {
        let mut snapshots: Vec<(SystemTime, PathBuf)> = dated_files(self.layout());
        snapshots.retain(|(_, path)| path != newest);
        snapshots.sort();
        for (_, path) in snapshots.iter().take(snapshots.len().saturating_sub(SNAPSHOTS_MAX - 1)) {
            let _ = self.disk().remove(path);
        }
    }
}

fn dated_files(layout: &Layout) -> Vec<(SystemTime, PathBuf)> {
    let entries = std::fs::read_dir(layout.snapshots()).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect()
}

impl Reading {
    /// What was learned across all sites and kept under this name. Derived and never needed, so what cannot be read is
    /// nothing.
    pub fn derived(&self, name: &str) -> Option<Derived> {
        Catalogue::read(self.layout())?.derived(name).ok().flatten()
    }

    /// The snapshot of this digest, if it is still there and is what it was.
    pub fn snapshot(&self, digest: &Digest) -> Option<Vec<u8>> {
        door::read(&self.layout().snapshot(digest), SNAPSHOT_MAX).ok().filter(|bytes| sha1(bytes) == *digest)
    }
}
