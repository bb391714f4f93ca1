//! The visits of one capture as its segments alone tell them, for somebody who has the files and nothing else.
//!
//! No digest is taken on trust: payloads are hashed as they go by, and what a duplicate record says is held against the
//! bytes of its original, wherever among the files that is. A file without our marks counts as a record of the capture,
//! its visits told by their dates.

use crate::{
    CaptureHead, CaptureId, Defect, Error, Finding, door,
    held::{LOOK_BYTES, look_at_parts},
    import::warc::{is_not_modified, meaning, purpose},
    ingest::{redirect_only, validators},
    scan::{Announced, first_announced, is_cut, stated_validators},
    tag::Tag,
};
use hashbrown::HashMap;
use sha1::{Digest as _, Sha1};
use std::{
    io,
    path::{Path, PathBuf},
};
use tintype_observe::Look;
use tintype_vocab::{Digest, Failure, Observation, Outcome, PageUrl, Purpose, Request, SiteId, Time, Truncated};
use tintype_warc::{
    Header, Limits, Problem, Reader, Record, RecordType,
    chunked::Dechunker,
    digest::{Checker, is_chunked},
    http::{HEAD_BYTES_MAX, Head},
};

/// A page is searched for links as far as when it was taken in.
const LIMITS: Limits = Limits { header_bytes: 256 << 10, block_bytes_in_memory: LOOK_BYTES + HEAD_BYTES_MAX };
/// Stands in until the tag of the visit is read.
const UNTOLD: Outcome = Outcome::Failed { cause: Failure::NotHttp };
/// So many duplicates wait for their originals before the files are searched for them.
const WAITING_MAX: usize = 100_000;
/// Defects beyond this many are only counted.
const FINDINGS_MAX: usize = 1000;

/// What the files said besides the visits.
#[derive(Debug, Default)]
pub struct Evidence {
    /// What the capture set out to do, if a file says so.
    pub head: Option<CaptureHead>,
    /// Files that hold visits of the capture.
    pub segments: usize,
    pub visits: u64,
    /// Duplicates whose original is in none of the files, and versions that were only noted: their digest is only what
    /// the record states.
    pub elsewhere: u64,
    /// What is wrong with the records, a thousand at most.
    pub findings: Vec<Finding>,
    /// Other captures among the files.
    pub others: Vec<CaptureId>,
}

/// Reads the visits of a capture out of WARC files and hands them on, in no particular order.
///
/// Observations lack what only a log or an earlier capture can tell: whether the page had changed since then.
pub fn evidence(files: &[PathBuf], capture: &CaptureId, each: &mut dyn FnMut(&Observation)) -> Result<Evidence, Error> {
    let mut hearing = Hearing { files, each, waiting: HashMap::new(), waits: 0, evidence: Evidence::default() };
    for path in files {
        let is_ours = first_announced(path).map_err(Error::io("read", path))?.is_some_and(|first| first.head.is_some());
        hearing.hear(path, is_ours.then_some(capture))?;
    }
    hearing.resolve()?;
    hearing.evidence.others.sort();
    hearing.evidence.others.dedup();
    Ok(hearing.evidence)
}

impl Evidence {
    /// Takes note of a capture that has visits among the files.
    fn meet(&mut self, announced: Announced, capture: &CaptureId) {
        match announced.id == *capture {
            true => self.head = announced.head.or(self.head.take()),
            false => self.others.push(announced.id),
        }
    }
}

struct Hearing<'a> {
    files: &'a [PathBuf],
    each: &'a mut dyn FnMut(&Observation),
    /// Duplicates by the date of their original.
    waiting: HashMap<Time, Vec<Waiting>>,
    waits: usize,
    evidence: Evidence,
}

/// The answer of a visit whose last record has not come by yet.
struct Heard {
    observation: Observation,
    /// Set for duplicate records.
    duplicate: Option<Duplicate>,
    /// Where its answer stands, and what is wrong with that.
    offset: u64,
    problems: Vec<Problem>,
}

struct Duplicate {
    original: Option<(String, Time)>,
    /// The head of this answer; empty when the server said "not modified".
    head: Vec<u8>,
    /// The validators are those of the original.
    as_original: bool,
}

/// A duplicate that has still to see its original.
struct Waiting {
    original: PageUrl<'static>,
    head: Vec<u8>,
    as_original: bool,
    observation: Observation,
}

