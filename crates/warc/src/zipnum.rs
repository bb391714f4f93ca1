//! Large indexes in independently compressed blocks, with a small second index to find the block a key is in.

use crate::{
    cdxj,
    inflate::{Inflated, Inflater},
};
use libdeflater::{CompressionLvl, Compressor};
use std::io::{self, Write};

/// Lines per block, as cdxj-indexer cuts them.
pub const LINES_PER_BLOCK: usize = 300;
/// A block that inflates to more is not read.
pub const BLOCK_BYTES_MAX: usize = 64 << 20;
/// Room that is made for a block before it is known to need more.
const ROOM_FIRST: usize = 1 << 20;
const ROOM_LEAST: usize = 4096;
/// No byte of DEFLATE stands for more.
const RATIO_MAX: usize = 1032;

/// One compressed block: where it lies and the key and time its first line begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexBlock {
    pub first: String,
    pub offset: u64,
    pub length: u64,
}

/// Writes sorted lines as blocks to `data` and returns the text of the second index. `data_name` is the name under
/// which readers find the blocks (`index.cdx.gz`).
pub fn write<'a>(
    lines: impl IntoIterator<Item = &'a str>,
    data_name: &str,
    data: &mut dyn Write,
) -> io::Result<String> {
    let mut writer = BlockWriter::new(LINES_PER_BLOCK);
    for line in lines {
        writer.add(line.as_bytes(), &mut |member| data.write_all(member))?;
    }
    let blocks = writer.finish(&mut |member| data.write_all(member))?;
    Ok(block_list(&blocks, data_name))
}

/// The second index as WACZ packages have it.
pub fn block_list(blocks: &[IndexBlock], data_name: &str) -> String {
    let name = serde_json::Value::from(data_name);
    let mut index = format!("!meta 0 {{\"format\": \"cdxj-gzip-1.0\", \"filename\": {name}}}\n");
    for IndexBlock { first, offset, length } in blocks {
        index.push_str(&format!("{first} {{\"offset\": {offset}, \"length\": {length}}}\n"));
    }
    index
}

/// The second index as pywb reads it: `key timestamp`, the part the blocks are in, offset, length and number, with tabs
/// between.
pub fn summary(blocks: &[IndexBlock], part: &str) -> String {
    let line = |(number, block): (usize, &IndexBlock)| {
        let IndexBlock { first, offset, length } = block;
        format!("{first}\t{part}\t{offset}\t{length}\t{}\n", number + 1)
    };
    blocks.iter().enumerate().map(line).collect()
}

/// Gathers sorted lines into blocks.
pub struct BlockWriter {
    compressor: Compressor,
    lines_per_block: usize,
    block: Vec<u8>,
    lines: usize,
    offset: u64,
    blocks: Vec<IndexBlock>,
}

impl std::fmt::Debug for BlockWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockWriter").field("offset", &self.offset).finish_non_exhaustive()
    }
}

impl BlockWriter {
    pub fn new(lines_per_block: usize) -> BlockWriter {
        BlockWriter::compressed_by(Compressor::new(CompressionLvl::default()), lines_per_block)
    }

    /// The same, compressed more or less, from 1 to 12; what is beyond is as usual.
    pub fn with_level(lines_per_block: usize, level: u32) -> BlockWriter {
        let level = i32::try_from(level).ok().and_then(|level| CompressionLvl::new(level).ok()).unwrap_or_default();
        BlockWriter::compressed_by(Compressor::new(level), lines_per_block)
    }

    fn compressed_by(compressor: Compressor, lines_per_block: usize) -> BlockWriter {
        BlockWriter { compressor, lines_per_block, block: Vec::new(), lines: 0, offset: 0, blocks: Vec::new() }
    }

