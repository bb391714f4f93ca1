//! The history of a site as our own captures saw it, and the bodies they kept.
//!
//! A collection knows when it looked, not when the site changed: an event is dated by the visit that first saw it.

use crate::{
    EventKind, History, Impossible, Recorder,
    contents::{Contents, Document, Unreadable},
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};
use tintype_archive::{Error, Reading, StoredVersion};
use tintype_vocab::{Change, Digest, Entry, Observation, Outcome, PageUrl, Purpose, Time, UrlKey};
use tintype_warc::{Reader, Record};

/// Why a collection holds no history to play.
#[derive(Debug, thiserror::Error)]
pub enum Unplayable {
    #[error(transparent)]
    Archive(#[from] Error),
    #[error("no page of {0} was ever seen")]
    NothingSeen(String),
    #[error("an event of {site} {why}")]
    Impossible { site: String, why: Impossible },
}

/// The documents of a site in a collection.
#[derive(Debug)]
pub struct Archived {
    reading: Reading,
    urls: Vec<Box<str>>,
    /// Of each event.
    rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// Number in `urls`.
    page: u32,
    /// Nothing for a deletion.
    digest: Option<u64>,
}

/// Every version of every page of a site, by the visits of all its captures in order of time: a payload not held at the
/// time is a new version, and 404 or 410 where there was a page is its deletion. Pages of other hosts that were
/// captured along are left out. Sizes are those of whole answers, as observations have them.
pub fn of_collection(reading: &Reading, site: &str) -> Result<(History, Archived), Unplayable> {
    let mut witness = Witness::default();
    for capture in reading.captures_of(site)? {
        capture.head.seeds.iter().for_each(|seed| witness.settle_host(seed));
        for entry in reading.entries(&capture.id)? {
            if let Entry::Observation(seen) = entry? {
                witness.note(&seen);
            }
        }
    }
    witness.sights.sort_by_key(|sight| sight.at);
    let (history, rows) = witness.history().map_err(|why| Unplayable::Impossible { site: site.to_owned(), why })?;
    if rows.is_empty() {
        return Err(Unplayable::NothingSeen(site.to_owned()));
    }
    Ok((history, Archived { reading: reading.clone(), urls: witness.urls, rows }))
}

/// What all visits saw.
#[derive(Default)]
struct Witness {
    /// The part of URL keys that all pages of the site share.
    host: Option<String>,
    /// By path and query, which is all a history has: a page is one under http and https.
    pages: HashMap<Box<str>, u32>,
    /// The URL each page was first asked for by.
    urls: Vec<Box<str>>,
    media_types: HashSet<Rc<str>>,
    sights: Vec<Sight>,
}

/// One visit that saw a page, or that it was gone.
struct Sight {
    at: Time,
    page: u32,
    size: u64,
    /// Of the body; nothing if the page was gone.
    digest: Option<u64>,
    media_type: Rc<str>,
}

impl Witness {
    /// The first URL decides which host the site is.
    fn settle_host(&mut self, url: &str) {
        self.host.get_or_insert_with(|| host_of(&UrlKey::of(url)).to_owned());
    }

    fn note(&mut self, seen: &Observation) {
        let Some(digest) = sight(seen) else { return };
        self.settle_host(&seen.url);
        if self.host.as_deref() != Some(host_of(&UrlKey::of(&seen.url))) {
            return;
        }
        let page = *self.pages.entry(path_of(PageUrl::new(&seen.url).as_str()).into()).or_insert_with(|| {
            self.urls.push(seen.url.as_str().into());
            self.urls.len() as u32 - 1
        });
        let media_type = self.media_type(seen.media_type.as_deref().unwrap_or_default());
        self.sights.push(Sight { at: seen.asked, page, size: seen.bytes, digest, media_type });
    }

    fn media_type(&mut self, name: &str) -> Rc<str> {
        if let Some(known) = self.media_types.get(name) {
            return known.clone();
        }
        let name: Rc<str> = name.into();
        self.media_types.insert(name.clone());
        name
    }

