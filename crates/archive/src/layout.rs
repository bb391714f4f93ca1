//! Where things are in a collection, and how they are named.

use crate::{Error, door};
use serde::{Deserialize, Serialize};
use std::{
    borrow::Cow,
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
/// Ends the name of what tells which indexes were merged.
pub(crate) const MERGED_SUFFIX: &str = ".of";
pub(crate) const LOG_SUFFIX: &str = ".jsonl";
/// Ends the name of the index lines so far of a segment being written.
pub(crate) const JOURNAL_SUFFIX: &str = ".lines";

/// The directory of merged indexes.
const MERGED: &str = "merged";
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

    /// Names that were found in public space.
    pub(crate) fn public_hosts(&self) -> PathBuf {
        self.root().join("public-hosts")
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
        self.warc().join(inside(name).as_ref())
    }

    /// The file being written that will be `name` when closed.
    pub(crate) fn open_segment(&self, name: &str) -> PathBuf {
        self.warc().join(format!("{}.open", inside(name)))
    }

    pub(crate) fn index_of(&self, segment: &str) -> PathBuf {
        self.index().join(format!("{}{INDEX_SUFFIX}", stem(segment)))
    }

    /// The files of the index if it is compressed: its blocks, where replay tools find those, and where each block is.
    pub(crate) fn packed_index_of(&self, segment: &str) -> [PathBuf; 3] {
        let stem = stem(segment);
        [".cdx.gz", ".loc", BLOCKS_SUFFIX].map(|suffix| self.index().join(format!("{stem}{suffix}")))
    }

    /// The index of what [`Layout::index_of`] leaves out, where somebody asked for it. Replay tools read both.
    pub(crate) fn more_index_of(&self, segment: &str) -> PathBuf {
        self.index().join(format!("{}{MORE_SUFFIX}", stem(segment)))
    }

    /// Where the merged indexes are; derived, may be deleted.
    pub(crate) fn merged(&self) -> PathBuf {
        self.index().join(MERGED)
    }

    /// The files of a merged index, as [`Layout::packed_index_of`] has them, and last what tells of which indexes it is.
    pub(crate) fn merged_index(&self, stem: &str) -> [PathBuf; 4] {
        [".cdx.gz", ".loc", BLOCKS_SUFFIX, MERGED_SUFFIX]
            .map(|suffix| self.merged().join(format!("{}{suffix}", inside(stem))))
    }

    /// The segment that an index file is of.
    pub(crate) fn indexed_by(&self, index: &str) -> PathBuf {
        let suffixes = [MORE_SUFFIX, INDEX_SUFFIX, BLOCKS_SUFFIX];
        let stem = suffixes.iter().find_map(|suffix| index.strip_suffix(suffix)).unwrap_or(index);
        self.segment(&format!("{stem}{SEGMENT_SUFFIX}"))
    }

    /// The directories of a collection are its own: one that is a link would take everything below it elsewhere.
    pub(crate) fn refuse_linked_directories(&self) -> Result<(), Error> {
        let index = [self.index(), self.merged()];
        let directories = [self.warc(), self.log(), self.state(), self.spool(), self.snapshots()];
        let directories = index.iter().chain(&directories);
        directories.into_iter().try_for_each(|path| door::refuse_unless_directory(path).map_err(Error::io("use", path)))
    }

    /// What is never opened because it is no plain file (links, pipes, devices, directories): where, and its name.
    pub(crate) fn passed_over(&self) -> Result<Vec<(&'static str, String)>, Error> {
        let mut all = Vec::new();
        for name in ["warc", "index", "log"] {
            let directory = self.root.join(name);
            let is_merged = |found: &str| name == "index" && found == MERGED;
            let strange = listed(&directory, |found, is_file| !is_file && !is_merged(found))
                .map_err(Error::io("list", &directory))?;
            all.extend(strange.into_iter().map(|strange| (name, strange)));
        }
        Ok(all)
    }

    /// A log by its name, which is that of its first capture.
    pub(crate) fn log_file(&self, name: &str) -> PathBuf {
        self.log().join(format!("{}{LOG_SUFFIX}", inside(name)))
    }

    /// The name for a log that begins with a capture: logs that hold it already stay as they are.
    pub(crate) fn free_log(&self, id: &CaptureId) -> String {
        let name = |nth: u32| if nth == 1 { id.to_string() } else { format!("{id}~{nth}") };
        (1..).map(name).find(|name| !door::is_taken(&self.log_file(name))).expect("some number is free")
    }

    /// The index lines so far of a segment being written; derived, may be deleted.
    pub(crate) fn journal_of(&self, segment: &str) -> PathBuf {
        self.state().join(format!("{}{JOURNAL_SUFFIX}", inside(segment)))
    }

    /// What a scheduler goes on from; derived, may be deleted.
    pub(crate) fn checkpoint_of(&self, id: &CaptureId) -> PathBuf {
        self.state().join(format!("{}.checkpoint", inside(id.as_str())))
    }

    /// What a capture has no room for in memory; derived, may be deleted.
    pub(crate) fn outside_of(&self, id: &CaptureId) -> PathBuf {
        self.state().join(format!("{}.outside", inside(id.as_str())))
    }

    /// What a site that is kept is known to be; derived, may be deleted.
    pub(crate) fn saved_site(&self, site: &str) -> PathBuf {
        self.state().join(format!("{}-{:016x}.kept", slug(site), site_number(site)))
    }

    /// The derived state of a site, without the extension its store adds.
    pub(crate) fn state_of(&self, site: &str) -> PathBuf {
        self.state().join(format!("{}-{:016x}", slug(site), site_number(site)))
    }
}

fn stem(segment: &str) -> Cow<'_, str> {
    inside(segment.strip_suffix(SEGMENT_SUFFIX).unwrap_or(segment))
}

/// A stable number for a site's name, the same in every process and on every machine.
pub(crate) fn site_number(site: &str) -> u64 {
    rapidhash::v3::rapidhash_v3(site.as_bytes())
}

/// The names of plain files in `directory` that end in `suffix`, sorted; none if the directory is not there.
pub(crate) fn names(directory: &Path, suffix: &str) -> io::Result<Vec<String>> {
    listed(directory, |name, is_file| is_file && name.ends_with(suffix))
}

fn listed(directory: &Path, wanted: impl Fn(&str, bool) -> bool) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry?;
        if let Ok(name) = entry.file_name().into_string()
            && wanted(&name, entry.file_type().is_ok_and(|kind| kind.is_file()))
        {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// A name as logs and databases give it, which leads nowhere but into the directory it is looked for in.
fn inside(name: &str) -> Cow<'_, str> {
    let leads_out = |c: char| c == '/' || c == '\\' || c == '\0';
    if name.contains(leads_out) { name.replace(leads_out, "_").into() } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_collection() {
        let layout = Layout::new(Path::new("c"));
        let name = "../../victim";
        let id = CaptureId::from_text(name);
        let paths = [
            layout.segment(name),
            layout.open_segment(name),
            layout.index_of(name),
            layout.more_index_of(name),
            layout.log_file(name),
            layout.journal_of(name),
            layout.checkpoint_of(&id),
        ];
        for path in &layout.merged_index(name) {
            assert_eq!(path.components().count(), 4, "{}", path.display());
        }
        for path in paths.iter().chain(&layout.packed_index_of(name)) {
            assert_eq!(path.components().count(), 3, "{}", path.display());
            assert!(!path.ends_with(".."), "{}", path.display());
        }
    }

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
