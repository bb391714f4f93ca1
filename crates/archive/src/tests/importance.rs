//! How important a change was, and what becomes of versions that hardly changed.

use super::rig::{SITE, START, files, head, open, page, temporary};
use crate::{Capture, CaptureId, Collection, KnownPage, Retention};
use std::path::Path;
use tintype_vocab::{Change, Entry, Observation, PageUrl, Span, Time};
use tintype_warc::{Reader, RecordType};

fn day(n: i64) -> Time {
    START + Span::from_days(n)
}

/// A page with a story, and a comment that nobody sees.
fn story(word: &str, comment: &str) -> String {
    format!("<main><h1>News</h1><p>The {word} was seen today by many people.</p></main><!-- {comment} -->")
}

/// A capture of one page.
fn visit(collection: &Collection, n: i64, lesser: Retention, body: &str) -> Observation {
    let mut capture = collection.begin(head(day(n))).unwrap();
    capture.keep_lesser(lesser);
    let seen = page(&mut capture, 0, "/", day(n), body);
    capture.finish(&serde_json::json!({})).unwrap();
    seen
}

fn importance(seen: &Observation) -> f32 {
    match seen.change {
        Change::New { importance } => importance,
        other => panic!("{other:?}"),
    }
}

fn known(collection: &Collection) -> KnownPage {
    collection.history(SITE).unwrap().page(&PageUrl::new("http://example.com/")).unwrap().unwrap()
}

/// Responses and duplicates in all segments.
fn records(root: &Path) -> Vec<RecordType> {
    let mut kinds = Vec::new();
    for segment in files(&root.join("warc"), ".warc.gz") {
        let mut reader = Reader::new(std::fs::File::open(segment).unwrap());
        while let Some(record) = reader.next().unwrap() {
            kinds.push(record.header.record_type());
        }
    }
    kinds.retain(|kind| matches!(kind, RecordType::Response | RecordType::Duplicate | RecordType::Metadata));
    kinds
}

fn indexed(root: &Path) -> usize {
    let text = |path| std::fs::read_to_string(path).unwrap().lines().count();
    files(&root.join("index"), ".cdxj").into_iter().map(text).sum()
}

#[test]
fn a_change_is_as_important_as_what_a_person_sees_of_it() {
    let root = temporary();
    let collection = open(root.path());
    visit(&collection, 0, Retention::Indexed, &story("moose", "1"));
    let unseen = visit(&collection, 1, Retention::Indexed, &story("moose", "2"));
    let seen = visit(&collection, 2, Retention::Indexed, &story("volcano", "2"));
    assert_eq!(importance(&unseen), 0.0);
    assert!(importance(&seen) > Change::IMPORTANCE_MIN && importance(&seen) <= 1.0, "{seen:?}");
    let page = known(&collection);
    assert_eq!((page.visits, page.changes), (3, 1), "what nobody sees is no change to learn from");
    assert_eq!(records(root.path()), [RecordType::Response; 3], "but a version like any other");
    assert_eq!(indexed(root.path()), 3);
}

#[test]
fn a_change_from_what_cannot_be_read_any_more_is_important() {
    let root = temporary();
    let collection = open(root.path());
    visit(&collection, 0, Retention::Indexed, &story("moose", "1"));
    files(&root.path().join("warc"), ".gz").iter().for_each(|segment| std::fs::remove_file(segment).unwrap());
    assert_eq!(importance(&visit(&collection, 1, Retention::Indexed, &story("moose", "2"))), 1.0);
}

#[test]
fn a_counter_that_ticks_between_fetches_does_not_matter_any_more_also_if_state_is_lost() {
    let root = temporary();
    let basket =
        |n: u32| format!("<main><h1>Shop</h1><p>Your basket no. {n} is empty, and so is your purse.</p></main>");
    {
        let collection = open(root.path());
        let mut capture = collection.begin(head(START)).unwrap();
        let seen: Vec<Observation> = (0..5).map(|n| page(&mut capture, n, "/", START, &basket(n))).collect();
        assert!(importance(&seen[1]) > Change::IMPORTANCE_MIN);
        assert!(!seen[4].change.matters() && seen[4].change.is_readable());
        capture.finish(&serde_json::json!({})).unwrap();
        assert!(!visit(&collection, 1, Retention::Indexed, &basket(77)).change.matters(), "it is remembered");
    }
    std::fs::remove_dir_all(root.path().join("state")).unwrap();
    let collection = open(root.path());
    assert!(!visit(&collection, 2, Retention::Indexed, &basket(88)).change.matters(), "it was learnt again");
}

