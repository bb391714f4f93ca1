//! A record as the answer it stands for: chunk framing undone, duplicate records with the payload they point to.

use super::{Holdings, Memento};
use crate::{Error, import::warc::is_not_modified};
use std::{io, path::Path};
use tintype_vocab::{PageUrl, Time};
use tintype_warc::{Limits, Reader, Record, RecordType, chunked::Dechunker, digest::is_chunked, http::Head};

/// Larger bodies are not held in memory but pass by.
const IN_MEMORY_MAX: usize = 8 << 20;
/// Originals that are tried for one duplicate record.
const ORIGINALS_MAX: usize = 8;

/// An answer of the past.
#[derive(Clone, Debug)]
pub struct OpenedMemento {
    /// The URL that was asked for.
    pub url: String,
    /// When it was asked for.
    pub time: Time,
    pub status: u16,
    /// Status line and fields as they were; written for a record that is no HTTP answer.
    pub head: Vec<u8>,
    pub body: MementoBody,
    /// URL and date of the record that holds the payload, if that is another one.
    pub original: Option<(String, Time)>,
    /// Why the payload is not all of what the server meant to send.
    pub truncated: Option<String>,
}

/// The payload: transfer-decoded, content codings as they were sent.
#[derive(Clone, Debug)]
pub enum MementoBody {
    Whole(Vec<u8>),
    /// To be read with [`Holdings::pour`]; the length is unknown where chunk framing has to be undone.
    Large {
        memento: Box<Memento>,
        len: Option<u64>,
    },
}

impl OpenedMemento {
    /// The first field of that name.
    pub fn field(&self, name: &str) -> Option<String> {
        Head::parse(&self.head)?.get(name).map(|value| value.into_owned())
    }

    /// All fields, as text where they are.
    pub fn fields(&self) -> Vec<(String, Vec<u8>)> {
        let Some(head) = Head::parse(&self.head) else { return Vec::new() };
        head.fields().map(|(name, value)| (String::from_utf8_lossy(name).into_owned(), value.to_vec())).collect()
    }
}

/// What one record says, before anything it points to is looked for.
struct Read {
    opened: OpenedMemento,
    /// URL and date of the original, of a duplicate record.
    refers_to: (Option<String>, Option<Time>),
    is_elsewhere: bool,
}

pub(super) fn open(holdings: &Holdings, memento: &Memento) -> Result<Option<OpenedMemento>, Error> {
    let Some(read) = read(holdings, memento)? else { return Ok(None) };
    if !read.is_elsewhere {
        return Ok(Some(read.opened));
    }
    for original in originals(holdings, memento, &read)?.iter().take(ORIGINALS_MAX) {
        if let Some(found) = self::read(holdings, original)?.filter(|found| !found.is_elsewhere) {
            return Ok(Some(merged(read.opened, found.opened)));
        }
    }
    Ok(None)
}

/// The head of the duplicate, if it has one worth showing, and the payload of the original.
fn merged(own: OpenedMemento, original: OpenedMemento) -> OpenedMemento {
    let from = Some((original.url, original.time));
    let truncated = original.truncated;
    match own.head.is_empty() || own.status == 304 {
        true => OpenedMemento {
            status: original.status,
            head: original.head,
            body: original.body,
            original: from,
            truncated,
            ..own
        },
        false => OpenedMemento { body: original.body, original: from, truncated, ..own },
    }
}

/// Records that may hold the payload, the likeliest first. None of them points elsewhere itself, so there are no rings.
fn originals(holdings: &Holdings, memento: &Memento, read: &Read) -> Result<Vec<Memento>, Error> {
    let (url, date) = (&read.refers_to.0, read.refers_to.1);
    let url = url.as_deref().unwrap_or(memento.url());
    let mut found = holdings.mementos(url)?;
    if PageUrl::new(url) != PageUrl::new(memento.url()) {
        found.extend(holdings.mementos(memento.url())?);
    }
    found.retain(|original| !original.is_elsewhere());
    let second = date.unwrap_or(memento.time).as_secs();
    let is_same = |original: &Memento| memento.line.digest.is_some() && original.line.digest == memento.line.digest;
    // A "not modified" by a tool that did not say of what is about the last answer before it.
    let guesses = !memento.line.is_duplicate();
    found.retain(|original| match guesses {
        true => original.status() == Some(200) && original.time <= memento.time,
        false => is_same(original) || (date.is_some() && original.time.as_secs() == second),
    });
    found.sort_by_key(|original| {
        let dated = original.time.as_secs() == second && original.url() == url;
        (!dated, original.time.as_secs().abs_diff(second))
    });
    Ok(found)
}

