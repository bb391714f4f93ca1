//! Records to bytes: one complete gzip member per record, so that any of them can be fetched alone.

use crate::Header;
use flate2::{Compression, write::GzEncoder};
use libdeflater::{CompressionLvl, Compressor};
use std::io::{self, Read, Write};

/// libdeflate's level 1: half the CPU of level 6 for 2.6 % (synthetic pages) to 6 % (real HTML) more bytes.
pub const DEFAULT_LEVEL: u8 = 1;

/// What ends every record.
const TRAILER: &[u8] = b"\r\n\r\n";

/// Room to read a streamed block through.
const STREAM_BUFFER: usize = 64 << 10;

/// Compresses records. Holds the compressor and the working memory, so that a record costs no allocation.
pub struct Encoder {
    compressor: Compressor,
    level: u8,
    plain: Vec<u8>,
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoder").field("level", &self.level).finish_non_exhaustive()
    }
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder::new(DEFAULT_LEVEL)
    }
}

impl Encoder {
    /// `level` is libdeflate's, 0 (stored) to 12; anything above is 12.
    pub fn new(level: u8) -> Encoder {
        let level = level.min(12);
        let chosen = CompressionLvl::new(i32::from(level)).unwrap_or_default();
        Encoder { compressor: Compressor::new(chosen), level, plain: Vec::new() }
    }

    /// Appends one gzip member holding the record to `out` and returns its length. The block is the given slices one
    /// after the other; the header must say their total as Content-Length (the composer's do).
    pub fn encode(&mut self, header: &Header, block: &[&[u8]], out: &mut Vec<u8>) -> usize {
        self.plain.clear();
        header.write_to(&mut self.plain);
        block.iter().for_each(|part| self.plain.extend_from_slice(part));
        self.plain.extend_from_slice(TRAILER);
        let start = out.len();
        out.resize(start + self.compressor.gzip_compress_bound(self.plain.len()), 0);
        let written = self.compressor.gzip_compress(&self.plain, &mut out[start..]);
        let written = written.expect("the bound libdeflate gave for this input suffices");
        out.truncate(start + written);
        written
    }

    /// The same for a block too large for memory: reads exactly `len` bytes of it. Returns the member's length.
    pub fn encode_stream(
        &mut self,
        header: &Header,
        block: &mut dyn Read,
        len: u64,
        out: &mut dyn Write,
    ) -> io::Result<u64> {
        let mut counted = Counted { inner: out, written: 0 };
        let mut gzip = GzEncoder::new(&mut counted, Compression::new(u32::from(self.level.min(9))));
        self.plain.clear();
        header.write_to(&mut self.plain);
        gzip.write_all(&self.plain)?;
        copy_exactly(block, len, &mut gzip)?;
        gzip.write_all(TRAILER)?;
        gzip.finish()?;
        Ok(counted.written)
    }
}

fn copy_exactly(from: &mut dyn Read, len: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut buffer = vec![0; STREAM_BUFFER.min(usize::try_from(len).unwrap_or(STREAM_BUFFER))];
    let mut left = len;
    while left > 0 {
        let want = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        from.read_exact(&mut buffer[..want])?;
        to.write_all(&buffer[..want])?;
        left -= want as u64;
    }
    Ok(())
}

struct Counted<'a> {
    inner: &'a mut dyn Write,
    written: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(bytes)?;
        self.written += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gunzip(bytes: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
        plain
    }

    #[test]
    fn both_ways_of_writing_hold_the_same_record() {
        let mut header = Header::new();
        header.push("Content-Length", "6");
        let want = b"WARC/1.1\r\nContent-Length: 6\r\n\r\nabcdef\r\n\r\n";
        let (mut encoder, mut whole, mut streamed) = (Encoder::default(), vec![9], Vec::new());
        let len = encoder.encode(&header, &[b"abc", b"", b"def"], &mut whole);
        assert_eq!((gunzip(&whole[1..]).as_slice(), whole.len()), (&want[..], len + 1));
        let len = encoder.encode_stream(&header, &mut &b"abcdefgh"[..], 6, &mut streamed).unwrap();
        assert_eq!((gunzip(&streamed).as_slice(), streamed.len() as u64), (&want[..], len));
    }

    #[test]
    fn a_stream_that_ends_early_is_an_error() {
        let failed = Encoder::default().encode_stream(&Header::new(), &mut &b"ab"[..], 3, &mut Vec::new());
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
