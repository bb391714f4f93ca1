//! One process at a time writes a collection; the next one is told which.

use crate::{Error, door};
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    fs::{File, TryLockError},
    io::{Read, Seek, Write},
    path::Path,
};
use tintype_vocab::Time;

/// Who holds a collection. Advisory: the operating system's lock decides, this only says by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    pub pid: u32,
    pub host: String,
    pub command: String,
    pub since: Time,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pid == 0 {
            return f.write_str("another process");
        }
        let Holder { pid, host, command, since } = self;
        write!(f, "process {pid} on {host} ({command}), since {}", since.to_rfc3339_secs())
    }
}

/// Held while it lives; the system lets go of it when the process dies, however it dies.
#[derive(Debug)]
pub(crate) struct Lock(#[expect(dead_code, reason = "the open file is the lock")] File);

impl Lock {
    pub(crate) fn take(path: &Path, holder: &Holder) -> Result<Lock, Error> {
        let failed = || Error::io("lock", path);
        let mut file = door::rewrite_or_make(path).map_err(failed())?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Locked {
                    path: path.parent().unwrap_or(path).to_owned(),
                    holder: named_in(&mut file),
                });
            }
            Err(TryLockError::Error(error)) => return Err(failed()(error)),
        }
        let text = serde_json::to_vec(holder).expect("a holder is plain data");
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(&text)).map_err(failed())?;
        Ok(Lock(file))
    }
}

/// Whoever holds the lock, without trying to take it: a process that begins just then must not find it taken. Only where the
/// system lists its locks.
pub(crate) fn holder(path: &Path) -> Option<Holder> {
    let mut file = door::open_file(path).ok()?;
    let inode = inode(&file)?;
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let named = named_in(&mut file);
    let is_ours = |line: &&str| line.contains(" FLOCK ") && line.split_whitespace().any(|word| word.ends_with(&inode));
    let mut holding =
        locks.lines().filter(is_ours).filter_map(|line| line.split_whitespace().nth(4)?.parse::<u32>().ok());
    holding.any(|pid| pid == named.pid).then_some(named)
}

#[cfg(unix)]
fn inode(file: &File) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    Some(format!(":{}", file.metadata().ok()?.ino()))
}

#[cfg(not(unix))]
fn inode(_: &File) -> Option<String> {
    None
}

/// Whoever wrote the file; an unknown process if it has not finished writing.
fn named_in(file: &mut File) -> Holder {
    let mut text = Vec::new();
    let read = file.take(1 << 16).read_to_end(&mut text);
    let named = read.ok().and_then(|_| serde_json::from_slice(&text).ok());
    named.unwrap_or(Holder { pid: 0, host: String::new(), command: String::new(), since: Time::from_secs(0) })
}

/// The name of this machine, as segment names and locks carry it.
pub(crate) fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| std::fs::read_to_string("/etc/hostname"))
        .unwrap_or_default();
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' };
    let name: String = name.trim().chars().take(60).map(safe).collect();
    if name.is_empty() { "localhost".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_taker_is_told_who_was_first() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lock");
        let first = Holder { pid: 7, host: "h".into(), command: "tintype capture".into(), since: Time::from_secs(9) };
        let held = Lock::take(&path, &first).unwrap();
        match Lock::take(&path, &Holder { pid: 8, ..first.clone() }) {
            Err(Error::Locked { holder, .. }) => assert_eq!(holder, first),
            other => panic!("{other:?}"),
        }
        drop(held);
        Lock::take(&path, &Holder { pid: 8, ..first }).unwrap();
    }

    #[test]
    fn a_torn_lock_file_still_locks() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lock");
        let holder = Holder { pid: 7, host: "h".into(), command: "c".into(), since: Time::from_secs(9) };
        let _held = Lock::take(&path, &holder).unwrap();
        std::fs::write(&path, "{\"pid\":").unwrap();
        let error = Lock::take(&path, &holder).unwrap_err();
        assert!(error.to_string().ends_with("in use by another process"), "{error}");
    }
}
