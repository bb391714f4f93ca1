//! Where things are in a collection, and how they are named.

use serde::{Deserialize, Serialize};
use std::{
    fmt, io,
    path::{Path, PathBuf},
};
use tintype_vocab::{Digest, Time};

/// Ends the name of a segment that is complete.
pub(crate) const SEGMENT_SUFFIX: &str = ".warc.gz";
/// Ends the name of a segment that is still being written.
pub(crate) const OPEN_SUFFIX: &str = ".warc.gz.open";
pub(crate) const INDEX_SUFFIX: &str = ".cdxj";
/// Ends the name of what tells where the blocks of a compressed index are.
pub(crate) const BLOCKS_SUFFIX: &str = ".idx";
/// Ends the name of an index of what a segment's own index leaves out.
pub(crate) const MORE_SUFFIX: &str = ".more.cdxj";
pub(crate) const LOG_SUFFIX: &str = ".jsonl";

const SLUG_MAX: usize = 60;

/// One capture of one site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CaptureId(String);

impl CaptureId {
    pub(crate) fn new(started: Time, site: &str) -> CaptureId {
        CaptureId(format!("{}-{}", started.to_timestamp17(), slug(site)))
    }

    /// The capture whose log has this stem. Whether there is one is for the collection to say.
    pub fn from_text(text: &str) -> CaptureId {
        CaptureId(text.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CaptureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The part of a site's name that is safe in a file name.
pub(crate) fn slug(site: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' };
    let slug: String = site.chars().take(SLUG_MAX).map(safe).collect();
    if slug.is_empty() { "site".to_owned() } else { slug }
}

/// The paths of one collection.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    root: PathBuf,
}

impl Layout {
    pub(crate) fn new(root: &Path) -> Layout {
        Layout { root: root.to_owned() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.root.join("lock")
    }

    pub(crate) fn version(&self) -> PathBuf {
        self.root.join("version")
    }

    pub(crate) fn warc(&self) -> PathBuf {
        self.root.join("warc")
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.root.join("index")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.root.join("log")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.root.join("state")
    }

    pub(crate) fn spool(&self) -> PathBuf {
        self.state().join("spool")
    }

    /// What captures began with, by digest.
    pub(crate) fn snapshots(&self) -> PathBuf {
        self.state().join("snapshots")
    }

    pub(crate) fn snapshot(&self, digest: &Digest) -> PathBuf {
        self.snapshots().join(digest.to_base32())
    }

    /// The catalogue without its extension; derived, may be deleted.
    pub(crate) fn catalogue(&self) -> PathBuf {
        self.state().join("catalogue")
    }

    pub(crate) fn segment(&self, name: &str) -> PathBuf {
        self.warc().join(name)
    }

    /// The file being written that will be `name` when closed.
    pub(crate) fn open_segment(&self, name: &str) -> PathBuf {
        self.warc().join(format!("{name}.open"))
    }

    pub(crate) fn index_of(&self, segment: &str) -> PathBuf {
        let stem = segment.strip_suffix(SEGMENT_SUFFIX).unwrap_or(segment);
        self.index().join(format!("{stem}{INDEX_SUFFIX}"))
    }

    /// The files of the index if it is compressed: its blocks, where replay tools find those, and where each block is.
    pub(crate) fn packed_index_of(&self, segment: &str) -> [PathBuf; 3] {
        let stem = segment.strip_suffix(SEGMENT_SUFFIX).unwrap_or(segment);
        [".cdx.gz", ".loc", BLOCKS_SUFFIX].map(|suffix| self.index().join(format!("{stem}{suffix}")))
    }

    /// The index of what [`Layout::index_of`] leaves out, where somebody asked for it. Replay tools read both.
    pub(crate) fn more_index_of(&self, segment: &str) -> PathBuf {
        let stem = segment.strip_suffix(SEGMENT_SUFFIX).unwrap_or(segment);
        self.index().join(format!("{stem}{MORE_SUFFIX}"))
    }

    /// The segment that an index file is of.
    pub(crate) fn indexed_by(&self, index: &str) -> PathBuf {
        let suffixes = [MORE_SUFFIX, INDEX_SUFFIX, BLOCKS_SUFFIX];
        let stem = suffixes.iter().find_map(|suffix| index.strip_suffix(suffix)).unwrap_or(index);
        self.segment(&format!("{stem}{SEGMENT_SUFFIX}"))
    }

    /// A log by its name, which is that of its first capture.
    pub(crate) fn log_file(&self, name: &str) -> PathBuf {
        self.log().join(format!("{name}{LOG_SUFFIX}"))
    }

    /// The name for a log that begins with a capture: logs that hold it already stay as they are.
    pub(crate) fn free_log(&self, id: &CaptureId) -> String {
        let name = |nth: u32| if nth == 1 { id.to_string() } else { format!("{id}~{nth}") };
        (1..).map(name).find(|name| !self.log_file(name).exists()).expect("some number is free")
    }

    /// The index lines so far of a segment being written; derived, may be deleted.
    pub(crate) fn journal_of(&self, segment: &str) -> PathBuf {
        self.state().join(format!("{segment}.lines"))
    }

    /// What a scheduler goes on from; derived, may be deleted.
    pub(crate) fn checkpoint_of(&self, id: &CaptureId) -> PathBuf {
        self.state().join(format!("{id}.checkpoint"))
    }

    /// The derived state of a site, without the extension its store adds.
    pub(crate) fn state_of(&self, site: &str) -> PathBuf {
        self.state().join(format!("{}-{:016x}", slug(site), site_number(site)))
    }
}

/// A stable number for a site's name, the same in every process and on every machine.
pub(crate) fn site_number(site: &str) -> u64 {
    rapidhash::v3::rapidhash_v3(site.as_bytes())
}

/// The names in `directory` that end in `suffix`, sorted; none if the directory is not there.
pub(crate) fn names(directory: &Path, suffix: &str) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut names = Vec::new();
    for entry in entries {
        if let Ok(name) = entry?.file_name().into_string()
            && name.ends_with(suffix)
        {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_whatever_the_site_is_called() {
        assert_eq!(slug("Example.com:8080"), "example.com-8080");
        assert_eq!(slug("../../etc"), "..-..-etc");
        assert_eq!(slug("bücher.de/ü"), "b-cher.de--");
        assert_eq!(slug(""), "site");
        assert!(slug(&"a".repeat(500)).len() <= SLUG_MAX);
        let id = CaptureId::new(Time::from_millis(1_794_779_703_042), "a-b.org");
        assert_eq!(id.as_str(), "20261115215503042-a-b.org");
    }
}
