//! `tintype diff`: two versions side by side, nothing left out, hostile words harmless, and as data applicable both ways.

use crate::{
    bench::{capture, run},
    host::{Host, html, not_there},
};
use serde_json::Value;
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tintype_observe::{
    Described,
    page::{Delta, segment},
};

const FIRST: &str = "<title>Pool</title><main><h1>Pool</h1><p>The pool opens at nine on Mondays and closes late.</p>\
    <p>Children swim free of charge all summer long.</p><p>Dogs are not allowed anywhere near the water.</p></main>";
const SECOND: &str = "<title>Pool</title><main><h1>Pool</h1><p>Dogs are not allowed anywhere near the water.</p>\
    <p>The pool opens at eight on Mondays and closes late.</p><p>Children swim free of charge all summer long.</p>\
    <p>Towels can be had at the desk for two euros.</p></main>";

/// Words that try to leave the place they are put into.
const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "</td></tr></table><script>alert(2)</script>",
    "\"><img src=x onerror=alert(3)>",
    "' onmouseover='alert(4)",
    "]]><svg onload=alert(5)>",
    "</title><script>alert(6)</script>",
    "&lt;script&gt;alert(7)&lt;/script&gt;",
    "javascript:alert(8)",
    "</style><style>body{display:none}</style>",
    "\u{202e}txet\u{202c} \u{7}bell",
];

fn two_versions(directory: &Path, pages: [String; 2]) -> Host {
    let edition = Arc::new(AtomicUsize::new(0));
    let served = edition.clone();
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html(&pages[served.load(Ordering::SeqCst)]),
        _ => not_there(),
    });
    capture(directory, &host.seed(), &[]);
    edition.store(1, Ordering::SeqCst);
    // Index lines tell seconds: two versions within one are one.
    let second = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let first = second();
    while second() == first {
        std::thread::yield_now();
    }
    capture(directory, &host.seed(), &[]);
    host
}

fn said(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn words_that_changed_and_blocks_that_moved_are_marked_and_nothing_is_cut_off() {
    let directory = tempfile::tempdir().unwrap();
    let host = two_versions(directory.path(), [FIRST, SECOND].map(str::to_owned));
    let text = said(directory.path(), &["diff", &host.seed()]);
    for words in
        ["[-nine-]", "[+eight+]", "moved here", "Towels can be had", "the same", "/web/20", ".warc.gz", "urn:uuid"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains('\u{1b}'), "no colours into a pipe: {text}");
    let data: Value = serde_json::from_str(&said(directory.path(), &["diff", &host.seed(), "--json"])).unwrap();
    assert_eq!(data["counts"]["moved"], 1, "{data}");
    assert_eq!(data["counts"]["inserted"], 1, "{data}");
    let delta: Delta = serde_json::from_value(data["delta"].clone()).unwrap();
    let url = host.seed();
    let described = Described { url: &url, content_type: Some("text/html; charset=utf-8"), ..Described::default() };
    let [old, new] = [FIRST, SECOND].map(|page| segment(&described, page.as_bytes()).unwrap().layout);
    assert!(delta.apply(&old).unwrap() == new && delta.apply_back(&new).unwrap() == old);
    let file = directory.path().join("diff.html");
    said(directory.path(), &["diff", &host.seed(), "--html", file.to_str().unwrap()]);
    let page = std::fs::read_to_string(file).unwrap();
    for words in
        ["<del>nine</del>", "<ins>eight</ins>", "moved", "Towels", "Content-Security-Policy", "Children swim free"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[test]
fn no_word_of_a_hostile_page_is_obeyed() {
    let directory = tempfile::tempdir().unwrap();
    // As text of the page, so that it is there to be shown.
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let paragraphs: String = HOSTILE
        .iter()
        .map(|text| {
            format!("<p>It says {} and more</p><a href='{}'>x</a>", escaped(text), escaped(text).replace('\'', "&#39;"))
        })
        .collect();
    let title = escaped(HOSTILE[5]);
    let pages = [
        "<title>a</title><p>plain</p>".to_owned(),
        format!(
            "<title>{title}</title><meta name=description content=\"{}\">{paragraphs}",
            escaped(HOSTILE[2]).replace('"', "&quot;")
        ),
    ];
    let host = two_versions(directory.path(), pages);
    let file = directory.path().join("diff.html");
    said(directory.path(), &["diff", &host.seed(), "--html", file.to_str().unwrap()]);
    let page = std::fs::read_to_string(file).unwrap();
    assert!(page.contains("alert(1)") && page.contains("alert(5)"), "what it says is shown: {page}");
    assert_eq!(
        page.matches("<script").count() + page.matches("<img").count() + page.matches("<svg").count(),
        0,
        "{page}"
    );
    assert!(!page.contains("href=\"javascript:") && page.matches("<style>").count() == 1, "{page}");
    let text = said(directory.path(), &["diff", &host.seed()]);
    assert!(!text.contains('\u{7}') && !text.contains('\u{202e}'), "{text:?}");
}

#[test]
fn what_cannot_be_compared_is_explained() {
    let directory = tempfile::tempdir().unwrap();
    let host = two_versions(directory.path(), [FIRST, SECOND].map(str::to_owned));
    let nowhere = format!("{}nowhere", host.seed());
    for (arguments, words) in [
        (vec!["diff", nowhere.as_str()], "no version of"),
        (vec!["diff", "http://example.com/"], "no version of"),
        (vec!["diff", &host.seed(), "--to", "2001-01-01"], "at or before"),
        (vec!["diff", &host.seed(), "--to", "soon"], "not a moment"),
        (vec!["diff", &host.seed(), "--html", "x", "--json"], "cannot be used with"),
    ] {
        let output = run(directory.path(), &arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}
