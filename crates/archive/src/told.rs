//! What each reader of the change feed was told: a file of event numbers per reader, which only grows.
//!
//! A reader is a person or a rule. This is no derived state: nothing else knows what somebody has read.

use crate::{
    Error,
    disk::{Disk, FileSystem},
    door,
};
use std::{
    collections::BTreeSet,
    io::ErrorKind,
    path::{Path, PathBuf},
};
use tintype_vocab::Time;

/// The directory of readers in a collection.
const DIRECTORY: &str = "readers";
const NAME_MAX: usize = 80;
/// No honest file is longer: so many events take years to happen.
const FILE_MAX: u64 = 1 << 30;

/// What one reader was told.
#[derive(Debug)]
pub struct ToldEvents {
    path: PathBuf,
    events: BTreeSet<u64>,
    last: Option<Time>,
    since: Option<Time>,
    is_torn: bool,
}

impl ToldEvents {
    /// Of a reader of that name; nothing was told to a new one.
    pub fn open(collection: &Path, reader: &str) -> Result<ToldEvents, Error> {
        let directory = collection.join(DIRECTORY);
        door::refuse_unless_directory(&directory).map_err(Error::io("use", &directory))?;
        let path = directory.join(format!("{}.told", safe_name(reader)));
        let text = match door::read_text(&path, FILE_MAX) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(Error::io("read", &path))?,
        };
        let mut told = ToldEvents {
            path,
            events: BTreeSet::new(),
            last: None,
            since: None,
            is_torn: !text.is_empty() && !text.ends_with('\n'),
        };
        // The last line may be torn; what it says is told again.
        text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')).for_each(|line| told.take(line));
        Ok(told)
    }

    fn take(&mut self, line: &str) {
        let time = |text: &str| text.parse().ok().map(Time::from_millis);
        match line.split_once(' ') {
            Some(("at", text)) => self.last = time(text).or(self.last),
            Some(("since", text)) => self.since = self.since.or(time(text)),
            _ if line.len() == 16 => self.events.extend(u64::from_str_radix(line, 16)),
            _ => {}
        }
    }

    pub fn events(&self) -> &BTreeSet<u64> {
        &self.events
    }

    /// When something was told last.
    pub fn last(&self) -> Option<Time> {
        self.last
    }

    /// What happened earlier is of no interest to this reader.
    pub fn since(&self) -> Option<Time> {
        self.since
    }

    /// From now on it is a reader, and what happened before `since` is of no interest to it.
    pub fn begin(&mut self, since: Time) -> Result<(), Error> {
        self.append(&format!("since {}\n", since.as_millis()))
    }

    /// Remembers for good that these were told.
    pub fn tell(&mut self, events: impl IntoIterator<Item = u64>, now: Time) -> Result<(), Error> {
        let new: BTreeSet<u64> = events.into_iter().filter(|event| !self.events.contains(event)).collect();
        let lines: String = new.iter().map(|event| format!("{event:016x}\n")).collect();
        self.append(&format!("{lines}at {}\n", now.as_millis()))
    }

    fn append(&mut self, lines: &str) -> Result<(), Error> {
        let write = || -> std::io::Result<()> {
            FileSystem.create_dir(self.path.parent().unwrap_or(Path::new(".")))?;
            let mut file = FileSystem.append(&self.path)?;
            if self.is_torn {
                file.append(b"\n")?;
            }
            file.append(lines.as_bytes())?;
            file.sync()
        };
        write().map_err(Error::io("write", &self.path))?;
        self.is_torn = false;
        lines.lines().for_each(|line| self.take(line));
        Ok(())
    }
}

/// A name that is safe in a file name.
fn safe_name(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = name.chars().take(NAME_MAX).map(safe).collect();
    if name.trim_matches('.').is_empty() { "reader".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_was_told_is_told_no_more_also_after_a_torn_line() {
        let directory = tempfile::tempdir().unwrap();
        let open = || ToldEvents::open(directory.path(), "desk/../x").unwrap();
        let mut told = open();
        assert!(told.events().is_empty() && told.last().is_none());
        told.begin(Time::from_millis(5)).unwrap();
        told.tell([7, 9], Time::from_millis(1000)).unwrap();
        let file = fs::read_dir(directory.path().join("readers")).unwrap().next().unwrap().unwrap().path();
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text + "00000000000000").unwrap();
        let mut told = open();
        assert_eq!((told.events(), told.last()), (&BTreeSet::from([7, 9]), Some(Time::from_millis(1000))));
        told.tell([11], Time::from_millis(2000)).unwrap();
        let told = open();
        assert_eq!(told.events(), &BTreeSet::from([7, 9, 11]));
        assert_eq!((told.last(), told.since()), (Some(Time::from_millis(2000)), Some(Time::from_millis(5))));
    }
}
