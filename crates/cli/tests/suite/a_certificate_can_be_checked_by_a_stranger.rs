//! What `report` certifies, `verify --certificate` finds again in the WARC files alone, and nothing else passes.

use crate::bench::{Bench, capture, files, run};
use serde_json::Value;
use std::{fs, path::Path};
use tintype_archive::{CaptureHead, CaptureKind, Collection, Exchange, OpenOptions, Spool};
use tintype_vocab::{ChangeRate, Outcome, PageId, Purpose, Request, SiteId, Span, Time, Visit};
use tintype_warc::{Encoder, Header, Reader, RecordType};

const START: Time = Time::from_secs(1_790_000_000);
const PAGES: u32 = 12;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The `n`th minute of a capture: what a page says, and when.
fn visit(page: u32, minute: i64, purpose: Purpose, outcome: Outcome) -> Visit {
    let rate = ChangeRate { per_day: 0.2 * (page * page) as f32, shape: 3.0 };
    let url = format!("http://example.com/{page}");
    let request = Request { site: SiteId(0), page: PageId(page), url, purpose, attempt: 0, rate };
    let asked = START + Span::from_secs(60 * minute);
    Visit { request, asked, answered: asked + Span::from_millis(200), outcome }
}

fn answer(status: &str, body: &str) -> Exchange {
    Exchange {
        request_head: b"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n".to_vec(),
        response_head: format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n").into_bytes(),
        body: Spool::from_bytes(body.as_bytes().to_vec()),
        peer: None,
        protocols: Vec::new(),
        cipher_suite: None,
        truncated: None,
    }
}

/// A capture with revisits: the hottest page changes, the next one is gone, another is visited once.
fn pyramid(directory: &Path) {
    let options = OpenOptions { create: true, command: "test".to_owned(), now: START };
    let collection = Collection::open(&directory.join("collection"), options).unwrap();
    let head = CaptureHead {
        site: "example.com".to_owned(),
        kind: CaptureKind::Capture,
        seeds: vec!["http://example.com/0".to_owned()],
        settings: Value::Null,
        run_seed: 1,
        started: START,
        describe: Vec::new(),
    };
    let mut capture = collection.begin(head).unwrap();
    let body =
        |page: u32, version: u32| format!("<p>page {page}, version {version}</p><img src=/{}>", (page + 1) % PAGES);
    let there = Outcome::Body { status: 200 };
    for page in 0..PAGES {
        let first = visit(page, page.into(), Purpose::Visit, there.clone());
        capture.ingest(&first, Some(answer("200 OK", &body(page, 0))), None).unwrap();
    }
    for (page, minute) in (1..PAGES).rev().zip(PAGES.into()..) {
        let (outcome, exchange) = match page {
            11 => (there.clone(), answer("200 OK", &body(page, 1))),
            10 => (Outcome::Gone { status: 404 }, answer("404 Not Found", "gone")),
            _ if page % 2 == 0 => (Outcome::NotModified, answer("304 Not Modified", "")),
            _ => (there.clone(), answer("200 OK", &body(page, 0))),
        };
        capture.ingest(&visit(page, minute, Purpose::Revisit, outcome), Some(exchange), None).unwrap();
    }
    let excluded = serde_json::json!({ "robots": { "links": 3, "samples": ["http://example.com/private"] } });
    capture.finish(&serde_json::json!({ "ending": "complete", "excluded": excluded })).unwrap();
}

fn certificate(directory: &Path, name: &str) -> Value {
    let output = run(directory, &["report", "--json"]);
    assert!(output.status.success(), "{output:?}");
    fs::write(directory.join(name), &output.stdout).unwrap();
    let mut said: Value = serde_json::from_slice(&output.stdout).unwrap();
    said["captures"][0].take()
}

/// Verifies, and gives the exit code and what was said.
fn verify(directory: &Path, more: &[&str]) -> (Option<i32>, String) {
    let output = run(directory, &[&["verify", "--certificate"], more].concat());
    (output.status.code(), format!("{}{}", text(&output.stdout), text(&output.stderr)))
}

/// The segment written again, its records as `keep` leaves them.
fn rewritten(path: &Path, mut keep: impl FnMut(&Header, &mut Vec<u8>) -> bool) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let (mut reader, mut encoder, mut out) = (Reader::new(bytes.as_slice()), Encoder::default(), Vec::new());
    while let Some(record) = reader.next().unwrap() {
        let mut block = record.block().to_vec();
        if keep(record.header, &mut block) {
            encoder.encode(record.header, &[&block], &mut out);
        }
    }
    out
}

