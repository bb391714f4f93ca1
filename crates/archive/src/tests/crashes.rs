//! The disk dies at every operation there is, in every way there is.

use super::{
    audit::{Reported, audit},
    crashing_disk::{CrashingDisk, Fate},
    rig::{self, HTML, SITE, START, exchange, head, temporary, visit},
};
use crate::{
    Capture, CaptureId, Collection, Error, ResumedCapture, Retention,
    log::{range::LogRange, writer::LogWriter},
};
use std::{collections::BTreeSet, path::Path, sync::Arc};
use tintype_vocab::{Decision, Entry, Failure, Outcome, Span, Time, Why};

/// So small that every capture needs more than one segment.
const SMALL: u64 = 1500;
/// Visits per capture.
const PAGES: u32 = 5;

/// Captures what is left to capture and notes what it may report. Stops at the first error.
fn work(disk: &CrashingDisk, root: &Path, lesser: Retention, reported: &mut BTreeSet<Reported>) -> Result<(), Error> {
    let collection = Collection::open_on(Arc::new(disk.clone()), root, rig::options(), SMALL)?;
    work_in(&collection, lesser, reported)
}

fn work_in(collection: &Collection, lesser: Retention, reported: &mut BTreeSet<Reported>) -> Result<(), Error> {
    for day in 0..2 {
        let started = START + Span::from_secs(86_400 * day);
        // First, because it may turn out that the one that failed last had ended.
        let unfinished = collection.unfinished(SITE)?;
        if collection.captures()?.iter().any(|info| info.head.started == started && info.end.is_some()) {
            continue;
        }
        let (mut capture, done) = match unfinished {
            None => (collection.begin(head(started))?, BTreeSet::new()),
            Some(id) => {
                let ResumedCapture { capture, entries, .. } = collection.resume(&id)?;
                let url = |entry| match entry {
                    Ok(Entry::Observation(observation)) => Some(observation.url),
                    _ => None,
                };
                (capture, entries.filter_map(url).collect())
            }
        };
        capture.keep_lesser(lesser);
        capture_site(capture, started, &done, reported)?;
    }
    Ok(())
}

fn capture_site(
    mut capture: Capture,
    started: Time,
    done: &BTreeSet<String>,
    reported: &mut BTreeSet<Reported>,
) -> Result<(), Error> {
    let mut waiting = Vec::new();
    for n in 0..PAGES {
        let path = format!("/{n}");
        let failed = n == 3;
        let outcome = match failed {
            true => Outcome::Failed { cause: Failure::Disconnected },
            false => Outcome::Body { status: 200 },
        };
        let visit = visit(n, &path, started, outcome);
        if done.contains(&visit.request.url) {
            continue;
        }
        capture.decide(&Decision::of(&visit.request, started, 0, Why::Policy))?;
        // The first page is the same every day, the second looks the same, and the last is like the one before the last.
        let body = match n {
            0 => "<a href=/x>0</a>".to_owned(),
            1 => format!("<a href=/x>1</a><!-- {started} -->"),
            _ => format!("<a href=/x>{}</a>", started.as_secs() + i64::from(n / 2)),
        };
        let answer = (!failed).then(|| exchange(&path, "200 OK", HTML, body.as_bytes()));
        let seen = capture.ingest(&visit, answer, Some("closed"))?;
        waiting.push((seen.url, seen.asked, seen.digest));
        if n % 2 == 1 {
            capture.commit()?;
            reported.extend(waiting.drain(..));
        }
    }
    capture.finish(&serde_json::json!("done"))?;
    reported.extend(waiting);
    Ok(())
}

/// Work that goes on where it stopped, and notes what it may report.
pub(super) type Work<'a> = &'a dyn Fn(&CrashingDisk, &Path, &mut BTreeSet<Reported>) -> Result<(), Error>;

fn die_everywhere(fate: Fate, lesser: Retention) -> usize {
    let work: Work<'_> = &|disk, root, reported| work(disk, root, lesser, reported);
    die_at_work(fate, 2 * PAGES as usize, work)
}

/// Lets the disk die at each operation of some work in turn. Returns how many there are.
pub(super) fn die_at_work(fate: Fate, visits: usize, work: Work<'_>) -> usize {
    for at in 0.. {
        let directory = temporary();
        let disk = CrashingDisk::new(fate, at);
        let mut reported = BTreeSet::new();
        let result = work(&disk, directory.path(), &mut reported);
        if !disk.crashed() {
            result.unwrap();
            assert_eq!(reported.len(), visits);
            assert_eq!(audit(directory.path()), reported);
            return at;
        }
        disk.settle();
        let kept = audit(directory.path());
        assert!(reported.is_subset(&kept), "{fate:?} at {at}: {:?}", reported.difference(&kept));
        // Life goes on: the rest is captured, nothing twice.
        let sound = CrashingDisk::new(fate, usize::MAX);
        work(&sound, directory.path(), &mut reported).unwrap();
        assert_eq!(audit(directory.path()).len(), visits, "{fate:?} at {at}");
    }
    unreachable!()
}

#[test]
fn a_kill_at_any_operation_loses_nothing_that_was_reported() {
    assert!(die_everywhere(Fate::Kill, Retention::Indexed) > 50);
}

#[test]
fn a_power_cut_at_any_operation_loses_nothing_that_was_reported() {
    die_everywhere(Fate::PowerCut { zeros: false }, Retention::Stored);
}

#[test]
fn a_power_cut_that_leaves_zeros_loses_nothing_that_was_reported() {
    die_everywhere(Fate::PowerCut { zeros: true }, Retention::DigestOnly);
}