    /// Adds a line, with or without its line break; a block that is full goes to `data`.
    pub fn add(&mut self, line: &[u8], data: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        self.block.extend_from_slice(line.strip_suffix(b"\n").unwrap_or(line));
        self.block.push(b'\n');
        self.lines += 1;
        if self.lines == self.lines_per_block { self.flush(data) } else { Ok(()) }
    }

    /// Hands out the last block and says where all are.
    pub fn finish(mut self, data: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<Vec<IndexBlock>> {
        self.flush(data)?;
        Ok(self.blocks)
    }

    fn flush(&mut self, data: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if self.lines == 0 {
            return Ok(());
        }
        let mut member = vec![0; self.compressor.gzip_compress_bound(self.block.len())];
        let length = self.compressor.gzip_compress(&self.block, &mut member);
        let length = length.expect("the bound libdeflate gave for this input suffices");
        data(&member[..length])?;
        let first = self.block.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(first);
        let first = cdxj::split(&line).map_or_else(|| line.to_string(), |(key, time, _)| format!("{key} {time}"));
        self.blocks.push(IndexBlock { first, offset: self.offset, length: length as u64 });
        self.offset += length as u64;
        self.block.clear();
        self.lines = 0;
        Ok(())
    }
}

/// Reads a second index; lines that are none are left out. Also takes the older tab-separated form
/// (`key timestamp<TAB>part<TAB>offset<TAB>length<TAB>number`).
pub fn parse_index(text: &str) -> Vec<IndexBlock> {
    text.lines().filter(|line| !line.starts_with('!')).filter_map(parse_block).collect()
}

fn parse_block(line: &str) -> Option<IndexBlock> {
    // Keys may hold braces themselves, so the JSON is what follows key and timestamp.
    if let Some((key, timestamp, json)) = cdxj::split(line).filter(|(_, _, rest)| rest.starts_with('{')) {
        let json: serde_json::Value = serde_json::from_str(json).ok()?;
        let number = |name: &str| json.get(name)?.as_u64();
        let first = format!("{key} {timestamp}");
        return Some(IndexBlock { first, offset: number("offset")?, length: number("length")? });
    }
    let mut columns = line.split('\t');
    let first = columns.next()?.to_owned();
    let (offset, length) = (columns.nth(1)?.parse().ok()?, columns.next()?.parse().ok()?);
    Some(IndexBlock { first, offset, length })
}

/// The blocks that may hold lines of this very key, given all blocks in order.
pub fn blocks_of<'a>(blocks: &'a [IndexBlock], key: &str) -> &'a [IndexBlock] {
    let (low, high) = (format!("{key} "), format!("{key}!"));
    let from = blocks.partition_point(|block| block.first < low).saturating_sub(1);
    let to = blocks.partition_point(|block| block.first < high);
    blocks.get(from..to).unwrap_or_default()
}

/// The lines of one block; `None` when it is damaged, too large or not UTF-8.
pub fn inflate_block(member: &[u8]) -> Option<String> {
    // A member ends with the length of what is in it, if it says the truth; no byte stands for more than so many.
    let said = member.last_chunk().map_or(0, |end| u32::from_le_bytes(*end) as usize);
    inflate_first(member, said.min(member.len().saturating_mul(RATIO_MAX))).map(|(text, _)| text)
}

/// The lines of all blocks of an index, one behind the other; `None` when one of them is damaged.
pub fn inflate_blocks(mut members: &[u8]) -> Option<String> {
    let mut text = String::new();
    while !members.is_empty() {
        let (lines, consumed) = inflate_first(members, members.len().saturating_mul(16).min(ROOM_FIRST))?;
        text.push_str(&lines);
        members = &members[consumed..];
    }
    Some(text)
}

