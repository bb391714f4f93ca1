//! One SQLite file per site. The statements keep to what PostgreSQL also accepts, but for `WITHOUT ROWID`: short rows lie where
//! their keys are, so that a question goes down one tree instead of two. Long ones would be cut up there.

use super::{Batch, Kind, KnownPage, PageOrder, Store, StoreError, database};
use crate::{
    Retention, door,
    log::{Original, Place},
};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use std::{cell::Cell, ops::ControlFlow, path::Path, time::Duration};
use tintype_vocab::{Accumulator, Digest, PageUrl, Time, Validators};

pub(super) const KIND: Kind = Kind { name: "sqlite", open, read, remove: database::remove };

/// Raised whenever the tables change; state of another version is rebuilt from the logs.
const SCHEMA: i64 = 6;
/// Pages of a batch whose journal is cut off behind it.
const LARGE: usize = 1000;

/// Questions that are asked of one view of the file: each new view takes locks, and each old one keeps the write-ahead log from
/// being emptied.
const QUESTIONS: u32 = 256;
/// How long others may write while one waits.
const PATIENCE: Duration = Duration::from_secs(10);

const CREATE: &str = "
CREATE TABLE page (
    site_id BIGINT NOT NULL, url TEXT NOT NULL,
    first_seen BIGINT NOT NULL, last_seen BIGINT NOT NULL, last_changed BIGINT NOT NULL,
    visits BIGINT NOT NULL, changes BIGINT NOT NULL,
    status BIGINT, media_type TEXT, digest BLOB, etag TEXT, last_modified TEXT,
    original_url TEXT, original_date BIGINT, segment TEXT, record_offset BIGINT, record_length BIGINT,
    importance DOUBLE PRECISION NOT NULL, waiting DOUBLE PRECISION NOT NULL, standing BIGINT NOT NULL,
    original_validators BIGINT NOT NULL,
    PRIMARY KEY (site_id, url)) WITHOUT ROWID;
CREATE TABLE payload (
    site_id BIGINT NOT NULL, digest BLOB NOT NULL, url TEXT NOT NULL, date BIGINT NOT NULL,
    segment TEXT, record_offset BIGINT, record_length BIGINT,
    PRIMARY KEY (site_id, digest)) WITHOUT ROWID;
CREATE TABLE watermark (
    site_id BIGINT NOT NULL, log TEXT NOT NULL, bytes BIGINT NOT NULL,
    PRIMARY KEY (site_id, log)) WITHOUT ROWID;
CREATE TABLE lore (
    site_id BIGINT NOT NULL, name TEXT NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (site_id, name));
CREATE TABLE link_list (
    site_id BIGINT NOT NULL, version BIGINT NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (site_id, version));
CREATE TABLE link_url (
    site_id BIGINT NOT NULL, number BIGINT NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (site_id, number)) WITHOUT ROWID;";

const PUT_PAGE: &str = "
INSERT INTO page VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
ON CONFLICT (site_id, url) DO UPDATE SET
    first_seen = excluded.first_seen, last_seen = excluded.last_seen,
    last_changed = excluded.last_changed, visits = excluded.visits, changes = excluded.changes,
    status = excluded.status, media_type = excluded.media_type, digest = excluded.digest,
    etag = excluded.etag, last_modified = excluded.last_modified,
    original_url = excluded.original_url, original_date = excluded.original_date,
    segment = excluded.segment, record_offset = excluded.record_offset, record_length = excluded.record_length,
    importance = excluded.importance, waiting = excluded.waiting, standing = excluded.standing,
    original_validators = excluded.original_validators";

const GET_PAGE: &str = "
SELECT url, first_seen, last_seen, last_changed, visits, changes, status, media_type, digest, etag, last_modified,
    original_url, original_date, segment, record_offset, record_length, importance, waiting, standing,
    original_validators
FROM page WHERE site_id = $1 AND url = $2";

const GET_PAGES: &str = "
SELECT url, first_seen, last_seen, last_changed, visits, changes, status, media_type, digest, etag, last_modified,
    original_url, original_date, segment, record_offset, record_length, importance, waiting, standing,
    original_validators
FROM page WHERE site_id = $1 ORDER BY";

