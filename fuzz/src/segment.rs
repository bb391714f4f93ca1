//! Segments in every form the reader knows, made from the fuzzer's bytes.

use flate2::{Compression, write::GzEncoder};
use std::io::Write;

/// The first byte says how the rest becomes a segment: as it is, or with its records compressed.
pub fn segment(data: &[u8]) -> Option<Vec<u8>> {
    let (form, rest) = data.split_first()?;
    let one = |compress: fn(&[u8]) -> Vec<u8>| compress(rest);
    let each = |compress: fn(&[u8]) -> Vec<u8>| records(rest).flat_map(compress).collect();
    let mut bytes: Vec<u8> = match form % 6 {
        0 | 1 => rest.to_vec(),
        2 => one(gzip),
        3 => each(gzip),
        4 => one(zstd),
        _ => each(zstd),
    };
    if form & 0x40 != 0 {
        bytes.truncate(bytes.len().saturating_sub(usize::from(form >> 3 & 7) + 1));
    }
    if form & 0x80 != 0
        && let Some(middle) = bytes.len().checked_div(2).filter(|at| *at < bytes.len())
    {
        bytes[middle] ^= 1;
    }
    Some(bytes)
}

/// Cut before each `WARC/`.
fn records(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let next = rest.windows(5).skip(1).position(|window| window == b"WARC/").map_or(rest.len(), |at| at + 1);
        let (record, after) = rest.split_at(next);
        rest = after;
        (!record.is_empty()).then_some(record)
    })
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all bytes")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).expect("memory takes all bytes")
}