/// The texts of all responses in all segments.
fn stored(root: &Path) -> String {
    let mut texts = String::new();
    for segment in files(&root.join("warc"), ".warc.gz") {
        let mut reader = Reader::new(std::fs::File::open(segment).unwrap());
        while let Some(record) = reader.next().unwrap() {
            texts.push_str(&String::from_utf8_lossy(record.block()));
        }
    }
    texts
}

#[test]
fn a_date_that_changes_is_in_a_file_even_if_only_the_important_is_stored() {
    let root = temporary();
    let collection = open(root.path());
    let page =
        |date: &str| format!("<main><h1>Benefits</h1><p>For those discharged after September {date}, 2001.</p></main>");
    // What the page said before was much: what is usual for it is far above a date.
    visit(&collection, 0, Retention::DigestOnly, &story("moose", "1").repeat(20));
    visit(&collection, 1, Retention::DigestOnly, &page("11"));
    let seen = visit(&collection, 2, Retention::DigestOnly, &page("10"));
    assert!(seen.change.matters(), "{seen:?}");
    assert!(stored(root.path()).contains("after September 10, 2001"));
}

#[test]
fn the_judgement_is_kept_with_the_parts_it_was_made_of() {
    let root = temporary();
    let collection = open(root.path());
    visit(&collection, 0, Retention::Indexed, &story("moose", "1"));
    visit(&collection, 1, Retention::Indexed, &story("volcano", "1"));
    let changes: Vec<_> = collection.reading().changes(START).unwrap().map(Result::unwrap).collect();
    let [changed] = &changes[..] else { panic!("{changes:?}") };
    let judgement = changed.judgement.as_ref().expect("it was judged when it came in");
    let sum: f64 = judgement.parts.iter().map(|part| part.importance).sum();
    assert!((sum - f64::from(changed.importance)).abs() < 1e-6, "{judgement:?}");
    assert_eq!((judgement.parts[0].before.as_str(), judgement.parts[0].after.as_str()), ("moose", "volcano"));
}

#[test]
fn habits_that_cannot_be_read_do_no_harm() {
    let scorer = crate::scorer::ChangeScorer::recall(Some(b"{\"templates\":7".to_vec()));
    assert_eq!(scorer.to_save(), None);
}

#[test]
fn what_is_not_indexed_is_never_the_original_of_what_is() {
    let root = temporary();
    let collection = open(root.path());
    visit(&collection, 0, Retention::Stored, &story("moose", "1"));
    let lesser = story("moose", "2");
    visit(&collection, 1, Retention::Stored, &lesser);
    visit(&collection, 2, Retention::Stored, &lesser);
    assert_eq!(records(root.path()), [RecordType::Response, RecordType::Response, RecordType::Duplicate]);
    assert_eq!((indexed(root.path()), known(&collection).retention), (1, Retention::Stored));
    let mut capture = collection.begin(head(day(3))).unwrap();
    capture.keep_lesser(Retention::Stored);
    page(&mut capture, 0, "/copy", day(3), &lesser);
    capture.finish(&serde_json::json!({})).unwrap();
    visit(&collection, 4, Retention::Stored, &lesser);
    let own = [RecordType::Response, RecordType::Duplicate];
    assert_eq!(records(root.path())[3..], own, "a page's first version is indexed, and may then be the original");
    assert_eq!(indexed(root.path()), 2);
    visit(&collection, 5, Retention::Indexed, &lesser);
    assert_eq!((indexed(root.path()), known(&collection).retention), (3, Retention::Indexed));
    let said = collection.reading().verify().unwrap();
    assert_eq!((said.findings, said.unindexed, said.noted), (vec![], 3, 0));
    assert_eq!(collection.index_everything().unwrap().len(), 3);
    assert_eq!((indexed(root.path()), collection.reading().verify().unwrap().unindexed), (6, 0));
}

