//! Full text of what is held, and the dates on which a phrase was there or was not.
//!
//! [`TextIndex`] reads every version of a page once, as a reader reads it, into an index beside the other derived state; it
//! grows when it is asked to, while others write the collection, and is made anew when it is lost or damaged. What it finds
//! is told visit by visit ([`PhrasePage`]). A collection that nobody may write to is indexed in memory.

mod find;
mod grow;
mod presence;
mod words;

pub use find::{MarkedVersion, PhraseFinding, PhraseQuery, PhraseScope};
pub use presence::{PhrasePage, PhraseStretch, Presence};
pub use words::{ExcerptPart, Phrase};

use crate::{
    Error, Reading, door,
    holdings::Holdings,
    layout::Layout,
    store::{StoreError, database},
};
use rusqlite::{Connection, OpenFlags};
use std::{path::PathBuf, time::Duration};
use words::Matcher;

/// Raised whenever the tables or what is read of a page change; an index of another version is made anew.
const SCHEMA: i64 = 1;
const PATIENCE: Duration = Duration::from_secs(20);

// Texts are not kept, only where their words are: they are in the segments already.
fn create() -> String {
    format!(
        "CREATE TABLE done (name TEXT NOT NULL PRIMARY KEY, bytes BIGINT NOT NULL) WITHOUT ROWID;
         CREATE TABLE version (id INTEGER PRIMARY KEY, url TEXT NOT NULL, digest TEXT NOT NULL, state BIGINT NOT NULL,
            title TEXT NOT NULL, UNIQUE (url, digest));
         CREATE VIRTUAL TABLE words USING fts5(address, title, text, content = '', {});",
        words::TOKENS
    )
}

/// The words of all versions of a collection.
#[derive(Debug)]
pub struct TextIndex {
    connection: Connection,
    path: PathBuf,
    layout: Layout,
    holdings: Holdings,
    matcher: Matcher,
}

impl TextIndex {
    pub fn open(reading: &Reading) -> Result<TextIndex, Error> {
        let layout = reading.layout().clone();
        let path = layout.state().join("search");
        let failed = || Error::state(&path);
        let connection = match connect(&layout, &path) {
            Ok(connection) => connection,
            Err(error) if error.is_damage() => {
                database::remove(&path).map_err(Error::io("remove", &path))?;
                connect(&layout, &path).or_else(|_| in_memory().map_err(StoreError::from)).map_err(failed())?
            }
            Err(_) => in_memory().map_err(|error| failed()(error.into()))?,
        };
        let matcher = Matcher::new().map_err(|error| failed()(error.into()))?;
        Ok(TextIndex { connection, holdings: Holdings::of_collection(reading.clone()), layout, matcher, path })
    }

    /// For `map_err`.
    fn failed(&self) -> impl FnOnce(rusqlite::Error) -> Error + use<> {
        let path = self.path.clone();
        move |error| Error::state(&path)(error.into())
    }

    /// Whether what was read is forgotten with it, because nobody may write to the collection.
    pub fn is_in_memory(&self) -> bool {
        self.connection.path().is_none_or(str::is_empty)
    }

    /// Versions that were read so far.
    pub fn versions(&self) -> Result<u64, Error> {
        let count = self.connection.query_row("SELECT COUNT(*) FROM version", [], |row| row.get::<_, i64>(0));
        count.map(i64::cast_unsigned).map_err(self.failed())
    }
}

fn connect(layout: &Layout, path: &std::path::Path) -> Result<Connection, StoreError> {
    door::refuse_unless_directory(&layout.state()).map_err(StoreError::failure)?;
    let connection = database::open(path, OpenFlags::default())?;
    connection.busy_timeout(PATIENCE)?;
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version == 0 {
        // Two may come at once: the second finds the tables of the first.
        let made =
            connection.execute_batch(&format!("BEGIN IMMEDIATE;{}PRAGMA user_version = {SCHEMA};COMMIT;", create()));
        if made.is_err() {
            let _ = connection.execute_batch("ROLLBACK");
        }
    }
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match version {
        SCHEMA if is_ours(&connection)? => Ok(connection),
        SCHEMA => Err(StoreError::damage("has other tables than it should")),
        other => Err(StoreError::damage(format!("has schema {other}, not {SCHEMA}"))),
    }
}

/// Whether everything in the file is what we would have made: a stranger's may have triggers and views.
fn is_ours(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(schema(connection)? == schema(&in_memory()?)?)
}

fn schema(connection: &Connection) -> rusqlite::Result<Vec<(String, Option<String>)>> {
    let mut list = connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name")?;
    list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// For those who may not write: as long as it is looked at.
fn in_memory() -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(&create())?;
    Ok(connection)
}
