//! Rows of captures.

use super::Catalogue;
use crate::{
    CaptureHead, CaptureId, CaptureInfo, Error,
    log::{head::CaptureKind, range::LogRange},
};
use rusqlite::{OptionalExtension, Row, params};
use tintype_vocab::Time;

/// How far a log is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recorded {
    pub(crate) id: CaptureId,
    /// Where it is.
    pub(crate) log: LogRange,
    /// So much of it is on disk, and so much of the segment below; 0 if that is not known.
    pub(crate) bytes: u64,
    /// The segment that was being written. Every visit in it up to `segment_bytes`, and in any other, is logged.
    pub(crate) segment: Option<String>,
    pub(crate) segment_bytes: u64,
    /// Log and segments are known to say the same, and nothing is being written.
    pub(crate) is_settled: bool,
    pub(crate) has_ended: bool,
}

/// A capture as its row tells without its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureMark {
    pub id: CaptureId,
    pub kind: CaptureKind,
    /// What its log measures, as far as that is known.
    pub log_bytes: u64,
    pub has_ended: bool,
}

impl CaptureInfo {
    /// The same of a capture that was read.
    pub fn mark(&self) -> CaptureMark {
        let log_bytes = self.log.to.map_or(0, |to| to - self.log.from);
        CaptureMark { id: self.id.clone(), kind: self.head.kind, log_bytes, has_ended: self.end.is_some() }
    }
}

pub(super) const RECORDED: &str = "
    SELECT id, log, log_from, log_bytes, is_settled, sequence IS NOT NULL, segment, segment_bytes FROM capture";
const INFO: &str = "SELECT id, log, log_from, log_bytes, head, ending, sequence FROM capture";
const PUT: &str = "
INSERT INTO capture VALUES (?1, ?2, ?3,
    CASE WHEN ?5 IS NULL THEN NULL ELSE (SELECT COALESCE(MAX(sequence), 0) + 1 FROM capture) END,
    ?1, 0, ?6, ?7, NULL, 0, ?4, ?5)
ON CONFLICT (id) DO UPDATE SET
    site = excluded.site, kind = excluded.kind, head = excluded.head, ending = excluded.ending,
    sequence = excluded.sequence, log_bytes = excluded.log_bytes, is_settled = excluded.is_settled,
    segment = NULL, segment_bytes = 0";

impl Catalogue {
    /// Notes a capture whose log is about to be made, or is so many bytes long. Where it is does not change; of a new one see
    /// [`Catalogue::place_log`].
    pub(crate) fn put_capture(
        &self,
        id: &CaptureId,
        head: &CaptureHead,
        end: Option<&serde_json::Value>,
        log_bytes: u64,
        is_settled: bool,
    ) -> Result<(), Error> {
        let text = serde_json::to_string(head).expect("a head is plain data");
        let end = end.map(ToString::to_string);
        let kind = head.kind.as_str();
        let values = params![id.as_str(), head.site, kind, text, end, log_bytes.cast_signed(), is_settled];
        self.connection.prepare_cached(PUT).and_then(|mut put| put.execute(values)).map_err(self.failed())?;
        Ok(())
    }

    /// Says that so much of a capture's log survives a power cut, and so much of the segment it writes, whose visits it
    /// tells.
    pub(crate) fn mark(&self, id: &CaptureId, log_bytes: u64, segment: Option<(&str, u64)>) -> Result<(), Error> {
        const MARK: &str = "UPDATE capture SET log_bytes = $1, segment = $2, segment_bytes = $3 WHERE id = $4";
        let (name, bytes) = (segment.map(|(name, _)| name), segment.map_or(0, |(_, bytes)| bytes));
        self.run(MARK, params![log_bytes.cast_signed(), name, bytes.cast_signed(), id.as_str()])
    }

    /// Says that log and segments of a capture agree up to `log_bytes`, and that nobody writes them.
    pub(crate) fn settle(&self, id: &CaptureId, log_bytes: u64) -> Result<(), Error> {
        const SETTLE: &str = "
            UPDATE capture SET log_bytes = $1, is_settled = 1, segment = NULL, segment_bytes = 0 WHERE id = $2";
        self.run(SETTLE, params![log_bytes.cast_signed(), id.as_str()])
    }

