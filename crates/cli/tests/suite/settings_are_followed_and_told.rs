//! The command line speaks for this run, tintype.toml for all; `--save` writes; every run says which settings it uses.

use crate::{
    bench::{Bench, capture, run, tintype},
    every_capture_can_be_taken_again::replay_all,
    host::{Host, answer, html, not_there, redirect},
};
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Output, Stdio},
    sync::{Arc, Condvar, Mutex},
};

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn file(directory: &Path) -> String {
    fs::read_to_string(directory.join("collection/tintype.toml")).unwrap_or_default()
}

/// Pages in a row, each linking to the next. Page `from` is not answered before somebody has given leave.
fn row(pages: usize, from: usize) -> (Host, impl Fn()) {
    let leave = Arc::new((Mutex::new(false), Condvar::new()));
    let waits = leave.clone();
    let host = Host::start(move |asked| {
        let Ok(page) = asked.target.trim_matches('/').parse::<usize>() else { return not_there() };
        if page == from {
            let _given = waits.1.wait_while(waits.0.lock().unwrap(), |given| !*given).unwrap();
        }
        html(&if page < pages { format!("<a href=/{}>next</a>", page + 1) } else { String::new() })
    });
    (host, move || {
        *leave.0.lock().unwrap() = true;
        leave.1.notify_all();
    })
}

/// Begins a capture and stops it as a person would, while the server takes its time for an answer.
fn interrupted(directory: &Path, host: &Host, page: usize, leave: impl Fn(), arguments: &[&str]) {
    let seed = format!("{}1", host.seed());
    let mut child = tintype()
        .current_dir(directory)
        .args(["capture", &seed, "--delay", "0"])
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !host.asked().iter().any(|asked| asked.target == format!("/{page}")) {
        std::thread::yield_now();
    }
    let signal = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("stopping")));
    leave();
    lines.for_each(drop);
    child.wait().unwrap();
}

#[test]
fn a_capture_that_is_gone_on_with_follows_the_budget_of_today_and_can_be_taken_again() {
    for (today, in_all) in [(Some("20"), 20), (Some("12"), 12), (None, 42)] {
        let (directory, (host, leave)) = (tempfile::tempdir().unwrap(), row(40, 9));
        interrupted(directory.path(), &host, 9, leave, &["--budget", "15"]);
        let seed = format!("{}1", host.seed());
        let budget = today.map_or(Vec::new(), |today| vec!["--budget", today]);
        let output = run(directory.path(), &[&["capture", &seed, "--delay", "0", "--json"][..], &budget].concat());
        let said = json(&output);
        assert_eq!(said["sites"][0]["resumed"], true, "{said}");
        assert_eq!(said["sites"][0]["visits"], in_all, "{today:?}: {output:?}");
        assert_eq!(host.asked().len(), in_all, "requests in all, of both runs");
        let lines = text(&output.stderr);
        assert_eq!(lines.contains("its budget is"), today.is_some(), "{lines}");
        assert_eq!(replay_all(directory.path()), 1);
    }
}

#[test]
fn a_budget_is_what_it_says_and_none_at_all_is_refused() {
    let (directory, (host, leave)) = (tempfile::tempdir().unwrap(), row(40, 0));
    leave();
    let seed = format!("{}1", host.seed());
    for budget in ["1", "3"] {
        host.take_hits();
        run(directory.path(), &["capture", &seed, "--delay", "0", "--fresh", "--budget", budget]);
        assert_eq!(host.asked().len().to_string(), budget, "requests in all");
    }
    host.take_hits();
    for nothing in ["0", "0,5MB", "0kB"] {
        let output = run(directory.path(), &["capture", &seed, "--budget", nothing]);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("allows not even one request"), "{said}");
    }
    assert!(host.asked().is_empty());
}

