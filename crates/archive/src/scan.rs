//! Reads segments and logs for what they say about each other.

use crate::{
    CaptureHead, CaptureId, Error, Retention, door,
    held::stored,
    import::warc::is_not_modified,
    ingest::{compare, redirect_only, validators},
    log::{
        Before, Kept, Original, Place,
        entry::{Lost, Observed, Read},
        range::LogRange,
        reader::Lines,
    },
    max_age::max_age,
    record::{HEAD_FIELD, NUMBER_FIELD},
    retention, robots,
    state::State,
    store::KnownPage,
    tag::Tag,
};
use hashbrown::{HashMap, HashSet};
use std::{
    io::{self, Read as _, Seek, SeekFrom},
    path::Path,
};
use tintype_observe::Look;
use tintype_vocab::{Change, Digest, Observation, Outcome, PageUrl, Purpose, Truncated, Validators};
use tintype_warc::{Extent, Header, Reader, Record, RecordType, http::Head};

/// What a capture says of itself in a segment, before its first visit there.
#[derive(Clone, Debug)]
pub(crate) struct Announced {
    pub(crate) id: CaptureId,
    /// Visits of the capture carry it in this segment.
    pub(crate) number: u32,
    pub(crate) head: Option<CaptureHead>,
    /// Where it stands.
    pub(crate) at: u64,
}

impl Announced {
    /// What a record announces, if that is what it is for.
    pub(crate) fn of(record: &Record<'_>) -> Option<Announced> {
        if record.header.record_type() != RecordType::Warcinfo {
            return None;
        }
        let text = String::from_utf8_lossy(record.block());
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let head = field(HEAD_FIELD).and_then(|json| serde_json::from_str(json).ok());
        let number = field(NUMBER_FIELD).and_then(|number| number.parse().ok()).unwrap_or_default();
        let id = CaptureId::from_text(field("isPartOf")?);
        Some(Announced { id, number, head, at: record.offset })
    }
}

/// How much of a segment is read to see whether it is ours.
const FIRST_BYTES: u64 = 256 << 10;

/// What the first record of a segment announces.
pub(crate) fn first_announced(path: &Path) -> io::Result<Option<Announced>> {
    let mut reader = Reader::new(door::open_file(path)?.take(FIRST_BYTES));
    Ok(reader.next()?.and_then(|record| Announced::of(&record)))
}

/// The captures that have visits in a segment.
pub(crate) fn announced(path: &Path) -> io::Result<Vec<Announced>> {
    let mut reader = Reader::new(door::open_file(path)?);
    let mut announced = Vec::new();
    while let Some(record) = reader.next()? {
        announced.extend(Announced::of(&record));
    }
    Ok(announced)
}

/// A visit that is whole in a segment.
#[derive(Clone, Debug)]
pub(crate) struct FoundVisit {
    /// Of its first record.
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) tag: Tag,
}

/// What a segment holds.
#[derive(Debug, Default)]
pub(crate) struct SegmentScan {
    pub(crate) visits: Vec<FoundVisit>,
    pub(crate) announced: Vec<Announced>,
    /// Where reading began.
    pub(crate) from: u64,
    /// Where the last whole visit ends (or the first record, if there is none).
    pub(crate) whole: u64,
    /// Where the last whole record ends before the first damage.
    pub(crate) sound: u64,
    pub(crate) len: u64,
}

/// The records of one visit as they come by: the last one carries the tag.
#[derive(Debug, Default)]
pub(crate) struct Group {
    first: Option<(Extent, String)>,
}

impl Group {
    /// The visit, if this record completes it. What stood before may lack its end, or a request its response, as after
    /// the loss of a record: then it is no visit.
    pub(crate) fn add(&mut self, header: &Header, extent: Extent) -> Option<FoundVisit> {
        let url = header.target_uri().unwrap_or_default();
        let other = self.first.as_ref().is_none_or(|(_, first)| *first != url);
        match header.record_type() {
            RecordType::Response | RecordType::Duplicate => self.first = Some((extent, url.into_owned())),
            RecordType::Metadata if other => self.first = Some((extent, url.into_owned())),
            _ if other => self.first = None,
            _ => {}
        }
        let tag = Tag::of_record(header)?;
        let (Extent { offset, length }, _) = self.first.take()?;
        Some(FoundVisit { offset, length, tag })
    }
}

impl SegmentScan {
    /// The same with the visits of one capture only; none if it has no number there.
    pub(crate) fn only(mut self, number: Option<u32>) -> SegmentScan {
        self.visits.retain(|visit| Some(visit.tag.capture) == number);
        self
    }
}

/// Reads a segment up to its first damage.
pub(crate) fn segment(path: &Path) -> io::Result<SegmentScan> {
    segment_from(path, 0)
}

