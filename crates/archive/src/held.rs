//! Reads back what is held: the payload of a page whose server said that nothing changed.

use crate::{
    Error, HeldAnswer, Shown, Spool, door,
    layout::Layout,
    log::{Original, Place},
    segment::Segment,
};
use std::io::{self, Read, Seek, SeekFrom};
use tintype_observe::{Described, Look, look};
use tintype_warc::{Limits, Reader, http::Head};

/// How much of a body is searched for links.
pub(crate) const LOOK_BYTES: usize = 16 << 20;

/// What is behind `url`, by the response record at `place`; nothing if the record cannot be read any more.
pub(crate) fn look_again(layout: &Layout, open: Option<&Segment>, place: &Place, url: &str) -> Result<Look, Error> {
    let open = open.filter(|segment| segment.name() == place.segment);
    let look = match open.and_then(|segment| segment.gathered(place)) {
        Some(bytes) => look_into(bytes, url),
        None => stored(layout, place).and_then(|file| look_into(file, url)),
    };
    look.map_err(Error::io("read", &layout.segment(&place.segment)))
}

/// The payload of a version as it was served, as far as memory allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Payload {
    /// The URL it was served for.
    pub url: String,
    pub content_type: Option<String>,
    pub content_encoding: Option<String>,
    /// Rules for robots in its head: `X-Robots-Tag`.
    pub robots: Option<String>,
    pub body: Vec<u8>,
    /// The body is longer than what is here.
    pub is_cut: bool,
}

impl Payload {
    pub fn described(&self) -> Described<'_> {
        Described {
            url: &self.url,
            content_type: self.content_type.as_deref(),
            content_encoding: self.content_encoding.as_deref(),
            ..Described::default()
        }
    }
}

/// Reads a payload back; nothing if its record is not there any more, or is no response.
pub(crate) fn payload(layout: &Layout, open: Option<&Segment>, of: &Original) -> io::Result<Option<Payload>> {
    let Some(place) = &of.place else { return Ok(None) };
    let open = open.filter(|segment| segment.name() == place.segment);
    match open.and_then(|segment| segment.gathered(place)) {
        Some(bytes) => payload_in(bytes, &of.url),
        None => match stored(layout, place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            other => payload_in(other?, &of.url),
        },
    }
}

fn payload_in(stored: impl Read, url: &str) -> io::Result<Option<Payload>> {
    let mut reader = bounded(stored);
    let Some(record) = reader.next()? else { return Ok(None) };
    let Some(head) = Head::parse(record.block()) else { return Ok(None) };
    let text = |name| head.get(name).map(|value| value.into_owned());
    Ok(Some(Payload {
        url: url.to_owned(),
        content_type: text("content-type"),
        content_encoding: text("content-encoding"),
        robots: text("x-robots-tag"),
        body: record.block()[head.len..].to_vec(),
        is_cut: !record.is_whole(),
    }))
}

/// The answer that is held of a version; nothing if its record is not there any more, is no response, or is too long.
pub(crate) fn answer(layout: &Layout, open: Option<&Segment>, of: &Original) -> io::Result<Option<HeldAnswer>> {
    let Some(place) = &of.place else { return Ok(None) };
    let open = open.filter(|segment| segment.name() == place.segment);
    match open.and_then(|segment| segment.gathered(place)) {
        Some(bytes) => answer_in(bytes),
        None => match stored(layout, place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            other => answer_in(other?),
        },
    }
}

fn answer_in(stored: impl Read) -> io::Result<Option<HeldAnswer>> {
    let limits = Limits { block_bytes_in_memory: 2 * LOOK_BYTES, ..Limits::default() };
    let mut reader = Reader::with_limits(stored, limits);
    let Some(record) = reader.next()? else { return Ok(None) };
    let Some(head) = Head::parse(record.block()) else { return Ok(None) };
    let (head, body) = record.block().split_at(head.len);
    Ok(record.is_whole().then(|| HeldAnswer { head: head.to_vec(), body: body.to_vec() }))
}

/// The id of the record at `place`.
pub(crate) fn record_id(layout: &Layout, place: &Place) -> io::Result<Option<String>> {
    let mut reader =
        Reader::with_limits(stored(layout, place)?, Limits { block_bytes_in_memory: 0, ..Limits::default() });
    Ok(reader.next()?.and_then(|record| record.header.get("WARC-Record-ID").map(str::to_owned)))
}