#[test]
fn a_version_that_was_only_noted_is_compared_with_and_stored_when_somebody_wants_it() {
    let root = temporary();
    let collection = open(root.path());
    visit(&collection, 0, Retention::DigestOnly, &story("moose", "1"));
    let noted = visit(&collection, 1, Retention::DigestOnly, &story("moose", "2"));
    assert!(noted.digest.is_some());
    assert_eq!(visit(&collection, 2, Retention::DigestOnly, &story("moose", "2")).change, Change::Same);
    let history = collection.history(SITE).unwrap();
    assert_eq!(history.validators(&PageUrl::new("http://example.com/")).unwrap(), None, "a 304 would confirm nothing");
    let kinds = [RecordType::Response, RecordType::Metadata, RecordType::Metadata];
    assert_eq!((records(root.path()), indexed(root.path())), (kinds.to_vec(), 1));
    assert_eq!(collection.reading().verify().unwrap().noted, 2);
    assert_eq!(importance(&visit(&collection, 3, Retention::DigestOnly, &story("moose", "3"))), 0.0);
    visit(&collection, 4, Retention::Indexed, &story("moose", "3"));
    assert_eq!((records(root.path())[4..].to_vec(), indexed(root.path())), (vec![RecordType::Response], 2));
    assert_eq!(collection.reading().verify().unwrap().findings, []);
}

#[test]
fn little_changes_add_up() {
    let root = temporary();
    let collection = open(root.path());
    let letter = |n: u32| char::from_u32(97 + n % 26).unwrap();
    let words: Vec<String> = (0..400).map(|n| format!("word{}{}", letter(n / 26), letter(n))).collect();
    let body = |n: usize| {
        let mut words = words.clone();
        words[..n].iter_mut().for_each(|word| word.push('x'));
        format!("<main><p>{}</p></main>", words.join(" "))
    };
    visit(&collection, 0, Retention::Stored, &body(0));
    // A rewritten page makes little changes less than usual.
    visit(&collection, 1, Retention::Stored, "<main><p>Something else entirely, and not much of it.</p></main>");
    visit(&collection, 2, Retention::Stored, &body(0));
    let mut little = Vec::new();
    for n in 1..8 {
        let seen = visit(&collection, 2 + n as i64, Retention::Stored, &body(n));
        little.push((importance(&seen), known(&collection).retention));
    }
    let standings: Vec<Retention> = little.iter().map(|(_, retention)| *retention).collect();
    assert_eq!(standings[0], Retention::Stored, "{little:?}");
    let due = standings.iter().position(|retention| *retention == Retention::Indexed).expect("they do add up");
    assert_eq!(standings[due + 1], Retention::Stored, "the sum starts anew: {little:?}");
}

fn entries(capture: Capture, collection: &Collection) -> Vec<Observation> {
    let id: CaptureId = capture.id().clone();
    capture.suspend().unwrap();
    let entries = collection.reading().entries(&id).unwrap();
    let observation = |entry| match entry {
        Ok(Entry::Observation(observation)) => Some(*observation),
        _ => None,
    };
    entries.filter_map(observation).collect()
}

#[test]
fn records_alone_tell_importance_and_retention() {
    for lesser in [Retention::Indexed, Retention::Stored, Retention::DigestOnly] {
        let root = temporary();
        let collection = open(root.path());
        let mut capture = collection.begin(head(START)).unwrap();
        capture.keep_lesser(lesser);
        let bodies = [story("moose", "1"), story("moose", "2"), story("moose", "2"), story("volcano", "3")];
        for (n, body) in bodies.iter().enumerate() {
            page(&mut capture, n as u32, "/", START, body);
        }
        let seen = entries(capture, &collection);
        let state = known(&collection);
        drop(collection);
        let logs = files(&root.path().join("log"), "");
        logs.iter().for_each(|log| std::fs::write(log, "").unwrap());
        let collection = open(root.path());
        let id = collection.unfinished(SITE).unwrap().unwrap();
        let capture = collection.resume(&id).unwrap().capture;
        let changes = |all: &[Observation]| all.iter().map(|seen| (seen.change, seen.digest)).collect::<Vec<_>>();
        assert_eq!(changes(&entries(capture, &collection)), changes(&seen), "{lesser:?}");
        let again = known(&collection);
        assert_eq!((again.retention, again.waiting, again.original), (state.retention, state.waiting, state.original));
        assert_eq!(collection.reading().verify().unwrap().findings, [], "{lesser:?}");
    }
}
