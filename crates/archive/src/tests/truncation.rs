//! Any file of a small collection loses its end, at any byte.

use super::{
    audit::{Reported, audit, audit_but},
    rig::{START, head, open, page, temporary},
};
use crate::Defect;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use tintype_vocab::{Entry, Span};

/// One finished capture and one cut short, everything in it reported.
fn small_collection(root: &Path) -> BTreeSet<Reported> {
    let collection = open(root);
    let mut reported = BTreeSet::new();
    for day in 0..2 {
        let started = START + Span::from_secs(86_400 * day);
        let mut capture = collection.begin(head(started)).unwrap();
        for n in 0..1 {
            let seen = page(&mut capture, n, &format!("/{n}"), started, &format!("<a href=/{n}>{n}</a>"));
            reported.insert((seen.url, seen.asked, seen.digest));
        }
        if day == 0 {
            capture.finish(&serde_json::json!("done")).unwrap();
        } else {
            capture.commit().unwrap();
        }
    }
    reported
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn all_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all_files(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Cuts the files under `part` at every `step`th byte and hands each wreck to `check`.
fn cut_everywhere(part: &str, step: usize, check: impl Fn(&Path, &Path, u64, &BTreeSet<Reported>)) {
    let directory = temporary();
    let whole = directory.path().join("whole");
    let reported = small_collection(&whole);
    let mut files = Vec::new();
    match whole.join(part) {
        directory if directory.is_dir() => all_files(&directory, &mut files),
        file => files.push(file),
    }
    files.sort();
    for file in files {
        let len = fs::metadata(&file).unwrap().len();
        for cut in (0..len).step_by(step) {
            let wreck = directory.path().join("wreck");
            copy(&whole, &wreck);
            let target = wreck.join(file.strip_prefix(&whole).unwrap());
            fs::File::options().write(true).open(&target).unwrap().set_len(cut).unwrap();
            check(&wreck, &file, cut, &reported);
            fs::remove_dir_all(&wreck).unwrap();
        }
    }
}

fn nothing_is_lost(wreck: &Path, file: &Path, cut: u64, reported: &BTreeSet<Reported>) {
    assert_eq!(&audit(wreck), reported, "{file:?} cut at {cut}");
}

#[test]
fn a_log_cut_anywhere_is_written_again_from_the_segments() {
    cut_everywhere("log", 1, nothing_is_lost);
}

#[test]
fn an_observation_is_the_same_when_only_its_records_are_left() {
    let directory = temporary();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    let id = capture.id().clone();
    let links = "<a href=/a>a</a><img src=/i.png>";
    let seen: Vec<_> = ["/", "/same"].iter().map(|path| page(&mut capture, 0, path, START, links)).collect();
    assert_eq!(seen[1].max_age, Some(Span::from_secs(60)));
    capture.commit().unwrap();
    drop((capture, collection));
    let mut logs = Vec::new();
    all_files(&directory.path().join("log"), &mut logs);
    logs.iter().for_each(|log| fs::write(log, "").unwrap());
    let entries = open(directory.path()).resume(&id).unwrap().entries;
    let revived = entries.map(|entry| match entry.unwrap() {
        Entry::Observation(observation) => *observation,
        Entry::Decision(decision) => panic!("{decision:?} is in no record"),
    });
    assert_eq!(revived.collect::<Vec<_>>(), seen);
}

#[test]
fn an_index_cut_anywhere_is_made_again() {
    cut_everywhere("index", 1, nothing_is_lost);
}

/// Sampled: state is derived, and its files are large and mostly empty.
#[test]
fn state_cut_anywhere_is_made_again() {
    cut_everywhere("state", 499, nothing_is_lost);
}

#[test]
fn a_version_or_lock_cut_anywhere_does_no_harm() {
    cut_everywhere("version", 1, nothing_is_lost);
    cut_everywhere("lock", 1, nothing_is_lost);
}

#[test]
fn an_open_segment_cut_anywhere_loses_only_what_lay_behind_the_cut() {
    cut_everywhere("warc", 1, |wreck, file, cut, reported| {
        if !file.to_str().unwrap().ends_with(".open") {
            return;
        }
        let kept = audit(wreck);
        let ends = crate::scan::segment(file).unwrap().visits;
        let lost = ends.iter().filter(|visit| visit.offset + visit.length > cut).count();
        assert!(kept.is_subset(reported), "{kept:?}");
        // A visit whose response is whole but whose request is not is cut too.
        let missing = reported.len() - kept.len();
        assert!((lost..=lost + 1).contains(&missing), "cut at {cut}: {missing} missing, {lost} lost");
    });
}

#[test]
fn a_closed_segment_cut_anywhere_is_reported_and_repair_brings_order() {
    cut_everywhere("warc", 1, |wreck, file, cut, reported| {
        if file.to_str().unwrap().ends_with(".open") {
            return;
        }
        let collection = open(wreck);
        assert!(!collection.repairs().is_empty(), "cut at {cut}");
        collection.repair().unwrap();
        drop(collection);
        let kept = audit_but(wreck, |defect| matches!(defect, Defect::OriginalMissing { .. }));
        let whole = crate::scan::segment(file).unwrap().visits;
        let lost = whole.iter().filter(|visit| visit.offset + visit.length > cut).count();
        assert!(kept.is_subset(reported), "cut at {cut}");
        assert_eq!(reported.len() - kept.len(), lost, "cut at {cut}");
    });
}