const PUT_PAYLOAD: &str = "
INSERT INTO payload VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (site_id, digest) DO NOTHING";
const GET_PAYLOAD: &str = "
SELECT url, date, segment, record_offset, record_length FROM payload WHERE site_id = $1 AND digest = $2";

const PUT_WATERMARK: &str = "
INSERT INTO watermark VALUES ($1, $2, $3) ON CONFLICT (site_id, log) DO UPDATE SET bytes = excluded.bytes";
const PUT_LORE: &str = "
INSERT INTO lore VALUES ($1, $2, $3) ON CONFLICT (site_id, name) DO UPDATE SET bytes = excluded.bytes";
const GET_LORE: &str = "SELECT bytes FROM lore WHERE site_id = $1 AND name = $2";
const PUT_LIST: &str = "
INSERT INTO link_list VALUES ($1, $2, $3) ON CONFLICT (site_id, version) DO UPDATE SET bytes = excluded.bytes";
const GET_LIST: &str = "SELECT bytes FROM link_list WHERE site_id = $1 AND version = $2";
const PUT_URL: &str = "
INSERT INTO link_url VALUES ($1, $2, $3) ON CONFLICT (site_id, number) DO UPDATE SET bytes = excluded.bytes";
const GET_URLS: &str = "
SELECT number, bytes FROM link_url WHERE site_id = $1 AND number >= $2 AND number < $3 ORDER BY number";
const LAST_URL: &str = "SELECT COALESCE(MAX(number), -1) FROM link_url WHERE site_id = $1";
const GET_WATERMARKS: &str = "SELECT log, bytes FROM watermark WHERE site_id = $1 ORDER BY log";

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, OutOfMemory, PermissionDenied, ReadOnly,
        };
        let is_write = |error: &rusqlite::ffi::Error| {
            matches!(error.extended_code, rusqlite::ffi::SQLITE_IOERR_WRITE | rusqlite::ffi::SQLITE_IOERR_FSYNC)
        };
        match error.sqlite_error_code() {
            _ if error.sqlite_error().is_some_and(is_write) => StoreError::failure(error),
            Some(CannotOpen | DatabaseBusy | DatabaseLocked | DiskFull | OutOfMemory | PermissionDenied | ReadOnly) => {
                StoreError::failure(error)
            }
            _ => StoreError::damage(error),
        }
    }
}

#[derive(Debug)]
struct Sqlite {
    connection: Connection,
    site: i64,
    /// Asked of the view that is open; 0 if none is.
    questions: Cell<u32>,
}

impl Sqlite {
    fn new(connection: Connection, site: u64) -> Box<Sqlite> {
        Box::new(Sqlite { connection, site: site.cast_signed(), questions: Cell::new(0) })
    }

    /// The connection, for one of many questions.
    fn view(&self) -> rusqlite::Result<&Connection> {
        if self.questions.get() == QUESTIONS {
            self.close_view()?;
        }
        if self.questions.get() == 0 {
            self.connection.prepare_cached("BEGIN")?.execute([])?;
        }
        self.questions.set(self.questions.get() + 1);
        Ok(&self.connection)
    }

    fn close_view(&self) -> rusqlite::Result<()> {
        if self.questions.replace(0) > 0 {
            self.connection.prepare_cached("COMMIT")?.execute([])?;
        }
        Ok(())
    }
}

fn open(path: &Path, site: u64) -> Result<Box<dyn Store>, StoreError> {
    let connection = database::open(path, OpenFlags::default())?;
    // Derived state: a power cut may cost the last transactions, never consistency.
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192;")?;
    connection.busy_timeout(PATIENCE)?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match version {
        0 => connection.execute_batch(&format!("BEGIN;{CREATE}\nPRAGMA user_version = {SCHEMA};COMMIT;"))?,
        SCHEMA => {}
        other => return Err(StoreError::damage(format!("has schema {other}, not {SCHEMA}"))),
    }
    Ok(Sqlite::new(connection, site))
}

fn read(path: &Path, site: u64) -> Result<Option<Box<dyn Store>>, StoreError> {
    if !door::is_taken(&database::file(path, "")) {
        return Ok(None);
    }
    let connection = database::open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(Some(Sqlite::new(connection, site)))
}

