//! Records of other tools as visits.

use super::{COMMIT_BYTES, Import};
use crate::{Error, Exchange, Spool, Truncated, held};
use std::{
    io::{self, Read},
    path::Path,
};
use tintype_vocab::{Outcome, PageUrl, Purpose, Request, SiteId, Time, Visit};
use tintype_warc::{Header, Reader, Record, RecordType, chunked::Dechunker, digest::is_chunked, http::Head};

/// What stands for the head of a "not modified" that was kept without one.
const NOT_MODIFIED_HEAD: &[u8] = b"HTTP/1.1 304 Not Modified\r\n\r\n";

/// The URL of the first record that has one, if these are the first bytes of a WARC file.
pub(super) fn first_page(start: &[u8]) -> Option<String> {
    let mut reader = Reader::new(start);
    let mut url = None;
    while let Ok(Some(record)) = reader.next() {
        let target = record.header.target_uri().map(|uri| uri.into_owned());
        url = url.or(target.filter(|uri| uri.starts_with("http")));
        if url.is_some() && is_answer(record.header) {
            break;
        }
    }
    url
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
        self.imported.findings.extend(odd.iter().map(|odd| format!("at byte {}: {}", odd.offset, odd.problem)));
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
        if self.capture.pending_bytes() > COMMIT_BYTES {
            self.capture.commit()?;
        }
        Ok(())
    }

    /// A response or duplicate record as a visit; nothing if it lacks what a visit needs.
    fn answer(&mut self, record: &mut Record<'_>) -> io::Result<Option<Waiting>> {
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
                self.imported.passed_over += 1;
                self.imported
                    .findings
                    .push(format!("the original of {} is not in the archive", waiting.visit.request.url));
                return Ok(None);
            };
            let mut body = Spool::new(&self.spool);
            held::pour_body(self.capture.layout(), self.capture.writing().segment(), &place, &mut body)?;
            waiting.exchange.body = body;
        }
        Ok(Some(waiting))
    }
}

impl Waiting {
    fn lacks_request(&self, url: &str) -> bool {
        self.exchange.request_head.is_empty() && self.visit.request.url == url
    }
}

fn request_of(record: &Record<'_>) -> (String, Vec<u8>) {
    let block = record.block();
    let len = Head::parse(block).map_or(block.len(), |head| head.len);
    (record.header.target_uri().unwrap_or_default().into_owned(), block[..len].to_vec())
}

fn read_answer(record: &mut Record<'_>, spool: &Path) -> io::Result<Option<Waiting>> {
    let header = record.header;
    let (Some(url), Some(date)) = (header.target_uri().map(|url| url.into_owned()), header.date()) else {
        return Ok(None);
    };
    let not_modified = is_not_modified(header);
    let start = if not_modified && record.block().is_empty() { NOT_MODIFIED_HEAD } else { record.block() };
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
        truncated: header.truncated().map(truncated),
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

fn truncated(text: &str) -> Truncated {
    match text {
        "length" => Truncated::Length,
        "time" => Truncated::Time,
        _ => Truncated::Disconnect,
    }
}