#[test]
fn the_certificate_says_what_is_proved_and_what_is_not() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    pyramid(here);
    let certificate = certificate(here, "c.json");
    assert_eq!((&certificate["captured"], &certificate["visits"]), (&12.into(), &23.into()));
    assert_eq!((&certificate["sharp"]["proved"], &certificate["revisits"]), (&9.into(), &11.into()));
    assert_eq!(certificate["dated"]["pages"], 10, "nine that are sharp, and one more at the moment of its visit");
    let reasons: Vec<(&str, &Value)> = certificate["pages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|page| {
            Some((page["url"].as_str()?.strip_prefix("http://example.com")?, page["verdict"].get("not-sharp")?))
        })
        .collect();
    assert_eq!(reasons, [("/0", &"visited-once".into()), ("/10", &"gone-later".into()), ("/11", &"changed".into())]);
    assert_eq!(certificate["from_log"]["excluded"]["robots"]["links"], 3);

    let said = text(&run(here, &["report", "example.com"]).stdout);
    for words in [
        "23 visits to 12 captured pages, 11 of them revisits",
        "9 of 12 pages proved the same",
        "1 page: changed between visit and revisit",
        "http://example.com/10  gone at the revisit",
        "http://example.com/0   visited once",
        "next: tintype capture --revisit",
        "3 links: forbidden by robots.txt",
        "everything known was asked for",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let html = run(here, &["report", "--html", "report.html"]);
    assert!(html.status.success(), "{html:?}");
    let page = fs::read_to_string(here.join("report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("gone at the revisit") && page.contains("9 of 12"), "{page}");
    let outside = ["<script", "src=", "href=", "@import", "url(http"];
    assert!(outside.iter().all(|word| !page.contains(word)), "the page needs nothing from elsewhere");
}

#[test]
fn a_stranger_with_the_warc_files_comes_to_the_same_certificate() {
    let (directory, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (here, there) = (directory.path(), elsewhere.path());
    pyramid(here);
    certificate(here, "c.json");
    let (code, said) = verify(here, &["c.json"]);
    assert!(code == Some(0) && said.contains("agrees; 12 pages, 23 visits in 1 WARC file"), "{said}");
    fs::copy(here.join("c.json"), there.join("c.json")).unwrap();
    fs::copy(&files(here, "warc")[0], there.join("x.warc.gz")).unwrap();
    let (code, said) = verify(there, &["c.json", "x.warc.gz", "--json"]);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((code, &said["certificates"][0]["agrees"]), (Some(0), &true.into()), "{said}");
}

#[test]
fn what_was_meddled_with_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    pyramid(here);
    certificate(here, "c.json");
    let segment = files(here, "warc").remove(0);
    let changed = |name: &str, bytes: Vec<u8>| {
        fs::write(here.join(name), bytes).unwrap();
        let (code, said) = verify(here, &["c.json", name]);
        assert!(code == Some(1) && said.contains("DIFFERS"), "{name}: {said}");
        said
    };
    let mut responses = 0;
    let byte = rewritten(&segment, |header, block| {
        responses += u32::from(header.record_type() == RecordType::Response);
        if responses == 3 && header.record_type() == RecordType::Response {
            *block.last_mut().unwrap() ^= 1;
        }
        true
    });
    let said = changed("byte.warc.gz", byte);
    assert!(said.contains("fingerprint") && said.contains("Payload-Digest"), "{said}");
    let mut bytes = fs::read(&segment).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    changed("damaged.warc.gz", bytes);
    let mut duplicates = 0;
    let dropped = rewritten(&segment, |header, _| {
        duplicates += u32::from(header.record_type() == RecordType::Duplicate);
        duplicates != 4 || header.record_type() != RecordType::Duplicate
    });
    assert!(changed("dropped.warc.gz", dropped).contains("sharp.proved: the certificate says 9, the records say 8"));

    let text = fs::read_to_string(here.join("c.json")).unwrap();
    let query = text.split("\"query\":{\"from\":\"").nth(1).unwrap()[..24].to_owned();
    let forged = text.replacen(&query, "2020-01-01T00:00:00.000Z", 1);
    fs::write(here.join("forged.json"), forged).unwrap();
    let (code, said) = verify(here, &["forged.json"]);
    assert!(code == Some(1) && said.contains("query: the certificate says from 2020-01-01"), "{said}");
}

#[test]
fn bad_input_gets_a_sentence_and_a_next_step() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let refused = |arguments: &[&str], code: i32, words: &[&str]| {
        let output = run(here, arguments);
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(words.iter().all(|word| said.contains(word)) && said.contains("next:"), "{arguments:?}: {said}");
    };
    refused(&["report"], 1, &["no collection at"]);
    fs::create_dir_all(here.join("collection/log")).unwrap();
    refused(&["report"], 2, &["holds no capture yet", "tintype capture"]);
    pyramid(here);
    refused(&["report", "nobody.org"], 2, &["no capture and no site", "nobody.org", "example.com"]);
    refused(&["verify", "--certificate", "none.json"], 1, &["none.json"]);
    for nonsense in ["", "not json", "{}", "[1]"] {
        fs::write(here.join("bad.json"), nonsense).unwrap();
        refused(&["verify", "--certificate", "bad.json"], 2, &["is not a certificate", "tintype report --json"]);
    }
    certificate(here, "c.json");
    let text = fs::read_to_string(here.join("c.json")).unwrap();
    fs::write(here.join("newer.json"), text.replacen("\"format\":2", "\"format\":9", 1)).unwrap();
    refused(&["verify", "--certificate", "newer.json"], 2, &["format 9"]);
    fs::write(here.join("other.json"), text.replace("-example.com\"", "-example.org\"")).unwrap();
    refused(
        &["verify", "--certificate", "other.json"],
        2,
        &["none of the WARC files belongs to capture", "they are of"],
    );
    fs::write(here.join("notes.txt"), "no records").unwrap();
    refused(&["verify", "--certificate", "c.json", "notes.txt"], 1, &["is not a WARC file"]);
}

#[test]
fn a_real_capture_and_its_recapture_are_certified_alike_by_log_and_by_records() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let here = directory.path();
    let first = capture(here, &bench.seed(), &[]);
    bench.advance(Span::from_days(1));
    capture(here, &bench.seed(), &[]);
    let latest = certificate(here, "latest.json");
    let missing: u64 = latest["failures"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
    let pages = latest["pages"].as_array().unwrap().len() as u64;
    assert_eq!((latest["captured"].as_u64(), missing), (Some(pages - 1), 1), "{latest}");
    let id = first["sites"][0]["capture"].as_str().unwrap();
    let earlier = run(here, &["report", id, "--json"]);
    fs::write(here.join("both.json"), [&earlier.stdout[..], &fs::read(here.join("latest.json")).unwrap()].concat())
        .unwrap();
    let (code, said) = verify(here, &["both.json"]);
    assert!(code == Some(0) && said.matches("agrees").count() == 2, "{said}");
    let mut announced = 0;
    let latest_only = rewritten(files(here, "warc").last().unwrap(), |header, _| {
        announced += u32::from(header.record_type() == RecordType::Warcinfo);
        announced > 1
    });
    fs::write(here.join("latest.warc.gz"), latest_only).unwrap();
    let (_, said) = verify(here, &["latest.json", "latest.warc.gz"]);
    assert!(said.contains("stored in none of these files") && said.contains("next:"), "{said}");
}

#[test]
fn a_good_first_capture_reads_as_one_and_two_sites_are_one_object() {
    let (directory, one, other) = (tempfile::tempdir().unwrap(), Bench::newsroom(), Bench::library());
    let here = directory.path();
    capture(here, &one.seed(), &[&other.seed()]);
    let said = text(&run(here, &["report"]).stdout);
    assert!(said.contains("captured       300 pages: 300 first seen"), "{said}");
    assert!(said.contains("--revisit would prove which of them did not change meanwhile"), "{said}");
    assert!(!said.contains("not sharp") && !said.contains("sharp          0 of"), "{said}");
    let output = run(here, &["report", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let captures = report["captures"].as_array().unwrap();
    assert_eq!((captures.len(), &report["captures"][0]["counted"]["changed"]), (2, &0.into()), "{report}");
    fs::write(here.join("c.json"), &output.stdout).unwrap();
    let (code, said) = verify(here, &["c.json"]);
    assert!(code == Some(0) && said.matches("agrees").count() == 2, "{said}");
    // As earlier versions wrote it.
    fs::write(here.join("c.json"), captures.iter().map(|capture| format!("{capture}\n")).collect::<String>()).unwrap();
    assert_eq!(verify(here, &["c.json"]).0, Some(0));

    one.advance(Span::from_days(1));
    capture(here, &one.seed(), &["--revisit"]);
    let name = one.seed().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let output = run(here, &["report", &name, "--html", "report.html"]);
    let said = text(&output.stdout);
    let at = |words: &str| said.find(words).unwrap_or_else(|| panic!("{words}: {said}"));
    assert!(at("captured") < at("changed") && at("changed") < at("sharp ") && at("ended") < at("blur"), "{said}");
    let page = fs::read_to_string(here.join("report.html")).unwrap();
    assert!(
        page.contains("Pages captured") && page.contains("stroke-dasharray") && page.contains("the moment"),
        "{page}"
    );
}
