//! The bodies behind a table of events: a segment with one response per row, in the same order.

use crate::{
    History,
    contents::{BODY_BYTES_MAX, Contents, Document, Unreadable},
};
use std::{
    fmt,
    io::{self, Read, Seek, SeekFrom},
};
use tintype_vocab::Time;
use tintype_warc::{Header, Limits, Problem, Reader, Record, RecordType};

/// A large block is streamed; nobody keeps more of it than a document may hold.
const LIMITS: Limits = Limits { header_bytes: 64 << 10, block_bytes_in_memory: 1 << 20 };
const _: () = assert!(LIMITS.block_bytes_in_memory <= BODY_BYTES_MAX);

/// A segment that belongs to a history: a `warcinfo` record, then a response for every event.
#[derive(Debug)]
pub struct Segment<R> {
    pub(super) inner: R,
    /// Where each response begins, and where the last one ends.
    places: Vec<u64>,
    origin: String,
    began: Time,
}

/// A segment that does not belong to its history. Records are counted from 0, the `warcinfo`; the response of the first
/// event is record 1.
#[derive(Debug)]
pub struct BadSegment {
    pub record: u64,
    pub what: Flaw,
}

/// What is wrong with a record.
#[derive(Debug)]
pub enum Flaw {
    /// The first record is no dated `warcinfo`.
    NoWarcinfo,
    /// Not a response.
    NotAResponse,
    /// Another page, or the same path at another site, than the event's.
    OtherPage {
        found: String,
    },
    OtherTime {
        found: Option<Time>,
    },
    /// The file ends before the last event.
    Missing,
    /// The file goes on after the last event.
    TooMany,
    /// Torn, corrupt, or compressed in a way that it cannot be found again.
    Damaged(Problem),
    Read(io::Error),
}

impl fmt::Display for BadSegment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}: {}", self.record, self.what)
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NoWarcinfo => f.write_str("the first record is no warcinfo with a date"),
            Flaw::NotAResponse => f.write_str("not a response"),
            Flaw::OtherPage { found } => write!(f, "its URL {found:?} is not that of the event"),
            Flaw::OtherTime { found: Some(time) } => write!(f, "its date {time} is not that of the event"),
            Flaw::OtherTime { found: None } => f.write_str("it has no date"),
            Flaw::Missing => f.write_str("not there, though the history has an event for it"),
            Flaw::TooMany => f.write_str("the history has no event for it"),
            Flaw::Damaged(problem) => write!(f, "{problem}"),
            Flaw::Read(error) => write!(f, "cannot be read: {error}"),
        }
    }
}

impl std::error::Error for BadSegment {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.what {
            Flaw::Read(error) => Some(error),
            _ => None,
        }
    }
}

impl<R: Read + Seek> Segment<R> {
    /// Reads the segment once, from its beginning, and checks that it tells of the same pages and times as the history.
    pub fn open(mut inner: R, history: &History) -> Result<Segment<R>, BadSegment> {
        let mut survey = Survey {
            reader: Reader::with_limits(&mut inner, LIMITS),
            record: 0,
            places: Vec::with_capacity(history.events().len() + 1),
            origin: String::new(),
        };
        let began = survey.walk(history).map_err(|what| BadSegment { record: survey.record, what })?;
        let Survey { places, origin, .. } = survey;
        Ok(Segment { inner, places, origin, began })
    }

    /// Scheme and host of every URL, without a slash at the end; empty if nothing ever happened.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The date of the `warcinfo`: when the recorded window begins.
    pub fn began(&self) -> Time {
        self.began
    }
}

/// The first and only reading of a whole segment.
struct Survey<R> {
    reader: Reader<R>,
    record: u64,
    places: Vec<u64>,
    origin: String,
}

impl<R: Read> Survey<R> {
    fn walk(&mut self, history: &History) -> Result<Time, Flaw> {
        let (began, _) = self.next(|header| began(header).ok_or(Flaw::NoWarcinfo))?.ok_or(Flaw::NoWarcinfo)?;
        let mut end = 0;
        for event in history.events() {
            self.record += 1;
            let origin = std::mem::take(&mut self.origin);
            let path = history.path(event.page);
            let found = self.next(|header| agreeing(header, path, event.at, origin))?;
            let (origin, place) = found.ok_or(Flaw::Missing)?;
            self.origin = origin;
            self.places.push(place.start);
            end = place.end;
        }
        self.places.push(end);
        self.record += 1;
        match self.next(|_| Ok(()))? {
            None => Ok(began),
            Some(_) => Err(Flaw::TooMany),
        }
    }

    /// The next record: what `judge` makes of its header, and where it lies.
    fn next<T>(
        &mut self,
        judge: impl FnOnce(&Header) -> Result<T, Flaw>,
    ) -> Result<Option<(T, std::ops::Range<u64>)>, Flaw> {
        let found = match self.reader.next().map_err(Flaw::Read)? {
            Some(mut record) => Some((judge(record.header), record.extent().map_err(Flaw::Read)?)),
            None => None,
        };
        // Damage in front of a record comes before what the record says: it was passed over, so all others moved up.
        let damage = |problem: &Problem| problem.is_damage() || *problem == Problem::SharedMember;
        let findings = self.reader.take_findings();
        if let Some(finding) = findings.iter().find(|finding| damage(&finding.problem)) {
            return Err(Flaw::Damaged(finding.problem.clone()));
        }
        let Some((judged, extent)) = found else { return Ok(None) };
        let extent = extent.ok_or(Flaw::Damaged(Problem::Torn))?;
        Ok(Some((judged?, extent.offset..extent.offset + extent.length)))
    }
}

fn began(header: &Header) -> Option<Time> {
    header.date().filter(|_| header.record_type() == RecordType::Warcinfo)
}

/// The origin of the URL, if the record is that of an event: the one all records before it had, if there were any.
fn agreeing(header: &Header, path: &str, at: Time, origin: String) -> Result<String, Flaw> {
    if header.record_type() != RecordType::Response {
        return Err(Flaw::NotAResponse);
    }
    let url = header.target_uri().unwrap_or_default();
    let found = url.strip_suffix(&*path.replace(' ', "%20")).filter(|found| is_origin(found));
    let other = |url: &str| Flaw::OtherPage { found: super::malformed::shown(url) };
    let found = found.filter(|found| origin.is_empty() || *found == origin).ok_or_else(|| other(&url))?;
    let date = header.date();
    if date.map(Time::as_secs) != Some(at.as_secs()) {
        return Err(Flaw::OtherTime { found: date });
    }
    Ok(if origin.is_empty() { found.to_owned() } else { origin })
}

/// `scheme://host`.
fn is_origin(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, host)| !scheme.is_empty() && !host.is_empty() && !host.contains('/'))
}

impl<R: Read + Seek> Contents for Segment<R> {
    fn document(&mut self, row: u32) -> Result<Option<Document>, Unreadable> {
        let [start, end] = [self.places[row as usize], self.places[row as usize + 1]];
        let mut read = || -> io::Result<Option<Document>> {
            self.inner.seek(SeekFrom::Start(start))?;
            let stored = (&mut self.inner).take(end - start);
            let mut reader = Reader::starting_at(stored, start, LIMITS);
            reader.next()?.map_or(Ok(None), |mut record: Record<'_>| Document::of_record(&mut record))
        };
        match read() {
            Ok(Some(document)) => Ok(Some(document)),
            Ok(None) => Err(Unreadable::Damaged { row }),
            Err(source) => Err(Unreadable::Io { row, source }),
        }
    }
}
