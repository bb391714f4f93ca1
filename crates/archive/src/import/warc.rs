//! Records of other tools as visits.

use super::{Import, vet};
use crate::{Error, Exchange, Spool, held};
use std::{
    io::{self, Read},
    path::Path,
};
use tintype_vocab::{Outcome, PageUrl, Purpose, Request, SiteId, Time, Truncated, Visit};
use tintype_warc::{Header, Problem, Reader, Record, RecordType, chunked::Dechunker, digest::is_chunked, http::Head};

/// What stands for the head of a "not modified" that was kept without one.
const NOT_MODIFIED_HEAD: &[u8] = b"HTTP/1.1 304 Not Modified\r\n\r\n";

/// The site of the first record that has one, if these are the first bytes of a WARC file.
pub(super) fn first_site(start: &[u8]) -> Option<String> {
    let mut reader = Reader::new(start);
    while let Ok(Some(record)) = reader.next() {
        if let Some(site) = record.header.target_uri().and_then(|url| vet::site(&url)) {
            return Some(site);
        }
    }
    None
}

fn is_answer(header: &Header) -> bool {
    matches!(header.record_type(), RecordType::Response | RecordType::Duplicate)
}

/// An answer that waits for its request, which may stand before or behind it.
struct Waiting {
    visit: Visit,
    exchange: Exchange,
}

impl Import {
    /// Takes in every answer of a WARC file.
    pub(super) fn warc(&mut self, path: &Path, file: impl Read) -> Result<(), Error> {
        let failed = || Error::io("read", path);
        let mut reader = Reader::new(file);
        let mut waiting: Option<Waiting> = None;
        let mut request: Option<(String, Vec<u8>)> = None;
        while let Some(mut record) = reader.next().map_err(failed())? {
            match record.header.record_type() {
                RecordType::Request => {
                    let asked = request_of(&record);
                    match &mut waiting {
                        Some(answer) if answer.lacks_request(&asked.0) => answer.exchange.request_head = asked.1,
                        _ => request = Some(asked),
                    }
                }
                _ if is_answer(record.header) => {
                    self.take(waiting.take())?;
                    waiting = self.answer(&mut record).map_err(failed())?;
                    if let Some(answer) = &mut waiting
                        && let Some((_, head)) = request.take().filter(|(url, _)| answer.lacks_request(url))
                    {
                        answer.exchange.request_head = head;
                    }
                }
                _ => self.imported.passed_over += 1,
            }
        }
        self.take(waiting)?;
        let odd = reader.take_findings();
        for odd in odd.iter() {
            self.oddities.note(&kind(&odd.problem), &odd.problem.to_string(), || at_byte(odd.offset));
        }
        Ok(())
    }

    fn take(&mut self, waiting: Option<Waiting>) -> Result<(), Error> {
        let Some(Waiting { mut visit, exchange }) = waiting else { return Ok(()) };
        visit.request.page = self.pages.number(&PageUrl::new(&visit.request.url));
        if self.is_known() {
            return Ok(());
        }
        self.capture.ingest(&visit, Some(exchange), None)?;
        self.imported.visits += 1;
        self.commit_some()
    }

    /// A response or duplicate record as a visit; nothing if it lacks what a visit needs.
    fn answer(&mut self, record: &mut Record<'_>) -> io::Result<Option<Waiting>> {
        if let (Some(url), Some(date)) = (record.header.target_uri(), record.header.date())
            && let Some(fault) = vet::fault(&url, date)
        {
            self.pass_over(fault, &url, || at_byte(record.offset));
            return Ok(None);
        }
        let answer = read_answer(record, &self.spool)?;
        let Some(mut waiting) = answer else {
            self.imported.passed_over += 1;
            return Ok(None);
        };
        let header = record.header;
        if header.record_type() == RecordType::Duplicate && waiting.visit.outcome != Outcome::NotModified {
            let digest = header.payload_digest().and_then(|text| text.parse().ok());
            let original = digest.and_then(|digest| self.capture.state.original(&digest).ok().flatten());
            let Some(place) = original.and_then(|original| original.place) else {
                let fault = "a duplicate whose original is not in the archive";
                self.pass_over(fault, &waiting.visit.request.url, || at_byte(record.offset));
                return Ok(None);
            };
            let mut body = Spool::new(&self.spool);
            held::pour_body(self.capture.layout(), self.capture.writing().segment(), &place, &mut body)?;
            waiting.exchange.body = body;
        }
        Ok(Some(waiting))
    }
}

