//! The files of a SQLite database that may come from a stranger: plain ones only, and none is reached through a link.

use super::StoreError;
use crate::door;
use rusqlite::{Connection, OpenFlags};
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

const ENDINGS: [&str; 4] = ["-wal", "-shm", "-journal", ""];

/// A file of a database; the path is without extension.
pub(crate) fn file(path: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(".sqlite");
    name.push(ending);
    name.into()
}

/// Opens a database. Where one of its files is no plain one it is damaged: it is derived, so it is made anew.
pub(crate) fn open(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    for ending in ENDINGS {
        match door::len(&file(path, ending)) {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(StoreError::damage(error)),
            _ => {}
        }
    }
    refuse_cut(path)?;
    // SQLite refuses links in all of a path: those before the collection are the person's.
    let whole = file(path, "");
    let directory = whole.parent().unwrap_or(Path::new("."));
    let directory = fs::canonicalize(directory).map_err(StoreError::failure)?;
    let name = whole.file_name().unwrap_or_default();
    let connection = Connection::open_with_flags(directory.join(name), flags | OpenFlags::SQLITE_OPEN_NOFOLLOW)?;
    // Functions that a stranger's schema may name are not called.
    connection.execute_batch("PRAGMA trusted_schema = OFF;")?;
    Ok(connection)
}

/// Removes all files of a database; what they point to stays.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    for ending in ENDINGS {
        match fs::remove_file(file(path, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// SQLite opens a file that lost its end and complains only when it needs a page from there. The header says how
/// many pages there should be; more may still wait in the write-ahead log.
fn refuse_cut(path: &Path) -> Result<(), StoreError> {
    let bytes = match door::open_file(&file(path, "")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other.map_err(StoreError::failure)?,
    };
    let len = bytes.metadata().map_err(StoreError::failure)?.len();
    let waiting = door::len(&file(path, "-wal")).is_ok_and(|len| len > 0);
    if len == 0 || waiting {
        return Ok(());
    }
    let mut head = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(bytes, 100), &mut head).map_err(StoreError::failure)?;
    let number = |at: usize, count: usize| {
        head.get(at..at + count).map_or(0, |b| b.iter().fold(0, |n, b| n << 8 | u64::from(*b)))
    };
    let page_size = if number(16, 2) == 1 { 65_536 } else { number(16, 2) };
    if head.len() < 100 || len < page_size * number(28, 4) {
        return Err(StoreError::damage("has lost its end"));
    }
    Ok(())
}
