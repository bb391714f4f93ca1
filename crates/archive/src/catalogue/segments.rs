//! Rows of segments: whose visits are in them, and the sizes a closed one and its index had when one was made from the
//! other.

use super::{Catalogue, logs::named_bytes};
use crate::{CaptureId, Error, door, index, layout::Layout, writing::NAME_START};
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
        let len = door::len(&layout.segment(segment)).ok()?;
        Some(Sizes { segment: len, index: index::sizes(layout, segment)? })
    }
}

impl Catalogue {
    /// Notes a segment that is about to be made.
    pub(crate) fn open_segment(&self, name: &str) -> Result<(), Error> {
        self.reopen_segment(name, 0)
    }

    /// Notes that a segment, of which so much is sound, is about to grow.
    pub(crate) fn reopen_segment(&self, name: &str, sound: u64) -> Result<(), Error> {
        const OPEN: &str = "INSERT INTO segment (name, sound) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET bytes = NULL, sound = excluded.sound";
        self.run(OPEN, params![name, sound.cast_signed()])
    }

    /// Notes the sizes of a segment that is closed and indexed, and how much of it can be read.
    pub(crate) fn close_segment(&self, name: &str, sizes: Sizes, sound: u64) -> Result<(), Error> {
        const CLOSE: &str = "INSERT INTO segment (name, bytes, index_bytes, sound) VALUES ($1, $2, $3, $4)
            ON CONFLICT (name) DO UPDATE SET
                bytes = excluded.bytes, index_bytes = excluded.index_bytes, sound = excluded.sound";
        let (bytes, index) = (sizes.segment.cast_signed(), sizes.index.cast_signed());
        self.run(CLOSE, params![name, bytes, index, sound.cast_signed()])
    }

    /// Notes that so much of a segment that is being written survives a power cut.
    pub(crate) fn note_sound(&self, name: &str, bytes: u64) -> Result<(), Error> {
        const SOUND: &str = "UPDATE segment SET sound = MAX(sound, $1) WHERE name = $2 AND bytes IS NULL";
        self.run(SOUND, params![bytes.cast_signed(), name])
    }

    /// Gives a capture its number in a segment, before its first record there, at byte `at`. Whether it is new there.
    pub(crate) fn announce(&self, segment: &str, capture: &CaptureId, at: u64) -> Result<(u32, bool), Error> {
        if let Some(number) = self.number_in(segment, capture)? {
            return Ok((number, false));
        }
        const NEXT: &str = "SELECT COALESCE(MAX(number) + 1, 0) FROM written WHERE segment = $1";
        let next = self.list(NEXT, params![segment], |row| row.get(0))?.pop().unwrap_or_default();
        self.note_written(segment, next, capture, at)?;
        Ok((next, true))
    }

    /// Notes what a segment says of whose visits are in it.
    pub(crate) fn note_written(&self, segment: &str, number: u32, capture: &CaptureId, at: u64) -> Result<(), Error> {
        const WRITTEN: &str = "INSERT INTO written VALUES ($1, $2, $3, $4)
            ON CONFLICT (segment, number) DO UPDATE SET capture = excluded.capture, at = excluded.at";
        self.run(WRITTEN, params![segment, number, capture.as_str(), at.cast_signed()])
    }

    /// The number of a capture in a segment.
    pub(crate) fn number_in(&self, segment: &str, capture: &CaptureId) -> Result<Option<u32>, Error> {
        const NUMBER: &str = "SELECT number FROM written WHERE segment = $1 AND capture = $2";
        Ok(self.list(NUMBER, params![segment, capture.as_str()], |row| row.get(0))?.pop())
    }

    /// The capture that has this number in a segment.
    pub(crate) fn numbered(&self, segment: &str, number: u32) -> Result<Option<CaptureId>, Error> {
        const CAPTURE: &str = "SELECT capture FROM written WHERE segment = $1 AND number = $2";
        let of =
            self.list(CAPTURE, params![segment, number], |row| Ok(CaptureId::from_text(row.get_ref(0)?.as_str()?)));
        Ok(of?.pop())
    }

    /// The captures with visits in a segment.
    pub(crate) fn captures_in(&self, segment: &str) -> Result<Vec<CaptureId>, Error> {
        self.list("SELECT capture FROM written WHERE segment = $1 ORDER BY number", params![segment], |row| {
            Ok(CaptureId::from_text(&row.get::<_, String>(0)?))
        })
    }

