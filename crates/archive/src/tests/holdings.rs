//! What is looked at: while it is written, from files of other tools, and whatever hostile archives claim.

use super::rig::{START, head, open, page};
use crate::{
    Collection,
    holdings::{Holdings, MementoBody},
};
use std::{fs, path::Path};
use tintype_vocab::{Span, Time};

fn body(holdings: &Holdings, url: &str) -> Option<Vec<u8>> {
    let mementos = holdings.mementos(url).unwrap();
    let opened = holdings.open(mementos.last()?).unwrap()?;
    let mut body = Vec::new();
    holdings.pour(&opened.body, &mut |piece| body.extend_from_slice(piece)).unwrap();
    assert!(matches!(opened.body, MementoBody::Whole(_)));
    Some(body)
}

#[test]
fn what_is_committed_is_seen_before_its_segment_is_closed() {
    let directory = tempfile::tempdir().unwrap();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    page(&mut capture, 0, "/", START, "<p>first</p>");
    page(&mut capture, 1, "/a", START, "<p>other</p>");
    capture.commit().unwrap();
    let holdings = Holdings::of_collection(Collection::read(directory.path()).unwrap());
    let seen = holdings.mementos("http://example.com/a").unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!(body(&holdings, "http://example.com/a").as_deref(), Some(&b"<p>other</p>"[..]));
    page(&mut capture, 2, "/b", START, "<p>later</p>");
    capture.commit().unwrap();
    assert_eq!(body(&holdings, "http://example.com/b").as_deref(), Some(&b"<p>later</p>"[..]));
    capture.finish(&serde_json::json!({})).unwrap();
    drop(collection);
    assert_eq!(body(&holdings, "http://example.com/a").as_deref(), Some(&b"<p>other</p>"[..]));
    let found = holdings.mementos("http://example.com/").unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(holdings.capture_of(&found[0]).unwrap().unwrap().head, head(START));
}

/// A record of any kind as other tools write it, plain.
fn record(kind: &str, url: &str, second: i64, more: &str, block: &str) -> String {
    let date = (START + Span::from_secs(second)).to_rfc3339_secs();
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{second:012}>\r\nWARC-Date: {date}\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n{more}Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn held(directory: &Path, records: &[String]) -> Holdings {
    let path = directory.join("foreign.warc");
    fs::write(&path, records.concat()).unwrap();
    let mut holdings = Holdings::default();
    assert_eq!(holdings.add_file(&path).unwrap(), Some(records.len()));
    holdings
}

const IDENTICAL: &str = "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n";

#[test]
fn duplicates_in_a_ring_end_and_a_true_original_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let url = "http://e.com/";
    let refers = |to: i64| {
        let date = (START + Span::from_secs(to)).to_rfc3339_secs();
        format!(
            "{IDENTICAL}WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\nWARC-Refers-To-Target-URI: {url}\r\nWARC-Refers-To-Date: {date}\r\n"
        )
    };
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let mut ring: Vec<String> = (0..500).map(|n| record("revisit", url, n, &refers((n + 1) % 500), head)).collect();
    let holdings = held(directory.path(), &ring);
    for memento in holdings.mementos(url).unwrap() {
        assert!(holdings.open(&memento).unwrap().is_none());
    }
    let digest = "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n";
    ring.push(record("response", url, 700, digest, &format!("{head}the page")));
    let holdings = held(directory.path(), &ring);
    let first = holdings.mementos(url).unwrap().swap_remove(0);
    let opened = holdings.open(&first).unwrap().unwrap();
    assert_eq!(opened.original, Some((url.to_owned(), second(700))));
    assert!(matches!(opened.body, MementoBody::Whole(body) if body == b"the page"));
}

fn second(n: i64) -> Time {
    Time::from_secs((START + Span::from_secs(n)).as_secs())
}

#[test]
fn an_answer_that_says_not_modified_is_that_of_the_last_page_before_it() {
    let directory = tempfile::tempdir().unwrap();
    let url = "http://e.com/";
    let not_modified = "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n";
    let page = |text: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{text}");
    let records = [
        record("response", url, 0, "", &page("one")),
        record("response", url, 10, "", &page("two")),
        record("response", url, 20, "", not_modified),
        record("response", url, 30, "", &page("three")),
    ];
    let holdings = held(directory.path(), &records);
    let opened = holdings.open(&holdings.mementos(url).unwrap()[2]).unwrap().unwrap();
    assert_eq!((opened.status, opened.original), (200, Some((url.to_owned(), second(10)))));
    assert!(matches!(opened.body, MementoBody::Whole(body) if body == b"two"));
}

#[test]
fn an_index_that_lies_about_its_files_reads_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("secret"), "HTTP/1.1 200 OK\r\n\r\nsecret").unwrap();
    let place = directory.path().join("indexes");
    fs::create_dir(&place).unwrap();
    let line = |name: &str| {
        format!(
            "com,e)/ 20261118000000 {{\"url\": \"http://e.com/\", \"status\": \"200\", \"length\": \"900\", \"offset\": \"0\", \"filename\": \"{name}\"}}\n"
        )
    };
    let text = ["../secret", "/etc/passwd", "..", "a/../../secret"].map(line).concat();
    fs::write(place.join("index.cdxj"), text).unwrap();
    let mut holdings = Holdings::default();
    holdings.add_file(&place.join("index.cdxj")).unwrap();
    for memento in holdings.mementos("http://e.com/").unwrap() {
        assert!(!matches!(holdings.open(&memento), Ok(Some(_))), "{memento:?}");
    }
}
