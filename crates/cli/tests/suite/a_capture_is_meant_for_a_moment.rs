//! `capture --as-of`: the moment that a certificate speaks of is the one that was asked for.

use crate::{
    bench::{Bench, capture, run},
    the_past_answers_for_a_time::next_second,
};
use serde_json::Value;
use std::{fs, path::Path};
use tintype_vocab::Span;

fn certificate(directory: &Path) -> Value {
    let report = run(directory, &["report", "--json"]);
    fs::write(directory.join("certificate.json"), &report.stdout).unwrap();
    let verified = run(directory, &["verify", "--certificate", "certificate.json"]);
    assert!(verified.status.success(), "a stranger comes to the same: {verified:?}");
    serde_json::from_slice::<Value>(&report.stdout).unwrap()["captures"][0].take()
}

#[test]
fn pages_are_proved_for_the_moment_that_was_asked_for() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let moment = next_second() + Span::from_secs(6);
    let as_of = moment.to_rfc3339();
    let said = capture(directory.path(), &bench.seed(), &["--revisit", "--as-of", &as_of]);
    assert_eq!(said["sites"][0]["settings"]["as-of"]["value"], as_of, "{said}");
    let certificate = certificate(directory.path());
    assert_eq!(certificate["moment"], as_of, "{certificate}");
    let (proved, captured) = (certificate["sharp"]["proved"].as_u64(), certificate["captured"].as_u64());
    // A machine may be so busy that the moment passes before the first visit, and then nothing can be proved for it.
    let began_before = certificate["query"]["from"].as_str().unwrap() < as_of.as_str();
    assert!(proved <= captured && (proved > Some(0)) == began_before, "{certificate}");
    for page in certificate["pages"].as_array().unwrap() {
        if let Some(sharp) = page["verdict"].get("sharp") {
            let holds =
                sharp["from"].as_str().unwrap() <= as_of.as_str() && as_of.as_str() <= sharp["to"].as_str().unwrap();
            assert!(holds, "{page}");
        }
    }
}

#[test]
fn a_moment_that_has_passed_is_proved_for_nobody() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    capture(directory.path(), &bench.seed(), &["--revisit", "--as-of", "2026-01-01T00:00:00Z"]);
    let certificate = certificate(directory.path());
    assert_eq!(certificate["sharp"]["proved"], 0, "{certificate}");
    assert!(certificate["captured"].as_u64() > Some(3));
}

#[test]
fn what_is_no_moment_no_number_and_no_chance_is_refused_with_a_next_step() {
    let directory = tempfile::tempdir().unwrap();
    let wrong = [["--as-of", "soon"], ["--expected-pages", "0"], ["--hopeless-above", "1.5"]];
    for wrong in wrong {
        let output = run(directory.path(), &[&["capture", "http://127.0.0.1:1/"][..], &wrong].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {said}");
        assert!(said.contains(wrong[0]), "{said}");
    }
    let saved = ["capture", "http://127.0.0.1:1/", "--as-of", "2026", "--save"];
    assert_eq!(run(directory.path(), &saved).status.code(), Some(2), "a moment is of one run");
}