/// The same from the beginning of a visit on; what lies before it is taken to be sound.
pub(crate) fn segment_from(path: &Path, from: u64) -> io::Result<SegmentScan> {
    let mut file = door::open_file(path)?;
    let len = file.metadata()?.len();
    file.seek(SeekFrom::Start(from))?;
    let mut reader = Reader::new(file);
    let mut scan = SegmentScan { len, from, whole: from, sound: from, ..SegmentScan::default() };
    let mut group = Group::default();
    let mut end = from;
    while let Some(mut record) = reader.next()? {
        // Records behind a gap were never reported: what was, was synced without gaps.
        let extent = record.extent()?.map(|extent| Extent { offset: from + extent.offset, ..extent });
        let Some(extent) = extent.filter(|extent| extent.offset == end) else { break };
        end = extent.offset + extent.length;
        scan.sound = end;
        if record.header.record_type() == RecordType::Warcinfo {
            let announced = Announced::of(&record);
            scan.announced.extend(announced.map(|announced| Announced { at: extent.offset, ..announced }));
            scan.whole = end;
            continue;
        }
        if let Some(visit) = group.add(record.header, extent) {
            scan.visits.push(visit);
            scan.whole = end;
        }
    }
    Ok(scan)
}

/// What a log says, without its links.
#[derive(Debug, Default)]
pub(crate) struct LogScan {
    pub(crate) head: Option<CaptureHead>,
    pub(crate) ended: bool,
    /// Where the last sound line ends.
    pub(crate) sound: u64,
    pub(crate) len: u64,
    /// Unsound lines with sound ones after them: not torn, but damaged.
    pub(crate) damaged: usize,
    /// Where the records of logged visits are, with the line each stands on.
    pub(crate) records: HashMap<String, Vec<(u64, u64)>>,
    lost: Vec<Lost>,
}

impl LogScan {
    pub(crate) fn of(log: &LogRange) -> Result<LogScan, Error> {
        LogScan::from_byte(log, 0)
    }

    /// What the lines from a byte on say.
    pub(crate) fn from_byte(log: &LogRange, from: u64) -> Result<LogScan, Error> {
        let mut lines = Lines::open(log, from)?;
        let mut scan = LogScan { sound: from, len: from, ..LogScan::default() };
        let mut unsound = 0;
        while let Some(line) = lines.next()? {
            let (start, end) = (line.start, line.end);
            scan.len = end;
            let Some(says) = line.says else {
                unsound += 1;
                continue;
            };
            scan.damaged += std::mem::take(&mut unsound);
            scan.sound = end;
            scan.take(start, says);
        }
        Ok(scan)
    }

    fn take(&mut self, start: u64, says: Read<'_>) {
        self.ended = false;
        match says {
            Read::Head(line) => self.head = Some(line.head),
            Read::Observe(_) | Read::Same(_) => {
                let place = says.into_observed(None).and_then(|observed| observed.place);
                if let Some(Place { segment, offset, .. }) = place {
                    self.records.entry(segment).or_default().push((offset, start));
                }
            }
            Read::Lost(lost) => self.lost.push(lost),
            Read::End(_) => self.ended = true,
            Read::Decide(_) | Read::Objects(_) | Read::Missing(_) | Read::Closed(_) => {}
        }
    }

    /// Offsets of the logged records of a segment that were not taken back.
    pub(crate) fn offsets(&self, segment: &str) -> HashSet<u64> {
        let gone = |offset: u64, line: u64| {
            let place = Place { segment: segment.to_owned(), offset, length: 0 };
            self.lost.iter().any(|lost| lost.covers(line, Some(&place)))
        };
        let records = self.records.get(segment).into_iter().flatten();
        records.filter(|(offset, line)| !gone(*offset, *line)).map(|(offset, _)| *offset).collect()
    }
}

