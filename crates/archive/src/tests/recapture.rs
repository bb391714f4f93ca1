//! Pages that are found as they were: what is written of them is short, and who reads it misses nothing.

use super::rig::{HTML, SITE, START, exchange, files, head, open, page, temporary, visit};
use crate::{Capture, Collection};
use std::path::Path;
use tintype_vocab::{Entry, Observation, Outcome, Purpose, Span, Time};

const DAY: Span = Span::from_secs(86_400);
const PAGES: u32 = 40;

fn body(n: u32) -> String {
    let links: String = (0..30).map(|nth| format!("<a href=/{}>page {nth}</a>", (n * 7 + nth) % 90)).collect();
    format!("<title>{n}</title><nav>{links}</nav><img src=/{n}.png>")
}

fn not_modified(capture: &mut Capture, n: u32, started: Time) -> Observation {
    let path = format!("/{n}");
    let answer = exchange(&path, "304 Not Modified", "ETag: \"1\"\r\n", b"");
    capture.ingest(&visit(n, &path, started, Outcome::NotModified), Some(answer), None).unwrap()
}

/// Captures all pages, then again by asking whether they changed. Returns what the second capture saw.
fn capture_twice(collection: &Collection) -> Vec<Observation> {
    let mut capture = collection.begin(head(START)).unwrap();
    let first: Vec<_> = (0..PAGES).map(|n| page(&mut capture, n, &format!("/{n}"), START, &body(n))).collect();
    capture.finish(&serde_json::json!("done")).unwrap();
    let mut capture = collection.begin(head(START + DAY)).unwrap();
    let again: Vec<_> = (0..PAGES).map(|n| not_modified(&mut capture, n, START + DAY)).collect();
    capture.finish(&serde_json::json!("done")).unwrap();
    for (again, first) in again.iter().zip(&first) {
        assert_eq!((&again.links, &again.media_type), (&first.links, &first.media_type));
    }
    again
}

fn read_again(collection: &Collection) -> Vec<Observation> {
    let last = collection.captures().unwrap().pop().unwrap().id;
    let entries = collection.reading().entries(&last).unwrap();
    let observation = |entry| match entry {
        Ok(Entry::Observation(seen)) => Some(*seen),
        _ => None,
    };
    entries.filter_map(observation).collect()
}

#[test]
fn the_log_of_a_recapture_tells_what_its_visits_saw() {
    let directory = temporary();
    let collection = open(directory.path());
    let seen = capture_twice(&collection);
    assert_eq!(read_again(&collection), seen);
    drop(collection);
    // Without what was kept of links, the records of the versions are read.
    std::fs::remove_dir_all(directory.path().join("state")).unwrap();
    let collection = open(directory.path());
    drop(collection.history(SITE).unwrap());
    assert_eq!(read_again(&collection), seen);
}

#[test]
fn a_page_that_changed_since_still_shows_what_it_showed() {
    let directory = temporary();
    let collection = open(directory.path());
    let seen = capture_twice(&collection);
    let before = read_again(&collection);
    let recaptured = collection.captures().unwrap().pop().unwrap().id;
    let mut capture = collection.begin(head(START + DAY + DAY)).unwrap();
    (0..PAGES).for_each(|n| drop(page(&mut capture, n, &format!("/{n}"), START + DAY + DAY, "<a href=/new>new</a>")));
    capture.finish(&serde_json::json!("done")).unwrap();
    let entries = collection.reading().entries(&recaptured).unwrap();
    assert_eq!(entries.filter(|entry| matches!(entry, Ok(Entry::Observation(_)))).count(), before.len());
    let links = |entry| match entry {
        Ok(Entry::Observation(seen)) => seen.links.len(),
        _ => 0,
    };
    let sum: usize = collection.reading().entries(&recaptured).unwrap().map(links).sum();
    assert_eq!(sum, seen.iter().map(|seen| seen.links.len()).sum::<usize>());
}

fn bytes(root: &Path, part: &str) -> u64 {
    files(&root.join(part), "").iter().map(|file| std::fs::metadata(file).unwrap().len()).sum()
}

/// A record alone takes some 320 bytes: a gzip member cannot refer to the one before, and a WARC header must name the
/// page, two dates, a digest and itself.
#[test]
fn an_unchanged_page_adds_little_to_the_log_and_one_short_record() {
    let directory = temporary();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    (0..PAGES).for_each(|n| drop(page(&mut capture, n, &format!("/{n}"), START, &body(n))));
    capture.finish(&serde_json::json!("done")).unwrap();
    let mut sizes = Vec::new();
    for day in [1, 2] {
        sizes.push(["log", "warc", "index"].map(|part| bytes(directory.path(), part)));
        let started = START + Span::from_secs(86_400 * day);
        let mut capture = collection.begin(head(started)).unwrap();
        // The second time each page is looked at twice: the difference is what a visit takes.
        for _ in 0..day {
            (0..PAGES).for_each(|n| drop(not_modified(&mut capture, n, started)));
        }
        capture.finish(&serde_json::json!("done")).unwrap();
    }
    sizes.push(["log", "warc", "index"].map(|part| bytes(directory.path(), part)));
    let per_page = |part: usize| {
        let added = |day: usize| sizes[day + 1][part] - sizes[day][part];
        (added(1) - added(0)) / u64::from(PAGES)
    };
    let (log, record, index) = (per_page(0), per_page(1), per_page(2));
    assert!(log <= 100 && record <= 330 && index <= 250, "{log} {record} {index}");
}

#[test]
fn rules_of_a_host_and_pages_with_links_in_their_head_are_written_whole() {
    let directory = temporary();
    let collection = open(directory.path());
    let linked = format!("{HTML}Link: </next>; rel=next\r\n");
    let mut seen = Vec::new();
    for day in 0..2 {
        let started = START + Span::from_secs(86_400 * day);
        let mut capture = collection.begin(head(started)).unwrap();
        seen = vec![page(&mut capture, 0, "/robots.txt", started, "User-agent: *\nDisallow: /x")];
        assert_eq!(seen[0].purpose, Purpose::Robots);
        let ok = visit(1, "/", started, Outcome::Body { status: 200 });
        let answer = exchange("/", "200 OK", &linked, b"<a href=/a>a</a>");
        seen.push(capture.ingest(&ok, Some(answer), None).unwrap());
        assert_eq!(seen[1].links.len(), 2);
        capture.finish(&serde_json::json!("done")).unwrap();
    }
    assert_eq!(read_again(&collection), seen);
}
