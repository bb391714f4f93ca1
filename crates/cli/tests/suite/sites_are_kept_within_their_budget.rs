//! `tintype keep`: whole sites watched under one budget, with everything learned so far.

use crate::{
    bench::{Bench, INTERVAL, capture, run},
    every_capture_can_be_taken_again::replay_all,
    host::{Host, answer, html, not_there},
};
use std::{
    path::Path,
    process::Output,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};
use tintype_vocab::Time;

fn keep(directory: &Path, more: &[&str]) -> Output {
    let output = run(directory, &[&["keep", "--delay", "0", "--once"], more].concat());
    assert!(output.status.success(), "{output:?}");
    output
}

fn hits(bench: &Bench) -> u64 {
    bench.take_hits().values().sum()
}

#[test]
fn a_new_site_is_captured_then_watched_and_no_day_has_more_than_its_budget() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let seed = bench.seed();
    let said = keep(directory.path(), &[&seed, "--budget", "70/day"]);
    let said = String::from_utf8_lossy(&said.stdout);
    assert!(said.contains("captured whole") && said.contains("is watched"), "{said}");
    assert_eq!(hits(&bench), 71, "robots.txt besides");
    // The site is remembered, and so is what was spent today.
    keep(directory.path(), &["--budget", "70/day"]);
    assert_eq!(hits(&bench), 0);
    bench.advance(INTERVAL);
    keep(directory.path(), &["--budget", "100/day"]);
    assert_eq!(hits(&bench), 30);
    assert_eq!(replay_all(directory.path()), 3, "a capture and two stretches of watching");
}

#[test]
fn what_changes_is_asked_for_more_often_than_what_does_not() {
    let directory = tempfile::tempdir().unwrap();
    let counter = Arc::new(AtomicU64::new(0));
    let ticks = counter.clone();
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html(&(0..10).map(|page| format!("<a href=/{page}>page {page}</a> ")).collect::<String>()),
        "/3" => html(&format!("<p>the news of moment {} is told here</p>", ticks.fetch_add(1, Ordering::SeqCst))),
        "/robots.txt" | "/sitemap.xml" => answer(404, &[], b""),
        _ => html("<p>always the same</p>"),
    });
    capture(directory.path(), &host.seed(), &[]);
    host.take_hits();
    for _ in 0..2 {
        let _ = keep(directory.path(), &[&host.seed(), "--budget", "400/day", "--policy", "proportional"]);
    }
    let asked = host.take_hits();
    let cold = asked["/4"].max(1);
    assert!(asked["/3"] > 3 * cold, "{asked:?}");
}

/// A number that changes alone would be a stamp, so every moment has words of its own.
fn news(moment: u64) -> String {
    const WORDS: [&str; 5] = ["rain", "harbour", "election", "concert", "strike"];
    (0..4).map(|digit| WORDS[(moment / 5u64.pow(digit) % 5) as usize]).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_site_kept_by_any_policy_replays_and_no_two_policies_ask_alike() {
    let mut orders: Vec<(&str, Vec<String>)> = Vec::new();
    for policy in ["tintype", "uniform", "importance-pattern", "heritrix", "random", "cho-freshness"] {
        let directory = tempfile::tempdir().unwrap();
        let counter = Arc::new(AtomicU64::new(0));
        let ticks = counter.clone();
        let host = Host::start(move |asked| match asked.target.as_str() {
            "/" => html(&(0..12).map(|page| format!("<a href=/{page}>page {page}</a> ")).collect::<String>()),
            "/3" | "/5" => html(&format!("<p>{} is in the news</p>", news(ticks.fetch_add(1, Ordering::SeqCst)))),
            "/robots.txt" | "/sitemap.xml" => answer(404, &[], b""),
            other => html(&format!("<p>always the same {other}</p>")),
        });
        keep(directory.path(), &[&host.seed(), "--budget", "400/day", "--policy", policy]);
        assert!(replay_all(directory.path()) >= 2, "{policy}");
        let asked: Vec<String> = host.asked().into_iter().map(|asked| asked.target).collect();
        if let Some((same, _)) = orders.iter().find(|(_, order)| *order == asked) {
            panic!("{policy} asks as {same} does");
        }
        orders.push((policy, asked));
    }
}

#[test]
fn an_imported_past_is_watched_from_the_first_day() {
    let (directory, other, bench) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), Bench::newsroom());
    capture(other.path(), &bench.seed(), &[]);
    let segments = crate::bench::files(other.path(), "warc");
    let pages = bench.take_hits().len() as u64;
    let imported = run(directory.path(), &["import", segments[0].to_str().unwrap()]);
    assert!(imported.status.success(), "{imported:?}");
    let said = keep(directory.path(), &[&bench.seed(), "--budget", "5/day"]);
    let said = String::from_utf8_lossy(&said.stdout);
    assert!(said.contains("is watched") && !said.contains("a whole capture begins"), "{said}");
    assert_eq!(hits(&bench), 5, "the rules of today are in the archive");
    assert!(pages > 20);
}

