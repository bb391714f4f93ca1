//! Feeding the log of a capture to a fresh session takes every step again: of first captures and recaptures, of all kinds.

use crate::{
    bench::{Bench, INTERVAL, capture, run},
    host::{Host, answer, html},
};
use std::path::Path;
use tintype_archive::Collection;
use tintype_session::replay;

/// Replays every capture of a collection; returns how many there are.
pub(crate) fn replay_all(directory: &Path) -> usize {
    let reading = Collection::read(&directory.join("collection")).unwrap();
    let captures = reading.captures().unwrap();
    for capture in &captures {
        let replayed = replay(&reading, capture)
            .unwrap_or_else(|error| panic!("{} by {}: {error}", capture.id, capture.head.settings));
        assert!(replayed.scheduler.progress().settled > 1, "{}", capture.id);
    }
    captures.len()
}

#[test]
fn recaptures_by_any_policy_with_proof_and_by_media_type_replay_from_their_logs() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let ways: &[&[&str]] = &[
        &[],
        &[],
        &["--connections", "5"],
        &["--revisit"],
        &["--revisit", "--connections", "3"],
        &["--policy", "sharc-revisits"],
        &["--policy", "sharc-threshold", "--revisit"],
        &["--policy", "skip"],
        &["--policy", "warm:breadth-first"],
        &["--media", "text/css,image"],
        &["--media", "text/css,image", "--connections", "4"],
        &["--budget", "20"],
        &["--depth", "1"],
    ];
    for way in ways {
        capture(directory.path(), &bench.seed(), way);
        bench.advance(INTERVAL);
    }
    assert_eq!(replay_all(directory.path()), ways.len());
}

#[test]
fn captures_side_by_side_replay_although_they_learn_from_each_other() {
    let (directory, one, other) = (tempfile::tempdir().unwrap(), Bench::newsroom(), Bench::library());
    for more in [&["--media", "text"][..], &[], &["--media", "text/html"]] {
        capture(directory.path(), &one.seed(), &[&[other.seed().as_str()], more].concat());
        one.advance(INTERVAL);
    }
    assert_eq!(replay_all(directory.path()), 6);
}

#[test]
fn crawls_of_a_listing_replay() {
    let directory = tempfile::tempdir().unwrap();
    let host = Host::start(|asked| match asked.target.as_str() {
        "/robots.txt" => answer(404, &[], b""),
        "/jobs" => html("<li data-id=1>a</li><li data-id=2>b</li><a rel=next href='/jobs?page=2'>more</a>"),
        _ => html("<li data-id=3>c</li>"),
    });
    let url = format!("{}/jobs", host.origin());
    for _ in 0..2 {
        let keep = ["keep", &url, "--objects", "css:li", "--id", "@data-id", "--once", "--delay", "0"];
        let output = run(directory.path(), &keep);
        assert!(output.status.success(), "{output:?}");
    }
    assert_eq!(replay_all(directory.path()), 2);
}