fn read(holdings: &Holdings, memento: &Memento) -> Result<Option<Read>, Error> {
    let file = Path::new(memento.line.filename.as_deref().unwrap_or_default()).to_owned();
    let limits = Limits { block_bytes_in_memory: IN_MEMORY_MAX, ..Limits::default() };
    let mut reader = Reader::with_limits(holdings.stored(memento)?, limits);
    match reader.next().map_err(Error::io("read", &file))? {
        Some(record) => Ok(understood(&record, memento)),
        None => Ok(None),
    }
}

/// What a record says, if it is an answer and the one that its index line speaks of.
fn understood(record: &Record<'_>, memento: &Memento) -> Option<Read> {
    let (header, kind) = (record.header, record.header.record_type());
    let url = header.target_uri()?.into_owned();
    if PageUrl::new(&url) != PageUrl::new(memento.url()) {
        return None;
    }
    let (status, head, start) = match (kind, Head::parse(record.block())) {
        (RecordType::Response | RecordType::Duplicate, Some(head)) => {
            (head.status().unwrap_or(200), record.block()[..head.len].to_vec(), head.len)
        }
        (RecordType::Duplicate, None) => (304, Vec::new(), 0),
        (RecordType::Resource, _) => (200, written_head(header.content_type()), 0),
        _ => return None,
    };
    let body = body(record, memento, &head, start);
    let is_elsewhere = kind == RecordType::Duplicate || status == 304;
    let truncated = header.truncated().map(str::to_owned);
    let refers_to = (header.refers_to_target_uri().map(|url| url.into_owned()), header.refers_to_date());
    let head = if kind == RecordType::Duplicate && is_not_modified(header) { Vec::new() } else { head };
    let time = header.date().unwrap_or(memento.time);
    Some(Read {
        opened: OpenedMemento { url, time, status, head, body, original: None, truncated },
        refers_to,
        is_elsewhere,
    })
}

fn written_head(content_type: Option<&str>) -> Vec<u8> {
    let plain = |text: &&str| !text.contains(['\r', '\n']);
    let content_type = content_type.filter(plain).unwrap_or("application/octet-stream");
    format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n").into_bytes()
}

fn body(record: &Record<'_>, memento: &Memento, head: &[u8], start: usize) -> MementoBody {
    let chunked = Head::parse(head).is_some_and(|head| is_chunked(&head));
    if !record.is_whole() {
        let len = (!chunked).then(|| record.block_len.saturating_sub(start as u64));
        return MementoBody::Large { memento: Box::new(memento.clone()), len };
    }
    let stored = &record.block()[start..];
    if !chunked {
        return MementoBody::Whole(stored.to_vec());
    }
    let mut body = Vec::with_capacity(stored.len());
    Dechunker::new().feed(stored, &mut |piece| body.extend_from_slice(piece));
    // Some tools undo the framing and keep the field that announces it.
    if body.is_empty() { MementoBody::Whole(stored.to_vec()) } else { MementoBody::Whole(body) }
}

impl Holdings {
    /// Hands the payload to `sink`, piece by piece.
    pub fn pour(&self, body: &MementoBody, sink: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        match body {
            MementoBody::Whole(bytes) => sink(bytes),
            MementoBody::Large { memento, .. } => {
                let file = Path::new(memento.line.filename.as_deref().unwrap_or_default()).to_owned();
                pour_stored(self.stored(memento)?, sink).map_err(Error::io("read", &file))?;
            }
        }
        Ok(())
    }
}

fn pour_stored(stored: Box<dyn io::Read + Send>, sink: &mut dyn FnMut(&[u8])) -> io::Result<()> {
    let mut reader = Reader::with_limits(stored, Limits { block_bytes_in_memory: IN_MEMORY_MAX, ..Limits::default() });
    let Some(mut record) = reader.next()? else { return Ok(()) };
    let head = Head::parse(record.block()).filter(|_| record.header.record_type() != RecordType::Resource);
    let (mut skip, chunked) = head.map_or((0, false), |head| (head.len, is_chunked(&head)));
    let mut dechunker = Dechunker::new();
    record.pour(&mut |bytes| {
        let passed = skip.min(bytes.len());
        skip -= passed;
        match chunked {
            true => dechunker.feed(&bytes[passed..], &mut |piece| sink(piece)),
            false => sink(&bytes[passed..]),
        }
    })?;
    Ok(())
}
