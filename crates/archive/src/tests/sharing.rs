//! Captures of several sites share segments, and those of one site a log, from run to run.

use super::{
    audit::{Reported, audit, audit_but},
    crashes::{die_at_work, fail_every_sync},
    crashing_disk::{CrashingDisk, Fate},
    rig::{self, HTML, START, exchange, files, head, open, page, temporary, visit},
};
use crate::{
    Capture, CaptureHead, Collection, Defect, Error, ResumedCapture,
    holdings::Holdings,
    log::line::{seal, unseal},
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use tintype_vocab::{Entry, Outcome, Span, Time};

const SITES: [&str; 2] = [rig::SITE, "example.org"];
const ROUNDS: i64 = 3;
const PAGES: u32 = 2;
const VISITS: usize = SITES.len() * ROUNDS as usize * PAGES as usize;
/// A segment holds them all, and is gone on with while it is not half full.
const LARGE: u64 = 1 << 20;

fn started(round: i64) -> Time {
    // All on one day.
    Time::from_secs(START.as_secs() / 86_400 * 86_400) + Span::from_secs(3600 * round)
}

fn head_of(site: &str, round: i64) -> CaptureHead {
    CaptureHead { site: site.to_owned(), ..head(started(round)) }
}

/// A capture to go on with, and what it saw already; nothing if it has ended.
fn enter(collection: &Collection, site: &str, round: i64) -> Result<Option<(Capture, BTreeSet<String>)>, Error> {
    let is_this = |info: &crate::CaptureInfo| info.head.started == started(round);
    let known = collection.captures_of(site)?.into_iter().find(is_this);
    let Some(info) = known else { return Ok(Some((collection.begin(head_of(site, round))?, BTreeSet::new()))) };
    if info.end.is_some() {
        return Ok(None);
    }
    let ResumedCapture { capture, entries, .. } = collection.resume(&info.id)?;
    let url = |entry| match entry {
        Ok(Entry::Observation(seen)) => Some(seen.url),
        _ => None,
    };
    Ok(Some((capture, entries.filter_map(url).collect())))
}

/// One page of one capture, unless it was seen.
fn take(capture: &mut (Capture, BTreeSet<String>), site: usize, n: u32, round: i64) -> Result<Option<Reported>, Error> {
    // Sites have pages of their own; half of them are the same in every round.
    let path = format!("/{}", n + 10 * site as u32);
    let visit = visit(n, &path, started(round), Outcome::Body { status: 200 });
    if capture.1.contains(&visit.request.url) {
        return Ok(None);
    }
    let body = format!("<a href=/x>{site} {n} {}</a>", if n == 0 { 0 } else { round });
    let seen = capture.0.ingest(&visit, Some(exchange(&path, "200 OK", HTML, body.as_bytes())), None)?;
    Ok(Some((seen.url, seen.asked, seen.digest)))
}

/// Both sites at a time, round by round; every round is a run of its own.
fn work(disk: &CrashingDisk, root: &Path, reported: &mut BTreeSet<Reported>) -> Result<(), Error> {
    for round in 0..ROUNDS {
        let collection = Collection::open_on(Arc::new(disk.clone()), root, rig::options(), LARGE)?;
        let mut captures = Vec::new();
        for site in SITES {
            captures.push(enter(&collection, site, round)?);
        }
        let mut waiting = Vec::new();
        for n in 0..PAGES {
            for (site, capture) in captures.iter_mut().enumerate() {
                waiting.extend(capture.as_mut().map_or(Ok(None), |capture| take(capture, site, n, round))?);
            }
        }
        for capture in captures.into_iter().flatten() {
            capture.0.finish(&serde_json::json!("done"))?;
        }
        reported.extend(waiting);
    }
    Ok(())
}

#[test]
fn files_grow_with_days_and_sites_not_with_captures() {
    let directory = temporary();
    let disk = CrashingDisk::new(Fate::Kill, usize::MAX);
    work(&disk, directory.path(), &mut BTreeSet::new()).unwrap();
    let count = |part: &str, suffix| files(&directory.path().join(part), suffix).len();
    assert_eq!((count("warc", ""), count("index", ""), count("log", "")), (1, 1, SITES.len()));
    let collection = open(directory.path());
    let mut capture = collection.begin(head_of(SITES[0], 24)).unwrap();
    page(&mut capture, 0, "/next-day", started(24), "x");
    capture.finish(&serde_json::json!("done")).unwrap();
    assert_eq!((count("warc", ""), count("index", ""), count("log", "")), (2, 2, SITES.len()));
    assert_eq!(collection.captures().unwrap().len(), SITES.len() * ROUNDS as usize + 1);
    let later = collection.begin(head_of(SITES[0], 24 * 40)).unwrap();
    later.finish(&serde_json::json!("done")).unwrap();
    assert_eq!(count("log", ""), SITES.len() + 1, "an old log is not gone on with");
}

#[test]
fn a_version_is_of_the_capture_that_its_record_names_though_another_has_its_host() {
    let directory = temporary();
    let disk = CrashingDisk::new(Fate::Kill, usize::MAX);
    work(&disk, directory.path(), &mut BTreeSet::new()).unwrap();
    let holdings = Holdings::of_collection(Collection::read(directory.path()).unwrap());
    for (site, path) in [(0, "/1"), (1, "/11")] {
        let versions = holdings.mementos(&format!("http://{}{path}", rig::SITE)).unwrap();
        let heads = versions.iter().map(|memento| holdings.capture_of(memento).unwrap().unwrap().head);
        let told: Vec<(String, Time)> = heads.map(|head| (head.site, head.started)).collect();
        let expected: Vec<(String, Time)> = (0..ROUNDS).map(|round| (SITES[site].to_owned(), started(round))).collect();
        assert_eq!(told, expected);
    }
}

#[test]
fn a_kill_at_any_operation_on_shared_files_loses_nothing_that_was_reported() {
    assert!(die_at_work(Fate::Kill, VISITS, &work) > 60);
}

#[test]
fn a_power_cut_at_any_operation_on_shared_files_loses_nothing_that_was_reported() {
    for zeros in [false, true] {
        die_at_work(Fate::PowerCut { zeros }, VISITS, &work);
    }
}

#[test]
fn a_full_disk_at_any_operation_on_shared_files_loses_nothing_that_was_reported() {
    die_at_work(Fate::Full, VISITS, &work);
}

/// While one capture finds the disk full another shares its segment.
#[test]
fn captures_that_shared_a_failed_segment_are_resumed_once_there_is_space() {
    let mut recovered = 0;
    for at in 0.. {
        let directory = temporary();
        let disk = CrashingDisk::new(Fate::Full, at);
        let Ok(collection) = Collection::open_on(Arc::new(disk.clone()), directory.path(), rig::options(), LARGE)
        else {
            continue;
        };
        let begin = |site| collection.begin(head_of(site, 0)).map(|capture| (capture, BTreeSet::new()));
        let (Ok(mut one), Ok(mut idle)) = (begin(SITES[0]), begin(SITES[1])) else { continue };
        let failed = take(&mut idle, 1, 0, 0).and(take(&mut one, 0, 0, 0)).and_then(|_| one.0.commit()).is_err();
        if !disk.crashed() {
            return assert!(!failed && recovered > 0);
        }
        disk.make_space();
        let id = one.0.id().clone();
        drop(one);
        let mut one = collection.resume(&id).map(|resumed| (resumed.capture, BTreeSet::new())).unwrap();
        // What it wrote to a segment that failed is not where it thinks.
        if let Err(error) = take(&mut idle, 1, 1, 0) {
            assert!(matches!(error, Error::Stopped(_)), "{error} at {at}");
            recovered += 1;
            let id = idle.0.id().clone();
            idle = collection.resume(&id).map(|resumed| (resumed.capture, BTreeSet::new())).unwrap();
            take(&mut idle, 1, 1, 0).unwrap();
        }
        take(&mut one, 0, 1, 0).unwrap();
        for (capture, _) in [one, idle] {
            capture.finish(&serde_json::json!("done")).unwrap();
        }
        drop(collection);
        audit(directory.path());
    }
}

#[test]
fn what_a_failed_sync_of_a_shared_file_left_unsaved_is_written_again() {
    fail_every_sync(VISITS, &work);
}

#[test]
fn a_failed_sync_stops_every_capture_that_shares_the_segment() {
    let directory = temporary();
    let disk = CrashingDisk::new(Fate::SyncFails, usize::MAX / 2);
    let collection = Collection::open_on(Arc::new(disk.clone()), directory.path(), rig::options(), LARGE).unwrap();
    let mut captures = SITES.map(|site| collection.begin(head_of(site, 0)).unwrap());
    captures.iter_mut().for_each(|capture| drop(page(capture, 0, "/", started(0), "x")));
    disk.fail_next_sync();
    assert!(captures[0].commit().is_err());
    let error = captures[1].commit().unwrap_err();
    assert!(matches!(error, Error::Stopped(_)), "{error}");
}

/// One capture that ended, and another of the same day that goes on in its segment and log and is cut short. Returns
/// how long the segment was in between.
fn gone_on_with(root: &Path) -> (BTreeSet<Reported>, PathBuf, u64) {
    let mut reported = BTreeSet::new();
    let mut len = 0;
    for round in 0..2 {
        let collection = open(root);
        let mut capture = collection.begin(head_of(rig::SITE, round)).unwrap();
        for n in 0..2 {
            let seen = page(&mut capture, n, &format!("/{n}"), started(round), &format!("<p>{round} {n}"));
            reported.insert((seen.url, seen.asked, seen.digest));
        }
        capture.commit().unwrap();
        if round == 0 {
            capture.finish(&serde_json::json!("done")).unwrap();
            len = fs::metadata(files(&root.join("warc"), ".warc.gz").remove(0)).unwrap().len();
        }
    }
    (reported, files(&root.join("warc"), ".warc.gz").remove(0), len)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &target),
            false => assert!(fs::copy(&path, &target).is_ok()),
        }
    }
}