/// The lines of the block that stands first, and how many bytes it takes; `room` is how long they are believed to be.
fn inflate_first(members: &[u8], room: usize) -> Option<(String, usize)> {
    let (mut inflater, mut room) = (Inflater::new(), vec![0; room.clamp(ROOM_LEAST, BLOCK_BYTES_MAX)]);
    loop {
        match inflater.member(members, &mut room) {
            Inflated::Member { consumed, produced } => {
                room.truncate(produced);
                return Some((String::from_utf8(room).ok()?, consumed));
            }
            Inflated::NoSpace if room.len() < BLOCK_BYTES_MAX => room = vec![0; (room.len() * 4).min(BLOCK_BYTES_MAX)],
            Inflated::NoSpace | Inflated::Bad => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(count: usize) -> Vec<String> {
        (0..count).map(|i| format!("org,a)/{:05} 20260101000000 {{\"offset\": \"{i}\"}}", i / 3)).collect()
    }

    fn look_up(blocks: &[IndexBlock], data: &[u8], key: &str) -> Vec<String> {
        let read = |block: &IndexBlock| &data[block.offset as usize..(block.offset + block.length) as usize];
        let text: String = blocks_of(blocks, key).iter().map(|block| inflate_block(read(block)).unwrap()).collect();
        text.lines().filter(|line| line.starts_with(&format!("{key} "))).map(String::from).collect()
    }

    #[test]
    fn every_key_is_found_through_its_blocks() {
        let lines = lines(1000);
        let mut data = Vec::new();
        let index = write(lines.iter().map(String::as_str), "index.cdx.gz", &mut data).unwrap();
        assert!(
            index.starts_with("!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"index.cdx.gz\"}\norg,a)/00000 ")
        );
        let blocks = parse_index(&index);
        assert_eq!(blocks.len(), 4);
        for key in 0..334 {
            let want =
                lines.iter().filter(|l| l.starts_with(&format!("org,a)/{key:05} "))).cloned().collect::<Vec<_>>();
            assert_eq!(look_up(&blocks, &data, &format!("org,a)/{key:05}")), want);
        }
        assert!(look_up(&blocks, &data, "a").is_empty() && look_up(&blocks, &data, "z").is_empty());
        assert_eq!(blocks_of(&[], "a"), []);
    }

    #[test]
    fn keys_with_braces_are_found_too() {
        let lines: Vec<String> =
            (0..900).map(|i| format!("org,a)/?q={{{i:03}}} 20260101000000 {{\"offset\": \"{i}\"}}")).collect();
        let mut data = Vec::new();
        let index = write(lines.iter().map(String::as_str), "index.cdx.gz", &mut data).unwrap();
        let blocks = parse_index(&index);
        assert_eq!(blocks.len(), 3);
        for (number, line) in lines.iter().enumerate() {
            assert_eq!(look_up(&blocks, &data, &format!("org,a)/?q={{{number:03}}}")), std::slice::from_ref(line));
        }
    }

    #[test]
    fn damaged_blocks_and_old_forms_are_told() {
        assert_eq!(inflate_block(b"nothing"), None);
        let (mut lying, long) = (Vec::new(), format!("org,a)/ 2026 {{\"n\": \"{}\"}}", "x".repeat(9_000)));
        write([long.as_str()], "index.cdx.gz", &mut lying).unwrap();
        let at = lying.len() - 4;
        for said in [0, 1, u32::MAX] {
            lying[at..].copy_from_slice(&said.to_le_bytes());
            assert_eq!(inflate_block(&lying), None, "a length that is not true is damage, and ends");
        }
        let blocks = [IndexBlock { first: "org,a)/ 2026".into(), offset: 10, length: 20 }];
        assert_eq!(parse_index(&summary(&blocks, "a part")), blocks);
        let old = parse_index("org,a)/ 2026\tpart-0\t10\t20\t1\nnonsense\n");
        assert_eq!(old, [IndexBlock { first: "org,a)/ 2026".into(), offset: 10, length: 20 }]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "[\\PC\t\n]{0,200}", key in "\\PC{0,9}") {
            let blocks = parse_index(&text);
            blocks_of(&blocks, &key);
        }
    }
}
