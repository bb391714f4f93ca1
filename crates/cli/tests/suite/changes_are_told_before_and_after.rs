//! `tintype changes`: what changed, where, how much it matters, before and after; as text, JSON and a feed.

use crate::{
    bench::{capture, run},
    host::{Host, answer, html, not_there},
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tintype_observe::{Described, look};
use tintype_vocab::{LinkKind, Time};

const NEWS: &str = "The council met on Monday evening and, after four hours, decided to keep the old bridge open to all traffic until next spring.";
const CORRECTED: &str = "The council met on Monday evening and, after four hours, decided to close the old bridge to all traffic from tomorrow morning.";

/// A paper whose edition moves: a story is corrected, a clock ticks, a picture is replaced, one page never changes.
fn paper(edition: &Arc<AtomicUsize>) -> Host {
    let edition = edition.clone();
    Host::start(move |asked| {
        let edition = edition.load(Ordering::SeqCst);
        match asked.target.as_str() {
            "/" => html("<a href=/news/story>s</a> <a href=/clock>c</a> <a href=/logo.bin>l</a> <a href=/still>s</a>"),
            "/news/story" => {
                let text = if edition > 1 { CORRECTED } else { NEWS };
                html(&format!(
                    "<title>Bridge</title><nav><a href=/>Front page</a></nav><main><h1>Bridge <i>&amp;</i> river</h1><p>{text}</p></main>"
                ))
            }
            "/clock" => html(&format!(
                "<main><h1>Opening hours</h1><p>Always open. Come in.</p></main><!-- built {edition} -->"
            )),
            "/logo.bin" => {
                answer(200, &[("Content-Type", "application/octet-stream")], &vec![edition as u8; 100 * edition])
            }
            "/still" => html("<p>as ever</p>"),
            _ => not_there(),
        }
    })
}

/// A collection of two captures of the paper.
fn two_editions(directory: &Path) -> Host {
    let edition = Arc::new(AtomicUsize::new(1));
    let host = paper(&edition);
    capture(directory, &host.seed(), &[]);
    edition.store(2, Ordering::SeqCst);
    capture(directory, &host.seed(), &[]);
    host
}

fn told(directory: &Path, more: &[&str]) -> Value {
    let output = run(directory, &[&["changes", "--json"], more].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn said(directory: &Path, more: &[&str]) -> String {
    let output = run(directory, &[&["changes"], more].concat());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Changes by path.
fn by_path(said: &Value) -> BTreeMap<String, Value> {
    let changes = said["changes"].as_array().unwrap().iter();
    let path = |change: &Value| url::Url::parse(change["url"].as_str().unwrap()).unwrap().path().to_owned();
    changes.map(|change| (path(change), change.clone())).collect()
}

#[test]
fn a_corrected_story_is_told_with_its_place_and_both_wordings() {
    let directory = tempfile::tempdir().unwrap();
    let _host = two_editions(directory.path());
    let story = &by_path(&told(directory.path(), &[]))["/news/story"];
    assert!(story["importance"].as_f64().unwrap() > 0.1, "{story}");
    let block = &story["blocks"][0];
    assert_eq!((&block["kind"], &block["landmark"]), (&"updated".into(), &"main".into()), "{story}");
    assert!(block["heading"].as_str().unwrap().contains("Bridge"), "{story}");
    assert!(block["before"].as_str().unwrap().contains("keep"), "{story}");
    assert!(block["after"].as_str().unwrap().contains("tomorrow"), "{story}");
    for version in [&story["before"], &story["after"]] {
        assert!(version["bytes"].as_u64().unwrap() > 100, "{story}");
        Time::parse_rfc3339(version["archived"].as_str().unwrap()).unwrap();
    }
    let text = said(directory.path(), &[]);
    for words in ["/news/story", "Bridge & river", "- keep", "until next spring", "+ close", "tomorrow morning"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains('\u{1b}'), "no colours into a pipe: {text}");
}

#[test]
fn what_matters_to_nobody_is_hidden_until_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let _host = two_editions(directory.path());
    let some = told(directory.path(), &[]);
    assert!(!by_path(&some).contains_key("/clock") && some["hidden"].as_u64().unwrap() >= 1, "{some}");
    let all = told(directory.path(), &["--min-importance", "0"]);
    assert_eq!((&by_path(&all)["/clock"]["importance"], &all["hidden"]), (&0.0.into(), &0.into()), "{all}");
    let text = said(directory.path(), &[]);
    assert!(text.contains("--min-importance 0 shows all"), "{text}");
    let none = told(directory.path(), &["--min-importance", "1", "127.0.0.1/news/"]);
    assert_eq!(none["changes"], serde_json::json!([]), "{none}");
}

#[test]
fn a_picture_is_told_by_its_size_and_a_page_with_one_version_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let _host = two_editions(directory.path());
    let all = by_path(&told(directory.path(), &["--min-importance", "0"]));
    let logo = &all["/logo.bin"];
    assert_eq!((&logo["before"]["bytes"], &logo["after"]["bytes"]), (&100.into(), &200.into()), "{logo}");
    assert!(logo["note"].as_str().unwrap().contains("200 B after"), "{logo}");
    assert!(!all.contains_key("/still") && !all.contains_key("/"), "{all:?}");
}

#[test]
fn parts_times_and_limits_choose_among_the_changes() {
    let directory = tempfile::tempdir().unwrap();
    let host = two_editions(directory.path());
    let paths = |more: &[&str]| by_path(&told(directory.path(), more)).into_keys().collect::<Vec<_>>();
    let all = ["--min-importance", "0"];
    assert_eq!(paths(&all), ["/clock", "/logo.bin", "/news/story"]);
    assert_eq!(paths(&[&all[..], &[&format!("{}/news/", host.origin())]].concat()), ["/news/story"]);
    assert_eq!(paths(&[&all[..], &[&format!("{}/news/story", host.origin())]].concat()), ["/news/story"]);
    for (since, count) in [("1d", 3), ("2026", 3), ("1600000000", 3), ("9999-01-01", 0), ("9999-01-01T00:00:00Z", 0)] {
        assert_eq!(paths(&[&all[..], &["--since", since]].concat()).len(), count, "{since}");
    }
    let one = told(directory.path(), &["--min-importance", "0", "--limit", "1"]);
    assert_eq!((&one["shown"], &one["more"]), (&1.into(), &true.into()), "{one}");
    let every = told(directory.path(), &["--min-importance", "0", "--limit", "0", "--sort", "time"]);
    assert_eq!((&every["shown"], &every["more"]), (&3.into(), &false.into()), "{every}");
    let found: Vec<&str> = every["changes"].as_array().unwrap().iter().map(|c| c["found"].as_str().unwrap()).collect();
    assert!(found.is_sorted_by(|a, b| a >= b), "newest first: {found:?}");
}

#[test]
fn a_feed_is_one_that_feed_readers_read() {
    let directory = tempfile::tempdir().unwrap();
    let host = two_editions(directory.path());
    let feed = said(directory.path(), &["--rss", "--min-importance", "0"]);
    assert_eq!(
        feed,
        said(directory.path(), &["--rss", "--min-importance", "0"]),
        "the same feed from the same collection"
    );
    let url = host.seed();
    let described = Described { url: &url, content_type: Some("application/rss+xml"), ..Described::default() };
    let seen = look(&described, feed.as_bytes());
    assert!(!seen.findings.markup_broken, "{feed}");
    let listed: Vec<_> = seen.links.iter().filter(|link| link.kind == LinkKind::Listed).collect();
    assert_eq!(listed.len(), 3, "{feed}");
    assert!(listed.iter().all(|link| link.modified.is_some()), "every item is dated: {feed}");
    assert!(listed.iter().any(|link| link.url == format!("{}/news/story", host.origin())), "{listed:?}");
    for words in ["<guid isPermaLink=\"false\">tintype:", "&lt;ins&gt;", "Bridge", "before, archived"] {
        assert!(feed.contains(words), "{words}: {feed}");
    }
    xmllint(&feed);
}

/// A page with a counter whose story breaks in the last edition, in which another page is not there any more.
fn counting(edition: &Arc<AtomicUsize>) -> Host {
    let edition = edition.clone();
    Host::start(move |asked| {
        let edition = edition.load(Ordering::SeqCst);
        let text = if edition == 6 { CORRECTED } else { NEWS };
        match asked.target.as_str() {
            "/" => html(&format!(
                "<main><a href=/notice>n</a><h1>Bridge</h1><p>{text}</p></main><aside><p>Seen by {} people</p></aside>",
                7919 * edition
            )),
            "/notice" if edition < 6 => html("<p>The office is closed on Friday.</p>"),
            _ => not_there(),
        }
    })
}

#[test]
fn a_counter_the_site_taught_is_told_as_a_stamp_behind_the_change_and_a_page_that_went_is_one() {
    let (directory, edition) = (tempfile::tempdir().unwrap(), Arc::new(AtomicUsize::new(1)));
    let host = counting(&edition);
    for number in 1..=6 {
        edition.store(number, Ordering::SeqCst);
        capture(directory.path(), &host.seed(), &[]);
    }
    let latest = by_path(&told(directory.path(), &["--limit", "2"]));
    let counts = |change: &Value| change["blocks"].to_string().contains("47514");
    let blocks = &latest["/"]["blocks"];
    assert_eq!((&blocks[0]["class"], &blocks[1]["class"]), (&"content".into(), &"stamp".into()), "{latest:?}");
    assert!(counts(&latest["/"]) && blocks[1]["importance"].as_f64().unwrap() < 0.01, "{latest:?}");
    let notice = &latest["/notice"];
    assert_eq!((&notice["kind"], &notice["word"]), (&"disappeared".into(), &"major".into()), "{notice}");
    assert!(notice["answer"]["file"].is_string() && notice["answer"]["record"].is_string(), "{notice}");
    assert!(notice["before"]["bytes"].as_u64().is_some() && notice.get("after").is_none(), "{notice}");
    assert!(said(directory.path(), &["--limit", "2"]).contains("Gone: "));
    let feed = said(directory.path(), &["--rss", "--limit", "2"]);
    assert!(feed.contains("<title>Gone: "), "{feed}");
    xmllint(&feed);
    std::fs::remove_dir_all(directory.path().join("collection/state")).unwrap();
    let untaught = by_path(&told(directory.path(), &["--limit", "2"]));
    assert!(counts(&untaught["/"]), "without habits a counter is news: {untaught:?}");
}

#[test]
fn no_change_of_a_part_is_no_reason_to_capture_again() {
    let directory = tempfile::tempdir().unwrap();
    let _host = two_editions(directory.path());
    let text = said(directory.path(), &["127.0.0.1/nowhere"]);
    assert!(text.contains("no change of 127.0.0.1/nowhere") && !text.contains("tintype capture"), "{text}");
    // A clock that ticks is no change to those who learn either.
    let output = run(directory.path(), &["learn", "patterns", "--json"]);
    let learned: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(learned["patterns"][0]["changes"], 2, "the story and the picture: {learned}");
}

/// Another parser's opinion, where it is installed.
fn xmllint(feed: &str) {
    let linter = Command::new("xmllint").args(["--noout", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut linter) = linter else { return };
    std::io::Write::write_all(&mut linter.stdin.take().unwrap(), feed.as_bytes()).unwrap();
    let output = linter.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let directory = tempfile::tempdir().unwrap();
    let _host = two_editions(directory.path());
    let mut command = crate::bench::tintype();
    let command = command.current_dir(directory.path()).args(["changes", "--min-importance", "0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn bodies_that_are_missing_are_said_to_be() {
    let directory = tempfile::tempdir().unwrap();
    let _host = two_editions(directory.path());
    let segments = crate::bench::files(directory.path(), "warc");
    segments.iter().for_each(|segment| std::fs::remove_file(segment).unwrap());
    let story = &by_path(&told(directory.path(), &["--min-importance", "0"]))["/news/story"];
    assert!(story["note"].as_str().unwrap().contains("neither version is held"), "{story}");
    assert_eq!(story["blocks"], serde_json::json!([]), "{story}");
}

#[test]
fn a_collection_without_changes_says_how_to_see_some() {
    let directory = tempfile::tempdir().unwrap();
    let host = paper(&Arc::new(AtomicUsize::new(1)));
    capture(directory.path(), &host.seed(), &[]);
    let text = said(directory.path(), &[]);
    assert!(text.contains("no change to show") && text.contains("tintype capture"), "{text}");
    assert_eq!(told(directory.path(), &[])["changes"], serde_json::json!([]));
    xmllint(&said(directory.path(), &["--rss"]));
}

#[test]
fn bad_questions_get_a_sentence() {
    let directory = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        (&["changes"][..], "no collection at"),
        (&["changes", "--since", "yesterday"], "not a moment"),
        (&["changes", "--min-importance", "7"], "not an importance"),
        (&["changes", "ftp://example.com/"], "not a web page"),
        (&["changes", "--rss", "--json"], "cannot be used with"),
    ] {
        let output = run(directory.path(), arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(words), "{arguments:?}: {text}");
    }
}