#[test]
fn what_is_typed_holds_for_one_run_and_what_is_saved_for_all() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let here = directory.path();
    let said = capture(here, &bench.seed(), &["--depth", "1", "--exclude", "/x/*"]);
    let settings = &said["sites"][0]["settings"];
    assert_eq!(settings["depth"], serde_json::json!({ "value": "1", "from": "command line" }));
    assert_eq!((&settings["budget"]["from"], &settings["scope"]["value"]), (&"default".into(), &"host".into()));
    assert!(file(here).contains(&bench.seed()) && !file(here).contains("depth"), "{}", file(here));

    let said = capture(here, &bench.seed(), &["--depth", "1", "--media", "text/css", "--save"]);
    assert_eq!(said["sites"][0]["settings"]["media"]["from"], "command line");
    let saved = file(here);
    assert!(
        ["depth = 1", "delay = \"0\"", "media = [\"text/css\"]"].iter().all(|line| saved.contains(line)),
        "{saved}"
    );
    assert_eq!(saved.matches("[[site]]").count(), 1, "{saved}");

    let output = run(here, &["capture", &bench.seed(), "--json"]);
    let settings = &json(&output)["sites"][0]["settings"];
    assert_eq!(settings["media"], serde_json::json!({ "value": "text/css", "from": "tintype.toml" }));
    let output = run(here, &["capture", "--depth", "0"]);
    let told = text(&output.stderr);
    let line = "depth 0 (by the command line, for this run); media text/css, delay 0 (by tintype.toml)";
    assert!(told.contains(line), "{told}");
    assert_eq!(file(here), saved, "who types something for one run changes nothing for the others");
}

#[test]
fn naming_a_page_of_a_known_site_keeps_to_what_is_decided_about_the_site() {
    let directory = tempfile::tempdir().unwrap();
    let host = Host::start(|asked| match asked.target.as_str() {
        "/a/" => html("<img src=/i.png><a href=/talk.mp3>talk</a><a href=/b/>b</a>"),
        "/i.png" => answer(200, &[("Content-Type", "image/png")], b"\x89PNG\r\n\x1a\nx"),
        _ => not_there(),
    });
    fs::create_dir(directory.path().join("collection")).unwrap();
    let site =
        format!("[[site]]\nseeds = [\"{}\"]\nscope = \"prefix\"\nno-media = [\"image\"]\ndelay = \"0\"\n", host.seed());
    fs::write(directory.path().join("collection/tintype.toml"), site).unwrap();
    let output = run(directory.path(), &["capture", &format!("{}a/", host.seed()), "--json"]);
    let said = json(&output);
    assert_eq!(said["sites"][0]["settings"]["no-media"]["from"], "tintype.toml", "{said}");
    let asked: Vec<String> = host.asked().into_iter().map(|asked| asked.target).collect();
    assert!(!asked.contains(&"/i.png".to_owned()) && !asked.contains(&"/b/".to_owned()), "{asked:?}");
}

#[test]
fn who_captured_nothing_is_told_why_and_what_helps_and_the_site_is_not_kept() {
    let loops = Host::start(|asked| match asked.target.as_str() {
        "/robots.txt" => not_there(),
        target => redirect(&format!("/{}x", target.trim_matches('/'))),
    });
    let status = |status: u16| {
        Host::start(move |asked| if asked.target == "/robots.txt" { not_there() } else { answer(status, &[], b"") })
    };
    let closed = Host::start(|asked| match asked.target.as_str() {
        "/robots.txt" => answer(200, &[("Content-Type", "text/plain")], b"User-agent: *\nDisallow: /\n"),
        _ => html("secret"),
    });
    let (login, forbidden, gone, plain) = (status(401), status(403), status(404), status(200));
    let nobody = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/", listener.local_addr().unwrap())
    };
    for (seed, why, helps) in [
        (nobody, "no connection", "check the address and its port"),
        (login.seed(), "401 refused", "--user NAME:PASSWORD"),
        (forbidden.seed(), "403 refused", "--cookies FILE"),
        (gone.seed(), "404 not there", "check the address"),
        (closed.seed(), "forbidden by robots.txt", "--ignore-robots 127.0.0.1"),
        (loops.seed(), "too many redirects", "--cookies FILE"),
        (plain.seed().replace("http:", "https:"), "TLS", "--accept-invalid-certificates"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let output = run(directory.path(), &["capture", &seed, "--delay", "0", "--time", "2s"]);
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let first = said.lines().next().unwrap();
        assert!(!first.ends_with("  captured") && said.contains(why) && said.contains(helps), "{seed}: {said}");
        assert_eq!(file(directory.path()), "", "{seed}");
    }
    let directory = tempfile::tempdir().unwrap();
    let output = run(directory.path(), &["capture", "http//example.com/"]);
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("did you mean http://example.com/?"), "{said}");
    assert!(!directory.path().join("collection").exists());
}