#[test]
fn a_full_disk_at_any_operation_loses_nothing_and_the_collection_goes_on_afterwards() {
    die_everywhere(Fate::Full, Retention::Stored);
}

#[test]
fn what_a_failed_sync_left_unsaved_is_written_again_before_it_is_believed() {
    fail_every_sync(2 * PAGES as usize, &|disk, root, reported| work(disk, root, Retention::Indexed, reported));
}

/// Lets each sync of some work fail in turn; it goes on after the collection was opened again.
pub(super) fn fail_every_sync(visits: usize, work: Work<'_>) {
    let mut failures = 0;
    for at in 0.. {
        let directory = temporary();
        let disk = CrashingDisk::new(Fate::SyncFails, at);
        let mut reported = BTreeSet::new();
        let result = work(&disk, directory.path(), &mut reported);
        if !disk.crashed() {
            assert!(failures > 10, "syncs failed");
            return result.unwrap();
        }
        if result.is_err() {
            failures += 1;
            work(&disk, directory.path(), &mut reported).unwrap();
        }
        // Much later the machine dies.
        disk.settle();
        assert_eq!(audit(directory.path()).len(), visits, "at {at}");
    }
}

#[test]
fn recovery_itself_may_die_at_any_operation() {
    for at in 0.. {
        let directory = temporary();
        let mut reported = BTreeSet::new();
        let first = CrashingDisk::new(Fate::Kill, 22);
        work(&first, directory.path(), Retention::Indexed, &mut reported).unwrap_err();
        let second = CrashingDisk::new(Fate::PowerCut { zeros: false }, at);
        let opened = Collection::open_on(Arc::new(second.clone()), directory.path(), rig::options(), SMALL);
        let done = opened.is_ok();
        drop(opened);
        second.settle();
        let kept = audit(directory.path());
        assert!(!reported.is_empty() && reported.is_subset(&kept), "at {at}");
        if done {
            assert!(at > 5, "there was something to recover");
            return;
        }
    }
}

#[test]
fn after_a_failed_write_the_capture_says_so_and_does_not_go_on() {
    let directory = temporary();
    let disk = CrashingDisk::new(Fate::Full, 17);
    let collection = Collection::open_on(Arc::new(disk), directory.path(), rig::options(), SMALL).unwrap();
    let mut capture = collection.begin(head(START)).unwrap();
    rig::page(&mut capture, 0, "/", START, "x");
    let error = capture.commit().unwrap_err();
    assert!(matches!(&error, Error::Io { .. }), "{error}");
    assert!(matches!(capture.commit(), Err(Error::Stopped(_))));
    let visit = visit(1, "/1", START, Outcome::Body { status: 200 });
    assert!(matches!(capture.ingest(&visit, None, None), Err(Error::Stopped(_))));
}

#[test]
fn a_full_disk_only_pauses_the_work_of_a_collection_that_stays_open() {
    for at in 0.. {
        let directory = temporary();
        let disk = CrashingDisk::new(Fate::Full, at);
        let opened = Collection::open_on(Arc::new(disk.clone()), directory.path(), rig::options(), SMALL);
        let Ok(collection) = opened else { continue };
        let mut reported = BTreeSet::new();
        let result = work_in(&collection, Retention::Stored, &mut reported);
        if !disk.crashed() {
            return result.unwrap();
        }
        let mut again = || work_in(&collection, Retention::Stored, &mut reported);
        let still = again();
        assert!(matches!(still, Err(Error::Io { .. })), "still full at {at}: {still:?}");
        disk.make_space();
        again().unwrap();
        drop(collection);
        // What reached the disk before it was full may not have been reported, but is not asked for again.
        let kept = audit(directory.path());
        assert!(reported.is_subset(&kept), "at {at}: {:?}", reported.difference(&kept));
        assert_eq!(kept.len(), 2 * PAGES as usize, "at {at}");
    }
}

#[test]
fn a_log_whose_sync_failed_takes_nothing_more() {
    let directory = temporary();
    let disk = CrashingDisk::new(Fate::SyncFails, usize::MAX / 2);
    let collection = Collection::open_on(Arc::new(disk.clone()), directory.path(), rig::options(), SMALL).unwrap();
    let range = LogRange::whole(directory.path().join("log/x.jsonl"));
    let mut log = LogWriter::open(&disk, &range, 0).unwrap();
    log.head(&CaptureId::from_text("x"), &head(START), false);
    disk.fail_next_sync();
    assert!(matches!(log.commit(), Err(Error::Io { doing: "sync", .. })));
    assert!(matches!(log.commit(), Err(Error::Stopped(_))), "the next sync would save nothing and say nothing");
    assert_eq!(log.synced(), 0);
    drop(collection);
}

#[test]
fn a_segment_or_log_that_is_removed_while_it_is_written_is_missed_at_once() {
    for (directory_name, suffix) in [("warc", ".open"), ("log", ".jsonl")] {
        let directory = temporary();
        let collection = rig::open(directory.path());
        let mut capture = collection.begin(head(START)).unwrap();
        rig::page(&mut capture, 0, "/", START, "x");
        capture.commit().unwrap();
        let files = rig::files(&directory.path().join(directory_name), suffix);
        std::fs::remove_file(&files[0]).unwrap();
        rig::page(&mut capture, 1, "/1", START, "y");
        let error = capture.commit().unwrap_err();
        assert!(matches!(&error, Error::Removed(path) if *path == files[0]), "{error}");
        assert!(matches!(capture.commit(), Err(Error::Stopped(_))));
        drop((capture, collection));
        assert_eq!(rig::open(directory.path()).reading().verify().unwrap().findings, []);
    }
}