/// The name of a problem, without how large it is this time.
fn kind(problem: &Problem) -> String {
    let name = format!("{problem:?}");
    name.split(' ').next().unwrap_or_default().to_owned()
}

pub(super) fn at_byte(offset: u64) -> String {
    format!("at byte {offset}")
}

impl Waiting {
    fn lacks_request(&self, url: &str) -> bool {
        self.exchange.request_head.is_empty() && self.visit.request.url == url
    }
}

fn request_of(record: &Record<'_>) -> (String, Vec<u8>) {
    let block = record.block();
    let len = Head::parse(block).map_or(block.len(), |head| head.len);
    (target(record.header).unwrap_or_default(), block[..len].to_vec())
}

/// The address of a record, its scheme as our index expects it: tools of the field read a head only behind `http:` in lower case.
fn target(header: &Header) -> Option<String> {
    let mut url = header.target_uri()?.into_owned();
    let scheme = url.find(':').unwrap_or(0);
    url[..scheme].make_ascii_lowercase();
    Some(url)
}

fn read_answer(record: &mut Record<'_>, spool: &Path) -> io::Result<Option<Waiting>> {
    let header = record.header;
    let (Some(url), Some(date)) = (target(header), header.date()) else {
        return Ok(None);
    };
    let not_modified = header.record_type() == RecordType::Duplicate && is_not_modified(header);
    let has_status = Head::parse(record.block()).is_some_and(|head| head.status().is_some());
    let start = if not_modified && !has_status { NOT_MODIFIED_HEAD } else { record.block() };
    let Some(head) = Head::parse(start) else { return Ok(None) };
    let Some(outcome) = (if not_modified { Some(Outcome::NotModified) } else { meaning(&head, &url) }) else {
        return Ok(None);
    };
    let (response_head, head_len, chunked) = (start[..head.len].to_vec(), head.len, is_chunked(&head));
    let exchange = Exchange {
        request_head: Vec::new(),
        response_head,
        body: Spool::new(spool),
        peer: header.get("WARC-IP-Address").and_then(|text| text.parse().ok()),
        protocols: header.get_all("WARC-Protocol").map(str::to_owned).collect(),
        cipher_suite: None,
        truncated: header.truncated().map(Truncated::of_field),
    };
    let mut waiting = Waiting { visit: visit(url, date, outcome), exchange };
    if !not_modified && !pour(record, head_len, chunked, &mut waiting.exchange.body)? {
        return Ok(None);
    }
    Ok(Some(waiting))
}

/// Copies the body of a record, chunk framing undone. Whether the record was whole.
fn pour(record: &mut Record<'_>, head_len: usize, chunked: bool, body: &mut Spool) -> io::Result<bool> {
    let (mut skip, mut result, mut dechunker) = (head_len, Ok(()), Dechunker::new());
    let extent = record.pour(&mut |bytes| {
        let passed = skip.min(bytes.len());
        skip -= passed;
        let mut push = |piece: &[u8]| {
            if result.is_ok() {
                result = body.push(piece);
            }
        };
        match chunked {
            true => dechunker.feed(&bytes[passed..], &mut push),
            false => push(&bytes[passed..]),
        }
    })?;
    result?;
    Ok(extent.is_some())
}

fn visit(url: String, date: Time, outcome: Outcome) -> Visit {
    let purpose = purpose(&url);
    let request =
        Request { site: SiteId(0), page: tintype_vocab::PageId(0), url, purpose, attempt: 0, rate: Default::default() };
    Visit { request, asked: date, answered: date, outcome }
}

/// Why somebody who did not say so asked for a page.
pub(crate) fn purpose(url: &str) -> Purpose {
    let path = url.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map(|(_, path)| path);
    if path == Some("robots.txt") { Purpose::Robots } else { Purpose::Visit }
}

/// Whether a duplicate record is there because the server said that nothing changed.
pub(crate) fn is_not_modified(header: &Header) -> bool {
    header.get("WARC-Profile").is_some_and(|profile| profile.contains("not-modified"))
}

/// What an answer means by its status; nothing if it has none.
pub(crate) fn meaning(head: &Head<'_>, url: &str) -> Option<Outcome> {
    Some(Outcome::of_status(head.status()?, location(head, url).as_deref(), None))
}

fn location(head: &Head<'_>, url: &str) -> Option<String> {
    let target = head.get("location")?;
    let joined = url::Url::parse(url).ok()?.join(&target).ok()?;
    Some(joined.into())
}
