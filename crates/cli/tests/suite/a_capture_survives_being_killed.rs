//! The promise: a visit that was reported is on disk. Kept through a hundred kills at random moments.

use crate::{
    bench::{Bench, LIBRARY, capture, files, index_lines, run, tintype},
    host::{Host, Reply, html, not_there},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};
use tintype_plan::Dice;

const KILLS: u64 = 100;
const KILLS_PER_CAPTURE: u64 = 8;

/// Runs a capture and kills it after a while, unless it ends first. What it reported, and whether it ended.
fn run_and_kill(directory: &Path, seed: &str, after: Duration) -> (BTreeSet<String>, bool) {
    let mut child = tintype()
        .current_dir(directory)
        .args(["capture", seed, "--delay", "0", "--connections", "3"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let reader = std::thread::spawn(move || {
        let lines = lines.map_while(Result::ok).filter(|line| line.starts_with("200 "));
        lines.filter_map(|line| line.split_whitespace().last().map(str::to_owned)).collect::<BTreeSet<String>>()
    });
    let deadline = Instant::now() + after;
    let ended = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status.success(),
            None if Instant::now() >= deadline => {
                child.kill().unwrap();
                child.wait().unwrap();
                break false;
            }
            None => std::thread::yield_now(),
        }
    };
    (reader.join().unwrap(), ended)
}

/// Whether the capture came to its end, though the process was killed before it could say so.
fn has_ended(directory: &Path) -> bool {
    let logs = if directory.join("collection/log").exists() { files(directory, "log") } else { Vec::new() };
    logs.iter().any(|log| {
        std::fs::read_to_string(log).unwrap().lines().last().is_some_and(|line| line.starts_with("{\"end\""))
    })
}

/// URLs with a response or a duplicate in the index.
fn indexed(directory: &Path) -> BTreeSet<String> {
    let url = |line: &str| {
        let json: serde_json::Value = serde_json::from_str(line.splitn(3, ' ').nth(2).unwrap()).unwrap();
        json["url"].as_str().unwrap().to_owned()
    };
    index_lines(directory).iter().map(|line| url(line)).collect()
}

#[test]
fn a_hundred_kills_lose_nothing_that_was_reported_and_ask_for_it_only_once() {
    let bench = Bench::library();
    let run_seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    println!("run seed {run_seed}");
    let (mut kills, mut captures) = (0, 0);
    while kills < KILLS {
        let directory = tempfile::tempdir().unwrap();
        let mut reported: BTreeSet<String> = BTreeSet::new();
        captures += 1;
        for round in 0.. {
            let mut dice = Dice::new(run_seed, kills);
            // On a busy machine a capture may not get anywhere before the kill; in the end it is left alone.
            let life = if round < KILLS_PER_CAPTURE { (dice.unit() * 180_000.0) as u64 } else { 60_000_000 };
            let (fresh, ended) = run_and_kill(directory.path(), &bench.seed(), Duration::from_micros(life));
            let hits = bench.take_hits();
            for url in &reported {
                let path = url.strip_prefix(&bench.server.origin()).unwrap();
                assert_eq!(
                    hits.get(path),
                    None,
                    "{url} was reported before and asked for again (kill {kills}, seed {run_seed})"
                );
            }
            reported.extend(fresh);
            if ended {
                break;
            }
            kills += 1;
            if has_ended(directory.path()) {
                capture(directory.path(), &bench.seed(), &[]);
                bench.take_hits();
                break;
            }
        }
        let indexed = indexed(directory.path());
        let lost: Vec<_> = reported.difference(&indexed).collect();
        assert!(lost.is_empty(), "reported but not in the index: {lost:?} (seed {run_seed})");
        let pages = indexed.iter().filter(|url| !url.ends_with("robots.txt") && !url.ends_with("sitemap.xml")).count();
        assert_eq!(pages, LIBRARY, "an ended capture holds every page (seed {run_seed})");
        let verified = run(directory.path(), &["verify"]);
        assert!(verified.status.success(), "{} (seed {run_seed})", String::from_utf8_lossy(&verified.stdout));
    }
    println!("{kills} kills over {captures} captures");
}

#[test]
fn an_interrupted_capture_stops_cleanly_and_goes_on() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let mut child = tintype()
        .current_dir(directory.path())
        .args(["capture", &bench.seed(), "--delay", "0.4"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let settings = lines.next().unwrap().unwrap();
    assert!(settings.contains("delay 0.4"), "{settings}");
    let first = lines.next().unwrap().unwrap();
    assert!(first.contains("robots.txt"), "{first}");
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let said: Vec<String> = lines.map_while(Result::ok).collect();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.iter().any(|line| line.contains("stopping")), "{said:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("run the same command again"));
    assert!(
        files(directory.path(), "warc").iter().all(|file| file.extension().is_some_and(|extension| extension == "gz"))
    );

    let resumed = capture(directory.path(), &bench.seed(), &[]);
    assert_eq!(resumed["sites"][0]["resumed"], true);
    assert_eq!(resumed["sites"][0]["pages"], 32);
    let hits: BTreeMap<String, u64> = bench.take_hits();
    assert!(hits.values().all(|count| *count == 1), "{hits:?}");
}

/// Sends a little now and then, fast enough not to be given up, until the other side hangs up.
fn drip(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")?;
    stream.set_read_timeout(Some(Duration::from_millis(50)))?;
    loop {
        stream.write_all(&[b'x'; 1000])?;
        match stream.read(&mut [0]) {
            Ok(0) => return Ok(()),
            // The other side has nothing to say.
            _ => continue,
        }
    }
}

#[test]
fn an_interrupt_does_not_wait_for_a_body_that_never_ends() {
    let (asked, heard) = std::sync::mpsc::channel();
    let host = Host::start(move |request| match request.target.as_str() {
        "/" => html("<a href=/drip>endless</a>"),
        "/drip" => {
            asked.send(()).unwrap();
            Reply::Misdeed(Box::new(drip))
        }
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    let mut command = tintype();
    command.current_dir(directory.path()).args(["capture", &host.seed(), "--delay", "0"]);
    let child = command.stderr(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    heard.recv().unwrap();
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    // The body would go on for twenty minutes.
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("stopped; 1 page left"), "{said}");
    assert!(run(directory.path(), &["verify"]).status.success());
}
