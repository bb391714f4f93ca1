//! Every defect, planted and found, mended where that can be, with the original kept.

use super::rig::{self, HTML, START, exchange, files, head, open, page, temporary, visit};
use crate::{Collection, Defect, Finding};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tintype_vocab::{Entry, Outcome, Span};
use tintype_warc::Problem;

/// Two finished captures, the second full of duplicates.
fn collection() -> tempfile::TempDir {
    let directory = temporary();
    let collection = open(directory.path());
    for day in 0..2 {
        let started = START + Span::from_secs(86_400 * day);
        let mut capture = collection.begin(head(started)).unwrap();
        for n in 0..3 {
            page(&mut capture, n, &format!("/{n}"), started, &format!("<a href=/{n}>{n}</a>"));
        }
        let moved = visit(3, "/m", started, Outcome::Redirected { status: 301, to: "http://example.com/0".into() });
        capture.ingest(&moved, Some(exchange("/m", "301 Moved", HTML, b"")), None).unwrap();
        capture.finish(&serde_json::json!("done")).unwrap();
    }
    drop(collection);
    assert_eq!(verify(directory.path()), []);
    directory
}

fn verify(root: &Path) -> Vec<Finding> {
    Collection::read(root).unwrap().verify().unwrap().findings
}

fn segment(root: &Path, n: usize) -> PathBuf {
    files(&root.join("warc"), ".warc.gz").remove(n)
}

fn index(root: &Path, n: usize) -> PathBuf {
    files(&root.join("index"), ".cdxj").remove(n)
}

fn log(root: &Path, n: usize) -> PathBuf {
    files(&root.join("log"), ".jsonl").remove(n)
}

#[track_caller]
fn finds(root: &Path, is: impl Fn(&Defect) -> bool) {
    let findings = verify(root);
    assert!(findings.iter().any(|finding| is(&finding.defect)), "{findings:#?}");
}

/// Repairs, and expects that nothing is wrong afterwards but what `left` allows.
#[track_caller]
fn mends(root: &Path, left: impl Fn(&Defect) -> bool) {
    let collection = open(root);
    let mended = collection.repair().unwrap();
    assert!(!mended.is_empty());
    let findings = verify(root);
    assert!(findings.iter().all(|finding| left(&finding.defect)), "{findings:#?}");
    assert_eq!(collection.repair().unwrap(), [], "there is nothing left to mend");
    drop(collection);
    assert_eq!(rig::open(root).repairs(), []);
}

#[test]
fn a_torn_segment() {
    let root = collection();
    let path = segment(root.path(), 1);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    finds(root.path(), |defect| matches!(defect, Defect::Segment(Problem::Torn)));
    mends(root.path(), |_| false);
    let kept = PathBuf::from(format!("{}.before-repair", path.display()));
    assert_eq!(fs::read(kept).unwrap(), bytes[..bytes.len() - 5]);
}

#[test]
fn a_damaged_record_in_the_middle() {
    let root = collection();
    let path = segment(root.path(), 1);
    let mut bytes = fs::read(&path).unwrap();
    let visit = crate::scan::segment(&path).unwrap().visits.remove(1);
    let middle = (visit.offset + visit.length / 2) as usize;
    bytes[middle..middle + 4].fill(0xff);
    fs::write(&path, &bytes).unwrap();
    finds(root.path(), |defect| matches!(defect, Defect::Segment(_)));
    finds(root.path(), |defect| matches!(defect, Defect::RecordMissing { .. }));
    finds(root.path(), |defect| matches!(defect, Defect::IndexStale { missing: 0, wrong: 1 }));
    mends(root.path(), |_| false);
    let reading = Collection::read(root.path()).unwrap();
    let [missing] = &reading.verify().unwrap().missing[..] else { panic!("one page is lost") };
    assert_eq!((missing.url.as_str(), missing.asked), ("http://example.com/1", START + Span::from_secs(86_401)));
    let captures = reading.captures().unwrap();
    assert_eq!(
        (reading.missing(&captures[0].id).unwrap(), reading.missing(&captures[1].id).unwrap()),
        (vec![], vec![missing.clone()])
    );
    damage_a_log_line(root.path(), 1);
    mends(root.path(), |_| false);
    assert_eq!(reading.verify().unwrap().missing.as_slice(), std::slice::from_ref(missing), "a second repair keeps it");
    let left = reading.captures().unwrap().into_iter().map(|info| {
        let entries = reading.entries(&info.id).unwrap();
        entries.filter(|entry| matches!(entry, Ok(Entry::Observation(_)))).count()
    });
    assert_eq!(left.collect::<Vec<_>>(), [4, 3], "the other visits are untouched");
}

/// Something else to repair in the same log.
fn damage_a_log_line(root: &Path, n: usize) {
    let path = log(root, n);
    let mut text = fs::read(&path).unwrap();
    let second = text.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    text[second + 20] ^= 1;
    fs::write(&path, &text).unwrap();
}

#[test]
fn a_payload_that_is_not_what_was_seen() {
    let root = collection();
    let path = segment(root.path(), 0);
    let mut out = Vec::new();
    let mut encoder = tintype_warc::Encoder::default();
    let mut reader = tintype_warc::Reader::new(fs::File::open(&path).unwrap());
    while let Some(record) = reader.next().unwrap() {
        let mut block = record.block().to_vec();
        if record.header.record_type() == tintype_warc::RecordType::Response
            && record.header.target_uri().unwrap().ends_with("/1")
        {
            *block.last_mut().unwrap() ^= 1;
        }
        encoder.encode(record.header, &[&block], &mut out);
    }
    fs::write(&path, out).unwrap();
    finds(root.path(), |defect| matches!(defect, Defect::Segment(Problem::WrongDigest { .. })));
    mends(root.path(), |_| false);
    let missing = Collection::read(root.path()).unwrap().verify().unwrap().missing;
    assert_eq!(missing.iter().map(|missing| missing.url.as_str()).collect::<Vec<_>>(), ["http://example.com/1"]);
}