/// The stored bytes of a record, in a segment that is closed or still open.
pub(crate) fn stored(layout: &Layout, place: &Place) -> io::Result<impl Read + use<>> {
    let file = door::open_file(&layout.segment(&place.segment));
    let mut file = file.or_else(|_| door::open_file(&layout.open_segment(&place.segment)))?;
    file.seek(SeekFrom::Start(place.offset))?;
    Ok(file.take(place.length))
}

fn look_into(stored: impl Read, url: &str) -> io::Result<Look> {
    let mut reader = bounded(stored);
    let Some(record) = reader.next()? else { return Ok(Look::default()) };
    Ok(look_at(url, record.block()))
}

fn bounded<R: Read>(stored: R) -> Reader<R> {
    Reader::with_limits(stored, Limits { block_bytes_in_memory: LOOK_BYTES, ..Limits::default() })
}

/// What an HTTP message holds, head and body in one piece.
pub(crate) fn look_at(url: &str, message: &[u8]) -> Look {
    match Head::parse(message) {
        Some(head) => look_at_parts(url, &head, &message[head.len..]),
        None => Look::default(),
    }
}

/// What a body is and where it points, given its head.
pub(crate) fn look_at_parts(url: &str, head: &Head<'_>, body: &[u8]) -> Look {
    describe(url, head, |described| look(described, &body[..body.len().min(LOOK_BYTES)]))
}

/// Shows the page that is held in the response record at `place`; nothing if that cannot be read any more.
pub(crate) fn show_again<T>(
    layout: &Layout,
    open: Option<&Segment>,
    place: &Place,
    url: &str,
    show: impl FnOnce(Shown<'_>) -> T,
) -> io::Result<Option<T>> {
    let open = open.filter(|segment| segment.name() == place.segment);
    match open.and_then(|segment| segment.gathered(place)) {
        Some(bytes) => show_record(bytes, url, show),
        None => show_record(stored(layout, place)?, url, show),
    }
}

fn show_record<T>(stored: impl Read, url: &str, show: impl FnOnce(Shown<'_>) -> T) -> io::Result<Option<T>> {
    let mut reader = bounded(stored);
    let Some(record) = reader.next()? else { return Ok(None) };
    let Some(head) = Head::parse(record.block()) else { return Ok(None) };
    let (body, is_whole) = (&record.block()[head.len..], record.is_whole());
    Ok(Some(describe(url, &head, |described| show(Shown { described, body, is_whole }))))
}

/// Says what the head of an answer says about its body.
pub(crate) fn describe<T>(url: &str, head: &Head<'_>, then: impl FnOnce(&Described<'_>) -> T) -> T {
    let text = |name: &str| head.get(name);
    let (content_type, content_encoding) = (text("content-type"), text("content-encoding"));
    let all = |wanted: &'static [u8]| {
        let fields = head.fields().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted));
        fields.map(|(_, value)| String::from_utf8_lossy(value)).collect::<Vec<_>>()
    };
    let (links, robots) = (all(b"link"), all(b"x-robots-tag"));
    let links: Vec<&str> = links.iter().map(AsRef::as_ref).collect();
    let robots: Vec<&str> = robots.iter().map(AsRef::as_ref).collect();
    let described = Described {
        url,
        content_type: content_type.as_deref(),
        content_encoding: content_encoding.as_deref(),
        link_headers: &links,
        robots_headers: &robots,
    };
    then(&described)
}

/// Copies the payload of the response record at `place`.
pub(crate) fn pour_body(layout: &Layout, open: Option<&Segment>, place: &Place, body: &mut Spool) -> io::Result<()> {
    let open = open.filter(|segment| segment.name() == place.segment);
    match open.and_then(|segment| segment.gathered(place)) {
        Some(bytes) => pour_from(bytes, body),
        None => pour_from(stored(layout, place)?, body),
    }
}

fn pour_from(stored: impl Read, body: &mut Spool) -> io::Result<()> {
    let mut reader = Reader::new(stored);
    let Some(mut record) = reader.next()? else { return Ok(()) };
    let mut skip = Head::parse(record.block()).map_or(0, |head| head.len);
    let mut result = Ok(());
    record.pour(&mut |bytes| {
        let passed = skip.min(bytes.len());
        skip -= passed;
        if result.is_ok() {
            result = body.push(&bytes[passed..]);
        }
    })?;
    result
}