impl Hearing<'_> {
    /// The visits of one file; if it is one of ours, those of the capture that came to their end.
    fn hear(&mut self, path: &Path, capture: Option<&CaptureId>) -> Result<(), Error> {
        let tagged = capture.is_some();
        let mut number = None;
        let failed = || Error::io("read", path);
        let mut reader = Reader::with_limits(door::open_file(path).map_err(failed())?, LIMITS);
        let mut heard: Option<Heard> = None;
        let mut records = 0;
        while let Some(mut record) = reader.next().map_err(failed())? {
            records += 1;
            if let Some((announced, capture)) = Announced::of(&record).zip(capture) {
                number = number.or((announced.id == *capture).then_some(announced.number));
                self.evidence.meet(announced, capture);
            }
            match record.header.record_type() {
                RecordType::Response | RecordType::Duplicate => {
                    self.accept(path, heard.take().filter(|_| !tagged))?;
                    heard = answer(&mut record, tagged).map_err(failed())?;
                }
                RecordType::Metadata if tagged && !speaks_of(heard.as_ref(), record.header) => {
                    heard = failure(record.header);
                }
                _ if tagged && !speaks_of(heard.as_ref(), record.header) => heard = None,
                _ => {}
            }
            if let Some(tag) = Some(record.header).filter(|_| tagged).and_then(Tag::of_record) {
                let Some(tag) = Some(tag).filter(|tag| Some(tag.capture) == number) else {
                    heard = None;
                    continue;
                };
                self.evidence.elsewhere += u64::from(tag.noted.is_some());
                self.accept(path, heard.take().map(|heard| heard.tagged(tag)))?;
            }
        }
        self.accept(path, heard.filter(|_| !tagged))?;
        if records == 0 {
            return Err(Error::Unusable { path: path.to_owned(), reason: "is not a WARC file".to_owned() });
        }
        self.evidence.segments += usize::from(!tagged || number.is_some());
        for odd in reader.take_findings().iter().filter(|_| !tagged || number.is_some()) {
            self.note(path, odd.offset, odd.problem.clone());
        }
        Ok(())
    }

    fn note(&mut self, path: &Path, offset: u64, problem: Problem) {
        if self.evidence.findings.len() < FINDINGS_MAX {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.evidence.findings.push(Finding { file, offset: Some(offset), defect: Defect::Segment(problem) });
        }
    }

    /// Hands a whole visit on, or lets it wait for the bytes it stands for.
    fn accept(&mut self, path: &Path, heard: Option<Heard>) -> Result<(), Error> {
        let Some(Heard { observation, duplicate, offset, problems }) = heard else { return Ok(()) };
        problems.into_iter().for_each(|problem| self.note(path, offset, problem));
        self.evidence.visits += 1;
        let Some(Duplicate { original, head, as_original }) = duplicate else {
            (self.each)(&observation);
            return Ok(());
        };
        let Some((url, date)) = original else {
            self.evidence.elsewhere += 1;
            (self.each)(&observation);
            return Ok(());
        };
        let original = PageUrl::new(&url).into_owned();
        self.waiting.entry(date).or_default().push(Waiting { original, head, as_original, observation });
        self.waits += 1;
        if self.waits < WAITING_MAX { Ok(()) } else { self.resolve() }
    }

    /// Searches all files for the originals of what waits.
    fn resolve(&mut self) -> Result<(), Error> {
        for path in self.files {
            if self.waits == 0 {
                break;
            }
            let failed = || Error::io("read", path);
            let mut reader = Reader::with_limits(door::open_file(path).map_err(failed())?, LIMITS);
            while let Some(mut record) = reader.next().map_err(failed())? {
                self.resolve_with(&mut record).map_err(failed())?;
            }
        }
        self.waits = 0;
        for waiting in std::mem::take(&mut self.waiting).into_values().flatten() {
            self.evidence.elsewhere += 1;
            (self.each)(&waiting.observation);
        }
        Ok(())
    }

    fn resolve_with(&mut self, record: &mut Record<'_>) -> io::Result<()> {
        let header = record.header;
        if header.record_type() != RecordType::Response {
            return Ok(());
        }
        let (Some(url), Some(date)) = (header.target_uri(), header.date()) else { return Ok(()) };
        let Some(candidates) = self.waiting.get_mut(&date) else { return Ok(()) };
        let url = PageUrl::new(&url);
        let mut ready: Vec<Waiting> = candidates.extract_if(.., |waiting| waiting.original == url).collect();
        self.waits -= ready.len();
        for waiting in &mut ready {
            look_again(waiting, record);
        }
        let (payload, _) = examine(record)?;
        for mut waiting in ready {
            waiting.observation.digest = payload;
            (self.each)(&waiting.observation);
        }
        Ok(())
    }
}

impl Heard {
    /// The visit in the words of whoever made it.
    fn tagged(mut self, tag: Tag) -> Heard {
        let seen = &mut self.observation;
        if !matches!(tag.outcome, Outcome::Body { .. }) {
            show(seen, redirect_only(&tag.outcome));
        }
        seen.site = tag.site;
        seen.page = tag.page;
        seen.purpose = tag.purpose;
        seen.answered = tag.answered;
        seen.bytes = tag.bytes;
        seen.outcome = tag.outcome;
        seen.rate = tag.rate;
        seen.digest = seen.digest.or(tag.noted);
        self
    }
}

