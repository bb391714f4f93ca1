//! Records to index lines, exactly as cdxj-indexer 1.5.0 writes them, so that either index may replace the other.

use crate::{Header, Reader, Record, RecordType, cdxj::LineWriter, digest::append_sha1, http::Head};
use sha1::{Digest as _, Sha1};
use std::io::{self, Read};
use tintype_vocab::{Digest, Time, surt_into};

/// Makes index lines of the records of one file; keeps its working memory between records.
#[derive(Debug)]
pub struct Indexer {
    filename: String,
    digest: String,
}

impl Indexer {
    /// `filename` is the base name index lines will carry.
    pub fn new(filename: &str) -> Indexer {
        Indexer { filename: filename.to_owned(), digest: String::new() }
    }

    /// Appends the record's line to `out`, or nothing if it gets none. Returns whether it did.
    ///
    /// Requests, warcinfo and `application/warc-fields` have no line. Neither has a record without a readable date,
    /// nor a large one that turns out torn.
    pub fn line(&mut self, record: &mut Record<'_>, out: &mut String) -> io::Result<bool> {
        let header = record.header;
        let kind = header.record_type();
        if !is_indexed(header, kind) {
            return Ok(false);
        }
        let Some(date) = header.date() else { return Ok(false) };
        let before = out.len();
        let url = header.target_uri();
        let payload_start = self.front(record, kind, date, url.as_deref(), out);
        self.digest.clear();
        let stated = header.payload_digest().filter(|digest| !digest.is_empty());
        let extent = if stated.is_none() && kind != RecordType::Duplicate {
            let (digest, extent) = payload_digest(record, payload_start)?;
            append_sha1(&digest, &mut self.digest);
            extent
        } else {
            self.digest.push_str(stated.unwrap_or_default());
            record.extent()?
        };
        let Some(extent) = extent else {
            out.truncate(before);
            return Ok(false);
        };
        let mut writer = LineWriter::resume(out);
        writer.text("digest", Some(self.digest.as_str()).filter(|digest| !digest.is_empty()));
        writer.number("length", Some(extent.length));
        writer.number("offset", Some(extent.offset));
        writer.text("filename", Some(&self.filename));
        writer.end();
        Ok(true)
    }

    /// Key, time, url, mime and status. Returns where the payload starts in the block.
    fn front(&self, record: &Record<'_>, kind: RecordType, date: Time, url: Option<&str>, out: &mut String) -> usize {
        let header = record.header;
        let block = record.block();
        let with_head = url.is_some_and(|url| url.starts_with("http:") || url.starts_with("https:"));
        let with_head = with_head && matches!(kind, RecordType::Response | RecordType::Duplicate);
        let head = (with_head && !block.is_empty()).then(|| Head::parse_anything(block));
        let said = head.as_ref().filter(|head| head.says_something());
        match url {
            Some(url) => surt_into(url, out),
            None => out.push('-'),
        }
        let mut writer = LineWriter::start(out, "", &date.to_timestamp14());
        writer.text("url", url);
        match kind {
            RecordType::Duplicate => writer.text("mime", Some("warc/revisit")),
            RecordType::Response => writer.text("mime", said.and_then(|h| h.get("content-type")).as_deref().map(mime)),
            _ => writer.text("mime", header.content_type().map(mime)),
        }
        writer.text("status", said.map(|head| head.second_word().unwrap_or("")));
        head.map_or(0, |head| head.len)
    }
}

fn is_indexed(header: &Header, kind: RecordType) -> bool {
    match kind {
        RecordType::Response | RecordType::Duplicate => true,
        RecordType::Resource | RecordType::Metadata => header.content_type() != Some("application/warc-fields"),
        _ => false,
    }
}

/// The media type without its parameters.
fn mime(content_type: &str) -> &str {
    content_type.split(|c: char| c == ';' || c.is_whitespace()).next().unwrap_or("")
}

fn payload_digest(record: &mut Record<'_>, start: usize) -> io::Result<(Digest, Option<crate::Extent>)> {
    let (mut hash, mut skip) = (Sha1::new(), start);
    let extent = record.pour(&mut |bytes| {
        let passed = skip.min(bytes.len());
        skip -= passed;
        hash.update(&bytes[passed..]);
    })?;
    Ok((Digest(hash.finalize().into()), extent))
}

/// The lines of every record in the reader, in file order.
pub fn lines<R: Read>(reader: &mut Reader<R>, filename: &str) -> io::Result<String> {
    let (mut indexer, mut out) = (Indexer::new(filename), String::new());
    while let Some(mut record) = reader.next()? {
        indexer.line(&mut record, &mut out)?;
    }
    Ok(out)
}
