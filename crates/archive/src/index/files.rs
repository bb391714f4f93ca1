//! Where the lines of an index are: in one plain file, or in compressed blocks with a file that tells where each begins, and
//! one that tells replay tools the name of the first.

use super::IndexLines;
use crate::{
    Error,
    catalogue::Sizes,
    disk::{Append, Disk, publish, publish_with},
    door,
    layout::{BLOCKS_SUFFIX, INDEX_SUFFIX, Layout, names},
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};
use tintype_warc::{
    cdxj::LINE_BYTES_MAX,
    zipnum::{self, BlockWriter, IndexBlock},
};

/// Lines with more bytes are compressed.
const PLAIN_MAX: u64 = 64 << 10;
/// What the part of an index is called that its blocks are in.
const PART: &str = "lines";
/// Bytes of an index that are handed to its file at a time.
const GATHER: usize = 1 << 20;
/// Bytes of a plain index that are read through at a time.
const PIECE: usize = 64 << 10;
/// Below this many bytes a search reads line by line.
const NEAR: u64 = 16 << 10;
/// No honest list of blocks is longer.
const LIST_MAX: u64 = 256 << 20;
/// Nor one in plain text.
pub(crate) const TEXT_MAX: u64 = 4 << 30;

pub(super) type Each<'a> = &'a mut dyn FnMut(&[u8]) -> io::Result<()>;

/// Puts the index of a segment that was being written in place.
pub(crate) fn write_lines(
    disk: &dyn Disk,
    layout: &Layout,
    segment: &str,
    segment_len: u64,
    lines: IndexLines,
) -> Result<Sizes, Error> {
    let bytes = lines.bytes();
    put(disk, layout, segment, segment_len, bytes, |each| lines.merge(each))
}

/// Puts the index of a segment in place.
pub(crate) fn write(
    disk: &dyn Disk,
    layout: &Layout,
    segment: &str,
    segment_len: u64,
    lines: &[String],
) -> Result<Sizes, Error> {
    let bytes = lines.iter().map(|line| line.len() as u64).sum();
    put(disk, layout, segment, segment_len, bytes, |each| lines.iter().try_for_each(|line| each(line.as_bytes())))
}

