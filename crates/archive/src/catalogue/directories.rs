//! Whether the directories are as the catalogue left them, which is what makes opening cheap.

use super::Catalogue;
use crate::{
    Error, door,
    layout::{LOG_SUFFIX, Layout, names},
};
use hashbrown::HashMap;
use rusqlite::{OptionalExtension, params};
use std::{fs, io, path::Path, time::UNIX_EPOCH};

/// When names in a directory last changed, and how many there are: a change within one tick of the file system's clock
/// shows in the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fingerprint {
    modified: i64,
    entries: i64,
}

impl Fingerprint {
    fn of(directory: &Path) -> io::Result<Fingerprint> {
        let modified = fs::metadata(directory)?.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Fingerprint { modified: modified.as_nanos() as i64, entries: fs::read_dir(directory)?.count() as i64 })
    }
}

/// The directories that are watched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Watched {
    Log,
    Segments,
    Indexes,
}

impl Watched {
    const ALL: [Watched; 3] = [Watched::Log, Watched::Segments, Watched::Indexes];

    fn name(self) -> &'static str {
        match self {
            Watched::Log => "log",
            Watched::Segments => "warc",
            Watched::Indexes => "index",
        }
    }
}

/// Logs that are not what the catalogue says.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// New ones and such of another length.
    pub(super) logs: Vec<ChangedLog>,
    pub(super) gone: Vec<String>,
}

/// A log with its length, and the length it was known to have.
#[derive(Debug)]
pub(super) struct ChangedLog {
    pub(super) name: String,
    pub(super) len: u64,
    pub(super) known: Option<u64>,
}

impl Changed {
    /// Every log there is, for who has no catalogue.
    pub(super) fn everything(layout: &Layout) -> Result<Changed, Error> {
        let changed = |(name, len)| ChangedLog { name, len, known: None };
        Ok(Changed { logs: logs(layout)?.into_iter().map(changed).collect(), gone: Vec::new() })
    }
}

impl Catalogue {
    /// Says that the directories are as they should be now.
    pub(crate) fn note_directories(&self, layout: &Layout) -> Result<(), Error> {
        const NOTE: &str = "INSERT INTO directory VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET modified = excluded.modified, entries = excluded.entries";
        for watched in Watched::ALL {
            let directory = layout.root().join(watched.name());
            let Fingerprint { modified, entries } =
                Fingerprint::of(&directory).map_err(Error::io("list", &directory))?;
            self.run(NOTE, params![watched.name(), modified, entries])?;
        }
        Ok(())
    }

    /// Says that they are not, before files in them grow without their names changing. A power cut does not undo this.
    pub(crate) fn forget_directories(&self) -> Result<(), Error> {
        let noted: i64 =
            self.connection.query_row("SELECT COUNT(*) FROM directory", [], |row| row.get(0)).map_err(self.failed())?;
        if noted == 0 {
            return Ok(());
        }
        let forget = "PRAGMA synchronous = FULL; DELETE FROM directory; PRAGMA synchronous = NORMAL;";
        self.connection.execute_batch(forget).map_err(self.failed())
    }

    pub(super) fn is_as_noted(&self, layout: &Layout, watched: Watched) -> Result<bool, Error> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT modified, entries FROM directory WHERE name = $1")
            .map_err(self.failed())?;
        let noted = statement
            .query_row(params![watched.name()], |row| Ok(Fingerprint { modified: row.get(0)?, entries: row.get(1)? }))
            .optional()
            .map_err(self.failed())?;
        let is = Fingerprint::of(&layout.root().join(watched.name())).ok();
        Ok(noted.is_some() && noted == is)
    }

    /// Logs that are longer than is known, with how much is; of a log nobody knows that is nothing.
    pub(crate) fn grown_logs(&self, layout: &Layout) -> Result<Vec<(String, u64)>, Error> {
        let logs = self.changed_logs(layout)?.logs.into_iter();
        let grown = logs.map(|log| (log.name, log.known.unwrap_or_default(), log.len));
        Ok(grown.filter(|(_, known, len)| known < len).map(|(name, known, _)| (name, known)).collect())
    }

    /// Holds logs against the catalogue: all of them if their directory is not as noted, else only those last
    /// written.
    pub(super) fn changed_logs(&self, layout: &Layout) -> Result<Changed, Error> {
        let is_as_noted = self.is_as_noted(layout, Watched::Log)?;
        let mut known: HashMap<String, u64> = self.known_logs(!is_as_noted)?.into_iter().collect();
        let mut changed = Changed::default();
        let there = if is_as_noted { lengths(layout, known.keys().cloned()) } else { logs(layout)? };
        for (name, len) in there {
            let known = known.remove(&name);
            if known != Some(len) {
                changed.logs.push(ChangedLog { name, len, known });
            }
        }
        changed.gone = known.into_keys().collect();
        Ok(changed)
    }
}

/// Every log with its length.
fn logs(layout: &Layout) -> Result<Vec<(String, u64)>, Error> {
    let directory = layout.log();
    let names = names(&directory, LOG_SUFFIX).map_err(Error::io("list", &directory))?;
    Ok(lengths(layout, names.iter().map(|name| name.trim_end_matches(LOG_SUFFIX).to_owned())))
}

/// The lengths of those that are there.
fn lengths(layout: &Layout, names: impl Iterator<Item = String>) -> Vec<(String, u64)> {
    names
        .filter_map(|name| Some((door::len(&layout.log_file(&name)).ok()?, name)))
        .map(|(len, name)| (name, len))
        .collect()
}
