//! Index files: one sorted CDXJ file per closed segment, and nothing in it that the segment does not say. A large one is
//! compressed in blocks, as replay tools read it. Those of many segments are merged besides.

mod files;
pub(crate) mod journal;
mod lines;
mod merge;
pub(crate) mod merged;
mod merging;

use crate::{door, log::Place, retention};
pub(crate) use files::{
    LinesFrom, TEXT_MAX, files, lines_from, names_of, packed_lines_from, plain_lines_from, read, sizes, write,
    write_lines,
};
pub(crate) use lines::IndexLines;
pub(crate) use merged::KnownFiles;
pub(crate) use merging::{Merger, remove};
use std::{
    io::{self, Seek, SeekFrom},
    path::Path,
};
use tintype_vocab::surt;
use tintype_warc::{Header, Limits, Reader, RecordType, cdxj, http::Head, index::Indexer};

/// The line of a record we are writing: what [`of_segment`] would say of it, without reading it back.
pub(crate) fn line(header: &Header, start: &[u8], place: &Place) -> Option<String> {
    let kind = header.record_type();
    if !matches!(kind, RecordType::Response | RecordType::Duplicate | RecordType::Resource) || is_left_out(header) {
        return None;
    }
    let url = header.target_uri()?.into_owned();
    let head = Some(start).filter(|_| kind != RecordType::Resource).and_then(Head::parse);
    let mime = match kind {
        RecordType::Duplicate => Some("warc/revisit".to_owned()),
        RecordType::Resource => header.content_type().map(media_type),
        _ => head.as_ref().and_then(|head| head.get("content-type")).map(|text| media_type(&text)),
    };
    let line = cdxj::Line {
        key: surt(&url),
        timestamp: header.date()?.to_timestamp14(),
        url: Some(url),
        mime,
        status: head.and_then(|head| head.status_text().map(str::to_owned)),
        digest: header.payload_digest().map(str::to_owned),
        length: Some(place.length),
        offset: Some(place.offset),
        filename: Some(place.segment.clone()),
        others: Vec::new(),
    };
    let mut text = String::with_capacity(256);
    line.write_to(&mut text);
    Some(text)
}

/// Whether the record itself says that it is not to be indexed.
fn is_left_out(header: &Header) -> bool {
    header.get(retention::FIELD.0).is_some()
}

fn media_type(content_type: &str) -> String {
    content_type.split(|c: char| c == ';' || c.is_whitespace()).next().unwrap_or_default().to_owned()
}

/// What reading a whole segment gave.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) lines: Vec<String>,
    /// Those of records that want to be left out.
    pub(crate) left_out: Vec<String>,
    /// Where the last whole record ends.
    pub(crate) valid_up_to: u64,
    pub(crate) len: u64,
}

/// The index lines of a segment, by reading it.
pub(crate) fn of_segment(path: &Path, name: &str) -> io::Result<Made> {
    completed(path, name, (Vec::new(), 0))
}

/// The same where those of the first so many bytes are known; of these, who wants to be left out is not looked for.
pub(crate) fn completed(path: &Path, name: &str, known: (Vec<String>, u64)) -> io::Result<Made> {
    let mut file = door::open_file(path)?;
    let len = file.metadata()?.len();
    let (mut lines, from) = if known.1 <= len { known } else { (Vec::new(), 0) };
    file.seek(SeekFrom::Start(from))?;
    let mut reader = Reader::starting_at(file, from, Limits::default());
    let mut indexer = Indexer::new(name);
    let mut left_out = Vec::new();
    while let Some(mut record) = reader.next()? {
        let (mut line, of) = (String::new(), if is_left_out(record.header) { &mut left_out } else { &mut lines });
        if indexer.line(&mut record, &mut line)? {
            of.push(line);
        }
    }
    cdxj::sort(&mut lines);
    cdxj::sort(&mut left_out);
    Ok(Made { lines, left_out, valid_up_to: reader.valid_up_to(), len })
}
