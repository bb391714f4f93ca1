//! A file that may be compressed: gzip is known by its first two bytes.

use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufReader, Cursor, Read};

const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Compressed bytes read at a time.
const READ_BYTES: usize = 64 << 10;

/// What was written before it was (perhaps) compressed, as one member or several.
pub fn unzipped<'a>(mut input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut start = Vec::new();
    input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start)?;
    let zipped = start == MAGIC;
    let whole = Cursor::new(start).chain(input);
    Ok(match zipped {
        true => Box::new(MultiGzDecoder::new(BufReader::with_capacity(READ_BYTES, whole))),
        false => Box::new(whole),
    })
}
