//! What must be remembered of hosts between runs: `state/hosts.jsonl`, a line per change, the last of a host counts.
//!
//! A line is handed to the operating system before the request it speaks of is sent, so a killed process forgets nothing.
//! It is not synced: what a power cut takes away is at most the pauses of the last seconds. What the lines say is for
//! their owner to know.

use crate::{
    Collection, Error,
    disk::{Append, Disk, FileSystem, publish},
    door,
    layout::Layout,
};
use std::{
    io::Read,
    path::{Path, PathBuf},
};

/// The file is written anew once this much was appended.
const APPENDED_MAX: u64 = 1 << 20;
/// More than any run leaves behind; what lies beyond is not read.
const READ_MAX: u64 = 64 << 20;

/// The table, open for adding lines.
#[derive(Debug)]
pub struct HostTable {
    path: PathBuf,
    file: Option<Box<dyn Append>>,
    appended: u64,
}

impl HostTable {
    /// Opens the table of a collection, and gives back its lines. What is no plain file is put out of the way, never
    /// followed or written to.
    pub fn open(collection: &Collection) -> Result<(HostTable, Vec<String>), Error> {
        let path = Layout::new(collection.path()).state().join("hosts.jsonl");
        let found = std::fs::symlink_metadata(&path);
        let lines = if found.as_ref().is_ok_and(|found| found.is_file()) { read(&path)? } else { Vec::new() };
        let mut table = HostTable { path, file: None, appended: 0 };
        if found.is_ok_and(|found| !found.is_file()) {
            table.replace(&[])?;
        }
        Ok((table, lines))
    }

    /// Adds lines at the end.
    pub fn append(&mut self, lines: &[String]) -> Result<(), Error> {
        if self.file.is_none() {
            self.file = Some(FileSystem.append(&self.path).map_err(Error::io("open", &self.path))?);
        }
        let text = joined(lines);
        let file = self.file.as_mut().expect("just opened");
        file.append(text.as_bytes()).map_err(Error::io("write", &self.path))?;
        self.appended += text.len() as u64;
        Ok(())
    }

    /// Whether so much was appended that the table is better written anew.
    pub fn is_long(&self) -> bool {
        self.appended > APPENDED_MAX
    }

    /// Puts these lines in the place of all others.
    pub fn replace(&mut self, lines: &[String]) -> Result<(), Error> {
        self.file = None;
        self.appended = 0;
        publish(&FileSystem, &self.path, joined(lines).as_bytes()).map_err(Error::io("write", &self.path))
    }
}

fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

fn read(path: &Path) -> Result<Vec<String>, Error> {
    let mut bytes = Vec::new();
    let file = door::open_file(path).map_err(Error::io("open", path))?;
    file.take(READ_MAX).read_to_end(&mut bytes).map_err(Error::io("read", path))?;
    Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OpenOptions;
    use tintype_vocab::Time;

    fn collection(path: &Path) -> Collection {
        let options = OpenOptions { create: true, command: "test".to_owned(), now: Time::from_secs(0) };
        Collection::open(path, options).unwrap()
    }

    #[test]
    fn lines_are_kept_between_runs_and_replaced_as_a_whole() {
        let directory = tempfile::tempdir().unwrap();
        let collection = collection(directory.path());
        let (mut table, lines) = HostTable::open(&collection).unwrap();
        assert!(lines.is_empty());
        table.append(&["a".to_owned(), "b".to_owned()]).unwrap();
        assert_eq!(HostTable::open(&collection).unwrap().1, ["a", "b"], "without closing it first");
        table.replace(&["c".to_owned()]).unwrap();
        table.append(&["d".to_owned()]).unwrap();
        assert_eq!(HostTable::open(&collection).unwrap().1, ["c", "d"]);
        assert!(!table.is_long());
        table.append(&["x".repeat(APPENDED_MAX as usize)]).unwrap();
        assert!(table.is_long());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let directory = tempfile::tempdir().unwrap();
        let collection = collection(directory.path());
        let victim = directory.path().join("victim");
        std::fs::write(&victim, "mine\n").unwrap();
        std::os::unix::fs::symlink(&victim, directory.path().join("state/hosts.jsonl")).unwrap();
        let (mut table, lines) = HostTable::open(&collection).unwrap();
        assert!(lines.is_empty());
        table.append(&["c".to_owned()]).unwrap();
        assert_eq!(HostTable::open(&collection).unwrap().1, ["c"]);
        assert_eq!(std::fs::read_to_string(victim).unwrap(), "mine\n");
    }
}