#[test]
fn bad_terms_are_refused_with_a_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str], words: &str| {
        let output = run(directory.path(), &[&["keep"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(words), "{arguments:?}: {output:?}");
    };
    refused(&["http://127.0.0.1:9/", "--budget", "0/day"], "allows nothing");
    refused(&["http://127.0.0.1:9/", "--budget", "many"], "write 200/day");
    refused(&["http://127.0.0.1:9/", "--policy", "sharp"], "possible values");
    refused(&["ftp://127.0.0.1/"], "is not a web page");
    std::fs::create_dir(directory.path().join("collection")).unwrap();
    let file = |text: &str| {
        let site = format!("[[site]]\nseeds = ['http://127.0.0.1:9/']\n{text}\n");
        std::fs::write(directory.path().join("collection/tintype.toml"), site).unwrap();
    };
    for (text, words) in [
        ("weight = -1", "a weight of -1 is none"),
        ("ceiling = 'all'", "write 200/day"),
        ("share = 0.5", "needs a budget"),
        ("capture-every = '1s'", "write 30d"),
    ] {
        file(text);
        refused(&[], words);
    }
    file("hours = 'night'");
    let output = run(directory.path(), &["keep"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no range of hours"), "{output:?}");
}

#[test]
fn status_and_explain_tell_what_is_believed_and_what_was_done() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    keep(directory.path(), &[&bench.seed(), "--budget", "90/day"]);
    let asked = hits(&bench);
    let json = |arguments: &[&str]| -> serde_json::Value {
        let output = run(directory.path(), arguments);
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let status = json(&["status", "--json"]);
    let site = &status["sites"][0];
    assert_eq!((&site["policy"], &site["spent_today"]["requests"]), (&"tintype".into(), &90.into()), "{site}");
    assert_eq!(asked, 91, "robots.txt besides");
    let [low, mean, high] = ["low", "mean", "high"].map(|part| site["completeness"][part].as_f64().unwrap());
    assert!((0.0..=1.0).contains(&mean) && low <= mean && mean <= high, "{site}");
    let curve = ["half", "same", "twice"].map(|budget| site["completeness_at"][budget].as_f64().unwrap());
    assert!(curve.is_sorted() && curve[2] <= 1.0, "{curve:?}");
    let next = site["next"].as_str().unwrap();
    let page = json(&["explain", next, "--json"]);
    // Which page is next depends on the moment; that it is watched does not.
    assert_eq!(page["watched"], true, "{page}");
    assert!(page["visits"].as_array().unwrap().iter().any(|visit| visit["found"] == "first seen"), "{page}");
    // A sitemap may be next, and is believed to tell of others; the front page to change.
    let front = json(&["explain", &bench.seed(), "--json"]);
    assert!(front["believed"]["changes"]["changes per day"].as_f64().unwrap() > 0.0, "{front}");
    let text = |arguments: &[&str]| String::from_utf8(run(directory.path(), arguments).stdout).unwrap();
    assert!(text(&["status"]).contains("completeness") && text(&["explain", next]).contains("first seen"));
    let unknown = run(directory.path(), &["explain", "http://elsewhere.example/"]);
    assert_eq!(unknown.status.code(), Some(2), "{unknown:?}");
}

/// A login wall, or an error page with a good conscience, is told; it is no change of thirty pages.
#[test]
fn a_site_that_became_a_wall_is_told_and_not_learned_as_change() {
    let directory = tempfile::tempdir().unwrap();
    let walled = Arc::new(AtomicU64::new(0));
    let wall = walled.clone();
    let host = Host::start(move |asked| match (wall.load(Ordering::SeqCst), asked.target.as_str()) {
        (_, "/robots.txt" | "/sitemap.xml") => answer(404, &[], b""),
        (1, page) => html(&format!("<h1>Sorry</h1><p>Nothing was found at {page}. Please sign in to go on.</p>")),
        (_, "/") => html(&(0..30).map(|page| format!("<a href=/{page}>page {page}</a> ")).collect::<String>()),
        (_, page) => {
            let words = ["apple", "pear", "plum", "fig", "quince", "cherry"];
            let nth: usize = page.trim_start_matches('/').parse().unwrap_or(0);
            html(&format!("<p>All about the {} and the {}</p>", words[nth % 6], words[nth / 6]))
        }
    });
    let seed = host.seed();
    let told = |budget: &str| {
        let output = keep(directory.path(), &[&seed, "--budget", budget]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let changing = |url: &str| {
        let output = run(directory.path(), &["explain", url, "--json"]);
        let page: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        page["believed"]["changes"]["changes per day"].as_f64().unwrap()
    };
    let all_changing = || (0..30).map(|page| changing(&format!("{seed}{page}"))).sum::<f64>();
    assert!(!told("100/day").contains("not the site it was"));
    let before = all_changing();
    walled.store(1, Ordering::SeqCst);
    let said = told("180/day");
    assert!(said.contains("not the site it was") && said.contains("say the same"), "{said}");
    let status: serde_json::Value =
        serde_json::from_slice(&run(directory.path(), &["status", "--json"]).stdout).unwrap();
    assert_eq!(status["sites"][0]["upheaval"]["loss"], "walled", "{status}");
    let during = &status["sites"][0]["changes_per_day"];
    assert!(during.is_null(), "the site gives no dates and was watched for seconds: {status}");
    walled.store(0, Ordering::SeqCst);
    assert!(told("280/day").contains("is as it was again"));
    let status: serde_json::Value =
        serde_json::from_slice(&run(directory.path(), &["status", "--json"]).stdout).unwrap();
    assert!(status["sites"][0]["upheaval"].is_null(), "{status}");
    // The first two pages are taken for changed; thirty that changed twice within seconds would be thought to change
    // thousands of times a day.
    let after = all_changing();
    assert!(after < 20.0 * before, "{before} {after}");
    assert!(replay_all(directory.path()) >= 3);
}

/// Pages that are made while one waits are dated as of now: by that alone they would change thousands of times a day.
#[test]
fn status_foretells_no_changes_of_a_site_that_was_met_just_now() {
    let directory = tempfile::tempdir().unwrap();
    let host = Host::start(|asked| match asked.target.as_str() {
        "/robots.txt" | "/sitemap.xml" => not_there(),
        page => {
            let links: String = (0..30).map(|page| format!("<a href=/{page}>page {page}</a> ")).collect();
            let made = Time::from_millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64);
            let body = format!("<p>All about {page}</p>{links}");
            answer(200, &[("Content-Type", "text/html"), ("Last-Modified", &made.to_mail_date())], body.as_bytes())
        }
    });
    capture(directory.path(), &host.seed(), &[]);
    let status: serde_json::Value =
        serde_json::from_slice(&run(directory.path(), &["status", "--json"]).stdout).unwrap();
    let site = &status["sites"][0];
    assert_eq!(site["pages"], 31, "{site}");
    assert!(site["changes_per_day"].is_null(), "{site}");
    let told = String::from_utf8(run(directory.path(), &["status"]).stdout).unwrap();
    assert!(!told.contains("changes a day"), "{told}");
}

/// Rules, and sitemaps that are not there, are asked for, and are no pages.
#[test]
fn keep_counts_the_pages_that_status_counts() {
    let directory = tempfile::tempdir().unwrap();
    let host = Host::start(|asked| match asked.target.as_str() {
        "/" => html("<a href=/a>a</a> <a href=/b>b</a> <a href=/gone>gone</a>"),
        "/a" | "/b" => html(&format!("<p>All about {}</p>", asked.target)),
        _ => not_there(),
    });
    let output = keep(directory.path(), &[&host.seed(), "--budget", "20/day", "--json"]);
    let lines = String::from_utf8(output.stdout).unwrap();
    let mut lines = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let watched = lines.rfind(|line| line["begins"] == "watch").expect("it is watched after it was captured");
    let status: serde_json::Value =
        serde_json::from_slice(&run(directory.path(), &["status", "--json"]).stdout).unwrap();
    assert_eq!((&watched["pages"], &status["sites"][0]["pages"]), (&3.into(), &3.into()), "{watched} {status}");
}
