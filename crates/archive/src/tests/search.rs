//! Phrases: found where they stood and when, while others write, and never denied where nobody could read.

use super::rig::{SITE, START, exchange, files, head, open, page, temporary, visit};
use crate::{Collection, Phrase, PhraseQuery, Presence, TextIndex};
use std::{fs, ops::ControlFlow, path::Path};
use tintype_vocab::{Decision, Outcome, Span, Time, Why};

const WEEK: Span = Span::from_days(7);

fn week(nth: i64) -> Time {
    START + WEEK * nth
}

/// A page about a library that promises something, three weeks long, and one that never does.
fn promise(directory: &Path) -> Collection {
    let collection = open(directory);
    for (nth, text) in [(0, "We will never close it."), (1, "We will never close it."), (2, "Closed on Mondays.")] {
        let mut capture = collection.begin(head(week(nth))).unwrap();
        page(&mut capture, 0, "/library", week(nth), &format!("<title>The library</title><p>{text}</p>"));
        page(&mut capture, 1, "/pool", week(nth), &format!("<p>Pool, week {nth}</p>"));
        capture.finish(&serde_json::json!({})).unwrap();
    }
    collection
}

fn grown(directory: &Path) -> TextIndex {
    let mut index = TextIndex::open(&Collection::read(directory).unwrap()).unwrap();
    assert!(index.grow(&mut |_| ControlFlow::Continue(())).unwrap());
    index
}

fn query(phrase: &str) -> PhraseQuery {
    PhraseQuery { phrase: Phrase::parse(phrase).unwrap(), site: None, from: None, to: None, limit: 20 }
}

fn told(index: &TextIndex, query: &PhraseQuery) -> Vec<(String, Vec<(Presence, u64)>)> {
    let found = index.find(query).unwrap();
    let stretches = |page: &crate::PhrasePage| page.stretches.iter().map(|of| (of.presence, of.visits)).collect();
    found.pages.iter().map(|page| (page.url.clone(), stretches(page))).collect()
}

#[test]
fn a_phrase_is_told_with_the_visits_that_saw_it_and_those_that_did_not() {
    let directory = temporary();
    let _collection = promise(directory.path());
    let index = grown(directory.path());
    let library = "http://example.com/library".to_owned();
    let there = vec![(Presence::Present, 2), (Presence::Absent, 1)];
    assert_eq!(told(&index, &query("never close")), [(library.clone(), there.clone())]);
    assert_eq!(
        told(&index, &query("closed on mondays")),
        [(library.clone(), vec![(Presence::Absent, 2), (Presence::Present, 1)])]
    );
    assert_eq!(told(&index, &query("the library"))[0].1, [(Presence::Present, 3)], "titles are searched as well");
    assert_eq!(index.addresses(&query("library")).unwrap(), std::slice::from_ref(&library));
    let page = &index.find(&query("never close")).unwrap().pages[0];
    assert_eq!((page.seen().unwrap().0.as_secs(), page.title.as_str()), (START.as_secs(), "The library"));
    assert_eq!(page.stretches[0].longest_gap, WEEK);
    assert!(page.excerpt.iter().any(|part| part.is_marked && part.text == "never close"), "{:?}", page.excerpt);
    let proved = index.prove(&library, &query("never close")).unwrap().unwrap();
    assert_eq!(proved.stretches.iter().map(|of| (of.presence, of.visits)).collect::<Vec<_>>(), there);
}

#[test]
fn an_absence_names_what_it_rests_on() {
    let directory = temporary();
    let _collection = promise(directory.path());
    let index = grown(directory.path());
    let from = Some(week(2) - Span::from_secs(1));
    let late = PhraseQuery { from, ..query("never close") };
    assert_eq!(told(&index, &late), [("http://example.com/library".to_owned(), vec![(Presence::Absent, 1)])]);
    let scope = index.find(&late).unwrap().scope.unwrap();
    assert_eq!((scope.pages, scope.visits, scope.is_whole()), (2, 2, true));
    let nowhere = index.find(&query("no such words")).unwrap();
    assert_eq!((nowhere.pages.len(), nowhere.scope.unwrap().visits), (0, 6));
    let elsewhere = PhraseQuery { site: Some("other.example".to_owned()), ..query("never close") };
    let elsewhere = index.find(&elsewhere).unwrap();
    assert_eq!((elsewhere.pages_in_all, elsewhere.scope.unwrap().visits), (0, 0));
    assert!(index.find(&query("never close")).unwrap().scope.is_none(), "what was seen is not absent");
    assert_eq!(index.find(&PhraseQuery { site: Some(SITE.to_owned()), ..query("pool") }).unwrap().pages_in_all, 1);
}