/// A response or duplicate record; nothing if it lacks what a visit needs. Where a tag will say what the answer means,
/// the status need not.
fn answer(record: &mut Record<'_>, tagged: bool) -> io::Result<Option<Heard>> {
    let (header, offset) = (record.header, record.offset);
    let (Some(url), Some(date)) = (header.target_uri(), header.date()) else { return Ok(None) };
    let is_duplicate = header.record_type() == RecordType::Duplicate;
    let not_modified = is_duplicate && is_not_modified(header);
    let head = Head::parse(record.block());
    let head_len = head.as_ref().map_or(0, |head| head.len);
    let (outcome, looked) = match head {
        _ if not_modified => (Some(Outcome::NotModified), Look::default()),
        Some(head) => (meaning(&head, &url), looked(record, &head, &url)),
        None => (None, Look::default()),
    };
    let Some(outcome) = outcome.or(tagged.then_some(UNTOLD)) else { return Ok(None) };
    let mut observation = Observation::of(&request(&url), date, date, outcome);
    show(&mut observation, looked);
    observation.validators = if not_modified { stated_validators(record) } else { validators(record.block()) };
    let duplicate = is_duplicate.then(|| Duplicate {
        original: header.refers_to_target_uri().map(|url| url.into_owned()).zip(header.refers_to_date()),
        head: if not_modified { Vec::new() } else { record.block()[..head_len].to_vec() },
        as_original: not_modified && Tag::leaves_out_validators(header),
    });
    let (payload, problems) = examine(record)?;
    let stated = header.payload_digest().and_then(|text| text.parse().ok());
    let digest = if is_duplicate { stated } else { payload };
    observation.digest = digest.filter(|_| !is_cut(header));
    observation.truncated = header.truncated().map(Truncated::of_field);
    Ok(Some(Heard { observation, duplicate, offset, problems }))
}

fn speaks_of(heard: Option<&Heard>, header: &Header) -> bool {
    let url = header.target_uri().unwrap_or_default();
    heard.is_some_and(|heard| heard.observation.url == url)
}

/// A visit without answer; its tag will say why.
fn failure(header: &Header) -> Option<Heard> {
    let (url, date) = (header.target_uri()?, header.date()?);
    Some(Heard {
        observation: Observation::of(&request(&url), date, date, UNTOLD),
        duplicate: None,
        offset: 0,
        problems: Vec::new(),
    })
}

fn request(url: &str) -> Request {
    let page = tintype_vocab::PageId(0);
    Request { site: SiteId(0), page, url: url.to_owned(), purpose: purpose(url), attempt: 0, rate: Default::default() }
}

/// What a page shows, if that is what the record holds.
fn looked(record: &Record<'_>, head: &Head<'_>, url: &str) -> Look {
    let here = record.header.record_type() == RecordType::Response && purpose(url) != Purpose::Robots;
    match meaning(head, url) {
        Some(Outcome::Body { .. }) if here => look_at_parts(url, head, &record.block()[head.len..]),
        _ => Look::default(),
    }
}

/// Adds what a page shows to what is known of its visit.
fn show(seen: &mut Observation, look: Look) {
    (seen.links, seen.gist, seen.sniffed) = (look.links, look.gist, look.sniffed);
}

/// What a page that was not stored again shows, by the bytes it has in common with its original.
fn look_again(waiting: &mut Waiting, original: &Record<'_>) {
    let seen = &mut waiting.observation;
    let Some(head) = Head::parse(original.block()) else { return };
    let body = &original.block()[head.len..];
    if waiting.as_original {
        seen.validators = validators(original.block());
    }
    if seen.outcome.saw_page() {
        let own = Head::parse(&waiting.head);
        let look = look_at_parts(&seen.url, own.as_ref().unwrap_or(&head), body);
        show(seen, look);
    }
}

/// The digest of the payload by its bytes, and what is wrong with the digests the record states. Nothing for the payload
/// of a record that is torn.
fn examine(record: &mut Record<'_>) -> io::Result<(Option<Digest>, Vec<Problem>)> {
    let mut checker = Checker::new(record.header, record.block());
    let head = Head::parse(record.block());
    let (mut skip, chunked) = head.map_or((0, false), |head| (head.len, is_chunked(&head)));
    let (mut hash, mut dechunker) = (Sha1::new(), Dechunker::new());
    let whole = record.pour(&mut |bytes| {
        checker.update(bytes);
        let passed = skip.min(bytes.len());
        skip -= passed;
        match chunked {
            true => dechunker.feed(&bytes[passed..], &mut |piece| hash.update(piece)),
            false => hash.update(&bytes[passed..]),
        }
    })?;
    Ok(match whole {
        Some(_) => (Some(Digest(hash.finalize().into())), checker.finish().collect()),
        None => (None, Vec::new()),
    })
}