    /// Plays the sights, which are in order of time, and keeps those that saw something else than the one before.
    fn history(&self) -> Result<(History, Vec<Row>), Impossible> {
        let mut recorder = Recorder::default();
        let mut rows = Vec::new();
        let mut live: Vec<Option<u64>> = vec![None; self.urls.len()];
        for sight in &self.sights {
            let live = &mut live[sight.page as usize];
            let kind = match (*live, sight.digest) {
                (before, now) if before == now => continue,
                (None, _) => EventKind::Added,
                (Some(_), Some(_)) => EventKind::Modified,
                (Some(_), None) => EventKind::Deleted,
            };
            *live = sight.digest;
            let (size, digest) = sight.digest.map_or((0, 0), |digest| (sight.size, digest));
            let path = path_of(&self.urls[sight.page as usize]);
            recorder.record(sight.at, path, kind, size, digest, &sight.media_type)?;
            rows.push(Row { page: sight.page, digest: sight.digest });
        }
        Ok((recorder.finish(), rows))
    }
}

/// The digest a visit saw, `Some(None)` if it saw that the page is gone, `None` if it saw neither.
fn sight(seen: &Observation) -> Option<Option<u64>> {
    if seen.purpose == Purpose::Robots {
        return None;
    }
    match &seen.outcome {
        Outcome::Gone { .. } => Some(None),
        // Nothing can be said of a body that was cut short.
        Outcome::Body { .. } | Outcome::NotModified if seen.change != Change::Unknown => {
            seen.digest.map(|digest| Some(start_of(digest)))
        }
        _ => None,
    }
}

/// What a history keeps of a digest.
fn start_of(digest: Digest) -> u64 {
    digest.0[..8].iter().fold(0, |start, byte| start << 8 | u64::from(*byte))
}

fn host_of(key: &UrlKey) -> &str {
    key.as_str().split(')').next().unwrap_or_default()
}

/// Path and query of a URL as it was sent.
fn path_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or("/", |at| &url[host + at..])
}

impl Archived {
    /// Scheme and host of the first page, without a slash at the end.
    pub fn origin(&self) -> &str {
        let url = &self.urls[0];
        url.strip_suffix(path_of(url)).unwrap_or(url)
    }

    fn find(&self, row: Row, digest: u64) -> Result<Option<Document>, Error> {
        let url = &self.urls[row.page as usize];
        let versions = self.versions(url, digest)?;
        if let Some(version) = versions.iter().find(|version| !version.is_duplicate()) {
            return self.read(version, Document::of_record);
        }
        // The payload is that of another page, which its duplicate record names.
        let Some(duplicate) = versions.first() else { return Ok(None) };
        let original = |record: &mut Record<'_>| Ok(record.header.refers_to_target_uri().map(|url| url.into_owned()));
        let Some(url) = self.read(duplicate, original)? else { return Ok(None) };
        match self.versions(&url, digest)?.iter().find(|version| !version.is_duplicate()) {
            Some(version) => self.read(version, Document::of_record),
            None => Ok(None),
        }
    }

    /// The versions of a URL with that payload.
    fn versions(&self, url: &str, digest: u64) -> Result<Vec<StoredVersion>, Error> {
        let has = |version: &StoredVersion| {
            let stated = version.digest.as_deref().and_then(|text| text.parse().ok());
            stated.is_some_and(|stated| start_of(stated) == digest)
        };
        Ok(self.reading.versions(url)?.into_iter().filter(has).collect())
    }

