//! RecordFinding the next record after bytes that are none.

use crate::codec::gzip_header_len;
use flate2::{Decompress, FlushDecompress};

/// What begins at a place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Gzip,
    Zstd,
    /// A zstd frame that decoders pass over; the first one of a file may hold the dictionary.
    Skippable,
    Plain,
}

/// Bytes a look at a possible start may need.
pub(crate) const LOOK_BYTES: usize = 4 << 10;

impl Start {
    /// What the first bytes say, without proof.
    pub(crate) fn of(bytes: &[u8]) -> Option<Start> {
        match bytes {
            [0x1f, 0x8b, ..] => Some(Start::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Start::Zstd),
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Start::Skippable),
            [b'W' | b'w', b'A' | b'a', b'R' | b'r', b'C' | b'c', b'/', ..] => Some(Start::Plain),
            _ => None,
        }
    }
}

/// Looks for record starts with one inflater that is reused, so that hostile bytes full of magic numbers stay cheap.
pub(crate) struct Finder {
    inflate: Decompress,
}

impl std::fmt::Debug for Finder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Finder")
    }
}

impl Finder {
    pub(crate) fn new() -> Finder {
        Finder { inflate: Decompress::new(false) }
    }

    /// The first place in `bytes` where a record surely starts. Places within [`LOOK_BYTES`] of the end are only
    /// judged when nothing follows (`last`).
    pub(crate) fn find(&mut self, bytes: &[u8], last: bool) -> Option<usize> {
        let judged = if last { bytes.len() } else { bytes.len().saturating_sub(LOOK_BYTES) };
        memchr::memchr3_iter(0x1f, 0x28, b'W', &bytes[..judged]).find(|&at| self.is_record(&bytes[at..]))
    }

    fn is_record(&mut self, bytes: &[u8]) -> bool {
        match Start::of(bytes) {
            Some(Start::Gzip) => self.inflates_to_record(bytes),
            Some(Start::Zstd) => true,
            Some(Start::Plain) => is_version_line(bytes),
            Some(Start::Skippable) | None => false,
        }
    }

    fn inflates_to_record(&mut self, bytes: &[u8]) -> bool {
        let Ok(Some(header)) = gzip_header_len(&bytes[..bytes.len().min(LOOK_BYTES)]) else { return false };
        let input = &bytes[header..bytes.len().min(header + LOOK_BYTES)];
        let mut start = [0; 5];
        self.inflate.reset(false);
        let inflated = self.inflate.decompress(input, &mut start, FlushDecompress::None);
        inflated.is_ok() && &start == b"WARC/"
    }
}

/// `WARC/1.1` and a line end: enough not to be fooled by prose about archives.
fn is_version_line(bytes: &[u8]) -> bool {
    let line = &bytes[..bytes.len().min(12)];
    let Some(end) = memchr::memchr(b'\n', line) else { return false };
    line[5..end].trim_ascii_end().iter().all(|b| b.is_ascii_digit() || *b == b'.') && line.starts_with(b"WARC/")
}

/// The first version line in decoded bytes.
pub(crate) fn find_version_line(bytes: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(bytes, b"WARC/").find(|&at| is_version_line(&bytes[at..]))
}

pub(crate) fn find_last_version_line(bytes: &[u8]) -> Option<usize> {
    memchr::memmem::rfind_iter(bytes, b"WARC/").find(|&at| is_version_line(&bytes[at..]))
}

/// Whether these last bytes of a file are the cut-off beginning of a record.
pub(crate) fn may_become_record(bytes: &[u8]) -> bool {
    let begins: [&[u8]; 3] = [&[0x1f, 0x8b, 8], &[0x28, 0xb5, 0x2f, 0xfd], b"WARC/"];
    !bytes.is_empty() && begins.iter().any(|start| start.starts_with(bytes))
}
