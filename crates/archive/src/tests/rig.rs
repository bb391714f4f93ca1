//! A small site and somebody who captures it.

use crate::{Capture, CaptureHead, CaptureKind, Collection, Exchange, OpenOptions, Spool};
use std::path::{Path, PathBuf};
use tintype_vocab::{
    ChangeRate, Decision, Observation, Outcome, PageId, Purpose, Request, SiteId, Span, Time, Visit, Why,
};

pub(super) const START: Time = Time::from_millis(1_794_779_703_042);
pub(super) const SITE: &str = "example.com";

/// A directory for one test: in memory where there is such a place, because these tests sync thousands of times.
pub(super) fn temporary() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let directory = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    directory.unwrap()
}

pub(super) fn options() -> OpenOptions {
    OpenOptions { create: true, command: "test".to_owned(), now: START }
}

pub(super) fn open(path: &Path) -> Collection {
    Collection::open(path, options()).unwrap()
}

pub(super) fn head(started: Time) -> CaptureHead {
    CaptureHead {
        site: SITE.to_owned(),
        kind: CaptureKind::Capture,
        seeds: vec!["http://example.com/".to_owned()],
        settings: serde_json::json!({"depth": 3}),
        run_seed: 7,
        started,
        describe: vec![("software".to_owned(), "tintype test".to_owned())],
    }
}

/// The `n`th visit of a capture: the time follows.
pub(super) fn visit(n: u32, path: &str, started: Time, outcome: Outcome) -> Visit {
    let asked = started + Span::from_millis(i64::from(n) * 1000);
    let request = Request {
        site: SiteId(0),
        page: PageId(n),
        url: format!("http://example.com{path}"),
        purpose: if path == "/robots.txt" { Purpose::Robots } else { Purpose::Visit },
        attempt: 0,
        rate: ChangeRate { per_day: 0.5, shape: 2.0 },
    };
    Visit { request, asked, answered: asked + Span::from_millis(120), outcome }
}

pub(super) fn exchange(path: &str, status: &str, headers: &str, body: &[u8]) -> Exchange {
    Exchange {
        request_head: format!("GET {path} HTTP/1.1\r\nHost: example.com\r\n\r\n").into_bytes(),
        response_head: format!("HTTP/1.1 {status}\r\n{headers}Transfer-Encoding: chunked\r\n\r\n").into_bytes(),
        body: Spool::from_bytes(body.to_vec()),
        peer: Some("192.0.2.7".parse().unwrap()),
        protocols: Vec::new(),
        cipher_suite: None,
        truncated: None,
    }
}

pub(super) const HTML: &str = "Content-Type: text/html; charset=utf-8\r\nETag: \"1\"\r\nCache-Control: max-age=60\r\n";

/// Takes in one page that is there.
pub(super) fn page(capture: &mut Capture, n: u32, path: &str, started: Time, body: &str) -> Observation {
    let visit = visit(n, path, started, Outcome::Body { status: 200 });
    let decision = Decision::of(&visit.request, started, 0, Why::Policy);
    capture.decide(&decision).unwrap();
    capture.ingest(&visit, Some(exchange(path, "200 OK", HTML, body.as_bytes())), None).unwrap()
}

/// Files under a directory whose name ends so, sorted.
pub(super) fn files(directory: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_str().unwrap().ends_with(suffix));
    files.sort();
    files
}
