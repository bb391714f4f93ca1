//! Bytes to records: one at a time, bounded in memory, damage reported and passed over.

use crate::{Header, Record, RecordFindings, cursor::Cursor, record::Body};
use std::io::{self, Read};

/// What a reader may keep in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Records with larger headers are passed over.
    pub header_bytes: usize,
    /// Larger blocks are streamed.
    pub block_bytes_in_memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { header_bytes: 256 << 10, block_bytes_in_memory: 16 << 20 }
    }
}

/// Reads the records of one segment: gzip with a member per record (the fast case), one gzip stream, zstd, plain.
#[derive(Debug)]
pub struct Reader<R> {
    header: Header,
    cursor: Cursor<R>,
}

impl<R: Read> Reader<R> {
    pub fn new(inner: R) -> Reader<R> {
        Reader::with_limits(inner, Limits::default())
    }

    pub fn with_limits(inner: R, limits: Limits) -> Reader<R> {
        Reader::starting_at(inner, 0, limits)
    }

    /// For a reader that begins in the middle of a file: `offset` is where its first byte stands.
    pub fn starting_at(inner: R, offset: u64, limits: Limits) -> Reader<R> {
        Reader { header: Header::new(), cursor: Cursor::new(inner, offset, limits) }
    }

    /// The next record, or `None` at the end. The only errors are those of the underlying reader.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> io::Result<Option<Record<'_>>> {
        let Some(found) = self.cursor.advance(&mut self.header)? else { return Ok(None) };
        let body = match found.extent {
            Some(extent) => Body::Whole(&self.cursor.flow.bytes()[..self.cursor.current.at_hand], extent),
            None => Body::Large(&mut self.cursor),
        };
        Ok(Some(Record { header: &self.header, offset: found.offset, block_len: found.block_len, body }))
    }

    /// Where the last whole record ends. At the end of the file, what lies beyond is torn or no record at all.
    pub fn valid_up_to(&self) -> u64 {
        self.cursor.valid_up_to
    }

    /// What was odd so far.
    pub fn findings(&self) -> &RecordFindings {
        &self.cursor.findings
    }

    /// Hands over what was odd so far.
    pub fn take_findings(&mut self) -> RecordFindings {
        std::mem::take(&mut self.cursor.findings)
    }
}
