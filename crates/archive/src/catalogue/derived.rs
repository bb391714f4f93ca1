//! What was learned across all sites, kept with the number of the last capture in it.

use super::Catalogue;
use crate::Error;
use rusqlite::{OptionalExtension, params};

/// Something learned from captures, in the words of its learner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// It was learned from the captures that ended up to this number; see [`CaptureInfo::sequence`](crate::CaptureInfo).
    pub upto: u64,
    pub bytes: Vec<u8>,
}

impl Catalogue {
    pub(crate) fn derived(&self, name: &str) -> Result<Option<Derived>, Error> {
        let mut statement =
            self.connection.prepare_cached("SELECT upto, bytes FROM derived WHERE name = $1").map_err(self.failed())?;
        let row = statement.query_row(params![name], |row| {
            Ok(Derived { upto: row.get::<_, i64>(0)?.cast_unsigned(), bytes: row.get(1)? })
        });
        row.optional().map_err(self.failed())
    }

    pub(crate) fn keep_derived(&self, name: &str, upto: u64, bytes: &[u8]) -> Result<(), Error> {
        const KEEP: &str = "INSERT INTO derived VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET upto = excluded.upto, bytes = excluded.bytes";
        self.run(KEEP, params![name, upto.cast_signed(), bytes])
    }

    /// Forgets all of it, because captures it may have been learned from are not what they were.
    pub(super) fn forget_derived(&self) -> Result<(), Error> {
        self.run("DELETE FROM derived", [])
    }
}