/// The observation of a visit that is in a segment but not in the log, as if it were taken in again.
pub(crate) fn revive(
    layout: &crate::layout::Layout,
    state: &State,
    segment: &str,
    found: &FoundVisit,
) -> Result<Option<Observed>, Error> {
    let place = Place { segment: segment.to_owned(), offset: found.offset, length: found.length };
    let failed = || Error::io("read", &layout.open_segment(segment));
    let mut reader = Reader::new(stored(layout, &place).map_err(failed())?);
    let Some(record) = reader.next().map_err(failed())? else { return Ok(None) };
    let (Some(url), Some(asked)) = (record.header.target_uri(), record.header.date()) else { return Ok(None) };
    let stated = record.header.payload_digest().and_then(|text| text.parse::<Digest>().ok());
    let digest = stated.or(found.tag.noted);
    let retention = retention(&record, &found.tag);
    let before = state.page(&PageUrl::new(&url))?;
    let kept = match retention {
        Retention::DigestOnly => Kept::Nothing,
        _ => kept(&record, state, before.as_ref(), digest)?,
    };
    let change = match (&kept, digest) {
        (Kept::NotModified { .. }, _) => Change::Same,
        (_, Some(digest)) if !is_cut(record.header) => compare(&found.tag.outcome, digest, before.as_ref()),
        _ => Change::Unknown,
    };
    let change = match (change, found.tag.importance) {
        (Change::New { .. }, Some(importance)) => Change::New { importance },
        _ => change,
    };
    let look = look(layout, &record, &kept, &found.tag.outcome, &url)?;
    let (head, body) = split(record.block());
    let tag = found.tag.clone();
    let wanted = tag.purpose == Purpose::Robots && matches!(tag.outcome, Outcome::Body { .. });
    let observation = Observation {
        site: tag.site,
        page: tag.page,
        url: url.into_owned(),
        purpose: tag.purpose,
        asked,
        answered: tag.answered,
        outcome: tag.outcome,
        change,
        digest: digest.filter(|_| !is_cut(record.header)),
        media_type: look.media_type,
        sniffed: look.sniffed,
        gist: look.gist,
        bytes: tag.bytes,
        validators: match kept {
            Kept::NotModified { .. } if Tag::leaves_out_validators(record.header) => {
                before.as_ref().map(|page| page.validators.clone()).unwrap_or_default()
            }
            Kept::NotModified { .. } => stated_validators(&record),
            _ => validators(record.block()),
        },
        max_age: head.as_ref().filter(|_| !matches!(kept, Kept::NotModified { .. })).and_then(max_age),
        links: look.links,
        robots: wanted.then(|| robots::text(head.as_ref(), body)),
        rate: tag.rate,
        truncated: record.header.truncated().map(Truncated::of_field),
        rendered: None,
    };
    let before = Before::of(&observation, before.as_ref());
    let (place, attempt, is_brief) = (Some(place), tag.attempt, false);
    Ok(Some(Observed { observation, kept, retention, place, attempt, before, judgement: None, is_brief }))
}

/// How well a version is kept, by its first record.
fn retention(record: &Record<'_>, tag: &Tag) -> Retention {
    match tag.noted {
        Some(_) => Retention::DigestOnly,
        None if record.header.get(retention::FIELD.0).is_some() => Retention::Stored,
        None => Retention::Indexed,
    }
}

fn split(message: &[u8]) -> (Option<Head<'_>>, &[u8]) {
    let head = Head::parse(message);
    let len = head.as_ref().map_or(0, |head| head.len);
    (head, &message[len..])
}

pub(crate) fn stated_validators(record: &Record<'_>) -> Validators {
    let get = |name| record.header.get(name).map(str::to_owned);
    Validators { etag: get("WARC-Etag"), last_modified: get("WARC-Last-Modified") }
}

/// Whether the end of a payload is missing because it never came: part of a version is no version.
pub(crate) fn is_cut(header: &Header) -> bool {
    matches!(header.truncated(), Some("time" | "disconnect"))
}

/// How a record keeps its answer.
fn kept(record: &Record<'_>, state: &State, page: Option<&KnownPage>, digest: Option<Digest>) -> Result<Kept, Error> {
    let header = record.header;
    match header.record_type() {
        RecordType::Response => Ok(Kept::Response),
        RecordType::Duplicate => {
            // An original that is not indexed is known to its own page only.
            let held = page.and_then(KnownPage::held).filter(|(_, held)| Some(*held) == digest);
            let known = digest.map_or(Ok(None), |digest| state.original(&digest))?;
            let known = known.or_else(|| held.map(|(original, _)| original.clone()));
            let stated = header.refers_to_target_uri().zip(header.refers_to_date());
            let stated = stated.map(|(url, date)| Original { url: url.into_owned(), date, place: None });
            let Some(of) = known.or(stated) else { return Ok(Kept::Nothing) };
            Ok(if is_not_modified(header) { Kept::NotModified { of } } else { Kept::Duplicate { of } })
        }
        _ => Ok(Kept::Failure),
    }
}

fn look(
    layout: &crate::layout::Layout,
    record: &Record<'_>,
    kept: &Kept,
    outcome: &Outcome,
    url: &str,
) -> Result<Look, Error> {
    match (kept, outcome) {
        (Kept::Response, Outcome::Body { .. }) => Ok(crate::held::look_at(url, record.block())),
        (Kept::Duplicate { of } | Kept::NotModified { of }, Outcome::Body { .. } | Outcome::NotModified) => {
            let place = of.place.as_ref();
            place.map_or(Ok(Look::default()), |place| crate::held::look_again(layout, None, place, url))
        }
        _ => Ok(redirect_only(outcome)),
    }
}
