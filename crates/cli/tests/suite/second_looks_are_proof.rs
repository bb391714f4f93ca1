//! `--revisit`: every page is asked for twice around one moment, and what stood still is proved.

use crate::{
    bench::{Bench, capture, run, tintype},
    host::{Host, Reply, answer, html, not_there},
};
use std::{
    io::{BufRead, BufReader},
    process::Stdio,
    sync::atomic::{AtomicUsize, Ordering},
};

const DATE: &str = "Sun, 01 Nov 2026 08:00:00 GMT";

/// Still pages behind every kind of server, one that never is the same, one that goes away.
fn fairground() -> Host {
    let (turns, visits) = (AtomicUsize::new(0), AtomicUsize::new(0));
    Host::start(move |asked| match asked.target.as_str() {
        "/" => {
            html("<a href=/dated>d</a><a href=/tagged>t</a><a href=/plain>p</a><a href=/wheel>w</a><a href=/tent>x</a>")
        }
        "/dated" if asked.header("if-modified-since") == Some(DATE) => answer(304, &[("Last-Modified", DATE)], b""),
        "/dated" => page(&[("Last-Modified", DATE)], "dated"),
        "/tagged" if asked.header("if-none-match") == Some("\"t\"") => answer(304, &[("ETag", "\"t\"")], b""),
        "/tagged" => page(&[("ETag", "\"t\"")], "tagged"),
        "/plain" => page(&[], "plain"),
        "/wheel" => page(&[], &format!("turn {}", turns.fetch_add(1, Ordering::SeqCst))),
        "/tent" if visits.fetch_add(1, Ordering::SeqCst) == 0 => page(&[], "come in"),
        _ => not_there(),
    })
}

fn page(headers: &[(&str, &str)], body: &str) -> Reply {
    answer(200, &[&[("Content-Type", "text/html")], headers].concat(), body.as_bytes())
}

#[test]
fn every_page_is_asked_for_twice_and_a_304_or_an_equal_digest_is_the_proof() {
    let (directory, host) = (tempfile::tempdir().unwrap(), fairground());
    let said = capture(directory.path(), &host.seed(), &["--revisit"]);
    let site = &said["sites"][0];
    assert_eq!(
        (&site["pages"], &site["revisits"], &site["changed_meanwhile"]),
        (&6.into(), &5.into(), &1.into()),
        "{said}"
    );

    let asked = host.asked();
    let of = |target: &str| asked.iter().filter(|asked| asked.target == target).collect::<Vec<_>>();
    for target in ["/", "/dated", "/tagged", "/plain", "/wheel", "/tent"] {
        assert_eq!(of(target).len(), 2, "{target}");
    }
    assert_eq!(of("/dated")[1].header("if-modified-since"), Some(DATE));
    assert_eq!(of("/tagged")[1].header("if-none-match"), Some("\"t\""));
    let order: Vec<&str> =
        asked.iter().map(|asked| asked.target.as_str()).filter(|target| *target != "/robots.txt").collect();
    let (out, back) = order.split_at(order.len() - 6);
    assert!(out.contains(&"/sitemap.xml"), "{order:?}");
    let mut mirrored: Vec<&str> = out.iter().copied().filter(|target| *target != "/sitemap.xml").collect();
    mirrored.reverse();
    assert_eq!(back, mirrored, "revisits come in the opposite order, so that the intervals lie one inside the other");

    let report = run(directory.path(), &["report", "--json"]);
    let certificate: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    let certificate = &certificate["captures"][0];
    assert_eq!((&certificate["sharp"]["proved"], &certificate["captured"]), (&4.into(), &6.into()), "{certificate}");
    std::fs::write(directory.path().join("c.json"), &report.stdout).unwrap();
    let verified = run(directory.path(), &["verify", "--certificate", "c.json"]);
    assert!(verified.status.success(), "{verified:?}");
    assert!(run(directory.path(), &["verify"]).status.success());

    let again = capture(directory.path(), &host.seed(), &[]);
    assert_eq!(again["sites"][0]["revisits"], 0, "nobody asked for proof, and nothing here is worth a second look");
}

/// Stopped while pages are being revisited: what was proved is not asked for a third time.
#[test]
fn a_capture_stopped_among_its_revisits_goes_on_with_them() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let arguments = ["capture", &bench.seed(), "--revisit", "--delay", "0.02"];
    let command = || {
        let mut command = tintype();
        command.current_dir(directory.path()).args(arguments);
        command
    };
    let mut child = command().stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let confirmed = lines.by_ref().map_while(Result::ok).position(|line| line.starts_with("304"));
    assert!(confirmed.is_some(), "a revisit was reported");
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    lines.for_each(drop);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));

    let resumed = command().arg("--json").output().unwrap();
    let said: serde_json::Value = serde_json::from_slice(&resumed.stdout).unwrap();
    let site = &said["sites"][0];
    assert_eq!(
        (&site["resumed"], &site["ending"], &site["pages"]),
        (&true.into(), &"complete".into(), &32.into()),
        "{said}"
    );
    assert_eq!(site["revisits"], 32, "{said}");
    let hits = bench.take_hits();
    assert!(hits.values().all(|count| *count <= 2), "{hits:?}");
    assert!(run(directory.path(), &["verify"]).status.success());
}
