//! Selected records, written as a WACZ package or as WARC files.

use super::{Selected, SelectedSegment};
use crate::{Error, door, index::IndexLines, spool::unnamed_file};
use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::Path,
};
use tintype_observe::{Described, page, plain};
use tintype_vocab::Time;
use tintype_warc::{
    Reader, Record, RecordType,
    cdxj::Line,
    chunked::Dechunker,
    digest::is_chunked,
    http::Head,
    index::Indexer,
    wacz::{Builder, SignedData, WaczPage, pages_jsonl},
    zipnum::{self, BlockWriter},
};

/// Of longer texts only the beginning is in the list of pages.
const TEXT_MAX: usize = 64 << 10;
const TITLE_MAX: usize = 200;
/// How far into a page its title is looked for.
const TITLE_BEFORE: usize = 64 << 10;

/// What a package says of itself.
#[derive(Clone, Debug)]
pub struct PackageText {
    pub title: String,
    pub created: Time,
    pub software: String,
}

/// More files of a package, such as certificates below `quality/`, made one after the other while it is written.
pub type MoreFiles<'a> = &'a mut dyn Iterator<Item = io::Result<(String, Vec<u8>)>>;

/// Signs the digest and date of a package, or not.
pub type Sign<'a> = &'a mut dyn FnMut(&str, &str) -> io::Result<Option<SignedData>>;

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    pub files: u64,
    pub records: u64,
    pub pages: u64,
    pub bytes: u64,
}

impl Selected {
    /// Writes a WACZ package. It has its name only once it is whole.
    ///
    /// `sign` is handed the digest of what the package lists and its date.
    pub fn write_wacz(
        &self,
        out: &Path,
        text: PackageText,
        files: MoreFiles<'_>,
        sign: Sign<'_>,
    ) -> Result<Exported, Error> {
        let part = out.with_extension("wacz.part");
        let failed = || Error::io("write", &part);
        let written = self.package(&part, out.parent().unwrap_or(Path::new("")), text, files, sign);
        match written {
            Ok(exported) => {
                std::fs::rename(&part, out).map_err(Error::io("write", out))?;
                Ok(exported)
            }
            Err(error) => {
                // Half a package is of no use to anybody.
                let _ = std::fs::remove_file(&part);
                Err(failed()(error))
            }
        }
    }

    fn package(
        &self,
        part: &Path,
        near: &Path,
        text: PackageText,
        files: MoreFiles<'_>,
        sign: Sign<'_>,
    ) -> io::Result<Exported> {
        let near = if near.as_os_str().is_empty() { Path::new(".") } else { near };
        let (mut exported, mut lines) = (Exported::default(), IndexLines::new(near));
        let mut pages = Spooled::new(near)?;
        pages.write(pages_jsonl([]).as_bytes())?;
        let mut builder = Builder::new(BufWriter::with_capacity(1 << 20, File::create(part)?));
        for segment in &self.segments {
            segment.index(&mut lines, &mut pages, &mut exported)?;
            let mut ranges = segment.open()?;
            builder.add(&format!("archive/{}", segment.name), &mut ranges, segment.len())?;
            exported.files += 1;
        }
        let (mut blocks, mut writer) = (Spooled::new(near)?, BlockWriter::new(zipnum::LINES_PER_BLOCK));
        lines.merge(|line| writer.add(line, &mut |member| blocks.write(member)))?;
        let list = writer.finish(&mut |member| blocks.write(member))?;
        blocks.add_to(&mut builder, "indexes/index.cdx.gz")?;
        let list = zipnum::block_list(&list, "index.cdx.gz");
        builder.add("indexes/index.idx", &mut list.as_bytes(), list.len() as u64)?;
        pages.add_to(&mut builder, "pages/pages.jsonl")?;
        for file in files {
            let (path, bytes) = file?;
            builder.add(&path, &mut bytes.as_slice(), bytes.len() as u64)?;
        }
        let out = builder.finish(&text.title, text.created, &text.software, sign)?;
        let file = out.into_inner().map_err(|error| error.into_error())?;
        file.sync_all()?;
        exported.bytes = file.metadata()?.len();
        Ok(exported)
    }

    /// Writes one WARC file for every segment there is something of.
    pub fn write_warcs(&self, directory: &Path) -> Result<Exported, Error> {
        let failed = || Error::io("write", directory);
        std::fs::create_dir_all(directory).map_err(failed())?;
        let mut exported = Exported::default();
        for segment in &self.segments {
            let path = directory.join(&segment.name);
            let copy = || -> io::Result<u64> {
                let mut file = File::options().write(true).create_new(true).open(&path)?;
                let bytes = io::copy(&mut segment.open()?, &mut file)?;
                file.sync_all()?;
                Ok(bytes)
            };
            exported.bytes += copy().map_err(Error::io("write", &path))?;
            exported.records += segment.stretches.iter().map(|stretch| stretch.records).sum::<u64>();
            exported.files += 1;
        }
        Ok(exported)
    }
}

/// A file without a name, that becomes a member when it is complete.
struct Spooled {
    file: BufWriter<File>,
    len: u64,
}