    /// A segment was cut: what was announced beyond that is not there.
    pub(crate) fn cut_written(&self, segment: &str, len: u64) -> Result<(), Error> {
        self.run("DELETE FROM written WHERE segment = $1 AND at >= $2", params![segment, len.cast_signed()])
    }

    pub(crate) fn drop_segment(&self, name: &str) -> Result<(), Error> {
        self.cut_written(name, 0)?;
        self.run("DELETE FROM segment WHERE name = $1", params![name])
    }

    /// The segments with visits of a capture.
    pub(crate) fn segments_of(&self, capture: &CaptureId) -> Result<Vec<String>, Error> {
        const OF: &str = "SELECT segment FROM written WHERE capture = $1 ORDER BY segment";
        self.list(OF, params![capture.as_str()], |row| row.get(0))
    }

    /// Those among them that are not older than `first`, with where the visits of the capture begin in each.
    pub(crate) fn segments_from(&self, capture: &CaptureId, first: &str) -> Result<Vec<(String, u64)>, Error> {
        const FROM: &str =
            "SELECT written.segment, written.at FROM written JOIN segment ON segment.name = written.segment
            WHERE written.capture = $1 AND segment.number >= (SELECT number FROM segment WHERE name = $2)
            ORDER BY segment.number";
        self.list(FROM, params![capture.as_str(), first], named_bytes)
    }

    /// The earliest visit in a segment that the log of its capture may not tell.
    pub(crate) fn first_untold(&self, segment: &str) -> Result<Option<u64>, Error> {
        const FIRST: &str = "
            SELECT MIN(segment_bytes) FROM capture WHERE segment = $1 AND ending IS NULL AND is_settled = 0";
        let first = self.list(FIRST, params![segment], |row| row.get::<_, Option<i64>>(0))?.pop();
        Ok(first.flatten().map(i64::cast_unsigned))
    }

    pub(super) fn is_known(&self, name: &str) -> Result<bool, Error> {
        Ok(!self.list("SELECT 1 FROM segment WHERE name = $1", params![name], |row| row.get::<_, i64>(0))?.is_empty())
    }

    /// How much of a segment that is being written is known to be sound; nothing if it is closed or not known.
    pub(crate) fn sound_of_open(&self, name: &str) -> Result<Option<u64>, Error> {
        const SOUND: &str = "SELECT sound FROM segment WHERE name = $1 AND bytes IS NULL";
        Ok(self.list(SOUND, params![name], |row| row.get::<_, i64>(0))?.pop().map(i64::cast_unsigned))
    }

    /// The latest of our segments, if it is closed, sound and as it was.
    pub(crate) fn latest_segment(&self, layout: &Layout) -> Result<Option<(String, Sizes)>, Error> {
        let sql = format!(
            "SELECT name FROM segment WHERE name = (SELECT MAX(name) FROM segment WHERE name LIKE '{NAME_START}%')
                AND bytes = sound AND EXISTS (SELECT 1 FROM written WHERE segment = name)"
        );
        let Some(name) = self.list(&sql, [], |row| row.get::<_, String>(0))?.pop() else { return Ok(None) };
        let sizes = Sizes::of_files(layout, &name).filter(|sizes| self.sizes(&name).is_ok_and(|is| is == Some(*sizes)));
        Ok(sizes.map(|sizes| (name, sizes)))
    }

    /// Segments that were not closed, and the latest.
    pub(super) fn last_segments(&self) -> Result<Vec<String>, Error> {
        const LAST: &str = "SELECT name FROM segment
            WHERE bytes IS NULL OR name = (SELECT MAX(name) FROM segment) ORDER BY name";
        self.list(LAST, [], |row| row.get(0))
    }

    pub(super) fn all_segments(&self) -> Result<Vec<String>, Error> {
        self.list("SELECT name FROM segment ORDER BY name", [], |row| row.get(0))
    }

    /// Whether a segment and its index have the sizes they had.
    pub(crate) fn is_current(&self, layout: &Layout, name: &str) -> Result<bool, Error> {
        let known = self.sizes(name)?;
        Ok(known.is_some() && known == Sizes::of_files(layout, name))
    }

    /// What a closed segment and its index measured.
    pub(super) fn sizes(&self, name: &str) -> Result<Option<Sizes>, Error> {
        const SIZES: &str = "SELECT bytes, index_bytes FROM segment WHERE name = $1 AND bytes IS NOT NULL";
        let mut statement = self.connection.prepare_cached(SIZES).map_err(self.failed())?;
        let known = statement.query_row(params![name], |row| {
            let number = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
            Ok(Sizes { segment: number(0)?, index: number(1)? })
        });
        known.optional().map_err(self.failed())
    }
}
