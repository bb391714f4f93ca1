//! `export`: WACZ that other tools validate and replay, and that we verify, serve and take in again.

use crate::{
    bench::{Bench, INTERVAL, capture, files, index_lines, run},
    browser::Past,
    other_tools_read_what_we_write::peer,
    the_past_answers_for_a_time::next_second,
};
use serde_json::Value;
use std::{fs, path::Path, process::Command};
use tintype_vocab::Time;

fn told(directory: &Path, arguments: &[&str]) -> (Value, Option<i32>) {
    let output = run(directory, &[arguments, &["--json"]].concat());
    let said = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {output:?}"));
    (said, output.status.code())
}

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
fn a_package_holds_everything_and_others_validate_it() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, _) = two_captures(directory.path());
    let here = directory.path();
    let (said, code) = told(here, &["export", "--out", "site.wacz"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!((said["captures"].as_array().unwrap().len(), &said["missing"]), (2, &0.into()), "{said}");
    assert!(said["pages"].as_u64() > Some(3), "{said}");
    let (checked, code) = told(here, &["verify", "site.wacz"]);
    assert_eq!((code, &checked["files"][0]["findings"]), (Some(0), &serde_json::json!([])), "{checked}");
    assert_eq!(checked["files"][0]["index_lines"], index_lines(here).len());

    let (ours, theirs) = (
        Past::serve(here, &[]),
        Past::serve(tempfile::tempdir().unwrap().path(), &[here.join("site.wacz").to_str().unwrap()]),
    );
    let query = format!("/cdx?url={}*&fl=urlkey,timestamp,url,mime,status,digest", bench.seed());
    assert_eq!(theirs.get(&query).text(), ours.get(&query).text());
    for line in index_lines(here) {
        let line = tintype_warc::cdxj::Line::parse(&line).unwrap();
        let target = format!("/web/{}id_/{}", line.timestamp, line.url.unwrap());
        assert!(theirs.get(&target).body == ours.get(&target).body, "{target}");
    }
    let again = run(here, &["export", "--out", "site.wacz"]);
    assert_eq!(again.status.code(), Some(2), "nothing is written over: {again:?}");
    if let Some(wacz) = peer("wacz") {
        let output = Command::new(wacz).args(["validate", "-f"]).arg(here.join("site.wacz")).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && !said.to_lowercase().contains("fail") && said.contains("valid"), "{said}");
    }
}

#[test]
fn a_certificate_in_a_package_is_proved_by_its_warc_files() {
    let directory = tempfile::tempdir().unwrap();
    two_captures(directory.path());
    let here = directory.path();
    let (captures, _) = told(here, &["captures"]);
    let second = captures["captures"][1]["capture"].as_str().unwrap();
    let (said, code) = told(here, &["export", "--warc", "--out", "warcs", "--capture", second]);
    assert_eq!((code, &said["captures"]), (Some(0), &serde_json::json!([second])), "{said}");
    let certificate = run(here, &["report", second, "--json"]).stdout;
    fs::write(here.join("c.json"), certificate).unwrap();
    let warcs: Vec<String> =
        fs::read_dir(here.join("warcs")).unwrap().map(|entry| entry.unwrap().path().display().to_string()).collect();
    let arguments: Vec<&str> =
        ["verify", "--certificate", "c.json"].into_iter().chain(warcs.iter().map(String::as_str)).collect();
    let verified = run(here, &arguments);
    assert!(verified.status.success(), "{verified:?}");
    let all: Vec<&str> = ["verify"].into_iter().chain(warcs.iter().map(String::as_str)).collect();
    assert!(run(here, &all).status.success());
}

#[test]
fn the_latest_of_every_page_and_a_stretch_of_time_are_wholes_of_their_own() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, between) = two_captures(directory.path());
    let here = directory.path();
    let (all, _) = told(here, &["export", "--out", "all.wacz"]);
    let (latest, code) = told(here, &["export", "--out", "latest.wacz", "--latest"]);
    assert!(code == Some(0) && latest["visits"].as_u64() < all["visits"].as_u64(), "{latest} {all}");
    let stamp = between.to_timestamp14();
    let (early, _) = told(here, &["export", "--out", "early.wacz", "--to", &stamp]);
    let (late, _) = told(here, &["export", "--out", "late.wacz", "--from", &stamp]);
    let visits = |said: &Value| said["visits"].as_u64().unwrap();
    assert_eq!(visits(&early) + visits(&late), visits(&all));
    assert_eq!((&late["missing"], &early["captures"].as_array().unwrap().len()), (&0.into(), &1));
    let (ours, theirs) = (Past::serve(here, &[]), Past::serve(here, &["latest.wacz"]));
    let newest = |past: &Past| {
        let to = past.get(&format!("/web/2999id_/{}", bench.seed())).header("location").to_owned();
        past.get(&to[to.find("/web/").unwrap()..]).body
    };
    assert!(
        newest(&ours) == newest(&theirs) && !newest(&ours).is_empty(),
        "originals come along with their duplicates"
    );
    for package in ["latest.wacz", "early.wacz", "late.wacz"] {
        let (checked, code) = told(here, &["verify", package]);
        assert_eq!(code, Some(0), "{package}: {checked}");
    }
}

#[test]
fn a_changed_byte_in_a_package_is_found() {
    let directory = tempfile::tempdir().unwrap();
    two_captures(directory.path());
    let here = directory.path();
    told(here, &["export", "--out", "site.wacz"]);
    let mut bytes = fs::read(here.join("site.wacz")).unwrap();
    let middle = fs::metadata(&files(here, "warc")[0]).unwrap().len() as usize / 2;
    bytes[middle] ^= 0x55;
    fs::write(here.join("site.wacz"), bytes).unwrap();
    let (checked, code) = told(here, &["verify", "site.wacz"]);
    assert_eq!(code, Some(1), "{checked}");
    assert!(
        checked["files"][0]["findings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|finding| finding["defect"].as_str().unwrap().contains("SHA-256")),
        "{checked}"
    );
    fs::write(here.join("odd.wacz"), b"PK\x03\x04nothing").unwrap();
    assert_eq!(run(here, &["verify", "odd.wacz"]).status.code(), Some(1));
    assert_eq!(run(here, &["export", "--out", "x.wacz", "nowhere.example"]).status.code(), Some(2));
}
