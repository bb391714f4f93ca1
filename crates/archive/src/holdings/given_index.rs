//! A large index that a person names: searched where it lies, so that it costs neither time at the start nor memory.

use crate::{
    door,
    index::{LinesFrom, packed_lines_from, plain_lines_from},
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};
use tintype_warc::cdxj;

/// Smaller ones are read, and sorted by us.
const HELD_MAX: u64 = 8 << 20;
/// Places a large one is looked at, to see whether it is sorted as it should be.
const LOOKS: u64 = 256;
/// What the second file of an index in blocks is called, and the first.
const LIST: &str = ".idx";
const BLOCKS: [&str; 2] = [".cdx.gz", ".cdxj.gz"];

/// A sorted index on disk.
#[derive(Debug)]
pub(super) enum GivenIndex {
    Plain(PathBuf),
    Packed { list: PathBuf, blocks: PathBuf },
}

impl GivenIndex {
    /// Nothing if it is small, not sorted by bytes, or no index at all.
    pub(super) fn open(path: &Path, file: &File) -> io::Result<Option<GivenIndex>> {
        // A person may name a link; what is opened again later has to be the file.
        let path = &path.canonicalize()?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(stem) = name.strip_suffix(LIST) {
            let mut named = BLOCKS.iter().map(|end| path.with_file_name(format!("{stem}{end}")));
            let blocks = named.find(|path| door::open_file(path).is_ok());
            return Ok(blocks.map(|blocks| GivenIndex::Packed { list: path.to_owned(), blocks }));
        }
        let is_large = file.metadata()?.len() > HELD_MAX;
        Ok((is_large && is_sorted(file)?).then(|| GivenIndex::Plain(path.to_owned())))
    }

    pub(super) fn lines_from(&self, low: &str) -> io::Result<LinesFrom> {
        match self {
            GivenIndex::Plain(path) => plain_lines_from(path, low),
            GivenIndex::Packed { list, blocks } => packed_lines_from(list, blocks, low),
        }
    }
}

/// Whether lines all over a file are index lines, each not smaller than the one before.
fn is_sorted(file: &File) -> io::Result<bool> {
    let len = file.metadata()?.len();
    let mut file = BufReader::new(file);
    let (mut last, mut seen) = (String::new(), 0);
    for look in 0..LOOKS {
        file.seek(SeekFrom::Start(len / LOOKS * look))?;
        if look > 0 {
            line(&mut file)?;
        }
        for _ in 0..2 {
            let Some(next) = line(&mut file)?.filter(|line| !line.is_empty()) else { break };
            if next < last {
                return Ok(false);
            }
            // The first line may be a head.
            seen += u64::from(cdxj::Line::parse(&next).is_ok());
            last = next;
        }
    }
    Ok(seen > LOOKS)
}

/// The next line, if it is no longer than an honest one.
fn line(file: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    file.take(cdxj::LINE_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line)?;
    Ok(line.strip_suffix(b"\n").map(|line| String::from_utf8_lossy(line).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tintype_warc::zipnum;

    fn lines(count: usize) -> Vec<String> {
        let line = |n: usize| {
            let fields = format!("\"url\": \"http://e.com/{n:07}\", \"offset\": \"{n}\", \"filename\": \"a.warc.gz\"");
            format!("com,e)/{n:07} 20260101000000 {{{fields}, \"mime\": \"text/html\", \"status\": \"200\"}}\n")
        };
        (0..count).map(line).collect()
    }

    fn open(path: &Path) -> Option<GivenIndex> {
        GivenIndex::open(path, &File::open(path).unwrap()).unwrap()
    }

    #[test]
    fn a_large_sorted_index_is_searched_and_one_that_is_not_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("index.cdxj");
        let mut all = lines(80_000);
        fs::write(&path, all.concat()).unwrap();
        let index = open(&path).expect("it is large and sorted");
        for n in [0, 1, 4_711, 79_999] {
            let found = index.lines_from(&format!("com,e)/{n:07} ")).unwrap().next().unwrap().unwrap();
            assert_eq!(found, all[n].trim_end());
        }
        assert!(index.lines_from("com,f)").unwrap().next().is_none());
        all.swap(3_000, 70_000);
        all[20_000..60_000].reverse();
        fs::write(&path, all.concat()).unwrap();
        assert!(open(&path).is_none(), "it is not sorted");
        fs::write(&path, lines(100).concat()).unwrap();
        assert!(open(&path).is_none(), "it is small");
        fs::write(&path, "no index\n".repeat(1 << 20)).unwrap();
        assert!(open(&path).is_none(), "it is none");
    }

    #[test]
    fn an_index_in_blocks_is_searched_by_its_list() {
        let directory = tempfile::tempdir().unwrap();
        let (data, list) = (directory.path().join("index.cdx.gz"), directory.path().join("index.idx"));
        let all = lines(2_000);
        let mut blocks = Vec::new();
        let text = zipnum::write(all.iter().map(String::as_str), "index.cdx.gz", &mut blocks).unwrap();
        fs::write(&data, blocks).unwrap();
        fs::write(&list, text).unwrap();
        let index = open(&list).unwrap();
        for n in [0, 299, 300, 1_234, 1_999] {
            let found = index.lines_from(&format!("com,e)/{n:07} ")).unwrap().next().unwrap().unwrap();
            assert_eq!(found, all[n].trim_end());
        }
        fs::remove_file(data).unwrap();
        assert!(open(&list).is_none(), "the blocks are not beside it");
    }
}