    /// Says that they may not, and that what was known of them does not hold.
    pub(super) fn doubt(&self, id: &CaptureId) -> Result<(), Error> {
        const DOUBT: &str = "UPDATE capture SET is_settled = 0, log_bytes = 0 WHERE id = $1 AND ending IS NULL";
        self.run(DOUBT, params![id.as_str()])
    }

    /// Says that they may not.
    pub(crate) fn unsettle(&self, id: &CaptureId) -> Result<(), Error> {
        self.run("UPDATE capture SET is_settled = 0 WHERE id = $1 AND ending IS NULL", params![id.as_str()])
    }

    pub(crate) fn drop_capture(&self, id: &CaptureId) -> Result<(), Error> {
        self.run("DELETE FROM capture WHERE id = $1", params![id.as_str()])
    }

    pub(super) fn run(&self, sql: &str, values: impl rusqlite::Params) -> Result<(), Error> {
        self.connection.prepare_cached(sql).and_then(|mut run| run.execute(values)).map_err(self.failed())?;
        Ok(())
    }

    /// The captures of a site, or of all, oldest first, as the catalogue has them.
    pub(crate) fn infos(&self, site: Option<&str>) -> Result<Vec<CaptureInfo>, Error> {
        match site {
            Some(site) => {
                self.list(&format!("{INFO} WHERE site = $1 ORDER BY id"), params![site], |row| self.info_of(row))
            }
            None => self.list(&format!("{INFO} ORDER BY id"), [], |row| self.info_of(row)),
        }
    }