#[test]
fn a_segment_that_was_deleted() {
    let root = collection();
    fs::remove_file(segment(root.path(), 1)).unwrap();
    finds(root.path(), |defect| matches!(defect, Defect::RecordMissing { .. }));
    mends(root.path(), |_| false);
    let missing = || Collection::read(root.path()).unwrap().verify().unwrap().missing;
    assert_eq!(missing().len(), 4, "{:?}", missing());
    damage_a_log_line(root.path(), 1);
    mends(root.path(), |_| false);
    assert_eq!(missing().len(), 4, "a second repair keeps them");
}

#[test]
fn a_lost_original() {
    let root = collection();
    let path = segment(root.path(), 0);
    let len = fs::metadata(&path).unwrap().len();
    fs::File::options().write(true).open(&path).unwrap().set_len(len / 2).unwrap();
    finds(root.path(), |defect| matches!(defect, Defect::OriginalMissing { .. }));
    finds(root.path(), |defect| matches!(defect, Defect::RecordMissing { .. }));
    mends(root.path(), |defect| matches!(defect, Defect::OriginalMissing { .. }));
}

#[test]
fn a_wrong_digest() {
    let root = collection();
    let path = segment(root.path(), 1);
    let name = path.file_name().unwrap().to_str().unwrap();
    let mut out = Vec::new();
    let mut encoder = tintype_warc::Encoder::default();
    let mut reader = tintype_warc::Reader::new(fs::File::open(&path).unwrap());
    while let Some(record) = reader.next().unwrap() {
        let mut header = tintype_warc::Header::new();
        for (field, value) in record.header.iter() {
            let wrong =
                field == "WARC-Block-Digest" && record.header.record_type() == tintype_warc::RecordType::Request;
            header.push(field, if wrong { "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" } else { value });
        }
        encoder.encode(&header, &[record.block()], &mut out);
    }
    fs::write(&path, out).unwrap();
    finds(root.path(), |defect| matches!(defect, Defect::Segment(Problem::WrongDigest { .. })));
    mends(root.path(), |_| false);
    assert!(root.path().join("warc").join(name).exists());
}

#[test]
fn an_index_that_is_missing_unsorted_stale_or_nobodys() {
    let root = collection();
    let path = index(root.path(), 0);
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    finds(root.path(), |defect| *defect == Defect::IndexMissing);
    mends_index(root.path(), &path, &text);
    fs::write(&path, text.lines().rev().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    finds(root.path(), |defect| *defect == Defect::IndexUnsorted);
    mends_index(root.path(), &path, &text);
    fs::write(&path, text.replace("\"offset\": \"", "\"offset\": \"1")).unwrap();
    finds(root.path(), |defect| matches!(defect, Defect::IndexStale { missing: 4, wrong: 4 }));
    mends_index(root.path(), &path, &text);
    fs::write(path.with_file_name("other.cdxj"), &text).unwrap();
    finds(root.path(), |defect| *defect == Defect::IndexStray);
    mends(root.path(), |_| false);
}

#[track_caller]
fn mends_index(root: &Path, path: &Path, text: &str) {
    let collection = open(root);
    collection.repair().unwrap();
    assert_eq!(fs::read_to_string(path).unwrap(), text);
    assert_eq!(verify(root), []);
}

#[test]
fn a_damaged_line_and_a_lost_head() {
    for line in 0..5 {
        let root = collection();
        let path = log(root.path(), 0);
        let mut text = fs::read(&path).unwrap();
        let starts: Vec<usize> = std::iter::once(0)
            .chain(text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1))
            .collect();
        text[starts[line] + 20] ^= 1;
        fs::write(&path, &text).unwrap();
        finds(root.path(), |defect| *defect == Defect::LogLine);
        mends(root.path(), |_| false);
        let infos = open(root.path()).captures().unwrap();
        assert_eq!((infos.len(), infos[0].end.clone()), (2, Some(serde_json::json!("done"))), "line {line}");
    }
}

#[test]
fn a_log_that_is_gone() {
    let root = collection();
    fs::remove_file(log(root.path(), 0)).unwrap();
    finds(root.path(), |defect| *defect == Defect::VisitUnlogged);
    mends(root.path(), |_| false);
}

/// Whoever verifies every night while a site is kept is not told of a defect every night; a writer that died is told.
#[test]
fn what_is_being_written_is_no_defect_until_its_writer_dies() {
    let root = rig::temporary();
    let collection = rig::open(root.path());
    let mut capture = collection.begin(rig::head(rig::START)).unwrap();
    rig::page(&mut capture, 1, "/one", rig::START, "one");
    capture.commit().unwrap();
    let verified = Collection::read(root.path()).unwrap().verify().unwrap();
    assert_eq!(verified.findings, []);
    assert!(verified.writer.is_some_and(|writer| writer.pid == std::process::id()));
    // As a power cut leaves it.
    let copy = rig::temporary();
    for room in ["warc", "log", "index", "state"] {
        fs::create_dir_all(copy.path().join(room)).unwrap();
        for entry in fs::read_dir(root.path().join(room)).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), copy.path().join(room).join(entry.file_name())).unwrap();
            }
        }
    }
    fs::copy(root.path().join("version"), copy.path().join("version")).unwrap();
    finds(copy.path(), |defect| *defect == Defect::StillOpen);
}
