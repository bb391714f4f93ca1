//! Several sites in one capture: none waits for another, and each has its own log and summary.

use crate::{
    bench::{files, run},
    host::{Host, html, not_there, redirect},
};
use std::{
    path::Path,
    process::Output,
    sync::{Arc, Condvar, Mutex},
    time::Duration,
};

/// Opens once, for everybody.
#[derive(Default)]
struct Gate(Mutex<bool>, Condvar);

impl Gate {
    fn open(&self) {
        *self.0.lock().unwrap() = true;
        self.1.notify_all();
    }

    /// Whether it opened in time.
    fn pass(&self) -> bool {
        let closed = |open: &mut bool| !*open;
        let (open, _) = self.1.wait_timeout_while(self.0.lock().unwrap(), Duration::from_secs(20), closed).unwrap();
        *open
    }
}

fn small_site() -> Host {
    Host::start(|asked| match asked.target.as_str() {
        "/" => html("<a href=/a>a</a><a href=/b>b</a>"),
        "/a" => html("a"),
        "/b" => html("b"),
        _ => not_there(),
    })
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn sites_of(said: &serde_json::Value) -> Vec<(String, u64)> {
    let sites = said["sites"].as_array().unwrap();
    sites.iter().map(|site| (site["site"].as_str().unwrap().to_owned(), site["pages"].as_u64().unwrap())).collect()
}

fn named(directory: &Path, room: &str, count: usize) {
    assert_eq!(files(directory, room).len(), count, "{room}");
}

#[test]
fn a_slow_site_holds_up_nobody_and_tintype_toml_remembers_all() {
    let (directory, gate) = (tempfile::tempdir().unwrap(), Arc::new(Gate::default()));
    // The slow site answers only after the last page of a quick one was asked for: in a row they would never end.
    let (opener, waiter) = (gate.clone(), gate.clone());
    let slow = Host::start(move |asked| match asked.target.as_str() {
        "/robots.txt" | "/sitemap.xml" => not_there(),
        _ if waiter.pass() => html("late, but here"),
        _ => not_there(),
    });
    let quick = Host::start(move |asked| match asked.target.as_str() {
        "/" => html("<a href=/a>a</a><a href=/b>b</a>"),
        "/a" => html("a"),
        "/b" => {
            opener.open();
            html("b")
        }
        _ => not_there(),
    });
    let third = small_site();
    let seeds = [slow.seed(), quick.seed(), third.seed()];
    let seeds = seeds.each_ref().map(String::as_str);
    let names = [&slow, &quick, &third].map(|host| format!("127.0.0.1:{}", host.port()));
    let expected: Vec<(String, u64)> = names.into_iter().zip([1, 3, 3]).collect();

    let output = run(directory.path(), &[&["capture", "--delay", "0", "--json"], &seeds[..]].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(sites_of(&json(&output)), expected);
    named(directory.path(), "log", 3);
    // Of one day, or of two around midnight.
    assert!((1..=2).contains(&files(directory.path(), "warc").len()), "segments are shared");

    let toml = std::fs::read_to_string(directory.path().join("collection/tintype.toml")).unwrap();
    assert!(seeds.iter().all(|seed| toml.contains(seed)), "{toml}");
    let again = run(directory.path(), &["capture", "--json"]);
    assert!(again.status.success(), "{again:?}");
    let sorted = |mut sites: Vec<(String, u64)>| {
        sites.sort_unstable();
        sites
    };
    assert_eq!(sorted(sites_of(&json(&again))), sorted(expected), "written down as they answered");
    assert!(json(&again)["sites"].as_array().unwrap().iter().all(|site| site["first"] == 0), "{again:?}");
    named(directory.path(), "log", 3);
}

#[test]
fn a_dead_site_does_not_spoil_the_others() {
    let (directory, alive) = (tempfile::tempdir().unwrap(), small_site());
    let dead = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let output = run(directory.path(), &["capture", &format!("http://{dead}/"), &alive.seed(), "--delay", "0"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "one of them failed: {said}");
    assert!(said.contains(&format!("127.0.0.1:{}  captured\n  3 pages", alive.port())), "{said}");
    assert!(said.contains("no connection") && said.contains(&format!("such as http://{dead}/")), "{said}");
    assert!(run(directory.path(), &["verify"]).status.success());
}

#[test]
fn a_seed_that_moved_takes_the_scope_along() {
    let (directory, new) = (tempfile::tempdir().unwrap(), small_site());
    let there = new.seed();
    let old = Host::start(move |asked| match asked.target.as_str() {
        "/" => redirect(&there),
        _ => not_there(),
    });
    let output = run(directory.path(), &["capture", &old.seed(), "--delay", "0", "--json"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(sites_of(&json(&output)), [(format!("127.0.0.1:{}", old.port()), 3)]);
    assert_eq!(json(&output)["sites"][0]["redirects"], 1);
    let hits = new.take_hits();
    assert!(["/robots.txt", "/", "/a", "/b"].iter().all(|target| hits.get(*target) == Some(&1)), "{hits:?}");
}
