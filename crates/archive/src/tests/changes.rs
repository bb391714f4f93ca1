//! The changes of a collection, as told to people.

use super::rig::{HTML, SITE, START, exchange, head, open, page, temporary, visit};
use crate::{Bodies, CaptureHead, Changed, Reading};
use tintype_observe::page::Habits;
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

#[test]
fn a_page_that_is_gone_is_told_once() {
    let root = temporary();
    let collection = open(root.path());
    let mut capture = collection.begin(head(START)).unwrap();
    page(&mut capture, 0, "/a", START, "<p>here</p>");
    for n in 1..3 {
        let gone = visit(n, "/a", START, Outcome::Gone { status: 404 });
        capture.ingest(&gone, Some(exchange("/a", "404 Not Found", HTML, b"sorry")), None).unwrap();
        let never = visit(n + 10, "/never", START, Outcome::Gone { status: 404 });
        capture.ingest(&never, Some(exchange("/never", "404 Not Found", HTML, b"sorry")), None).unwrap();
    }
    capture.finish(&serde_json::json!({})).unwrap();
    let reading = collection.reading();
    let told: Vec<Changed> = reading.changes(START).unwrap().map(Result::unwrap).collect();
    let [gone] = told.as_slice() else { panic!("{told:?}") };
    assert!(gone.is_gone() && gone.after.is_none());
    let bodies = gone.bodies(&reading).unwrap();
    assert_eq!((bodies.before.unwrap().body.as_slice(), bodies.after), (&b"<p>here</p>"[..], None));
}

#[test]
fn changes_of_captures_that_overlap_are_told_in_order_of_time() {
    let root = temporary();
    let collection = open(root.path());
    let hour = |n: i64| START + Span::from_secs(3600 * n);
    let of_site = |site: &str, from| CaptureHead { site: site.to_owned(), ..head(from) };
    for (site, hours) in [("a.org", [1, 4, 7]), ("b.org", [2, 3, 8]), ("c.org", [20, 21, 22])] {
        let mut capture = collection.begin(of_site(site, hour(hours[0]))).unwrap();
        for (n, at) in hours.into_iter().enumerate() {
            page(&mut capture, n as u32, &format!("/{site}"), hour(at), &format!("<p>{site} {n}</p>"));
        }
        capture.finish(&serde_json::json!({})).unwrap();
    }
    let reading = collection.reading();
    let told = |since| -> Vec<i64> {
        let changes = reading.changes(since).unwrap().newest_first().map(Result::unwrap);
        changes.map(|changed| (changed.observation.asked - START).as_millis() / 3_600_000).collect()
    };
    assert_eq!(told(START), [22, 21, 8, 7, 4, 3]);
    assert_eq!(told(hour(7)), [22, 21, 8, 7]);
}

#[test]
fn habits_can_be_looked_at_and_are_nothing_where_there_are_none() {
    let (root, reading) = collection();
    assert_ne!(reading.habits(SITE), Habits::default());
    assert_eq!(reading.habits("elsewhere.org"), Habits::default());
    std::fs::remove_dir_all(root.path().join("state")).unwrap();
    assert_eq!(reading.habits(SITE), Habits::default());
}
