//! Which captures are in which log.

use super::{Catalogue, captures::Recorded};
use crate::{CaptureId, Error, door};
use rusqlite::{Row, params};
use tintype_vocab::{Span, Time};

/// A log that is longer is not gone on with by another capture.
const LOG_MAX: u64 = 64 << 20;
/// Nor is one that was begun longer ago.
const LOG_AGE: Span = Span::from_days(30);

impl Catalogue {
    /// Says where the log of a capture is.
    pub(crate) fn place_log(&self, id: &CaptureId, log: &str, from: u64) -> Result<(), Error> {
        const PLACE: &str = "UPDATE capture SET log = $1, log_from = $2 WHERE id = $3";
        self.run(PLACE, params![log, from.cast_signed(), id.as_str()])
    }

    /// The latest log of a site with its length, if a capture that begins now may be written behind what is in it: all of
    /// that has ended, so a capture that goes on is always the last in its log.
    pub(crate) fn growing_log(&self, site: &str, now: Time) -> Result<Option<(String, u64)>, Error> {
        const LATEST: &str = "SELECT log, MAX(log_from + log_bytes), MIN(ending IS NOT NULL) FROM capture
            WHERE log = (SELECT MAX(log) FROM capture WHERE site = $1) GROUP BY log";
        let latest = self.list(LATEST, params![site], |row| Ok((named_bytes(row)?, row.get::<_, bool>(2)?)))?.pop();
        let Some((name, len)) = latest.filter(|(_, has_ended)| *has_ended).map(|(log, _)| log) else { return Ok(None) };
        let begun = name.get(..14).and_then(|text| Time::parse_timestamp14(text).ok());
        let is_young = begun.is_some_and(|begun| now - begun < LOG_AGE);
        let is_there = door::len(&self.layout.log_file(&name)).is_ok_and(|is| is == len);
        Ok(Some((name, len)).filter(|_| is_young && is_there && len < LOG_MAX))
    }

    /// Logs with what is known of their lengths: all of them, or those last written.
    pub(super) fn known_logs(&self, all: bool) -> Result<Vec<(String, u64)>, Error> {
        const LAST: &str = "WHERE log IN (SELECT log FROM capture
            WHERE ending IS NULL OR sequence = (SELECT MAX(sequence) FROM capture))";
        let which = if all { "" } else { LAST };
        let sql = format!("SELECT log, MAX(log_from + log_bytes) FROM capture {which} GROUP BY log");
        self.list(&sql, [], named_bytes)
    }

    /// The captures in a log, in order.
    pub(super) fn in_log(&self, log: &str) -> Result<Vec<Recorded>, Error> {
        let sql = format!("{} WHERE log = $1 ORDER BY log_from", super::captures::RECORDED);
        self.list(&sql, params![log], |row| self.recorded_of(row))
    }
}

pub(super) fn named_bytes(row: &Row<'_>) -> rusqlite::Result<(String, u64)> {
    Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned()))
}
