//! Words in the texts of all versions: on the command line, in the browser and for programs, with what is proved of them.

use crate::{
    bench::{capture, run},
    browser::Past,
    host::{Host, html},
};
use serde_json::Value;
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

/// A library that promises something, and takes it back. Its words mean harm, too.
fn library() -> (Host, Arc<AtomicUsize>) {
    let round = Arc::new(AtomicUsize::new(0));
    let now = round.clone();
    let host = Host::start(move |asked| match (asked.target.as_str(), now.load(Ordering::Relaxed)) {
        ("/", _) => html("<title>Town</title><a href=/library>Library</a> <a href=/pool>Pool</a>"),
        ("/library", 0) => html(
            "<title>A &lt;script&gt;alert(1)&lt;/script&gt; promise</title><p>We will never close it &lt;img src=x onerror=alert(2)&gt; at all.</p>",
        ),
        ("/library", _) => html("<title>Library</title><p>Closed on Mondays.</p>"),
        _ => html("<p>The pool is calm.</p>"),
    });
    (host, round)
}

fn said(directory: &Path, arguments: &[&str]) -> (String, Value) {
    let json = run(directory, &[arguments, &["--json"]].concat());
    let text = run(directory, arguments);
    assert!(text.status.success() && json.status.success(), "{text:?}");
    (String::from_utf8(text.stdout).unwrap(), serde_json::from_slice(&json.stdout).unwrap())
}

/// Once everything was read.
fn asked(past: &Past, phrase: &str) -> Value {
    loop {
        let got = past.get(&format!("/api/search?q={phrase}"));
        if got.status == 200 && got.json()["reading"] == false {
            return got.json();
        }
    }
}

#[test]
fn a_promise_that_was_taken_back_is_found_and_its_absence_is_proved() {
    let directory = tempfile::tempdir().unwrap();
    let (here, (host, round)) = (directory.path(), library());
    capture(here, &host.seed(), &[]);
    round.store(1, Ordering::Relaxed);
    // Versions are named by the second.
    let second = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let captured = second();
    while second() == captured {}
    capture(here, &host.seed(), &[]);
    let (text, json) = said(here, &["search", "NEVER close"]);
    assert!(text.contains("[never close]") && text.contains("Seen at 1 of 2 visits"), "{text}");
    assert!(text.contains("nothing known"), "{text}");
    assert_eq!((&json["pages_in_all"], &json["pages"][0]["seen"]), (&1.into(), &true.into()), "{json}");
    let library = format!("{}library", host.seed());
    let (text, _) = said(here, &["search", "never close", "--url", &library]);
    assert!(text.contains("Every version was read again from its record"), "{text}");
    let (text, json) = said(here, &["search", "never close", "--to", "2020"]);
    assert!(text.contains("nothing is known"), "{text}");
    assert_eq!(json["absent"]["proved"], false, "where nobody looked nothing is proved: {json}");
    let (_, json) = said(here, &["search", "we will always close"]);
    assert_eq!((&json["absent"]["proved"], &json["absent"]["visits"]), (&true.into(), &6.into()), "{json}");

    let past = Past::serve(here, &[]);
    let page = past.get("/search?q=never+close").text();
    assert!(page.contains("<mark>never close</mark>") && page.contains("Seen at 1 of 2 visits"), "{page}");
    let proof = past.get(&format!("/search?q=never+close&url={library}")).text();
    assert!(proof.contains("no index was asked") && proof.contains("Seen at 1 of 2 visits"), "{proof}");
    let version = format!("/version?url={library}&q=never+close&at=");
    let [first, last] = ["2020", "2999"].map(|at| past.get(&format!("{version}{at}")).text());
    assert!(first.contains("<mark>never close</mark>") && first.contains("#:~:text=never%20close"), "{first}");
    assert!(last.contains("is not in it") && !last.contains("<mark>"), "{last}");
    let hostile =
        [first, page, proof].map(|page| page.replace("<script src=\"/assets/interface.js\" defer></script>", ""));
    assert!(hostile.iter().all(|page| !page.contains("<script") && !page.contains("<img")), "{hostile:?}");
    let json = asked(&past, "we+will+always+close");
    assert_eq!(json["collections"][0]["absent"]["proved"], true, "{json}");
    assert_eq!(past.get("/api/search?q=%E2%80%A6").status, 400);
    assert_eq!(past.get("/api/search").status, 400);
    assert_eq!(past.get("/search?q=x&from=nonsense").status, 200);
    assert!(past.get(&format!("/search?q={library}")).text().contains("pages by their address"));
}

#[test]
fn what_came_since_the_last_search_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let (here, (host, round)) = (directory.path(), library());
    capture(here, &host.seed(), &[]);
    let past = Past::serve(here, &[]);
    // What is remembered is looked up anew when it is no longer fresh.
    let settled = |wanted: u64| {
        while asked(&past, "closed+on+mondays")["collections"][0]["pages_in_all"].as_u64() != Some(wanted) {}
    };
    settled(0);
    round.store(1, Ordering::Relaxed);
    capture(here, &host.seed(), &[]);
    settled(1);
}

#[test]
fn what_is_no_phrase_is_refused_with_what_to_write() {
    let directory = tempfile::tempdir().unwrap();
    let (host, _) = library();
    capture(directory.path(), &host.seed(), &[]);
    for arguments in [&["search", "…"][..], &["search", "x", "--url", "http://nowhere.example/"]] {
        let output = run(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}
