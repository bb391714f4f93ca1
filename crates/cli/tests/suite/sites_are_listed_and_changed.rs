//! `tintype sites`: what is captured and kept, and what was decided about it; `report --since`: what came of it.

use crate::{
    bench::run,
    host::{Host, answer, html},
};
use serde_json::Value;
use std::{fs, path::Path};

fn said(directory: &Path, words: &[&str]) -> String {
    let output = run(directory, words);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(directory: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&said(directory, &[words, &["--json"]].concat())).unwrap()
}

fn refused(directory: &Path, words: &[&str]) -> String {
    let output = run(directory, words);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn sites_are_added_changed_and_removed_and_the_archive_stays() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let host = Host::start(|asked| match asked.target.as_str() {
        "/" => html("<p>the only page</p>"),
        _ => answer(404, &[], b""),
    });
    let (seed, name) = (host.seed(), host.seed().replace("http://", "").replace('/', ""));
    said(directory, &["sites", "add", &seed, "--weight", "2"]);
    said(directory, &["sites", "add", "https://example.org/", "--hours", "22:00-06:00"]);
    let listed = json(directory, &["sites"]);
    assert_eq!(listed["sites"][0]["site"], name.as_str(), "{listed}");
    assert_eq!((&listed["sites"][0]["settings"]["weight"], &listed["sites"][0]["captures"]), (&2.0.into(), &0.into()));
    assert_eq!(host.take_hits().len(), 0, "adding asks for nothing");

    said(directory, &["sites", "change", "example.org", "--ceiling", "20/day", "--unset", "hours"]);
    let settings = json(directory, &["sites"])["sites"][1]["settings"].clone();
    assert_eq!((&settings["ceiling"], &settings["hours"]), (&"20/day".into(), &Value::Null), "{settings}");
    said(directory, &["sites", "remove", "https://example.org/"]);

    said(directory, &["capture", "--delay", "0"]);
    said(directory, &["sites", "remove", &name]);
    let listed = json(directory, &["sites"]);
    assert_eq!(
        (&listed["sites"][0]["listed"], &listed["sites"][0]["captures"]),
        (&false.into(), &1.into()),
        "{listed}"
    );
    assert!(said(directory, &["sites"]).contains("not in tintype.toml"));
    assert!(said(directory, &["report", &name]).contains(&name), "what was archived is there");
    assert!(refused(directory, &["capture", "--delay", "0"]).contains("nothing to capture"));
}

#[test]
fn what_cannot_be_followed_is_not_written() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    said(directory, &["sites", "add", "https://example.org/"]);
    let file = || fs::read_to_string(directory.join("collection/tintype.toml")).unwrap();
    let before = file();
    for wrong in [
        ["--weight", "0"],
        ["--weight", "nan"],
        ["--ceiling", "20"],
        ["--share", "2"],
        ["--hours", "25:00-26:00"],
        ["--capture-every", "soon"],
        ["--scope", "galaxy"],
        ["--media", "smell"],
        ["--unset", "seeds"],
    ] {
        refused(directory, &[&["sites", "change", "example.org"], &wrong[..]].concat());
        assert_eq!(file(), before, "{wrong:?}");
    }
    assert!(refused(directory, &["sites", "change", "example.org"]).contains("--weight"));
    assert!(refused(directory, &["sites", "change", "example.net", "--weight", "2"]).contains("example.org"));
    assert!(refused(directory, &["sites", "remove", "example.net"]).contains("example.org"));
    assert!(refused(directory, &["sites", "add", "https://example.org/"]).contains("already"));
    assert!(refused(directory, &["sites", "add", "mailto:me"]).contains("URL"));
}

#[test]
fn a_report_of_a_window_says_what_was_foretold_and_found() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let ticks = std::sync::atomic::AtomicU64::new(0);
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html("<a href=/still>still</a> <a href=/news>news</a>"),
        "/news" => {
            html(&format!("<p>the news of moment {}</p>", ticks.fetch_add(1, std::sync::atomic::Ordering::SeqCst)))
        }
        "/still" => html("<p>always the same</p>"),
        _ => answer(404, &[], b""),
    });
    said(directory, &["keep", &host.seed(), "--delay", "0", "--once", "--budget", "60/day"]);
    let report = json(directory, &["report", "--since", "1d"]);
    let site = &report["sites"][0];
    let (forecasts, caught) = (&site["forecasts"]["tenths"], site["status"]["versions_caught"].as_u64().unwrap());
    let visits: u64 = forecasts.as_array().unwrap().iter().map(|tenth| tenth["visits"].as_u64().unwrap()).sum();
    let found: u64 = forecasts.as_array().unwrap().iter().map(|tenth| tenth["found"].as_u64().unwrap()).sum();
    assert!(visits > 40 && found > 5, "{site}");
    assert_eq!(caught, found + 3, "three pages were first seen: {site}");
    assert!(site["pages"][0]["url"].as_str().unwrap().ends_with("/news"), "{site}");
    let text = said(directory, &["report", "--since", "1d"]);
    assert!(text.contains("foretold") && text.contains("/news"), "{text}");
    assert!(refused(directory, &["report", "--since", "lately"]).contains("--since 7d"));
    assert!(refused(directory, &["report", "example.net", "--since", "1d"]).contains("example.net"));
}
