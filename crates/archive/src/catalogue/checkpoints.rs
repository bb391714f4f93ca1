//! What a scheduler wants to go on from, with how much of its capture's log that contains.

use super::Catalogue;
use crate::{CaptureId, Error};
use rusqlite::{OptionalExtension, params};

impl Catalogue {
    /// Keeps it in the place of an earlier one; so many bytes of the log must be on disk.
    pub(crate) fn keep_checkpoint(&self, id: &CaptureId, log_bytes: u64, bytes: &[u8]) -> Result<(), Error> {
        const KEEP: &str = "INSERT INTO checkpoint VALUES ($1, $2, $3)
            ON CONFLICT (capture) DO UPDATE SET log_bytes = excluded.log_bytes, bytes = excluded.bytes";
        self.run(KEEP, params![id.as_str(), log_bytes.cast_signed(), bytes])
    }

    pub(crate) fn checkpoint(&self, id: &CaptureId) -> Result<Option<(u64, Vec<u8>)>, Error> {
        const GET: &str = "SELECT log_bytes, bytes FROM checkpoint WHERE capture = $1";
        let mut statement = self.connection.prepare_cached(GET).map_err(self.failed())?;
        let row =
            statement.query_row(params![id.as_str()], |row| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?)));
        row.optional().map_err(self.failed())
    }

    /// What it contains is not so any more, or is not needed.
    pub(crate) fn drop_checkpoint(&self, id: &CaptureId) -> Result<(), Error> {
        self.run("DELETE FROM checkpoint WHERE capture = $1", params![id.as_str()])
    }
}
