//! `--index important` and `--store important`: versions that differ little wait until their changes have added up, or go.

use crate::{
    bench::{capture, files, run},
    host::{Host, html},
};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// A front page whose story is another in every fourth edition; in between, one of many corners is touched up, or something
/// that nobody reads.
fn paper(edition: &Arc<AtomicUsize>, is_read: bool) -> Host {
    let edition = edition.clone();
    Host::start(move |asked| match asked.target.as_str() {
        "/" => {
            let edition = edition.load(Ordering::SeqCst);
            let story = format!("<p>Story {} of a day.</p>", edition / 4).repeat(40);
            let corners: String = (0..40)
                .map(|at| format!("<li>Corner {at} is {}.", if is_read && at == edition { "new" } else { "old" }))
                .collect();
            let note = if is_read { String::new() } else { format!("<!-- made by machine {edition} -->") };
            html(&format!(
                "<main><h1>Story {}</h1>{story}</main>{note}<footer><ul>{corners}</ul></footer>",
                edition / 4
            ))
        }
        _ => crate::host::not_there(),
    })
}

/// Captures editions 0 to 8 and says how many responses of the page each index and each segment has.
fn editions(directory: &Path, is_read: bool, more: &[&str]) -> Host {
    let edition = Arc::new(AtomicUsize::new(0));
    let host = paper(&edition, is_read);
    for number in 0..9 {
        edition.store(number, Ordering::SeqCst);
        capture(directory, &host.seed(), more);
    }
    host
}

/// Times of the front page's versions in all index files.
fn indexed(directory: &Path) -> usize {
    let lines: Vec<String> = files(directory, "index")
        .iter()
        .flat_map(|path| std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    lines.iter().filter(|line| line.split(' ').next().unwrap().ends_with(")/")).count()
}

fn verified(directory: &Path) -> serde_json::Value {
    let output = run(directory, &["verify", "--json"]);
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn by_default_every_version_is_indexed() {
    let directory = tempfile::tempdir().unwrap();
    editions(directory.path(), true, &[]);
    assert_eq!(indexed(directory.path()), 9);
    assert_eq!(verified(directory.path())["unindexed"], 0);
}

#[test]
fn little_changes_are_stored_but_indexed_only_when_they_have_added_up_and_repair_indexes_them_all() {
    let directory = tempfile::tempdir().unwrap();
    editions(directory.path(), true, &["--index", "important"]);
    let found = indexed(directory.path());
    assert!((3..7).contains(&found), "three stories, and few of the touches: {found}");
    assert_eq!(verified(directory.path())["unindexed"], 9 - found);
    let said = String::from_utf8(run(directory.path(), &["verify"]).stdout).unwrap();
    assert!(said.contains("tintype repair --index all"), "{said}");

    assert!(run(directory.path(), &["repair"]).status.success());
    assert_eq!(indexed(directory.path()), found, "repair by itself leaves it at that");
    assert!(run(directory.path(), &["repair", "--index", "all"]).status.success());
    assert_eq!(indexed(directory.path()), 9);
    assert_eq!(verified(directory.path())["unindexed"], 0);
}

#[test]
fn an_index_that_is_lost_comes_back_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    editions(directory.path(), true, &["--index", "important"]);
    let before = indexed(directory.path());
    files(directory.path(), "index").iter().for_each(|path| std::fs::remove_file(path).unwrap());
    assert!(run(directory.path(), &["repair"]).status.success());
    assert_eq!(indexed(directory.path()), before);
}

#[test]
fn what_says_anything_is_stored_even_if_only_the_important_is_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    editions(directory.path(), true, &["--store", "important"]);
    let said = verified(directory.path());
    assert_eq!((&said["unindexed"], &said["noted"]), (&(9 - indexed(directory.path())).into(), &0.into()));
}

#[test]
fn who_asks_for_it_does_not_store_what_says_nothing_but_the_visits_stay() {
    let directory = tempfile::tempdir().unwrap();
    let host = editions(directory.path(), false, &["--store", "important"]);
    let found = indexed(directory.path());
    let said = verified(directory.path());
    assert!((3..9).contains(&found), "{found}");
    assert_eq!((&said["unindexed"], &said["noted"]), (&0.into(), &(9 - found).into()));
    // The ninth edition once more, by somebody who wants everything.
    capture(directory.path(), &host.seed(), &[]);
    assert_eq!(indexed(directory.path()), found + 1);
}
