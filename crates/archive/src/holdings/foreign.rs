//! Files of other tools: WARC files are indexed by reading them once, large indexes are searched where they lie.

use super::{KeyRange, given_index::GivenIndex, sources::Listed};
use crate::{Error, Place, door};
use hashbrown::HashMap;
use std::{
    fs::File,
    io::{BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};
use tintype_warc::{Reader, cdxj, index::Indexer, wacz::Package};

/// A file that other tools may have compressed is looked at this far to see what it is.
const LOOK_BYTES: u64 = 64 << 10;
/// No list of lines that a person hands over is longer.
const TEXT_MAX: u64 = 4 << 30;
/// Where the WARC files of an index may be, seen from where that is.
const BESIDE: [&str; 4] = ["", "archive", "../archive", "../warc"];

/// Where the bytes of a segment are.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    start: u64,
    len: u64,
}

/// The lines of one file, and where their records are.
#[derive(Debug)]
pub(super) struct ForeignFiles {
    path: PathBuf,
    /// Sorted.
    lines: Vec<String>,
    /// Lines that are not held in memory.
    index: Option<GivenIndex>,
    parts: HashMap<String, Part>,
}

impl ForeignFiles {
    pub(super) fn open(path: &Path) -> Result<ForeignFiles, Error> {
        let failed = || Error::io("read", path);
        let mut file = door::open_given(path).map_err(failed())?;
        let mut start = Vec::new();
        (&mut file).take(LOOK_BYTES).read_to_end(&mut start).map_err(failed())?;
        file.seek(SeekFrom::Start(0)).map_err(failed())?;
        let mut files = ForeignFiles { path: path.to_owned(), lines: Vec::new(), index: None, parts: HashMap::new() };
        if start.starts_with(b"PK\x03\x04") {
            files.add_package(file)?;
        } else if Reader::new(&start[..]).next().is_ok_and(|record| record.is_some()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let len = file.metadata().map_err(failed())?.len();
            files.add_segment(&name, &mut file)?;
            files.parts.insert(name, Part { path: path.to_owned(), start: 0, len });
        } else {
            files.index = GivenIndex::open(path, &file).map_err(failed())?;
            if files.index.is_none() {
                files.add_lines(file)?;
            }
        }
        cdxj::sort(&mut files.lines);
        Ok(files)
    }

    /// How many lines there are; nothing if that is not known without reading them all.
    pub(super) fn len(&self) -> Option<usize> {
        self.index.is_none().then_some(self.lines.len())
    }

    pub(super) fn list(&self, range: &KeyRange) -> Result<Listed<'_>, Error> {
        let path = self.path.clone();
        if let Some(index) = &self.index {
            let lines = index.lines_from(&range.low).map_err(Error::io("read", &path))?;
            return Ok(Listed { path, lines });
        }
        let from = self.lines.partition_point(|line| *line < range.low);
        Ok(Listed { path, lines: Box::new(self.lines[from..].iter().cloned().map(Ok)) })
    }

    pub(super) fn stored(&self, place: &Place) -> Result<Box<dyn Read + Send>, Error> {
        let missing = || self.refused(format!("the WARC file {} of this index is not beside it", place.segment));
        let name = place.segment.rsplit('/').next().unwrap_or_default();
        let found = self.index.as_ref().and_then(|_| beside(&self.path, name));
        let part = found.as_ref().or_else(|| self.parts.get(&place.segment)).ok_or_else(missing)?;
        let failed = || Error::io("read", &part.path);
        let mut file = door::open_given(&part.path).map_err(failed())?;
        let left = part.len.saturating_sub(place.offset);
        file.seek(SeekFrom::Start(part.start.saturating_add(place.offset))).map_err(failed())?;
        Ok(Box::new(file.take(left.min(place.length))))
    }

    fn refused(&self, reason: String) -> Error {
        Error::Unusable { path: self.path.clone(), reason }
    }

    fn add_segment(&mut self, name: &str, file: &mut dyn Read) -> Result<(), Error> {
        let failed = || Error::io("read", &self.path);
        let (mut reader, mut indexer) = (Reader::new(file), Indexer::new(name));
        while let Some(mut record) = reader.next().map_err(failed())? {
            let mut line = String::new();
            if indexer.line(&mut record, &mut line).map_err(failed())? {
                line.truncate(line.trim_end().len());
                self.lines.push(line);
            }
        }
        Ok(())
    }

    /// The segments of a package. What its own index says is not taken on trust.
    fn add_package(&mut self, file: File) -> Result<(), Error> {
        let path = self.path.clone();
        let refuse = |error| {
            let reason = format!("is no WACZ package that can be read: {error}");
            Error::Unusable { path: path.clone(), reason }
        };
        let mut package = Package::open(BufReader::with_capacity(256 << 10, file)).map_err(refuse)?;
        let segments: Vec<_> = package.segments().cloned().collect();
        if segments.is_empty() {
            return Err(self.refused("is a ZIP file without WARC segments, so no WACZ package".to_owned()));
        }
        for member in segments {
            if member.deflated {
                let reason =
                    format!("{} is compressed within the package, so single records cannot be read", member.name);
                return Err(self.refused(reason));
            }
            let name = member.name.rsplit('/').next().unwrap_or(&member.name).to_owned();
            let (start, len) = package.range(&member).map_err(refuse)?;
            self.add_segment(&name, &mut *package.stream(&member).map_err(refuse)?)?;
            self.parts.insert(name, Part { path: path.clone(), start, len });
        }
        Ok(())
    }

    /// An index, whose WARC files lie beside it. Of the names in it only the last part counts, as with other tools.
    fn add_lines(&mut self, file: File) -> Result<(), Error> {
        let mut text = String::new();
        let read = BufReader::new(file).take(TEXT_MAX).read_to_string(&mut text);
        if read.is_err() || !text.lines().any(|line| cdxj::Line::parse(line).is_ok()) {
            return Err(self.refused("is not a WARC, WACZ or CDXJ file".to_owned()));
        }
        for mut line in text.lines().filter_map(|line| cdxj::Line::parse(line).ok()) {
            let Some(name) = line.filename.as_deref().and_then(|name| name.rsplit('/').next()) else { continue };
            let name = name.to_owned();
            if !self.parts.contains_key(&name) {
                self.parts.extend(beside(&self.path, &name).map(|part| (name.clone(), part)));
            }
            line.filename = Some(name);
            self.lines.push(line.to_string());
        }
        Ok(())
    }
}

fn beside(index: &Path, name: &str) -> Option<Part> {
    if name.is_empty() || name == ".." || name == "." {
        return None;
    }
    let directory = index.parent().unwrap_or(Path::new(""));
    BESIDE.iter().find_map(|beside| {
        let path = directory.join(beside).join(name);
        let len = door::open_file(&path).ok()?.metadata().ok()?.len();
        Some(Part { path, start: 0, len })
    })
}
