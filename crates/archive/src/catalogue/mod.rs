//! The catalogue: which captures there are, where their log lines and records are, and what was learned across sites.
//!
//! One SQLite file per collection, derived: lost or unreadable, it is made again from logs and segments. A row is written
//! before the file it speaks of is made and says how it ended after that was synced. So unless a directory is not what it
//! was, only the files of rows that did not come to their end are looked at when a collection is opened.

mod captures;
mod derived;
mod directories;
mod logs;
mod look;
mod segments;
mod survey;

pub use captures::CaptureMark;
pub(crate) use captures::Recorded;
pub use derived::Derived;
pub(crate) use look::{all as captures, find, numbered};
pub(crate) use segments::Sizes;
pub(crate) use survey::Survey;

use crate::{
    Error,
    layout::Layout,
    store::{StoreError, database},
};
use rusqlite::{Connection, OpenFlags};
use std::{path::PathBuf, time::Duration};

// What is long comes last in a row: the rest is read without it.
/// Raised whenever the tables change; a catalogue of another version is made anew.
const SCHEMA: i64 = 3;

const CREATE: &str = "
CREATE TABLE capture (
    id TEXT NOT NULL PRIMARY KEY, site TEXT NOT NULL, kind TEXT NOT NULL, sequence BIGINT,
    log TEXT NOT NULL, log_from BIGINT NOT NULL, log_bytes BIGINT NOT NULL, is_settled BIGINT NOT NULL,
    segment TEXT, segment_bytes BIGINT NOT NULL, head TEXT NOT NULL, ending TEXT);
CREATE INDEX capture_of_site ON capture (site, id);
CREATE INDEX capture_of_kind ON capture (site, kind, id);
CREATE INDEX capture_in_log ON capture (log, log_from);
CREATE INDEX capture_unended ON capture (id) WHERE ending IS NULL;
CREATE UNIQUE INDEX capture_sequence ON capture (sequence);
CREATE TABLE segment (
    number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE, bytes BIGINT, index_bytes BIGINT,
    sound BIGINT NOT NULL);
CREATE TABLE written (
    segment TEXT NOT NULL, number BIGINT NOT NULL, capture TEXT NOT NULL, at BIGINT NOT NULL,
    PRIMARY KEY (segment, number)) WITHOUT ROWID;
CREATE INDEX written_by_capture ON written (capture, segment);
CREATE INDEX segment_open ON segment (name) WHERE bytes IS NULL;
CREATE TABLE directory (name TEXT NOT NULL PRIMARY KEY, modified BIGINT NOT NULL, entries BIGINT NOT NULL);
CREATE TABLE derived (name TEXT NOT NULL PRIMARY KEY, upto BIGINT NOT NULL, bytes BLOB NOT NULL);";

/// An open catalogue.
#[derive(Debug)]
pub(crate) struct Catalogue {
    connection: Connection,
    path: PathBuf,
    layout: Layout,
}

impl Catalogue {
    /// Opens it for writing; one that cannot be read is made anew, empty.
    pub(crate) fn open(layout: &Layout) -> Result<Catalogue, Error> {
        let path = layout.catalogue();
        match connect(&path) {
            Ok(connection) => Ok(Catalogue { connection, path, layout: layout.clone() }),
            Err(error) if !error.is_damage() => Err(Error::state(&path)(error)),
            Err(_) => Catalogue::anew(layout),
        }
    }

    /// An empty one, whatever there was.
    pub(crate) fn anew(layout: &Layout) -> Result<Catalogue, Error> {
        let path = layout.catalogue();
        database::remove(&path).map_err(Error::io("remove", &path))?;
        let connection = connect(&path).map_err(Error::state(&path))?;
        Ok(Catalogue { connection, path, layout: layout.clone() })
    }

    /// Opens it to look only; nothing if it is not there or cannot be read.
    pub(crate) fn read(layout: &Layout) -> Option<Catalogue> {
        let path = layout.catalogue();
        let connection = database::open(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
        connection.busy_timeout(PATIENCE).ok()?;
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).ok()?;
        (version == SCHEMA).then(|| Catalogue { connection, path, layout: layout.clone() })
    }

    /// For `map_err`.
    fn failed(&self) -> impl FnOnce(rusqlite::Error) -> Error + use<> {
        let path = self.path.clone();
        move |error| Error::state(&path)(error.into())
    }
}

const PATIENCE: Duration = Duration::from_secs(10);

fn connect(path: &std::path::Path) -> Result<Connection, StoreError> {
    let connection = database::open(path, OpenFlags::default())?;
    // Derived: a power cut may cost the last transactions, never consistency. Rows are small and written one by one, so
    // pages are small: a transaction writes every page it touches.
    connection.execute_batch("PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
    connection.busy_timeout(PATIENCE)?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match version {
        0 => connection.execute_batch(&format!("BEGIN;{CREATE}\nPRAGMA user_version = {SCHEMA};COMMIT;"))?,
        SCHEMA => {}
        other => return Err(StoreError::damage(format!("has schema {other}, not {SCHEMA}"))),
    }
    Ok(connection)
}