    fn read<T>(
        &self,
        version: &StoredVersion,
        take: impl FnOnce(&mut Record<'_>) -> std::io::Result<Option<T>>,
    ) -> Result<Option<T>, Error> {
        let mut reader = Reader::new(self.reading.record(&version.place)?);
        let read = reader.next().and_then(|record| record.map_or(Ok(None), |mut record| take(&mut record)));
        read.map_err(|source| Error::Io { doing: "read", path: version.place.segment.clone().into(), source })
    }
}

impl Contents for Archived {
    fn document(&mut self, row: u32) -> Result<Option<Document>, Unreadable> {
        let held = self.rows[row as usize];
        match held.digest {
            None => Ok(Some(Document::gone())),
            Some(digest) => self.find(held, digest).map_err(|source| Unreadable::Archive { row, source }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use tintype_archive::{Capture, CaptureHead, CaptureKind, Collection, Exchange, OpenOptions, Spool};
    use tintype_vocab::{PageId, Request, SiteId, Span, Visit};

    const SITE: &str = "example.com";

    fn second(at: i64) -> Time {
        Time::from_secs(1_000_000_000 + at)
    }

    /// What one visit found: nothing for 404.
    type Found<'a> = (i64, &'a str, Option<&'a str>);

    fn ingest(capture: &mut Capture, (at, url, body): Found<'_>) {
        let (outcome, status) = match body {
            Some(_) => (Outcome::Body { status: 200 }, "200 OK"),
            None => (Outcome::Gone { status: 404 }, "404 Not Found"),
        };
        let purpose = if url.ends_with("robots.txt") { Purpose::Robots } else { Purpose::Visit };
        let request = Request {
            site: SiteId(0),
            page: PageId(0),
            url: url.to_owned(),
            purpose,
            attempt: 0,
            rate: Default::default(),
        };
        let visit = Visit { request, asked: second(at), answered: second(at) + Span::from_millis(9), outcome };
        let exchange = Exchange {
            request_head: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
            response_head: format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\nETag: \"{at}\"\r\n\r\n").into(),
            body: Spool::from_bytes(body.unwrap_or("gone").into()),
            peer: None,
            protocols: Vec::new(),
            cipher_suite: None,
            truncated: None,
        };
        capture.ingest(&visit, Some(exchange), None).unwrap();
    }

    fn capture(root: &Path, found: &[Found<'_>]) {
        let options = OpenOptions { create: true, command: "test".to_owned(), now: second(0) };
        let head = CaptureHead {
            site: SITE.to_owned(),
            kind: CaptureKind::Capture,
            seeds: vec!["http://example.com/".to_owned()],
            settings: serde_json::Value::Null,
            run_seed: 0,
            started: second(found[0].0),
            describe: Vec::new(),
        };
        let mut capture = Collection::open(root, options).unwrap().begin(head).unwrap();
        found.iter().for_each(|found| ingest(&mut capture, *found));
        capture.finish(&serde_json::Value::Null).unwrap();
    }

    const FRONT: &str = "http://example.com/";
    const NEWS: &str = "https://www.example.com/news?b=1";

    #[test]
    fn captures_become_a_history_with_the_bodies_they_kept() {
        let root = tempfile::tempdir().unwrap();
        capture(
            root.path(),
            &[
                (0, "http://example.com/robots.txt", Some("User-agent: *")),
                (1, FRONT, Some("one")),
                (2, "http://elsewhere.example/", Some("not ours")),
                (3, NEWS, Some("one")),
                (4, "http://example.com/never", None),
            ],
        );
        capture(root.path(), &[(101, FRONT, Some("one")), (102, NEWS, None)]);
        capture(root.path(), &[(201, FRONT, Some("two")), (202, NEWS, None), (203, NEWS, Some("three"))]);
        let reading = Collection::read(root.path()).unwrap();
        let (history, mut contents) = of_collection(&reading, SITE).unwrap();
        let told: Vec<_> =
            history.events().iter().map(|event| (event.at, history.path(event.page), event.kind)).collect();
        let want = [
            (second(1), "/", EventKind::Added),
            (second(3), "/news?b=1", EventKind::Added),
            (second(102), "/news?b=1", EventKind::Deleted),
            (second(201), "/", EventKind::Modified),
            (second(203), "/news?b=1", EventKind::Added),
        ];
        assert_eq!(told, want);
        let mut body = |row| {
            let document = contents.document(row).unwrap().unwrap();
            (document.status, String::from_utf8(document.body).unwrap())
        };
        assert_eq!(body(3), (200, "two".to_owned()));
        assert_eq!(body(0), (200, "one".to_owned()));
        assert_eq!(body(1), (200, "one".to_owned()), "kept as a duplicate of another page");
        assert_eq!(body(2), (404, String::new()));
        assert_eq!(body(4), (200, "three".to_owned()));
        let front = contents.document(3).unwrap().unwrap();
        assert_eq!(front.headers, [("ETag".to_owned(), "\"201\"".to_owned())]);
        assert_eq!(contents.origin(), "http://example.com");
        assert_eq!(history.media_type(&history.events()[0]), "text/html");
    }

    #[test]
    fn a_site_nobody_captured_has_no_history() {
        let root = tempfile::tempdir().unwrap();
        capture(root.path(), &[(0, FRONT, None)]);
        let reading = Collection::read(root.path()).unwrap();
        for site in [SITE, "other.example"] {
            let error = of_collection(&reading, site).unwrap_err();
            assert_eq!(error.to_string(), format!("no page of {site} was ever seen"));
        }
    }
}