impl Spooled {
    fn new(near: &Path) -> io::Result<Spooled> {
        Ok(Spooled { file: BufWriter::new(unnamed_file(near)?), len: 0 })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.len += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    fn add_to<W: Write + Seek>(self, builder: &mut Builder<W>, path: &str) -> io::Result<()> {
        let mut file = self.file.into_inner().map_err(|error| error.into_error())?;
        file.seek(SeekFrom::Start(0))?;
        builder.add(path, &mut file, self.len)
    }
}

impl SelectedSegment {
    fn len(&self) -> u64 {
        self.stretches.iter().map(|stretch| stretch.length).sum()
    }

    fn open(&self) -> io::Result<Ranges<'_>> {
        let file = BufReader::with_capacity(256 << 10, door::open_file(&self.path)?);
        Ok(Ranges { file, segment: self, next: 0, at: u64::MAX, left: 0 })
    }

    /// The index lines and pages of the records, by where they will be.
    fn index(&self, lines: &mut IndexLines, pages: &mut Spooled, exported: &mut Exported) -> io::Result<()> {
        let mut reader = Reader::new(self.open()?);
        let mut indexer = Indexer::new(&self.name);
        while let Some(mut record) = reader.next()? {
            exported.records += 1;
            let shown = is_page(&record).then(|| shown(&record));
            let mut line = String::new();
            if !indexer.line(&mut record, &mut line)? {
                continue;
            }
            if let Some(page) = shown.and_then(|shown| page_of(&line, shown)) {
                pages.write(format!("{}\n", serde_json::to_string(&page)?).as_bytes())?;
                exported.pages += 1;
            }
            lines.push(line);
            lines.relieve()?;
        }
        Ok(())
    }
}

fn is_page(record: &Record<'_>) -> bool {
    let head = Head::parse(record.block()).filter(|_| record.header.record_type() == RecordType::Response);
    head.is_some_and(|head| {
        let is_html = |kind: &str| {
            ["text/html", "application/xhtml+xml"].iter().any(|html| kind.to_ascii_lowercase().starts_with(html))
        };
        head.status() == Some(200) && head.get("content-type").is_some_and(|kind| is_html(&kind))
    })
}

/// Title and text of a page, for those who look for it.
fn shown(record: &Record<'_>) -> (Option<String>, Option<String>) {
    let Some(head) = Head::parse(record.block()).filter(|_| record.is_whole()) else { return (None, None) };
    let (content_type, content_encoding) = (head.get("content-type"), head.get("content-encoding"));
    let url = record.header.target_uri().unwrap_or_default();
    let described = Described {
        url: &url,
        content_type: content_type.as_deref(),
        content_encoding: content_encoding.as_deref(),
        link_headers: &[],
        robots_headers: &[],
    };
    let stored = &record.block()[head.len..];
    let mut body = Vec::new();
    if is_chunked(&head) {
        Dechunker::new().feed(stored, &mut |piece| body.extend_from_slice(piece));
    }
    let body = if body.is_empty() { stored } else { &body };
    let text = page::segment(&described, body).map(|page| cut(page.text(), TEXT_MAX));
    (title(&plain(content_encoding.as_deref(), body)).map(|title| cut(title, TITLE_MAX)), text)
}

/// What stands in the bar of a browser's window.
fn title(html: &[u8]) -> Option<String> {
    let html = String::from_utf8_lossy(&html[..html.len().min(TITLE_BEFORE)]);
    let lower = html.to_ascii_lowercase();
    let start = lower.find("<title")?;
    let start = start + lower[start..].find('>')? + 1;
    let title = &html[start..start + lower[start..].find("</title")?];
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    let title = plain.iter().fold(title.to_owned(), |title, (from, to)| title.replace(from, to));
    Some(title.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|title| !title.is_empty())
}

/// So many bytes of a text, and no half characters.
fn cut(mut text: String, max: usize) -> String {
    text.truncate((0..=max.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0));
    text
}

fn page_of(line: &str, (title, text): (Option<String>, Option<String>)) -> Option<WaczPage> {
    let line = Line::parse(line).ok()?;
    let (url, time) = (line.url.clone()?, line.time()?);
    let id = format!("{}-{}", line.filename.as_deref()?, line.offset?);
    Some(WaczPage { id, url, ts: time.to_rfc3339_secs(), title, text })
}

/// The bytes of some records of a file, one after the other.
struct Ranges<'a> {
    file: BufReader<File>,
    segment: &'a SelectedSegment,
    next: usize,
    /// Where the file stands.
    at: u64,
    left: u64,
}

impl Read for Ranges<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left == 0 {
            let Some(stretch) = self.segment.stretches.get(self.next) else { return Ok(0) };
            if self.at != stretch.offset {
                self.file.seek(SeekFrom::Start(stretch.offset))?;
            }
            (self.at, self.left, self.next) = (stretch.offset, stretch.length, self.next + 1);
        }
        let room = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.file.read(&mut buffer[..room])?;
        if read == 0 && room > 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a segment became shorter"));
        }
        self.left -= read as u64;
        self.at += read as u64;
        Ok(read)
    }
}
