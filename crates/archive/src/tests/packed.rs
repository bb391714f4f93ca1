//! Logs whose lines are packed, and indexes in blocks: they are read, cut and mended as others are.

use super::rig::{SITE, START, files, head, open, page, temporary};
use crate::{CaptureId, Collection, log::line::seal};
use std::path::Path;
use tintype_vocab::{Entry, Outcome, Purpose, Span, Why};

const PAGES: u32 = 300;

/// Two commits, so that lines are packed twice.
fn captured(collection: &Collection) -> CaptureId {
    let mut capture = collection.begin(head(START)).unwrap();
    for n in 0..PAGES {
        page(&mut capture, n, &format!("/{n}"), START, &format!("<title>{n}</title><a href=/{}>next</a>", n + 1));
        if n == PAGES / 2 {
            capture.commit().unwrap();
        }
    }
    let id = capture.id().clone();
    capture.finish(&serde_json::json!("done")).unwrap();
    id
}

fn told(collection: &Collection, id: &CaptureId) -> (Vec<String>, Vec<String>) {
    let (mut decided, mut seen) = (Vec::new(), Vec::new());
    for entry in collection.reading().entries(id).unwrap() {
        match entry.unwrap() {
            Entry::Decision(decision) => decided.push(decision.url),
            Entry::Observation(observation) => {
                assert_eq!(observation.links.len(), 1);
                seen.push(observation.url);
            }
        }
    }
    (decided, seen)
}

fn log(root: &Path) -> (std::path::PathBuf, Vec<u8>) {
    let path = files(&root.join("log"), ".jsonl").remove(0);
    let bytes = std::fs::read(&path).unwrap();
    (path, bytes)
}

#[test]
fn packed_lines_tell_what_others_would() {
    let directory = temporary();
    let collection = open(directory.path());
    let id = captured(&collection);
    let text = String::from_utf8(log(directory.path()).1).unwrap();
    let begin = |key: &str| text.lines().filter(|line| line.starts_with(&format!("{{\"{key}\""))).count();
    assert_eq!([begin("many"), begin("more"), begin("decide"), begin("observe"), begin("end")], [2, 2, 0, 0, 1]);
    let all: Vec<String> = (0..PAGES).map(|n| format!("http://example.com/{n}")).collect();
    assert_eq!(told(&collection, &id), (all.clone(), all.clone()));
    assert!(collection.reading().verify().unwrap().findings.is_empty());
    let page = |collection: &Collection| {
        collection.history(SITE).unwrap().page(&tintype_vocab::PageUrl::new(&all[7])).unwrap().unwrap()
    };
    let before = page(&collection);
    drop(collection);
    std::fs::remove_dir_all(directory.path().join("state")).unwrap();
    assert_eq!(page(&open(directory.path())), before, "state comes back from the log");
}

#[test]
fn a_log_cut_within_packed_lines_gets_its_visits_back_from_the_records() {
    let directory = temporary();
    let id = captured(&open(directory.path()));
    let (path, whole) = log(directory.path());
    let last = String::from_utf8_lossy(&whole).rfind("{\"more\"").unwrap();
    for cut in [last + 1, last + 50, whole.len() / 2, whole.len() / 3] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        std::fs::remove_dir_all(directory.path().join("state")).unwrap();
        let collection = open(directory.path());
        let (_, mut seen) = told(&collection, &id);
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), PAGES as usize, "cut at {cut}");
        assert!(collection.reading().verify().unwrap().findings.is_empty(), "cut at {cut}");
    }
}

#[test]
fn damage_to_packed_lines_is_found_and_repaired() {
    let directory = temporary();
    let id = captured(&open(directory.path()));
    let (path, mut bytes) = log(directory.path());
    let middle = bytes.len() / 3;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let collection = open(directory.path());
    assert!(!collection.reading().verify().unwrap().findings.is_empty());
    collection.repair().unwrap();
    assert_eq!(collection.reading().verify().unwrap().findings, []);
    assert_eq!(told(&collection, &id).1.len(), PAGES as usize);
}

#[test]
fn an_index_in_blocks_is_searched_verified_and_made_again() {
    let directory = temporary();
    let collection = open(directory.path());
    captured(&collection);
    let listed = |suffix: &str| files(&directory.path().join("index"), suffix);
    assert_eq!([".cdxj", ".cdx.gz", ".loc", ".idx"].map(|suffix| listed(suffix).len()), [0, 1, 1, 1]);
    let found = |collection: &Collection, n: u32| {
        collection.reading().versions(&format!("http://example.com/{n}")).unwrap().len()
    };
    assert!((0..PAGES).all(|n| found(&collection, n) == 1) && found(&collection, PAGES) == 0);
    for file in listed("") {
        let whole = std::fs::read(&file).unwrap();
        std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
        assert!(!collection.reading().verify().unwrap().findings.is_empty(), "{}", file.display());
        collection.repair().unwrap();
        assert_eq!(collection.reading().verify().unwrap().findings, [], "{}", file.display());
        assert_eq!(std::fs::read(&file).unwrap(), whole);
    }
    drop(collection);
    listed(".idx").iter().for_each(|file| std::fs::remove_file(file).unwrap());
    let collection = open(directory.path());
    assert_eq!(found(&collection, 3), 1, "opening made it again");
}

/// Lines as they were written before what is usual was left out.
#[test]
fn lines_of_older_logs_are_read() {
    let directory = temporary();
    let collection = open(directory.path());
    let id = captured(&collection);
    drop(collection);
    let older = [
        format!(r#"{{"head":{}}}"#, serde_json::to_string(&head(START + Span::from_days(1))).unwrap()),
        r#"{"decide":{"at":1794972204216,"settled":1675,"page":7,"url":"http://example.com/7","purpose":"visit","attempt":0,"why":"policy"}}"#.to_owned(),
        r#"{"same":{"page":7,"url":"http://example.com/7","at":1794972204447,"took":3,"digest":"sha1:W2M7HAJ4D7ELHVRVQOL6SFOGD5MXOG7Z","bytes":181,"etag":"\"1\"","record":["gone.warc.gz",1409514,478],"rate":{"per_day":0.24484873,"shape":0.012141059}}}"#.to_owned(),
        r#"{"end":"done"}"#.to_owned(),
    ];
    let mut lines = Vec::new();
    for line in older {
        let start = lines.len();
        lines.extend_from_slice(line.as_bytes());
        seal(&mut lines, start);
    }
    let name = id.as_str().replacen("2026", "2027", 1);
    std::fs::write(directory.path().join("log").join(format!("{name}.jsonl")), lines).unwrap();
    let collection = open(directory.path());
    let entries: Vec<Entry> =
        collection.reading().entries(&CaptureId::from_text(&name)).unwrap().map(Result::unwrap).collect();
    let [Entry::Decision(decision), Entry::Observation(seen)] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!((decision.purpose, decision.attempt, decision.why), (Purpose::Visit, 0, Why::Policy));
    assert_eq!((&seen.outcome, seen.rate.per_day, seen.bytes), (&Outcome::NotModified, 0.24484873, 181));
}