#[test]
fn what_nobody_could_read_is_no_proof() {
    let directory = temporary();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    for (n, path, status, kind, body) in [
        (0, "/picture", "200 OK", "image/png", &b"\x89PNG\r\n\x1a\n never close"[..]),
        (1, "/gone", "404 Not Found", "text/html", b"<p>There is nothing here"),
    ] {
        let outcome = if n == 0 { Outcome::Body { status: 200 } } else { Outcome::Gone { status: 404 } };
        let visit = visit(n, path, START, outcome);
        capture.decide(&Decision::of(&visit.request, START, 0, Why::Policy)).unwrap();
        let answer = exchange(path, status, &format!("Content-Type: {kind}\r\n"), body);
        capture.ingest(&visit, Some(answer), None).unwrap();
    }
    capture.finish(&serde_json::json!({})).unwrap();
    let index = grown(directory.path());
    let says = |path: &str| {
        let page = index.prove(&format!("http://example.com{path}"), &query("never close")).unwrap().unwrap();
        page.stretches.iter().map(|of| of.presence).collect::<Vec<_>>()
    };
    assert_eq!(says("/picture"), [Presence::Unread]);
    assert_eq!(says("/gone"), [Presence::NotThere]);
    assert!(index.prove("http://example.com/never", &query("x")).unwrap().is_none());
}

#[test]
fn the_index_grows_while_others_write_and_is_made_anew_when_it_is_lost_or_a_strangers() {
    let directory = temporary();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    page(&mut capture, 0, "/a", START, "<p>first words</p>");
    capture.commit().unwrap();
    assert_eq!(told(&grown(directory.path()), &query("first words")).len(), 1, "of a segment that is being written");
    page(&mut capture, 1, "/b", START, "<p>other words</p>");
    capture.finish(&serde_json::json!({})).unwrap();
    drop(collection);
    let index = grown(directory.path());
    assert_eq!((index.versions().unwrap(), told(&index, &query("other words")).len()), (2, 1));
    drop(index);
    let path = files(&directory.path().join("state"), "search.sqlite").pop().unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other
        .execute_batch("CREATE TRIGGER t AFTER INSERT ON version BEGIN DELETE FROM done; END; DELETE FROM version;")
        .unwrap();
    drop(other);
    assert_eq!(told(&grown(directory.path()), &query("other words")).len(), 1, "what is not ours is made anew");
    fs::write(&path, b"no database").unwrap();
    assert_eq!(told(&grown(directory.path()), &query("other words")).len(), 1);
    fs::remove_file(&path).unwrap();
    assert_eq!(told(&grown(directory.path()), &query("first words")).len(), 1);
    #[cfg(unix)]
    {
        fs::remove_file(&path).unwrap();
        let victim = directory.path().join("victim");
        fs::write(&victim, "mine").unwrap();
        std::os::unix::fs::symlink(&victim, &path).unwrap();
        assert_eq!(told(&grown(directory.path()), &query("first words")).len(), 1);
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine", "no link is followed");
    }
}

#[test]
fn who_has_enough_can_go_and_come_back() {
    let directory = temporary();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    (0..450).for_each(|n| drop(page(&mut capture, n, &format!("/{n}"), START, &format!("<p>number {n}</p>"))));
    capture.finish(&serde_json::json!({})).unwrap();
    let mut index = TextIndex::open(&Collection::read(directory.path()).unwrap()).unwrap();
    assert!(!index.grow(&mut |_| ControlFlow::Break(())).unwrap());
    let some = index.versions().unwrap();
    assert!((1..450).contains(&some), "{some}");
    assert_eq!(grown(directory.path()).versions().unwrap(), 450);
}
