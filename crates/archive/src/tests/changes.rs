//! The changes of a collection, as told to people.

use super::rig::{HTML, SITE, START, exchange, head, open, page, temporary, visit};
use crate::{Bodies, Changed, Reading};
use tintype_vocab::{Outcome, Span, Time};

const NEXT: Time = Time::from_millis(START.as_millis() + 86_400_000);

/// Two captures of two pages; one changes, then goes back to what the other was.
fn collection() -> (tempfile::TempDir, Reading) {
    let root = temporary();
    let collection = open(root.path());
    let mut capture = collection.begin(head(START)).unwrap();
    page(&mut capture, 0, "/a", START, "<p>old</p>");
    page(&mut capture, 1, "/b", START, "<p>other</p>");
    capture.finish(&serde_json::json!({})).unwrap();
    let mut capture = collection.begin(head(NEXT)).unwrap();
    page(&mut capture, 0, "/a", NEXT, "<p>new</p>");
    page(&mut capture, 1, "/b", NEXT, "<p>other</p>");
    page(&mut capture, 2, "/a", NEXT, "<p>other</p>");
    capture.finish(&serde_json::json!({})).unwrap();
    let reading = collection.reading();
    (root, reading)
}

fn bodies(changed: &Changed, reading: &Reading) -> [String; 2] {
    let Bodies { before, after } = changed.bodies(reading).unwrap();
    [before, after].map(|payload| {
        let payload = payload.unwrap();
        assert_eq!(payload.described().content_type, Some("text/html; charset=utf-8"));
        String::from_utf8(payload.body).unwrap()
    })
}

#[test]
fn every_change_comes_with_both_versions_and_the_time_it_can_have_happened_in() {
    let (_root, reading) = collection();
    let changes: Vec<Changed> = reading.changes(START).unwrap().map(Result::unwrap).collect();
    let told: Vec<_> = changes.iter().map(|changed| bodies(changed, &reading)).collect();
    assert_eq!(told, [["<p>old</p>", "<p>new</p>"], ["<p>new</p>", "<p>other</p>"]]);
    let first = changes[0].before.as_ref().unwrap();
    assert_eq!((first.since, first.until, changes[0].observation.asked), (START, START, NEXT));
    assert!(changes.iter().all(|changed| changed.site == SITE && changed.observation.url == "http://example.com/a"));
    let backwards: Vec<Changed> = reading.changes(START).unwrap().newest_first().map(Result::unwrap).collect();
    assert!(backwards.iter().rev().eq(&changes));
}

#[test]
fn only_what_was_seen_since_then_is_told_and_only_of_the_site() {
    let (_root, reading) = collection();
    let count = |since, site| reading.changes(since).unwrap().of_site(site).count();
    assert_eq!(count(START, SITE), 2);
    assert_eq!(count(NEXT + Span::from_secs(1), SITE), 1);
    assert_eq!(count(NEXT + Span::from_secs(60), SITE), 0);
    assert_eq!(count(START, "elsewhere.org"), 0);
}

#[test]
fn a_change_whose_records_are_gone_is_still_told() {
    let (root, reading) = collection();
    std::fs::remove_dir_all(root.path().join("warc")).unwrap();
    let changed = reading.changes(START).unwrap().next().unwrap().unwrap();
    assert_eq!(changed.bodies(&reading).unwrap(), Bodies::default());
}

#[test]
fn changes_are_told_while_the_capture_goes_on() {
    let root = temporary();
    let collection = open(root.path());
    let mut capture = collection.begin(head(START)).unwrap();
    for (n, body) in ["one", "two"].iter().enumerate() {
        let visit = visit(n as u32, "/", START, Outcome::Body { status: 200 });
        capture.ingest(&visit, Some(exchange("/", "200 OK", HTML, body.as_bytes())), None).unwrap();
    }
    assert_eq!(collection.reading().changes(START).unwrap().count(), 0, "not before it would survive a power cut");
    capture.commit().unwrap();
    let reading = collection.reading();
    let changed = reading.changes(START).unwrap().next().unwrap().unwrap();
    assert_eq!(bodies(&changed, &reading), ["one", "two"]);
    capture.suspend().unwrap();
}