/// Writes all that `lines` hands out, in the form that so many bytes of it have. What was there in the other goes.
fn put(
    disk: &dyn Disk,
    layout: &Layout,
    segment: &str,
    segment_len: u64,
    bytes: u64,
    lines: impl FnOnce(Each<'_>) -> io::Result<()>,
) -> Result<Sizes, Error> {
    let (plain, packed) = (layout.index_of(segment), layout.packed_index_of(segment));
    let (written, other) = match bytes > PLAIN_MAX {
        true => (put_packed(disk, &packed, lines), vec![plain.clone()]),
        false => (put_plain(disk, &plain, lines), packed.to_vec()),
    };
    let index = written.map_err(Error::io("write", &plain))?;
    for path in other.iter().filter(|path| door::is_taken(path)) {
        disk.remove(path).map_err(Error::io("remove", path))?;
    }
    Ok(Sizes { segment: segment_len, index })
}

fn put_plain(disk: &dyn Disk, path: &Path, lines: impl FnOnce(Each<'_>) -> io::Result<()>) -> io::Result<u64> {
    let mut bytes = 0;
    publish_with(disk, path, |file| gathering(file, &mut bytes, lines))?;
    Ok(bytes)
}

/// Hands what `write` hands out to a file, in large pieces.
fn gathering(file: &mut dyn Append, bytes: &mut u64, write: impl FnOnce(Each<'_>) -> io::Result<()>) -> io::Result<()> {
    let mut gathered = Vec::new();
    write(&mut |piece| {
        gathered.extend_from_slice(piece);
        *bytes += piece.len() as u64;
        if gathered.len() < GATHER { Ok(()) } else { file.append(&std::mem::take(&mut gathered)) }
    })?;
    file.append(&gathered)
}

/// What tells where the blocks are comes last: without it there is no index.
fn put_packed(
    disk: &dyn Disk,
    paths: &[PathBuf; 3],
    lines: impl FnOnce(Each<'_>) -> io::Result<()>,
) -> io::Result<u64> {
    put_blocks(disk, paths, BlockWriter::new(zipnum::LINES_PER_BLOCK), lines)
}

/// The same with blocks of another kind.
pub(super) fn put_blocks(
    disk: &dyn Disk,
    [data, location, list]: &[PathBuf; 3],
    mut writer: BlockWriter,
    lines: impl FnOnce(Each<'_>) -> io::Result<()>,
) -> io::Result<u64> {
    let (mut bytes, mut blocks) = (0, Vec::new());
    publish_with(disk, data, |file| {
        gathering(file, &mut bytes, |each| {
            lines(&mut |line| writer.add(line, each))?;
            blocks = writer.finish(each)?;
            Ok(())
        })
    })?;
    let (location_text, list_text) = (location_of(data), zipnum::summary(&blocks, PART));
    publish(disk, location, location_text.as_bytes())?;
    publish(disk, list, list_text.as_bytes())?;
    Ok(bytes + location_text.len() as u64 + list_text.len() as u64)
}

fn location_of(data: &Path) -> String {
    format!("{PART}\t{}\n", data.file_name().unwrap_or_default().to_string_lossy())
}

/// The bytes of the index of a segment; nothing unless it is there, once and whole.
pub(crate) fn sizes(layout: &Layout, segment: &str) -> Option<u64> {
    let len = |path: &PathBuf| door::len(path).ok();
    let packed: Vec<u64> = layout.packed_index_of(segment).iter().filter_map(len).collect();
    match (len(&layout.index_of(segment)), packed.len()) {
        (Some(bytes), 0) => Some(bytes),
        (None, 3) => Some(packed.iter().sum()),
        _ => None,
    }
}

/// The lines of the index of a segment as one text; nothing if there is none that can be read.
pub(crate) fn read(layout: &Layout, segment: &str) -> Option<String> {
    sizes(layout, segment)?;
    match door::read_text(&layout.index_of(segment), TEXT_MAX) {
        Ok(text) => Some(text),
        Err(_) => {
            let [data, location, list] = layout.packed_index_of(segment);
            let is_named = door::read_text(&location, TEXT_MAX).is_ok_and(|text| text == location_of(&data));
            let blocks = list_of(&list).ok().filter(|_| is_named)?;
            let mut data = Blocks::open(&data, blocks.last().and_then(end_of)).ok()?;
            blocks.iter().map(|block| data.text(block).ok()).collect()
        }
    }
}

/// The files of the index of a segment that are there.
pub(crate) fn files(layout: &Layout, segment: &str) -> Vec<PathBuf> {
    let mut files = layout.packed_index_of(segment).to_vec();
    files.push(layout.index_of(segment));
    files.retain(|path| door::is_taken(path));
    files
}

/// The names of all indexes, one for each: that of the plain file, or of what tells where the blocks are.
pub(crate) fn names_of(layout: &Layout) -> io::Result<Vec<String>> {
    Ok([names(&layout.index(), INDEX_SUFFIX)?, names(&layout.index(), BLOCKS_SUFFIX)?].concat())
}

/// What the files of the index of this name ([`names_of`]) measure; nothing if one of them is not there.
pub(super) fn bytes_of(layout: &Layout, name: &str) -> Option<u64> {
    let named = door::len(&layout.index().join(name)).ok()?;
    match name.strip_suffix(BLOCKS_SUFFIX) {
        Some(stem) => Some(named + door::len(&layout.packed_index_of(stem)[0]).ok()?),
        None => Some(named),
    }
}

fn list_of(path: &Path) -> io::Result<Vec<IndexBlock>> {
    let mut text = String::new();
    door::open_file(path)?.take(LIST_MAX).read_to_string(&mut text)?;
    Ok(zipnum::parse_index(&text))
}

fn end_of(block: &IndexBlock) -> Option<u64> {
    block.offset.checked_add(block.length)
}

/// The file that blocks are in. It stays open: what is read goes on to be there when another takes its place.
struct Blocks {
    file: File,
    len: u64,
}

impl Blocks {
    /// The list of the blocks, which ends at `end`, must be that of the file: both are replaced when an index grows.
    fn open(data: &Path, end: Option<u64>) -> io::Result<Blocks> {
        let file = door::open_file(data)?;
        let len = file.metadata()?.len();
        if end.unwrap_or(0) == len { Ok(Blocks { file, len }) } else { Err(damaged()) }
    }

    /// The lines of a block.
    fn text(&mut self, block: &IndexBlock) -> io::Result<String> {
        end_of(block).filter(|end| *end <= self.len).ok_or_else(damaged)?;
        let mut member = vec![0; block.length as usize];
        self.file.seek(SeekFrom::Start(block.offset))?;
        self.file.read_exact(&mut member)?;
        zipnum::inflate_block(&member).ok_or_else(damaged)
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a block of the index is damaged")
}

/// Lines one after the other, without their ends.
pub(crate) type LinesFrom = Box<dyn Iterator<Item = io::Result<String>> + Send>;

/// The lines of the index of this name that are not smaller than `low`.
pub(crate) fn lines_from(layout: &Layout, name: &str, low: &str) -> io::Result<LinesFrom> {
    let path = layout.index().join(name);
    let Some(stem) = name.strip_suffix(BLOCKS_SUFFIX) else { return plain_lines_from(&path, low) };
    let [data, ..] = layout.packed_index_of(stem);
    packed_lines_from(&path, &data, low)
}

/// The lines of a sorted file that are not smaller than `low`.
pub(crate) fn plain_lines_from(path: &Path, low: &str) -> io::Result<LinesFrom> {
    Ok(Box::new(sorted_lines_from(path, low)?))
}

/// The same of compressed blocks, and the list that tells where they are.
pub(crate) fn packed_lines_from(list: &Path, data: &Path, low: &str) -> io::Result<LinesFrom> {
    let (texts, low) = (packed_texts_from(list, data, low)?, low.to_owned());
    Ok(Box::new(texts.flat_map(move |text| match text {
        Ok(text) => BlockLines::from(text, &low),
        Err(error) => BlockLines { text: String::new(), at: 0, error: Some(error) },
    })))
}

/// Block by block, from the one on that a line may be in that is not smaller than `low`; what is damaged is the last.
fn packed_texts_from(
    list: &Path,
    data: &Path,
    low: &str,
) -> io::Result<impl Iterator<Item = io::Result<String>> + Send + use<>> {
    let mut list = door::open_file(list)?;
    let mut data = Blocks::open(data, end_of_list(&mut list)?)?;
    let (blocks, mut failed) = (blocks_from(list, low)?, false);
    let texts = blocks.map(move |block| data.text(&block?));
    Ok(texts.take_while(move |text| !std::mem::replace(&mut failed, text.is_err())))
}

/// Many lines at a time, with their ends.
pub(super) type Texts = Box<dyn Iterator<Item = io::Result<String>> + Send>;

/// All lines of the index of this name ([`names_of`]).
pub(super) fn texts(layout: &Layout, name: &str) -> io::Result<Texts> {
    let path = layout.index().join(name);
    let Some(stem) = name.strip_suffix(BLOCKS_SUFFIX) else { return plain_texts(&path) };
    let [data, ..] = layout.packed_index_of(stem);
    packed_texts(&path, &data)
}

/// All lines of compressed blocks.
pub(super) fn packed_texts(list: &Path, data: &Path) -> io::Result<Texts> {
    Ok(Box::new(packed_texts_from(list, data, "")?))
}

fn plain_texts(path: &Path) -> io::Result<Texts> {
    let mut file = BufReader::with_capacity(PIECE, door::open_file(path)?);
    Ok(Box::new(std::iter::from_fn(move || {
        let mut piece = Vec::with_capacity(PIECE);
        let read = (&mut file).take(PIECE as u64).read_to_end(&mut piece).and_then(|_| {
            let is_within = piece.last().is_some_and(|byte| *byte != b'\n');
            if is_within { file.by_ref().take(LINE_BYTES_MAX as u64).read_until(b'\n', &mut piece) } else { Ok(0) }
        });
        let text = read.map(|_| String::from_utf8_lossy(&piece).into_owned());
        Some(text).filter(|text| !text.as_ref().is_ok_and(String::is_empty))
    })))
}

/// The lines of a block, taken out of it one by one: of most blocks few are wanted.
struct BlockLines {
    text: String,
    at: usize,
    error: Option<io::Error>,
}

impl BlockLines {
    /// Those that are not smaller than `low`.
    fn from(text: String, low: &str) -> BlockLines {
        let mut at = 0;
        while let Some(line) = text[at..].split_inclusive('\n').next().filter(|line| line.trim_end_matches('\n') < low)
        {
            at += line.len();
        }
        BlockLines { text, at, error: None }
    }
}

impl Iterator for BlockLines {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<io::Result<String>> {
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        let line = self.text[self.at..].split_inclusive('\n').next()?;
        self.at += line.len();
        Some(Ok(line.trim_end_matches('\n').to_owned()))
    }
}

/// Where the last block of a list ends; nothing for an empty list.
fn end_of_list(file: &mut File) -> io::Result<Option<u64>> {
    let len = file.metadata()?.len();
    let mut tail = Vec::new();
    for room in [NEAR, LINE_BYTES_MAX as u64] {
        file.seek(SeekFrom::Start(len.saturating_sub(room)))?;
        tail.clear();
        file.take(room).read_to_end(&mut tail)?;
        let lines = tail.strip_suffix(b"\n").unwrap_or(&tail);
        let last = lines.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if last > 0 || len <= room {
            return Ok(zipnum::parse_index(&String::from_utf8_lossy(&lines[last..])).last().and_then(end_of));
        }
    }
    Ok(None)
}

/// The blocks of a list from the one on that a line may be in: the list itself is searched, and not read.
fn blocks_from(list: File, low: &str) -> io::Result<impl Iterator<Item = io::Result<IndexBlock>> + Send + use<>> {
    let mut file = sought(list, low)?;
    let (mut before, mut next) = (None, next_line(&mut file)?);
    while let Some(line) = next.take_if(|line| line.as_str() < low) {
        before = Some(line);
        next = next_line(&mut file)?;
    }
    let rest = std::iter::from_fn(move || next_line(&mut file).transpose());
    let lines = before.into_iter().chain(next).map(Ok).chain(rest);
    Ok(lines.filter_map(|line| match line {
        Ok(line) => zipnum::parse_index(&line).into_iter().next().map(Ok),
        Err(error) => Some(Err(error)),
    }))
}

/// The lines of a sorted file that are not smaller than `from`.
fn sorted_lines_from(path: &Path, from: &str) -> io::Result<impl Iterator<Item = io::Result<String>> + Send + use<>> {
    let (mut file, from) = (sought(door::open_file(path)?, from)?, from.to_owned());
    let lines = std::iter::from_fn(move || next_line(&mut file).transpose());
    Ok(lines.skip_while(move |line| line.as_ref().is_ok_and(|line| line.as_str() < from.as_str())))
}

/// A sorted file, standing at its beginning or at a line smaller than `from`, close before the first that is not.
fn sought(file: File, from: &str) -> io::Result<BufReader<File>> {
    let (mut low, mut high) = (0, file.metadata()?.len());
    let mut file = BufReader::new(file);
    let mut line = Vec::new();
    // Lines that start before `low` are smaller; the line that `high` falls into is not, or is the last.
    while high - low > NEAR {
        let middle = low + (high - low) / 2;
        file.seek(SeekFrom::Start(middle))?;
        line.clear();
        let skipped = file.read_until(b'\n', &mut line)? as u64;
        line.clear();
        file.read_until(b'\n', &mut line)?;
        if !line.is_empty() && line.as_slice() < from.as_bytes() { low = middle + skipped } else { high = middle }
    }
    file.seek(SeekFrom::Start(low))?;
    Ok(file)
}

/// The next line without its end. What is longer than any honest one ends the file.
fn next_line(file: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    file.take(LINE_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line)?;
    let text = line.strip_suffix(b"\n").unwrap_or(&line);
    let is_line = !line.is_empty() && text.len() <= LINE_BYTES_MAX;
    Ok(is_line.then(|| String::from_utf8_lossy(text).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::FileSystem;
    use std::fs;

    #[test]
    fn every_line_of_a_large_file_is_found_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("index.cdxj");
        let mut lines: Vec<String> = (0..3000)
            .map(|n| format!("com,example)/{} 2026{:010} {{\"n\": \"{}\"}}\n", n / 3, n % 3, "x".repeat(n % 97)))
            .collect();
        lines.sort();
        std::fs::write(&path, lines.concat()).unwrap();
        for n in 0..1000 {
            let prefix = format!("com,example)/{n} ");
            let found: Vec<String> = sorted_lines_from(&path, &prefix).unwrap().map(Result::unwrap).collect();
            assert_eq!(found.iter().take_while(|line| line.starts_with(&prefix)).count(), 3, "{n}");
        }
        for absent in ["a ", "com,example)/1 0", "com,example)/1000 ", "z "] {
            let found = sorted_lines_from(&path, absent).unwrap().next().map(Result::unwrap);
            assert_eq!(
                found.as_deref(),
                lines.iter().map(|line| line.trim_end()).find(|line| *line >= absent),
                "{absent}"
            );
        }
    }

    #[test]
    fn an_index_says_the_same_in_either_form() {
        let directory = tempfile::tempdir().unwrap();
        let layout = Layout::new(directory.path());
        fs::create_dir(layout.index()).unwrap();
        let line = |n: usize| format!("com,example)/{} 2026{n:010} {{\"n\": \"{}\"}}\n", n / 3, n * 7919);
        let mut lines: Vec<String> = (0..9000).map(line).collect();
        lines.sort();
        for count in [9000, 30, 9000] {
            let lines = &lines[..count];
            let sizes = write(&FileSystem, &layout, "a.b-1.warc.gz", 5, lines).unwrap();
            assert_eq!(super::sizes(&layout, "a.b-1.warc.gz"), Some(sizes.index));
            assert_eq!(read(&layout, "a.b-1.warc.gz").unwrap(), lines.concat());
            let names = names_of(&layout).unwrap();
            assert_eq!(names, [if count > 30 { "a.b-1.idx" } else { "a.b-1.cdxj" }]);
            for line in lines.iter().step_by(70) {
                let key = line.split(' ').next().unwrap();
                let found = lines_from(&layout, &names[0], &format!("{key} ")).unwrap().map(Result::unwrap);
                let found: Vec<String> = found.take_while(|line| line.starts_with(&format!("{key} "))).collect();
                assert!(found.contains(&line.trim_end().to_owned()) && found.len() <= 3, "{key} {found:?}");
            }
        }
        let [data, location, _] = layout.packed_index_of("a.b-1.warc.gz");
        fs::write(&data, &fs::read(&data).unwrap()[..99]).unwrap();
        assert_eq!(read(&layout, "a.b-1.warc.gz"), None);
        fs::remove_file(location).unwrap();
        assert_eq!(super::sizes(&layout, "a.b-1.warc.gz"), None);
    }
}
