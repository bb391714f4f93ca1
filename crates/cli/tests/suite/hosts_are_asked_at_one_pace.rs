//! A host has one pace, whatever sites, names and runs ask it: measured at the server.

use crate::{
    bench::{run, tintype},
    host::{Asked, Host, Reply, answer, html, not_there},
};
use std::{
    path::Path,
    process::{Output, Stdio},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

fn rules(text: &str) -> Reply {
    answer(200, &[("Content-Type", "text/plain")], text.as_bytes())
}

fn picture() -> Reply {
    answer(200, &[("Content-Type", "image/png")], b"\x89PNG\r\n\x1a\n")
}

/// A site of one page that is made of these pictures.
fn page_of(pictures: Vec<String>) -> Host {
    let body: String = pictures.iter().map(|picture| format!("<img src='{picture}'>")).collect();
    Host::start(move |asked| match asked.target.as_str() {
        "/" => html(&body),
        _ => not_there(),
    })
}

/// The pauses a server saw between requests.
fn pauses(asked: &[Asked]) -> Vec<Duration> {
    asked.windows(2).map(|pair| pair[1].at - pair[0].at).collect()
}

/// Captures these seeds at the pace of the servers, not a person's.
fn capture(directory: &Path, seeds: &[String], more: &[&str]) -> Output {
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    run(directory, &[&["capture", "--json"], more, &seeds[..]].concat())
}

fn said(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn a_crawl_delay_holds_for_all_sites_together() {
    let pictures = Host::start(|asked| match asked.target.as_str() {
        "/robots.txt" => rules("User-agent: *\nCrawl-delay: 0.3\n"),
        _ => picture(),
    });
    let site = |nth: usize| page_of((0..2).map(|number| format!("{}/{nth}-{number}.png", pictures.origin())).collect());
    let sites: Vec<Host> = (0..4).map(site).collect();
    let directory = tempfile::tempdir().unwrap();
    let seeds: Vec<String> = sites.iter().map(Host::seed).collect();
    let output = capture(directory.path(), &seeds, &["--delay", "0.01"]);
    assert!(output.status.success(), "{output:?}");
    let asked = pictures.asked();
    assert_eq!(asked.iter().filter(|asked| asked.target.ends_with(".png")).count(), 8);
    // The second request may come before the first answer, so before anything is known of a delay.
    let pauses = pauses(&asked);
    let first = asked.iter().position(|asked| asked.target.ends_with(".png")).unwrap();
    assert!(pauses[first - 1..].iter().all(|pause| *pause >= Duration::from_millis(295)), "{pauses:?}");
}

#[test]
fn what_a_server_asks_one_site_to_wait_all_wait() {
    let refused = AtomicUsize::new(0);
    let pictures = Host::start(move |asked| match asked.target.as_str() {
        "/robots.txt" => not_there(),
        _ if refused.fetch_add(1, Ordering::SeqCst) == 0 => answer(429, &[("Retry-After", "3")], b"later"),
        _ => picture(),
    });
    let sites = [1, 2].map(|nth| page_of(vec![format!("{}/{nth}.png", pictures.origin())]));
    let directory = tempfile::tempdir().unwrap();
    let output = capture(directory.path(), &sites.each_ref().map(Host::seed), &["--delay", "0.05"]);
    assert!(output.status.success(), "{output:?}");
    let asked = pictures.asked();
    let refused = asked.iter().position(|asked| asked.target.ends_with(".png")).unwrap();
    let late = asked[refused + 1..].iter().filter(|later| later.target.ends_with(".png"));
    let pauses: Vec<Duration> = late.map(|later| later.at - asked[refused].at).collect();
    assert_eq!(pauses.len(), 2, "{asked:?}");
    assert!(pauses.iter().all(|pause| *pause >= Duration::from_millis(2950)), "{pauses:?}");
}

/// Waits until a host has been asked so often.
fn asked_times(host: &Host, times: usize) {
    let began = Instant::now();
    while host.asked().len() < times {
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", host.asked());
        std::thread::yield_now();
    }
}

#[test]
fn what_a_server_asks_to_wait_is_obeyed_after_a_kill_even_by_a_fresh_capture() {
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/robots.txt" => not_there(),
        "/" => answer(429, &[("Retry-After", "4")], b"later"),
        _ => html("a page"),
    });
    let directory = tempfile::tempdir().unwrap();
    let mut child = tintype()
        .current_dir(directory.path())
        .args(["capture", &host.seed(), "--delay", "0"])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    asked_times(&host, 2);
    let kept = directory.path().join("collection/state/hosts.jsonl");
    let began = Instant::now();
    while !std::fs::read_to_string(&kept).is_ok_and(|text| text.contains("retry-after")) {
        assert!(began.elapsed() < Duration::from_secs(20), "the answer is remembered");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = host.asked();
    assert_eq!(before.last().unwrap().target, "/");
    let mut again = tintype()
        .current_dir(directory.path())
        .args(["capture", &host.seed(), "--delay", "0", "--fresh"])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    asked_times(&host, before.len() + 1);
    again.kill().unwrap();
    again.wait().unwrap();
    let after = host.asked();
    let pause = after[before.len()].at - before.last().unwrap().at;
    assert!(pause >= Duration::from_millis(3950), "{pause:?}");
}

#[test]
fn a_picture_on_a_host_that_wants_a_day_does_not_stop_a_site() {
    let slow = Host::start(|asked| match asked.target.as_str() {
        "/robots.txt" => rules("User-agent: *\nCrawl-delay: 86400\n"),
        _ => picture(),
    });
    let there = slow.origin();
    let page =
        move |picture: &str, next: &str| html(&format!("<img src={there}/{picture}.png><a href={next}>next</a>"));
    let site = Host::start(move |asked| match asked.target.as_str() {
        "/" => page("1", "/a"),
        "/a" => page("2", "/b"),
        "/b" => page("3", "/"),
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    let output = capture(directory.path(), &[site.seed()], &["--delay", "0.05"]);
    assert!(output.status.success(), "{output:?}");
    let said = said(&output);
    let result = &said["sites"][0];
    assert_eq!((&result["pages"], &result["ending"]), (&3.into(), &"complete".into()), "{said}");
    assert_eq!(result["excluded"]["host-pause"]["links"], 3, "{said}");
    let detail = result["excluded"]["host-pause"]["detail"].as_str().unwrap();
    assert!(detail.contains("asked for a pause of 1 d 0 h"), "{detail}");
    assert_eq!(slow.asked().len(), 1, "its rules");
}

#[test]
fn a_name_and_its_address_are_one_host() {
    let host = Host::start(|asked| match asked.target.as_str() {
        "/" => html("<a href=/a>a</a><a href=/b>b</a>"),
        "/a" | "/b" => html("a page"),
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    let seeds = [host.seed(), format!("http://localhost:{}/", host.port())];
    let output = capture(directory.path(), &seeds, &["--delay", "0.2"]);
    assert!(output.status.success(), "{output:?}");
    let asked = host.asked();
    let named = asked.iter().filter(|asked| asked.origin().contains("localhost")).count();
    assert_eq!((named, asked.len()), (5, 10));
    assert!(pauses(&asked).iter().all(|pause| *pause >= Duration::from_millis(195)), "{:?}", pauses(&asked));
}

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
        *self.1.wait_timeout_while(self.0.lock().unwrap(), Duration::from_secs(30), closed).unwrap().0
    }
}

#[test]
fn a_site_that_ends_makes_room_for_the_next_however_slow_another_is() {
    let gate = Arc::new(Gate::default());
    let (opener, waiter) = (gate.clone(), gate.clone());
    // Answers only after the last site was asked: in rounds that would never be.
    let slow = Host::start(move |asked| match asked.target.as_str() {
        "/" if waiter.pass() => html("late, but here"),
        _ => not_there(),
    });
    let quick: Vec<Host> =
        (0..70).map(|_| Host::start(|asked| if asked.target == "/" { html("a page") } else { not_there() })).collect();
    let last = Host::start(move |asked| match asked.target.as_str() {
        "/" => {
            opener.open();
            html("the last")
        }
        _ => not_there(),
    });
    let seeds: Vec<String> = [&slow].into_iter().chain(&quick).chain([&last]).map(Host::seed).collect();
    let directory = tempfile::tempdir().unwrap();
    let output = capture(directory.path(), &seeds, &["--delay", "0"]);
    assert!(output.status.success(), "{output:?}");
    let said = said(&output);
    let pages: Vec<&serde_json::Value> = said["sites"].as_array().unwrap().iter().map(|site| &site["pages"]).collect();
    assert_eq!(pages, vec![1; 72]);
}

#[test]
fn two_parts_of_a_host_are_one_capture_with_two_budgets() {
    let host = Host::start(|asked| {
        let links =
            |names: &[&str]| html(&names.iter().map(|name| format!("<a href={name}>x</a>")).collect::<String>());
        match asked.target.as_str() {
            "/a/" => links(&["/a/1", "/a/2", "/a/3", "/a/4", "/b/1"]),
            "/b/" => links(&["/b/1", "/b/2", "/b/3", "/b/4", "/a/1"]),
            target if target.len() == 4 => html(target),
            _ => not_there(),
        }
    });
    let directory = tempfile::tempdir().unwrap();
    let collection = directory.path().join("collection");
    std::fs::create_dir(&collection).unwrap();
    let site = |part: &str, budget: u32| {
        let seed = format!("{}{part}/", host.seed());
        format!("[[site]]\nseeds = [\"{seed}\"]\nscope = \"prefix\"\nbudget = \"{budget}\"\n")
    };
    std::fs::write(collection.join("tintype.toml"), site("a", 3) + &site("b", 50)).unwrap();
    let output = run(directory.path(), &["capture", "--delay", "0", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let said = said(&output);
    assert_eq!(said["sites"].as_array().unwrap().len(), 1, "{said}");
    let hits = host.take_hits();
    assert!(hits.values().all(|times| *times == 1), "{hits:?}");
    let of = |part: &str| hits.keys().filter(|target| target.starts_with(part)).count();
    assert_eq!((of("/a/"), of("/b/")), (2, 5), "the first part paid for robots.txt: {hits:?}");
}
