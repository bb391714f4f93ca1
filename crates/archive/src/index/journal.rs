//! The index lines of a segment being written, as far as its records are on disk: after a kill only the records behind
//! them have to be read again. Derived: what is missing or torn is read from the segment.

use crate::{door, layout::Layout};
use libdeflater::{CompressionLvl, Compressor, Decompressor};
use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
};

/// Lines repeat most of what the ones before say: the lowest level makes a fifth of them.
const LEVEL: i32 = 1;
/// No block is larger; more lines than that gather between two marks only if pages are hardly larger than their lines.
const BLOCK_MAX: usize = 256 << 20;

pub(crate) struct Journal {
    /// Nothing once it could not be written: recovery reads more then.
    file: Option<File>,
    /// Since the last mark.
    lines: String,
    compressor: Compressor,
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a journal with {} bytes to come", self.lines.len())
    }
}

impl Journal {
    pub(crate) fn create(layout: &Layout, segment: &str) -> Journal {
        let level = CompressionLvl::new(LEVEL).unwrap_or_default();
        let file = door::make_anew(&layout.journal_of(segment)).ok();
        Journal { file, lines: String::new(), compressor: Compressor::new(level) }
    }

    pub(crate) fn push(&mut self, line: &str) {
        if self.file.is_some() {
            self.lines.push_str(line);
        }
    }

    /// All lines so far are of the first `bytes` of the segment, which are on disk.
    pub(crate) fn mark(&mut self, bytes: u64) {
        let lines = std::mem::take(&mut self.lines);
        let mut packed = vec![0; self.compressor.deflate_compress_bound(lines.len())];
        let len = self.compressor.deflate_compress(lines.as_bytes(), &mut packed);
        packed.truncate(len.unwrap_or(0));
        let head = Head { bytes, lines: lines.len() as u64, packed: packed.len() as u64 };
        let block = [&head.to_bytes(), &packed[..], &crc32fast::hash(&packed).to_le_bytes()].concat();
        self.file.take_if(|file| file.write_all(&block).is_err());
    }
}

/// What stands before a block of lines.
struct Head {
    /// Of the segment, from its beginning.
    bytes: u64,
    lines: u64,
    packed: u64,
}

impl Head {
    fn to_bytes(&self) -> [u8; 24] {
        let mut bytes = [0; 24];
        let parts = [self.bytes, self.lines, self.packed];
        bytes.chunks_exact_mut(8).zip(parts).for_each(|(place, part)| place.copy_from_slice(&part.to_le_bytes()));
        bytes
    }

    fn read(from: &mut impl Read) -> io::Result<Head> {
        let mut part = || {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes))
        };
        Ok(Head { bytes: part()?, lines: part()?, packed: part()? })
    }
}

/// The lines of a segment up to the last mark, and the bytes they are of; none if nothing can be read.
pub(crate) fn read(layout: &Layout, segment: &str) -> (Vec<String>, u64) {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    let Ok(file) = door::open_file(&layout.journal_of(segment)) else { return (lines, bytes) };
    let mut file = BufReader::with_capacity(256 << 10, file);
    while let Some((upto, block)) = block(&mut file) {
        lines.extend(block.split_inclusive('\n').map(str::to_owned));
        bytes = upto;
    }
    (lines, bytes)
}

/// The next block, and the bytes of the segment that its lines are of; nothing if it is not what was written.
fn block(file: &mut impl Read) -> Option<(u64, String)> {
    let Head { bytes, lines, packed } = Head::read(file).ok()?;
    let size = |len: u64| usize::try_from(len).ok().filter(|len| *len <= BLOCK_MAX);
    let (mut from, mut sum, mut text) = (vec![0; size(packed)?], [0; 4], vec![0; size(lines)?]);
    file.read_exact(&mut from).ok()?;
    file.read_exact(&mut sum).ok()?;
    (crc32fast::hash(&from).to_le_bytes() == sum).then_some(())?;
    let len = Decompressor::new().deflate_decompress(&from, &mut text).ok()?;
    (len == text.len()).then(|| String::from_utf8(text).ok())?.map(|text| (bytes, text))
}

/// The segment has an index now.
pub(crate) fn forget(layout: &Layout, segment: &str) {
    // Read by nobody any more, and made anew if there is ever another segment of that name.
    let _ = std::fs::remove_file(layout.journal_of(segment));
}