#[test]
fn a_segment_that_is_gone_on_with_loses_only_what_lay_behind_a_cut_with_or_without_catalogue() {
    let directory = temporary();
    let whole = directory.path().join("whole");
    let (reported, segment, closed) = gone_on_with(&whole);
    let visits = crate::scan::segment(&segment).unwrap().visits;
    for cut in (closed..fs::metadata(&segment).unwrap().len()).step_by(3) {
        for has_catalogue in [true, false] {
            let wreck = directory.path().join("wreck");
            copy(&whole, &wreck);
            let target = wreck.join(segment.strip_prefix(&whole).unwrap());
            fs::File::options().write(true).open(&target).unwrap().set_len(cut).unwrap();
            if !has_catalogue {
                fs::remove_dir_all(wreck.join("state")).unwrap();
            }
            let kept = audit(&wreck);
            let lost = visits.iter().filter(|visit| visit.offset + visit.length > cut).count();
            let missing = reported.len() - kept.len();
            assert!(kept.is_subset(&reported), "cut at {cut}");
            assert!((lost..=lost + 1).contains(&missing), "cut at {cut}: {missing} missing, {lost} lost");
            assert!(fs::metadata(&target).unwrap().len() >= closed, "what was closed stays");
            fs::remove_dir_all(&wreck).unwrap();
        }
    }
}

