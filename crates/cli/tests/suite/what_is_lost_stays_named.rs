//! A page whose record was damaged on disk is named by repair, and by verify, report and certificate ever after.

use crate::bench::{Bench, capture, files, run};
use flate2::read::GzDecoder;
use std::{fs, io::Read};
use tintype_serve::site::{Server, reply};

/// What a command said, and how it ended.
fn said(directory: &std::path::Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = run(directory, arguments);
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn a_flipped_byte_is_never_forgotten() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let here = directory.path();
    capture(here, &bench.seed(), &[]);
    let segment = files(here, "warc").remove(0);
    let mut bytes = fs::read(&segment).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].fill(0xff);
    fs::write(&segment, bytes).unwrap();
    let (text, code) = said(here, &["repair"]);
    assert!(text.contains("cannot be restored: http://"), "{text}");
    assert_eq!(code, Some(1));
    for _ in 0..2 {
        let (text, code) = said(here, &["verify"]);
        assert!(text.contains("lost: http://") && !text.contains(": everything is in order"), "{text}");
        assert_eq!(code, Some(1));
        let (json, _) = said(here, &["verify", "--json"]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let url = json["missing"][0]["url"].as_str().unwrap().to_owned();
        assert_eq!(json["findings"], serde_json::json!([]));
        let (text, _) = said(here, &["report"]);
        assert!(text.contains("its record was damaged or lost on disk"), "{text}");
        let (certificate, _) = said(here, &["report", "--json"]);
        let certificate: serde_json::Value = serde_json::from_str(&certificate).unwrap();
        assert_eq!(certificate["captures"][0]["lost"][0]["url"].as_str(), Some(&*url));
        assert_eq!(said(here, &["repair"]).1, Some(1), "a second repair does not forget");
    }
}

/// Where the last compressed record of a kind begins in a segment.
fn last_record(segment: &[u8], kind: &str) -> usize {
    let is_of_kind = |at: &usize| {
        let mut text = String::new();
        let _ = GzDecoder::new(&segment[*at..]).take(512).read_to_string(&mut text);
        text.contains(&format!("WARC-Type: {kind}\r\n"))
    };
    let mut starts = (0..segment.len() - 3).filter(|at| segment[*at..].starts_with(&[0x1f, 0x8b, 0x08]));
    starts.rfind(is_of_kind).unwrap()
}

#[test]
fn a_request_that_is_lost_is_named_though_its_answer_is_held() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let here = directory.path();
    capture(here, &bench.seed(), &[]);
    let segment = files(here, "warc").remove(0);
    let mut bytes = fs::read(&segment).unwrap();
    let at = last_record(&bytes, "request") + 20;
    bytes[at..at + 64].fill(0xff);
    fs::write(&segment, bytes).unwrap();
    let (text, code) = said(here, &["repair"]);
    assert!(text.contains("cannot be restored: http://") && text.contains("the request as it was sent"), "{text}");
    assert_eq!(code, Some(1));
    for _ in 0..2 {
        let (text, code) = said(here, &["verify"]);
        assert!(text.contains("the request as it was sent") && !text.contains(": everything is in order"), "{text}");
        assert_eq!(code, Some(1));
        let (report, _) = said(here, &["report"]);
        assert!(report.contains("the answer is held"), "{report}");
        assert_eq!(said(here, &["repair"]).1, Some(1), "a second repair does not forget");
    }
}

#[test]
fn a_link_that_was_not_opened_is_a_warning_and_no_repair() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let here = directory.path();
    capture(here, &bench.seed(), &[]);
    std::os::unix::fs::symlink("/etc/passwd", here.join("collection/log/evil.jsonl")).unwrap();
    let (text, _) = said(here, &["repair"]);
    assert!(text.contains("warning: did not open log/evil.jsonl"), "{text}");
    assert!(!text.contains("repaired: did not open"), "{text}");
}

#[test]
fn truncated_bodies_are_counted_in_summary_and_report() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let server = Server::start(([127, 0, 0, 1], 0).into(), |question| {
        let html = [("Content-Type", "text/html".to_owned())];
        match question.target.as_str() {
            "/" => reply(200, &html, b"<a href=/big>big</a>".to_vec()),
            "/big" => reply(200, &html, vec![b'x'; 3 << 20]),
            _ => reply(404, &html, Vec::new()),
        }
    })
    .unwrap();
    let seed = format!("{}/", server.origin());
    let summary = capture(here, &seed, &["--body-limit", "1MB"]);
    assert_eq!(summary["sites"][0]["truncated"], 1, "{summary}");
    let (text, _) = said(here, &["report"]);
    assert!(text.contains("truncated"), "{text}");
    let (json, _) = said(here, &["report", "--json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["captures"][0]["truncated"], 1);
}
