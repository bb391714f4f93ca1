//! A scheduler goes on from what it kept, and reads only what came after.

use super::{
    crashing_disk::{CrashingDisk, Fate},
    rig::{self, START, head, open, page, temporary},
};
use crate::{Capture, CaptureId, Checkpoint, Collection, KeptCheckpoint};
use std::{path::Path, sync::Arc};
use tintype_vocab::{Entry, Observation};

const BODY: &str = "<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>";

fn observed(entries: crate::Entries) -> Vec<Observation> {
    let observation = |entry| match entry {
        Ok(Entry::Observation(seen)) => Some(*seen),
        _ => None,
    };
    entries.filter_map(observation).collect()
}

/// Six pages, a checkpoint after the third and another after the fifth, then the process dies.
fn cut_short(collection: &Collection) -> (CaptureId, Vec<Observation>) {
    let mut capture: Capture = collection.begin(head(START)).unwrap();
    let mut seen = Vec::new();
    for n in 0..6 {
        seen.push(page(&mut capture, n, &format!("/{n}"), START, &format!("{BODY}{n}")));
        if n % 2 == 0 {
            capture.checkpoint(kept(&capture, &format!("after {n}"))).unwrap();
        }
    }
    capture.commit().unwrap();
    (capture.id().clone(), seen)
}

/// A few bytes on either side of what fits into a block.
fn kept(capture: &Capture, text: &str) -> Checkpoint {
    let mut checkpoint = Checkpoint::new(&capture.spool_directory());
    [text.as_bytes(), b""].iter().for_each(|block| checkpoint.push(block).unwrap());
    checkpoint
}

fn text(kept: &mut KeptCheckpoint) -> String {
    let text = String::from_utf8(kept.next_block().unwrap()).unwrap();
    assert_eq!((kept.next_block(), kept.next_block()), (Some(Vec::new()), None));
    text
}

fn resume(root: &Path, id: &CaptureId) -> (Option<String>, Vec<Observation>) {
    let collection = open(root);
    let resumed = collection.resume(id).unwrap();
    (resumed.checkpoint.map(|mut kept| text(&mut kept)), observed(resumed.entries))
}

#[test]
fn only_what_came_after_the_last_checkpoint_is_read_and_its_links_are_whole() {
    let directory = temporary();
    let (id, seen) = cut_short(&open(directory.path()));
    assert_eq!(resume(directory.path(), &id), (Some("after 4".to_owned()), seen[5..].to_vec()));
    assert_eq!(observed(Collection::read(directory.path()).unwrap().entries(&id).unwrap()), seen, "all of it is there");
}

#[test]
fn a_checkpoint_that_the_log_does_not_bear_out_is_not_believed() {
    let directory = temporary();
    let (id, seen) = cut_short(&open(directory.path()));
    let log = directory.path().join("log").join(format!("{id}.jsonl"));
    let whole = std::fs::read(&log).unwrap();
    std::fs::write(&log, &whole[..whole.len() / 3]).unwrap();
    let (kept, read) = resume(directory.path(), &id);
    assert_eq!((kept, read.len()), (None, seen.len()), "the segment brings back the rest");
    let directory = temporary();
    let (id, seen) = cut_short(&open(directory.path()));
    std::fs::remove_dir_all(directory.path().join("state")).unwrap();
    assert_eq!(resume(directory.path(), &id), (None, seen));
}

#[test]
fn a_finished_capture_keeps_none() {
    let directory = temporary();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    page(&mut capture, 0, "/", START, BODY);
    capture.checkpoint(kept(&capture, "x")).unwrap();
    let id = capture.id().clone();
    capture.finish(&serde_json::json!("done")).unwrap();
    assert!(collection.resume(&id).is_err());
}

#[test]
fn a_disk_that_dies_at_any_operation_leaves_a_checkpoint_that_fits_the_log() {
    for (at, zeros) in (0..).flat_map(|at| [(at, false), (at, true)]) {
        let directory = temporary();
        let disk = CrashingDisk::new(Fate::PowerCut { zeros }, at);
        let opened = Collection::open_on(Arc::new(disk.clone()), directory.path(), rig::options(), 1500);
        let mut seen = Vec::new();
        let result = opened.and_then(|collection| {
            let mut capture = collection.begin(head(START))?;
            for n in 0..4 {
                let visit = rig::visit(n, &format!("/{n}"), START, tintype_vocab::Outcome::Body { status: 200 });
                let answer = rig::exchange(&format!("/{n}"), "200 OK", rig::HTML, format!("{BODY}{n}").as_bytes());
                seen.push(capture.ingest(&visit, Some(answer), None)?);
                capture.checkpoint(kept(&capture, &(n + 1).to_string()))?;
            }
            Ok(())
        });
        if !disk.crashed() {
            return result.unwrap();
        }
        disk.settle();
        let collection = open(directory.path());
        let Some(id) = collection.unfinished(rig::SITE).unwrap() else { continue };
        let resumed = collection.resume(&id).unwrap();
        let before = resumed.checkpoint.map_or(0, |mut kept| text(&mut kept).parse().unwrap());
        let read = observed(resumed.entries);
        assert!(before + read.len() <= seen.len() + 1, "at {at}");
        let known = &seen[before.min(seen.len())..];
        assert!(read.iter().zip(known).all(|(read, seen)| read == seen), "at {at}: {before} {read:?}");
    }
}

/// Damage in front of the last mark shows that records there were not read: their lines were in the journal.
#[test]
fn the_index_of_a_segment_cut_short_is_made_from_its_journal_and_what_came_after() {
    for with_journal in [true, false] {
        let directory = temporary();
        let collection = open(directory.path());
        let (id, seen) = cut_short(&collection);
        drop(collection);
        let segment = &rig::files(&directory.path().join("warc"), ".open")[0];
        let mut bytes = std::fs::read(segment).unwrap();
        let middle = bytes.len() / 3;
        bytes[middle..middle + 900].fill(0);
        std::fs::write(segment, bytes).unwrap();
        let journal = &rig::files(&directory.path().join("state"), ".lines")[0];
        if !with_journal {
            std::fs::remove_file(journal).unwrap();
        }
        let collection = open(directory.path());
        let index = std::fs::read_to_string(&rig::files(&directory.path().join("index"), ".cdxj")[0]).unwrap();
        assert_eq!(index.lines().count() == seen.len(), with_journal, "{id}: {index}");
        assert!(!journal.exists(), "it is not needed any more");
        drop(collection);
    }
}
