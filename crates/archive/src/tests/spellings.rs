//! Pages that share a key in the index are still pages of their own.

use super::rig::{HTML, SITE, START, exchange, head, open, page, temporary, visit};
use crate::Collection;
use tintype_vocab::{Change, Outcome, PageUrl, Span, UrlKey};

const PAIRS: [&str; 8] = ["/Apple", "/apple", "/x", "/x/", "/?ID=aB", "/?ID=Ab", "/l?a=1&b=2", "/l?b=2&a=1"];

fn url(path: &str) -> String {
    format!("http://example.com{path}")
}

fn capture_pairs(collection: &Collection, days: i64) -> Vec<Change> {
    let started = START + Span::from_days(days);
    let mut capture = collection.begin(head(started)).unwrap();
    let seen = (0..).zip(PAIRS).map(|(n, path)| page(&mut capture, n, path, started, &format!("<p>{path}</p>")).change);
    let seen = seen.collect();
    capture.finish(&serde_json::json!({})).unwrap();
    seen
}

#[test]
fn spellings_have_histories_of_their_own() {
    let directory = temporary();
    let collection = open(directory.path());
    assert_eq!(capture_pairs(&collection, 0), [Change::First; 8]);
    assert_eq!(capture_pairs(&collection, 1), [Change::Same; 8]);
    let history = collection.history(SITE).unwrap();
    for path in PAIRS {
        let known = history.page(&PageUrl::new(&url(path))).unwrap().unwrap();
        assert_eq!((known.url, known.visits, known.changes), (url(path), 2, 0));
    }
    assert!(history.page(&PageUrl::new(&url("/APPLE"))).unwrap().is_none());
}

#[test]
fn a_url_finds_its_own_versions_under_a_shared_key() {
    let directory = temporary();
    let collection = open(directory.path());
    capture_pairs(&collection, 0);
    let reading = collection.reading();
    for pair in PAIRS.chunks(2) {
        assert_eq!(UrlKey::of(&url(pair[0])), UrlKey::of(&url(pair[1])));
        let found = |path: &str| reading.lookup(&url(path), START).unwrap().unwrap();
        assert_eq!([found(pair[0]).url, found(pair[1]).url], [url(pair[0]), url(pair[1])]);
        assert_ne!(found(pair[0]).digest, found(pair[1]).digest);
        assert_eq!(reading.versions(&url(pair[0])).unwrap().len(), 1);
    }
    let urls = |path: &str| reading.versions(&url(path)).unwrap().into_iter().map(|version| version.url);
    assert_eq!(urls("/APPLE").collect::<Vec<_>>(), [url("/Apple"), url("/apple")], "what other tools would replay");
}

#[test]
fn a_url_that_leads_to_another_spelling_finds_what_is_there() {
    let directory = temporary();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    let moved = visit(0, "/docs", START, Outcome::Redirected { status: 301, to: url("/docs/") });
    let answer = exchange("/docs", "301 Moved", &format!("{HTML}Location: /docs/\r\n"), b"over there");
    capture.ingest(&moved, Some(answer), None).unwrap();
    page(&mut capture, 1, "/docs/", START, "<p>here</p>");
    capture.finish(&serde_json::json!({})).unwrap();
    let statuses = |path: &str| {
        let versions = collection.reading().versions(&url(path)).unwrap();
        versions.iter().map(|version| version.status).collect::<Vec<_>>()
    };
    assert_eq!(statuses("/docs"), [Some(301), Some(200)]);
    assert_eq!(statuses("/docs/"), [Some(200)]);
}
