//! Messages on their way to people and programs: one file each, until somebody has taken it.
//!
//! A message is put here before what it tells of is called told, and taken away after its receiver said yes: after a crash it is
//! sent twice at worst, under the same id.

use crate::{
    Error,
    disk::{make_directory, put_file},
    door,
    layout::names,
};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
};
use tintype_vocab::{Span, Time};

const DIRECTORY: &str = "outbox";
const SUFFIX: &str = ".json";
const FILE_MAX: u64 = 64 << 20;
/// Messages that who only looks reads, and none that is larger.
const LOOK_MAX: usize = 200;
const LOOK_FILE_MAX: u64 = 1 << 20;
/// The first pause after a failure; every further one is twice as long...
const PAUSE_MIN: Span = Span::from_secs(60);
/// ...up to this.
const PAUSE_MAX: Span = Span::from_secs(6 * 3600);

/// Something to be delivered. Where to is for its rule to say: addresses and secrets are in nobody's outbox.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutboxMessage {
    /// The same however often it is sent.
    pub id: String,
    pub rule: String,
    pub made: Time,
    pub subject: String,
    /// For people.
    pub text: String,
    /// For programs.
    pub data: serde_json::Value,
    #[serde(default)]
    pub attempts: u32,
    /// Not to be sent before.
    pub due: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_failure: Option<String>,
}

impl OutboxMessage {
    /// It could not be delivered: it waits, longer every time, and is never thrown away.
    pub fn put_off(&mut self, why: &str, now: Time) {
        let doublings = self.attempts.min(10);
        self.attempts += 1;
        let pause = Span::from_millis((PAUSE_MIN.as_millis() << doublings).min(PAUSE_MAX.as_millis()));
        (self.due, self.last_failure) = (now + pause, Some(why.to_owned()));
    }
}

/// The outbox of a collection, held by one process at a time.
#[derive(Debug)]
pub struct Outbox {
    directory: PathBuf,
    _lock: File,
}

impl Outbox {
    /// Nothing if another process delivers.
    pub fn open(collection: &Path) -> Result<Option<Outbox>, Error> {
        let directory = collection.join(DIRECTORY);
        door::refuse_unless_directory(&directory).map_err(Error::io("use", &directory))?;
        make_directory(&directory).map_err(Error::io("make", &directory))?;
        let path = directory.join("lock");
        let lock = door::rewrite_or_make(&path).map_err(Error::io("open", &path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Outbox { directory, _lock: lock })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(Error::io("lock", &path)(error)),
        }
    }

    /// Keeps a message for good, in the place of the one with its id.
    pub fn put(&self, message: &OutboxMessage) -> Result<(), Error> {
        let path = self.path(&message.id);
        let bytes = serde_json::to_vec(message).expect("messages are plain data");
        put_file(&path, &bytes).map_err(Error::io("write", &path))
    }

    /// It was taken.
    pub fn remove(&self, id: &str) -> Result<(), Error> {
        let path = self.path(id);
        fs::remove_file(&path).map_err(Error::io("remove", &path))
    }

    /// All that wait, the oldest first. What cannot be read is passed over.
    pub fn messages(&self) -> Result<Vec<OutboxMessage>, Error> {
        messages(&self.directory, usize::MAX, FILE_MAX)
    }

    /// The same for who only looks, whoever delivers meanwhile, as far as one look goes; none where there is no outbox.
    pub fn waiting(collection: &Path) -> Result<Vec<OutboxMessage>, Error> {
        let directory = collection.join(DIRECTORY);
        door::refuse_unless_directory(&directory).map_err(Error::io("use", &directory))?;
        if directory.is_dir() { messages(&directory, LOOK_MAX, LOOK_FILE_MAX) } else { Ok(Vec::new()) }
    }

    fn path(&self, id: &str) -> PathBuf {
        let safe: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(100).collect();
        self.directory.join(format!("{safe}{SUFFIX}"))
    }
}

fn messages(directory: &Path, most: usize, bytes_max: u64) -> Result<Vec<OutboxMessage>, Error> {
    let names = names(directory, SUFFIX).map_err(Error::io("list", directory))?;
    let read = |name: &String| {
        let bytes = door::read(&directory.join(name), bytes_max).ok()?;
        serde_json::from_slice::<OutboxMessage>(&bytes).ok()
    };
    let mut messages: Vec<OutboxMessage> = names.iter().take(most).filter_map(read).collect();
    messages.sort_by(|one, two| (one.made, &one.id).cmp(&(two.made, &two.id)));
    Ok(messages)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(id: &str, made: i64) -> OutboxMessage {
        let made = Time::from_millis(made);
        let (rule, subject, text) = ("desk".to_owned(), "s".to_owned(), "t".to_owned());
        let data = serde_json::json!({ "items": [] });
        OutboxMessage { id: id.to_owned(), rule, made, subject, text, data, attempts: 0, due: made, last_failure: None }
    }

    #[test]
    fn a_message_stays_until_it_was_taken_and_one_process_holds_the_outbox() {
        let directory = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(directory.path()).unwrap().unwrap();
        assert!(Outbox::open(directory.path()).unwrap().is_none());
        assert!(Outbox::waiting(&directory.path().join("elsewhere")).unwrap().is_empty());
        outbox.put(&message("b", 1)).unwrap();
        outbox.put(&message("a", 2)).unwrap();
        outbox.put(&message("a", 2)).unwrap();
        assert_eq!(Outbox::waiting(directory.path()).unwrap().len(), 2, "who only looks needs no lock");
        drop(outbox);
        let outbox = Outbox::open(directory.path()).unwrap().unwrap();
        let ids = || outbox.messages().unwrap().into_iter().map(|message| message.id).collect::<Vec<_>>();
        assert_eq!(ids(), ["b", "a"]);
        outbox.remove("b").unwrap();
        assert_eq!(ids(), ["a"]);
    }

    #[test]
    fn pauses_double_up_to_six_hours() {
        let mut message = message("a", 0);
        let mut pauses = Vec::new();
        for _ in 0..12 {
            message.put_off("no connection", Time::from_millis(0));
            pauses.push(message.due.as_secs() / 60);
        }
        assert_eq!(pauses[..4], [1, 2, 4, 8]);
        assert_eq!((pauses[11], message.attempts), (360, 12));
    }
}
