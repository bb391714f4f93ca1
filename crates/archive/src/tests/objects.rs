//! Objects in the log: seen as pages come by, read back whole or not at all.

use super::rig::{HTML, START, exchange, files, head, open, page, temporary, visit};
use crate::{CaptureHead, CaptureObserver, Collection, Shown, log::entry::EVENTS_MAX};
use std::sync::{Arc, Mutex};
use tintype_vocab::{Links, Object, ObjectCrawl, ObjectEvent, Outcome, Span, Time, Visit};

const SOURCE: &str = "cars";

fn crawl(at: Time, objects: usize) -> ObjectCrawl {
    let object = |n| ObjectEvent::Inserted(Object { id: format!("{n:06}"), attributes: vec!["bmw".into()] });
    ObjectCrawl { at, found: objects as u32, held: None, events: (0..objects).map(object).collect() }
}

fn source_head(started: Time) -> CaptureHead {
    CaptureHead { site: SOURCE.to_owned(), seeds: Vec::new(), ..head(started) }
}

fn read(collection: &Collection) -> Vec<ObjectCrawl> {
    let crawls = collection.reading().object_crawls(SOURCE, None).unwrap();
    crawls.map(|crawl| crawl.unwrap().1).collect()
}

/// Writes down what it is shown, and goes on to one page only.
#[derive(Debug)]
struct Listener(Arc<Mutex<Vec<String>>>);

impl CaptureObserver for Listener {
    fn see(&mut self, visit: &Visit, page: Option<Shown<'_>>) -> Links {
        let shown = page.map_or("nothing".to_owned(), |page| {
            format!(
                "{} {} {}",
                String::from_utf8_lossy(page.body),
                page.is_whole,
                page.described.link_headers.join(",")
            )
        });
        self.0.lock().unwrap().push(format!("{} {shown}", visit.request.url));
        let mut links = Links::new();
        links.push("http://example.com/next", tintype_vocab::LinkKind::Anchor);
        links
    }

    fn conclude(&mut self) -> Option<ObjectCrawl> {
        Some(crawl(START, self.0.lock().unwrap().len()))
    }
}

#[test]
fn an_onlooker_is_shown_every_page_also_one_that_did_not_change_and_its_links_count() {
    let directory = temporary();
    let collection = open(directory.path());
    let heard = Arc::new(Mutex::new(Vec::new()));
    for round in 0..2i64 {
        let started = START + Span::from_secs(1000 * round);
        let mut capture = collection.begin(CaptureHead { site: SOURCE.to_owned(), ..head(started) }).unwrap();
        capture.attach(Box::new(Listener(heard.clone())));
        let headers = format!("{HTML}Link: </2>; rel=next\r\n");
        let (outcome, status, body) = match round {
            0 => (Outcome::Body { status: 200 }, "200 OK", &b"<a href=/elsewhere>one</a>"[..]),
            _ => (Outcome::NotModified, "304 Not Modified", &b""[..]),
        };
        let answer = exchange("/", status, &headers, body);
        let seen = capture.ingest(&visit(0, "/", started, outcome), Some(answer), None).unwrap();
        let links: Vec<_> = seen.links.iter().map(|link| link.url.to_owned()).collect();
        assert_eq!(links, ["http://example.com/next"]);
        page(&mut capture, 1, "/robots.txt", started, "User-agent: *");
        capture.ingest(&visit(2, "/gone", started, Outcome::Gone { status: 404 }), None, None).unwrap();
        capture.finish(&serde_json::json!({})).unwrap();
    }
    let shown = "http://example.com/ <a href=/elsewhere>one</a> true </2>; rel=next";
    let gone = "http://example.com/gone nothing";
    assert_eq!(*heard.lock().unwrap(), [shown, gone, shown, gone]);
    assert_eq!(read(&collection).iter().map(|crawl| crawl.found).collect::<Vec<_>>(), [2, 4]);
    assert_eq!(collection.reading().verify().unwrap().findings, []);
}

#[test]
fn crawls_of_any_size_are_read_as_they_were_written() {
    let directory = temporary();
    let collection = open(directory.path());
    let sizes = [0, 1, EVENTS_MAX, EVENTS_MAX + 1, 3 * EVENTS_MAX, 10_000];
    let crawls: Vec<ObjectCrawl> =
        sizes.iter().enumerate().map(|(n, size)| crawl(START + Span::from_secs(n as i64), *size)).collect();
    let mut capture = collection.begin(source_head(START)).unwrap();
    crawls.iter().for_each(|crawl| capture.note_objects(crawl).unwrap());
    capture.finish(&serde_json::json!({})).unwrap();
    assert_eq!(read(&collection), crawls);
    let last = collection.captures().unwrap().pop().unwrap().id;
    assert_eq!(collection.reading().object_crawls(SOURCE, Some(&last)).unwrap().count(), 0);
    assert_eq!(collection.reading().object_crawls("boats", None).unwrap().count(), 0);
}

#[test]
fn what_did_not_come_to_its_end_says_nothing() {
    let directory = temporary();
    {
        let collection = open(directory.path());
        let mut capture = collection.begin(source_head(START)).unwrap();
        capture.note_objects(&crawl(START, 3)).unwrap();
        capture.suspend().unwrap();
        let mut capture = collection.begin(source_head(START + Span::from_secs(1))).unwrap();
        capture.note_objects(&crawl(START, 5000)).unwrap();
        capture.finish(&serde_json::json!({})).unwrap();
    }
    // A crash may tear the second one anywhere.
    let log = files(&directory.path().join("log"), ".jsonl").pop().unwrap();
    let whole = std::fs::read(&log).unwrap();
    for cut in (0..whole.len()).step_by(whole.len() / 37) {
        std::fs::write(&log, &whole[..cut]).unwrap();
        assert_eq!(read(&open(directory.path())).len(), 0, "{cut}");
    }
    std::fs::write(&log, &whole).unwrap();
    assert_eq!(read(&open(directory.path())), [crawl(START, 5000)]);
}

#[test]
fn repair_keeps_what_is_sound_of_a_log_with_objects() {
    let directory = temporary();
    let collection = open(directory.path());
    let mut capture = collection.begin(source_head(START)).unwrap();
    let crawls = [crawl(START, 3), crawl(START + Span::from_secs(1), 4), crawl(START + Span::from_secs(2), 5)];
    crawls.iter().for_each(|crawl| capture.note_objects(crawl).unwrap());
    capture.finish(&serde_json::json!({})).unwrap();
    let log = files(&directory.path().join("log"), ".jsonl").pop().unwrap();
    let damaged = std::fs::read_to_string(&log).unwrap().replacen("\"found\":4", "\"found\":9", 1);
    std::fs::write(&log, damaged).unwrap();
    assert_eq!(read(&collection), [crawls[0].clone(), crawls[2].clone()]);
    assert_eq!(collection.reading().verify().unwrap().findings.len(), 1);
    collection.repair().unwrap();
    assert_eq!(collection.reading().verify().unwrap().findings, []);
    assert_eq!(read(&collection), [crawls[0].clone(), crawls[2].clone()]);
}