    /// Captures of a site that may have asked for something since a moment: those begun since, and the one before.
    pub(crate) fn reaching(&self, site: &str, since: Time) -> Result<Vec<CaptureInfo>, Error> {
        let sql = format!(
            "{INFO} WHERE site = $1 AND kind <> $2 AND id >= COALESCE(
                (SELECT MAX(id) FROM capture WHERE site = $1 AND kind <> $2 AND id < $3), $3) ORDER BY id"
        );
        let values = params![site, CaptureKind::Import.as_str(), since.to_timestamp17()];
        self.list(&sql, values, |row| self.info_of(row))
    }

    /// How many captures of a site there are.
    pub(crate) fn count(&self, site: &str) -> Result<u64, Error> {
        const COUNT: &str = "SELECT COUNT(*) FROM capture WHERE site = $1";
        let count = self.list(COUNT, params![site], |row| row.get::<_, i64>(0))?;
        Ok(count.first().map_or(0, |count| count.cast_unsigned()))
    }

    /// All captures of a site, oldest first, without their heads.
    pub(crate) fn marks(&self, site: &str) -> Result<Vec<CaptureMark>, Error> {
        const MARKS: &str = "
            SELECT id, kind, log_bytes, sequence IS NOT NULL FROM capture WHERE site = $1 ORDER BY id";
        self.list(MARKS, params![site], |row| {
            let kind = CaptureKind::ALL
                .into_iter()
                .find(|kind| row.get_ref(1).and_then(|text| Ok(text.as_str()? == kind.as_str())).unwrap_or(false));
            Ok(CaptureMark {
                id: CaptureId::from_text(row.get_ref(0)?.as_str()?),
                kind: kind.unwrap_or_default(),
                log_bytes: row.get::<_, i64>(2)?.cast_unsigned(),
                has_ended: row.get(3)?,
            })
        })
    }

    /// The capture of a site and kind that came to its end and began last.
    pub(crate) fn latest_ended(&self, site: &str, kind: CaptureKind) -> Result<Option<CaptureInfo>, Error> {
        let sql = format!("{INFO} WHERE site = $1 AND kind = $2 AND sequence IS NOT NULL ORDER BY id DESC LIMIT 1");
        Ok(self.list(&sql, params![site, kind.as_str()], |row| self.info_of(row))?.pop())
    }

    /// The head of a capture and whether it ended.
    pub(crate) fn info(&self, id: &CaptureId) -> Result<Option<CaptureInfo>, Error> {
        let sql = format!("{INFO} WHERE id = $1");
        Ok(self.list(&sql, params![id.as_str()], |row| self.info_of(row))?.pop())
    }

    /// The capture of a site that began last among those a scheduler may go on with.
    pub(crate) fn latest(&self, site: &str) -> Result<Option<Recorded>, Error> {
        let sql = format!("{RECORDED} WHERE site = $1 AND kind <> $2 ORDER BY id DESC LIMIT 1");
        Ok(self.list(&sql, params![site, CaptureKind::Import.as_str()], |row| self.recorded_of(row))?.pop())
    }

    /// The logs of a site, oldest first.
    pub(crate) fn logs_of(&self, site: &str) -> Result<Vec<Recorded>, Error> {
        self.list(&format!("{RECORDED} WHERE site = $1 ORDER BY id"), params![site], |row| self.recorded_of(row))
    }

    pub(crate) fn recorded(&self, id: &CaptureId) -> Result<Option<Recorded>, Error> {
        let sql = format!("{RECORDED} WHERE id = $1");
        Ok(self.list(&sql, params![id.as_str()], |row| self.recorded_of(row))?.pop())
    }

    pub(crate) fn unsettled(&self) -> Result<Vec<Recorded>, Error> {
        let sql = format!("{RECORDED} WHERE ending IS NULL AND is_settled = 0 ORDER BY id");
        self.list(&sql, [], |row| self.recorded_of(row))
    }

    /// The names of all sites that were captured, in order.
    pub(crate) fn sites(&self) -> Result<Vec<String>, Error> {
        self.list("SELECT DISTINCT site FROM capture ORDER BY site", [], |row| row.get(0))
    }

    /// How many captures have ended, ever.
    pub(crate) fn sequence(&self) -> Result<u64, Error> {
        let last: Option<Option<i64>> = self
            .connection
            .query_row("SELECT MAX(sequence) FROM capture", [], |row| row.get(0))
            .optional()
            .map_err(self.failed())?;
        Ok(last.flatten().map_or(0, i64::cast_unsigned))
    }

    pub(super) fn list<T>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        each: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let list =
            || -> rusqlite::Result<Vec<T>> { self.connection.prepare_cached(sql)?.query_map(values, each)?.collect() };
        list().map_err(self.failed())
    }

    /// Where a log is, by the three columns that say so.
    fn range_of(&self, row: &Row<'_>, has_ended: bool) -> rusqlite::Result<LogRange> {
        let (from, bytes) = (row.get::<_, i64>(2)?.cast_unsigned(), row.get::<_, i64>(3)?.cast_unsigned());
        let path = self.layout.log_file(row.get_ref(1)?.as_str()?);
        Ok(LogRange { path, from, to: has_ended.then_some(from.saturating_add(bytes)) })
    }

    pub(super) fn recorded_of(&self, row: &Row<'_>) -> rusqlite::Result<Recorded> {
        let has_ended = row.get(5)?;
        Ok(Recorded {
            id: CaptureId::from_text(row.get_ref(0)?.as_str()?),
            log: self.range_of(row, has_ended)?,
            bytes: row.get::<_, i64>(3)?.cast_unsigned(),
            is_settled: row.get(4)?,
            has_ended,
            segment: row.get(6)?,
            segment_bytes: row.get::<_, i64>(7)?.cast_unsigned(),
        })
    }

    fn info_of(&self, row: &Row<'_>) -> rusqlite::Result<CaptureInfo> {
        let end = row.get_ref(5)?.as_str_or_null()?.map(serde_json::from_str).transpose();
        let end: Option<serde_json::Value> = end.map_err(|error| wrong(5, error))?;
        Ok(CaptureInfo {
            id: CaptureId::from_text(row.get_ref(0)?.as_str()?),
            log: self.range_of(row, end.is_some())?,
            head: serde_json::from_str(row.get_ref(4)?.as_str()?).map_err(|error| wrong(4, error))?,
            end,
            sequence: row.get::<_, Option<i64>>(6)?.map(i64::cast_unsigned),
        })
    }
}

fn wrong(column: usize, error: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
}
