//! `captures` and `get`: which capture, which version, seen when, and whether that is proved for the time asked for.

use crate::bench::{Bench, INTERVAL, capture, index_lines, run};
use serde_json::Value;
use std::path::Path;
use tintype_vocab::{Span, Time};

/// Waits until no later record can have the second of an earlier one.
pub(crate) fn next_second() -> Time {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let first = now().as_secs();
    while now().as_secs() == first {
        std::thread::yield_now();
    }
    Time::from_secs(first as i64 + 1)
}

fn told(directory: &Path, arguments: &[&str]) -> Value {
    let output = run(directory, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Two captures of a newsroom an hour apart in its time; a second apart in ours.
fn two_captures(directory: &Path) -> (Bench, Time) {
    let bench = Bench::newsroom();
    capture(directory, &bench.seed(), &[]);
    bench.advance(INTERVAL);
    let between = next_second();
    next_second();
    capture(directory, &bench.seed(), &["--revisit"]);
    (bench, between)
}

#[test]
fn a_version_is_proved_by_two_visits_that_saw_the_same_and_only_between_them() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, between) = two_captures(directory.path());
    let here = directory.path();
    let page = |path: &str| format!("{}{path}", bench.server.origin());
    let truth = |path: &str, now: Time| bench.site().respond(path, None, now).body;
    let (start, later) = (crate::bench::START, crate::bench::START + INTERVAL);
    let held = index_lines(here).concat();
    let paths: Vec<String> =
        bench.site().paths().map(str::to_owned).filter(|path| held.contains(&format!("\"{}\"", page(path)))).collect();
    let (mut proved, mut not_proved) = (0, 0);
    for path in paths.iter().filter(|path| bench.site().respond(path, None, start).status == 200) {
        let said = told(here, &["get", &page(path), "--at", &between.to_timestamp14()]);
        let same = truth(path, start) == truth(path, later);
        assert_eq!(said["proved"], same, "{path}: {said}");
        let raw = run(here, &["get", &page(path), "--at", &between.to_timestamp14(), "--before", "--raw"]).stdout;
        assert!(raw == truth(path, start), "{path}");
        let latest = run(here, &["get", &page(path), "--raw"]).stdout;
        assert!(latest == truth(path, later), "{path}");
        if same {
            proved += 1;
            assert_eq!(said["proof"]["by"], "bracket", "{said}");
            assert!(said["first_seen"].as_str().unwrap() < said["last_seen"].as_str().unwrap(), "{said}");
        } else {
            not_proved += 1;
        }
    }
    assert!(proved > 2 && not_proved > 0, "{proved} {not_proved}");
}

#[test]
fn captures_are_listed_with_their_times_and_found_by_one() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, between) = two_captures(directory.path());
    let here = directory.path();
    let all = told(here, &["captures"]);
    let captures = all["captures"].as_array().unwrap();
    assert_eq!(captures.len(), 2, "{all}");
    assert!(
        captures.iter().all(|capture| capture["pages"].as_u64() > Some(3) && capture["kind"] == "capture"),
        "{all}"
    );
    let second = &captures[1];
    assert!(second["sharp"].as_u64() > Some(3) && second["revisits"].as_u64() > Some(3), "{second}");
    let at = second["query"]["from"].as_str().unwrap();
    let answering = told(here, &["captures", "--at", at]);
    assert_eq!(answering["captures"].as_array().unwrap().len(), 1, "{answering}");
    assert_eq!(answering["captures"][0]["capture"], second["capture"]);
    let nearest = told(here, &["captures", "--at", &(between - Span::from_days(400)).to_timestamp14()]);
    assert_eq!(
        (&nearest["captures"][0]["capture"], &nearest["captures"][0]["answers"]),
        (&captures[0]["capture"], &false.into())
    );
    let latest = told(here, &["get", &bench.seed()]);
    assert_eq!(latest["capture"], second["capture"], "{latest}");
    let people = String::from_utf8(run(here, &["captures"]).stdout).unwrap();
    assert!(people.contains("sharp") && people.contains(" to 20"), "{people}");
}

#[test]
fn a_page_is_shown_as_text_as_headers_and_for_people() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, between) = two_captures(directory.path());
    let shown = |more: &[&str]| {
        let output = run(directory.path(), &[&["get", &bench.seed()], more].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(shown(&["--headers"]).starts_with("HTTP/1.1 200"), "{}", shown(&["--headers"]));
    let text = shown(&["--text"]);
    assert!(!text.contains('<') && text.split_whitespace().count() > 3, "{text}");
    let people = shown(&["--at", &between.to_timestamp14()]);
    assert!(people.contains("proved") && people.contains("visit"), "{people}");
    assert!(shown(&["--at", &between.to_timestamp14(), "--within", "1h"]).contains("proved"));
    let year = between.to_timestamp14()[..4].to_owned();
    assert!(shown(&["--between", &format!("{year},{year}")]).contains("version"));
}

#[test]
fn what_is_not_held_is_a_sentence_and_a_step() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, _) = two_captures(directory.path());
    for (arguments, code) in [
        (vec!["get", "http://nowhere.example/"], 2),
        (vec!["get", &bench.seed(), "--at", "1999", "--before"], 2),
        (vec!["get", &bench.seed(), "--at", "1999", "--within", "7d"], 2),
        (vec!["get", &bench.seed(), "--within", "7d"], 2),
        (vec!["get", &bench.seed(), "--between", "2100,1999"], 2),
        (vec!["get", &bench.seed(), "--between", "1990,1999"], 2),
        (vec!["get", &bench.seed(), "--at", "2026", "--within", "soon"], 2),
        (vec!["get", &bench.seed(), "--at", "soon"], 2),
        (vec!["captures", "nowhere.example"], 2),
    ] {
        let output = run(directory.path(), &arguments);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{output:?}");
    }
}
