//! Rows of segments: whose they are, and the sizes a closed one and its index had when one was made from the other.

use super::Catalogue;
use crate::{CaptureId, Error, index, layout::Layout};
use rusqlite::{OptionalExtension, params};

/// The sizes of a segment and its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) segment: u64,
    pub(crate) index: u64,
}

impl Sizes {
    /// Of the files as they are; nothing unless both are there.
    pub(super) fn of_files(layout: &Layout, segment: &str) -> Option<Sizes> {
        let len = std::fs::metadata(layout.segment(segment)).ok()?.len();
        Some(Sizes { segment: len, index: index::sizes(layout, segment)? })
    }
}

impl Catalogue {
    /// Notes a segment that is about to be made.
    pub(crate) fn open_segment(&self, name: &str, capture: &CaptureId) -> Result<(), Error> {
        const OPEN: &str = "INSERT INTO segment VALUES ($1, $2, NULL, NULL)
            ON CONFLICT (name) DO UPDATE SET capture = excluded.capture, bytes = NULL";
        self.run(OPEN, params![name, capture.as_str()])
    }

    /// Notes the sizes of a segment that is closed and indexed.
    pub(crate) fn close_segment(&self, name: &str, sizes: Sizes) -> Result<(), Error> {
        const CLOSE: &str = "INSERT INTO segment VALUES ($1, NULL, $2, $3)
            ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes, index_bytes = excluded.index_bytes";
        self.run(CLOSE, params![name, sizes.segment.cast_signed(), sizes.index.cast_signed()])
    }

    /// Notes whose segment this is, found without the catalogue.
    pub(crate) fn own_segment(&self, name: &str, capture: &CaptureId) -> Result<(), Error> {
        const OWN: &str = "INSERT INTO segment VALUES ($1, $2, NULL, NULL)
            ON CONFLICT (name) DO UPDATE SET capture = excluded.capture";
        self.run(OWN, params![name, capture.as_str()])
    }

    pub(crate) fn drop_segment(&self, name: &str) -> Result<(), Error> {
        self.run("DELETE FROM segment WHERE name = $1", params![name])
    }

    /// The segments of a capture, by name.
    pub(crate) fn segments_of(&self, capture: &CaptureId) -> Result<Vec<String>, Error> {
        self.list("SELECT name FROM segment WHERE capture = $1 ORDER BY name", params![capture.as_str()], |row| {
            row.get(0)
        })
    }

    /// Segments that were not closed, and the latest.
    pub(super) fn last_segments(&self) -> Result<Vec<String>, Error> {
        const LAST: &str = "SELECT name FROM segment
            WHERE bytes IS NULL OR name = (SELECT MAX(name) FROM segment) ORDER BY name";
        self.list(LAST, [], |row| row.get(0))
    }

    pub(super) fn all_segments(&self) -> Result<Vec<(String, Option<CaptureId>)>, Error> {
        let owner = |text: String| CaptureId::from_text(&text);
        self.list("SELECT name, capture FROM segment ORDER BY name", [], |row| {
            Ok((row.get(0)?, row.get::<_, Option<String>>(1)?.map(owner)))
        })
    }

    /// Whether a segment and its index have the sizes they had.
    pub(crate) fn is_current(&self, layout: &Layout, name: &str) -> Result<bool, Error> {
        const SIZES: &str = "SELECT bytes, index_bytes FROM segment WHERE name = $1 AND bytes IS NOT NULL";
        let mut statement = self.connection.prepare_cached(SIZES).map_err(self.failed())?;
        let known = statement.query_row(params![name], |row| {
            let number = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
            Ok(Sizes { segment: number(0)?, index: number(1)? })
        });
        let known = known.optional().map_err(self.failed())?;
        Ok(known.is_some() && known == Sizes::of_files(layout, name))
    }
}
