//! A collection that a stranger packed: nothing outside of it is read, written or waited for.
#![cfg(unix)]

use super::rig::{self, START, files, head, open, page, temporary};
use crate::{Collection, Defect, Repair};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

const MINE: &str = "mine, every byte of it\n";

/// A collection with one capture, and a file beside it that is none of its business.
fn collection() -> (TempDir, PathBuf, PathBuf) {
    let directory = temporary();
    let (root, victim) = (directory.path().join("collection"), directory.path().join("victim"));
    fs::write(&victim, MINE).unwrap();
    capture(&root).unwrap();
    (directory, root, victim)
}

fn capture(root: &Path) -> Result<Vec<Repair>, crate::Error> {
    let collection = Collection::open(root, rig::options())?;
    let mut capture = collection.begin(head(START))?;
    page(&mut capture, 0, "/", START, "hello");
    capture.finish(&serde_json::json!("done"))?;
    Ok(collection.repairs().to_vec())
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Everything that opens files, on a collection as it is.
fn use_everything(root: &Path) {
    let _ = capture(root);
    if let Ok(reading) = Collection::read(root) {
        let _ =
            (reading.verify(), reading.captures(), reading.index_lines(), reading.lookup("http://example.com/", START));
        let _ = reading.history(rig::SITE).map(|history| history.habits());
    }
    let _ = Collection::open(root, rig::options()).map(|collection| collection.repair());
}

#[test]
fn a_segment_that_is_a_link_is_passed_over_and_what_it_points_to_stays() {
    let (_directory, root, victim) = collection();
    symlink("../../victim", root.join("warc/evil.warc.gz.open")).unwrap();
    symlink("../../victim", root.join("warc/evil.warc.gz")).unwrap();
    let repairs = capture(&root).unwrap();
    assert!(repairs.contains(&Repair::PassedOver { name: "warc/evil.warc.gz.open".to_owned() }), "{repairs:?}");
    let findings = Collection::read(&root).unwrap().verify().unwrap().findings;
    let strange = findings.iter().filter(|finding| finding.defect == Defect::NoPlainFile).count();
    assert_eq!((strange, findings.len()), (2, 2), "{findings:?}");
    use_everything(&root);
    assert_eq!(fs::read_to_string(victim).unwrap(), MINE);
}

#[test]
fn no_file_of_a_collection_is_reached_through_a_link() {
    let (_directory, root, victim) = collection();
    let mut names: Vec<PathBuf> = Vec::new();
    for directory in ["warc", "index", "log", "state", ""] {
        names.extend(files(&root.join(directory), "").into_iter().filter(|path| path.is_file()));
    }
    names.extend(["state/hosts.jsonl", "state/catalogue.sqlite-wal", "version.tmp"].map(|name| root.join(name)));
    assert!(names.len() > 8, "{names:?}");
    for path in names {
        let kept = fs::read(&path).ok();
        let _ = fs::remove_file(&path);
        symlink(&victim, &path).unwrap();
        use_everything(&root);
        assert_eq!(fs::read_to_string(&victim).unwrap(), MINE, "{}", path.display());
        let _ = fs::remove_file(&path);
        kept.iter().for_each(|bytes| fs::write(&path, bytes).unwrap());
    }
}

#[test]
fn no_directory_of_a_collection_is_reached_through_a_link() {
    for name in ["warc", "index", "log", "state"] {
        let (directory, root, _) = collection();
        let elsewhere = directory.path().join("elsewhere");
        fs::rename(root.join(name), &elsewhere).unwrap();
        let before = files(&elsewhere, "");
        symlink("../elsewhere", root.join(name)).unwrap();
        let error = capture(&root).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("is a link"), "{error}");
        assert!(Collection::read(&root).is_err());
        assert_eq!(files(&elsewhere, ""), before);
    }
}

#[test]
fn a_pipe_in_a_collection_is_not_waited_for() {
    let (_directory, root, _) = collection();
    let names =
        ["warc/a.warc.gz", "warc/a.warc.gz.open", "index/a.cdxj", "log/20260101000000000-a.jsonl", "state/hosts.jsonl"];
    names.iter().for_each(|name| pipe(&root.join(name)));
    for database in files(&root.join("state"), ".sqlite") {
        fs::remove_file(&database).unwrap();
        pipe(&database);
    }
    let repairs = capture(&root).unwrap();
    assert_eq!(repairs.iter().filter(|repair| matches!(repair, Repair::PassedOver { .. })).count(), 4, "{repairs:?}");
    use_everything(&root);
}

#[test]
fn a_file_that_is_not_ours_is_neither_shortened_nor_removed() {
    let (_directory, root, _) = collection();
    fs::write(root.join("warc/letters.warc.gz.open"), MINE).unwrap();
    fs::write(root.join("log/letters.jsonl"), MINE).unwrap();
    let repairs = capture(&root).unwrap();
    assert_eq!(repairs.iter().filter(|repair| matches!(repair, Repair::SetAside { .. })).count(), 2, "{repairs:?}");
    for name in ["warc/letters.warc.gz.open.before-repair", "log/letters.jsonl.before-repair"] {
        assert_eq!(fs::read_to_string(root.join(name)).unwrap(), MINE, "{name}");
    }
    assert_eq!(open(&root).repairs(), []);
    assert_eq!(Collection::read(&root).unwrap().verify().unwrap().findings, []);
}