#[test]
fn what_was_closed_is_not_shortened_but_mended_by_repair() {
    let directory = temporary();
    let whole = directory.path().join("whole");
    let (reported, segment, closed) = gone_on_with(&whole);
    for cut in (1..closed).step_by(7) {
        let wreck = directory.path().join("wreck");
        copy(&whole, &wreck);
        let target = wreck.join(segment.strip_prefix(&whole).unwrap());
        fs::File::options().write(true).open(&target).unwrap().set_len(cut).unwrap();
        let collection = open(&wreck);
        assert_eq!(fs::metadata(&target).unwrap().len(), cut);
        collection.repair().unwrap();
        drop(collection);
        let kept = audit_but(&wreck, |defect| matches!(defect, Defect::OriginalMissing { .. }));
        assert!(kept.is_subset(&reported), "cut at {cut}");
        fs::remove_dir_all(&wreck).unwrap();
    }
}

#[test]
fn a_shared_log_cut_anywhere_is_written_again_from_the_segments() {
    let directory = temporary();
    let whole = directory.path().join("whole");
    let (reported, ..) = gone_on_with(&whole);
    let log = files(&whole.join("log"), ".jsonl").remove(0);
    for cut in (0..fs::metadata(&log).unwrap().len()).step_by(3) {
        let wreck = directory.path().join("wreck");
        copy(&whole, &wreck);
        let target = wreck.join(log.strip_prefix(&whole).unwrap());
        fs::File::options().write(true).open(&target).unwrap().set_len(cut).unwrap();
        assert_eq!(audit(&wreck), reported, "cut at {cut}");
        fs::remove_dir_all(&wreck).unwrap();
    }
}

#[test]
fn a_collection_of_one_log_per_capture_is_gone_on_with() {
    let directory = temporary();
    let id = {
        let collection = open(directory.path());
        let mut capture = collection.begin(head(START)).unwrap();
        page(&mut capture, 0, "/0", START, "x");
        let id = capture.id().clone();
        capture.suspend().unwrap();
        id
    };
    let log = directory.path().join("log").join(format!("{id}.jsonl"));
    make_old(&log, &id.to_string());
    fs::remove_dir_all(directory.path().join("state")).unwrap();
    let collection = open(directory.path());
    assert_eq!(collection.unfinished(rig::SITE).unwrap().as_ref(), Some(&id));
    let ResumedCapture { mut capture, entries, .. } = collection.resume(&id).unwrap();
    assert_eq!(entries.filter(|entry| matches!(entry, Ok(Entry::Observation(_)))).count(), 1);
    page(&mut capture, 1, "/1", START, "y");
    capture.finish(&serde_json::json!("done")).unwrap();
    collection.begin(head(START + Span::from_days(1))).unwrap().finish(&serde_json::json!("done")).unwrap();
    drop(collection);
    assert_eq!(files(&directory.path().join("log"), "").len(), 1);
    assert_eq!(audit(directory.path()).len(), 2);
}

/// A log as it was before it could hold several captures: its name alone says which it is of, and it says when a
/// segment was closed.
fn make_old(log: &Path, id: &str) {
    let text = fs::read(log).unwrap();
    let mut old = Vec::new();
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let mut line = line.to_vec();
        assert!(unseal(&mut line));
        let line = String::from_utf8(line).unwrap().replace(&format!("\"id\":\"{id}\","), "");
        let start = old.len();
        old.extend_from_slice(line.as_bytes());
        seal(&mut old, start);
    }
    let start = old.len();
    old.extend_from_slice(br#"{"closed":{"segment":"tintype-20261115215503042-00000-host.warc.gz"}}"#);
    seal(&mut old, start);
    assert!(old.starts_with(br#"{"head":{"site""#), "{}", String::from_utf8_lossy(&old));
    fs::write(log, old).unwrap();
}