impl Store for Sqlite {
    fn watermarks(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let mut statement = self.connection.prepare_cached(GET_WATERMARKS)?;
        let rows =
            statement.query_map(params![self.site], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned())))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn page(&self, url: &PageUrl<'_>) -> Result<Option<KnownPage>, StoreError> {
        let mut statement = self.view()?.prepare_cached(GET_PAGE)?;
        Ok(statement.query_row(params![self.site, url.as_str()], page_of).optional()?)
    }

    fn pages(&self, order: PageOrder, each: &mut dyn FnMut(KnownPage) -> ControlFlow<()>) -> Result<(), StoreError> {
        let columns = if order == PageOrder::Url { "url" } else { "first_seen, url" };
        let mut statement = self.connection.prepare_cached(&format!("{GET_PAGES} {columns}"))?;
        let mut rows = statement.query(params![self.site])?;
        while let Some(row) = rows.next()? {
            if each(page_of(row)?).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn payload(&self, digest: &Digest) -> Result<Option<Original>, StoreError> {
        let mut statement = self.view()?.prepare_cached(GET_PAYLOAD)?;
        let row = statement.query_row(params![self.site, &digest.0[..]], |row| original_of(row, 0));
        Ok(row.optional()?.flatten())
    }

    fn link_list(&self, key: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let mut statement = self.view()?.prepare_cached(GET_LIST)?;
        Ok(statement.query_row(params![self.site, key.cast_signed()], |row| row.get(0)).optional()?)
    }

    fn link_urls(&self, from: u64, count: u64) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
        let mut statement = self.view()?.prepare_cached(GET_URLS)?;
        let numbers = params![self.site, from.cast_signed(), (from + count).cast_signed()];
        let rows = statement.query_map(numbers, |row| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn links_end(&self) -> Result<u64, StoreError> {
        let last: i64 = self.connection.query_row(LAST_URL, params![self.site], |row| row.get(0))?;
        Ok((last + 1).cast_unsigned())
    }

    fn lore(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let mut statement = self.connection.prepare_cached(GET_LORE)?;
        Ok(statement.query_row(params![self.site, name], |row| row.get(0)).optional()?)
    }

    fn apply(&mut self, batch: &Batch<'_>) -> Result<(), StoreError> {
        self.close_view()?;
        let transaction = self.connection.transaction()?;
        {
            let mut put = transaction.prepare_cached(PUT_PAGE)?;
            for (url, page) in &batch.pages {
                put_page(&mut put, self.site, url, page)?;
            }
            let mut put = transaction.prepare_cached(PUT_PAYLOAD)?;
            for (digest, original) in &batch.payloads {
                let Original { url, date, place } = original;
                let (segment, offset, length) = columns(place.as_ref());
                put.execute(params![self.site, &digest.0[..], url, date.as_millis(), segment, offset, length])?;
            }
            let mut put = transaction.prepare_cached(PUT_LIST)?;
            for (version, bytes) in &batch.lists {
                put.execute(params![self.site, version.cast_signed(), bytes])?;
            }
            let mut put = transaction.prepare_cached(PUT_URL)?;
            for (number, url) in &batch.urls {
                put.execute(params![self.site, number.cast_signed(), url])?;
            }
            if let Some((log, bytes)) = batch.watermark {
                transaction.execute(PUT_WATERMARK, params![self.site, log, bytes.cast_signed()])?;
            }
            if let Some((name, bytes)) = batch.lore {
                transaction.execute(PUT_LORE, params![self.site, name, bytes])?;
            }
        }
        transaction.commit()?;
        if batch.pages.len() >= LARGE {
            self.cut_journal()?;
        }
        Ok(())
    }
}

impl Sqlite {
    /// What is in the journal is moved into the database by now anyway; left there it would be read when the next process opens
    /// the store. That is worth no wait for those who read just now, such as the session of this very site: whoever writes waits
    /// with it, for all sites.
    fn cut_journal(&self) -> Result<(), StoreError> {
        self.connection.busy_timeout(Duration::ZERO)?;
        self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
        Ok(self.connection.busy_timeout(PATIENCE)?)
    }
}

fn put_page(
    put: &mut rusqlite::CachedStatement<'_>,
    site: i64,
    url: &PageUrl<'_>,
    page: &KnownPage,
) -> Result<(), StoreError> {
    let original = page.original.as_ref();
    let (segment, offset, length) = columns(original.and_then(|original| original.place.as_ref()));
    put.execute(params![
        site,
        url.as_str(),
        page.first_seen.as_millis(),
        page.last_seen.as_millis(),
        page.last_changed.as_millis(),
        page.visits.cast_signed(),
        page.changes.cast_signed(),
        page.status,
        page.media_type,
        page.digest.as_ref().map(|digest| &digest.0[..]),
        page.validators.etag,
        page.validators.last_modified,
        original.map(|original| &original.url),
        original.map(|original| original.date.as_millis()),
        segment,
        offset,
        length,
        page.importance,
        page.waiting.sum(),
        page.retention as i64,
        page.has_original_validators,
    ])?;
    Ok(())
}

fn columns(place: Option<&Place>) -> (Option<&str>, Option<i64>, Option<i64>) {
    let number = |field: fn(&Place) -> u64| place.map(|place| field(place).cast_signed());
    (place.map(|place| place.segment.as_str()), number(|place| place.offset), number(|place| place.length))
}

fn page_of(row: &Row<'_>) -> rusqlite::Result<KnownPage> {
    Ok(KnownPage {
        url: row.get(0)?,
        first_seen: time(row, 1)?,
        last_seen: time(row, 2)?,
        last_changed: time(row, 3)?,
        visits: row.get::<_, i64>(4)?.cast_unsigned(),
        changes: row.get::<_, i64>(5)?.cast_unsigned(),
        status: row.get(6)?,
        media_type: row.get(7)?,
        digest: row.get::<_, Option<[u8; 20]>>(8)?.map(Digest),
        validators: Validators { etag: row.get(9)?, last_modified: row.get(10)? },
        original: original_of(row, 11)?,
        importance: row.get(16)?,
        waiting: Accumulator::new(row.get(17)?),
        retention: retention(row.get(18)?),
        has_original_validators: row.get(19)?,
    })
}

fn retention(number: i64) -> Retention {
    let all = [Retention::DigestOnly, Retention::Stored, Retention::Indexed];
    all.into_iter().find(|retention| *retention as i64 == number).unwrap_or_default()
}

/// From five columns: URL, date, segment, offset, length.
fn original_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<Original>> {
    let (Some(url), Some(date)) = (row.get(first)?, row.get(first + 1)?) else { return Ok(None) };
    let numbers = (row.get::<_, Option<i64>>(first + 3)?, row.get::<_, Option<i64>>(first + 4)?);
    let place = match (row.get(first + 2)?, numbers) {
        (Some(segment), (Some(offset), Some(length))) => {
            Some(Place { segment, offset: offset.cast_unsigned(), length: length.cast_unsigned() })
        }
        _ => None,
    };
    Ok(Some(Original { url, date: Time::from_millis(date), place }))
}

fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Time> {
    row.get(column).map(Time::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    static HAS_WAITED: AtomicBool = AtomicBool::new(false);

    fn wait(_: i32) -> bool {
        HAS_WAITED.store(true, Ordering::Relaxed);
        false
    }

    #[test]
    fn who_writes_many_pages_does_not_wait_for_those_who_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("site");
        drop(open(&path, 7).unwrap());
        let mut writer = Sqlite::new(database::open(&path, OpenFlags::default()).unwrap(), 7);
        writer.connection.busy_handler(Some(wait)).unwrap();
        let reader = read(&path, 7).unwrap().unwrap();
        assert!(reader.page(&PageUrl::new("http://e.com/0")).unwrap().is_none(), "and its view stays open");
        let urls: Vec<PageUrl<'_>> =
            (0..LARGE).map(|nth| PageUrl::new(&format!("http://e.com/{nth}")).into_owned()).collect();
        let pages: Vec<KnownPage> = urls.iter().map(|url| KnownPage::new(url.as_str(), Time::from_secs(1))).collect();
        let batch = Batch { pages: urls.iter().zip(&pages).collect(), ..Batch::default() };
        writer.apply(&batch).unwrap();
        assert!(!HAS_WAITED.load(Ordering::Relaxed));
        drop(reader);
        let later = read(&path, 7).unwrap().unwrap();
        assert!(later.page(&urls[5]).unwrap().is_some());
    }
}
