//! `tintype keep` among typing errors, other processes, full disks and impatient people: one sentence, the next step, nothing
//! lost.

use crate::{
    bench::{run, tintype},
    every_capture_can_be_taken_again::replay_all,
    host::{Asked, Host, Reply, html, not_there},
};
use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Output, Stdio},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn refused(directory: &Path, arguments: &[&str], code: i32, words: &[&str]) {
    let output = run(directory, arguments);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    words.iter().for_each(|word| assert!(said.contains(word), "{arguments:?}, {word}: {said}"));
    assert!(!said.contains("panicked"), "{said}");
}

/// Thirty pages of four kilobytes that no compressor makes smaller.
fn noise(asked: &Asked) -> Reply {
    match asked.target.as_str() {
        "/robots.txt" | "/sitemap.xml" => not_there(),
        "/" => html(&(0..30).map(|page| format!("<a href=/{page}>{page}</a> ")).collect::<String>()),
        page => {
            let mut dice =
                tintype_plan::Dice::new(page.len() as u64, page.trim_start_matches('/').parse().unwrap_or(99));
            html(&(0..4000).map(|_| char::from(b'a' + (dice.unit() * 26.0) as u8)).collect::<String>())
        }
    }
}

#[test]
fn amounts_and_names_that_cannot_be_are_refused_with_what_to_write() {
    let directory = tempfile::tempdir().unwrap();
    let url = "http://127.0.0.1:9/";
    for budget in ["-5/day", "5", "5/week", "nan/day", "inf/day", "", "/day", "1e9x/day"] {
        refused(directory.path(), &["keep", url, "--budget", budget], 2, &["200/day"]);
    }
    refused(directory.path(), &["keep", url, "--budget", "0/day"], 2, &["allows nothing", "leave it out"]);
    refused(directory.path(), &["keep", url, "--policy", "best"], 2, &["tintype", "uniform"]);
    refused(directory.path(), &["keep", url, "--for", "soon"], 2, &["not a unit of time"]);
    refused(directory.path(), &["keep", "example"], 2, &["neither a site nor a source", "next:", "tintype sites"]);
    assert!(!directory.path().join("collection").exists(), "nothing was begun");
    fs::create_dir(directory.path().join("collection")).unwrap();
    fs::write(
        directory.path().join("collection/tintype.toml"),
        format!("budget = '-5/day'\n[[site]]\nseeds = ['{url}']\n"),
    )
    .unwrap();
    refused(directory.path(), &["keep"], 2, &["-5/day", "200/day", "next:", "tintype.toml"]);
    refused(directory.path(), &["sites", "change", "127.0.0.1:9", "--weight", "-3"], 2, &["-3", "next:"]);
    let with_policy = format!("[[site]]\nseeds = ['{url}']\npolicy = 'best'\n");
    fs::write(directory.path().join("collection/tintype.toml"), with_policy).unwrap();
    refused(directory.path(), &["keep"], 2, &["127.0.0.1:9", "called best", "sharp", "next:", "tintype.toml"]);
}

#[test]
fn a_site_and_a_source_of_one_name_are_told_apart_first() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("collection")).unwrap();
    let file = "[[site]]\nseeds = ['http://127.0.0.1:9/']\n[[source]]\nname = '127.0.0.1:9'\nurl = 'http://127.0.0.1:9/cars'\n\
                objects = 'css:li'\n";
    fs::write(directory.path().join("collection/tintype.toml"), file).unwrap();
    refused(directory.path(), &["keep"], 2, &["both called 127.0.0.1:9", "next:", "another name"]);
}

#[test]
fn a_collection_that_another_process_keeps_is_left_to_it_and_can_be_looked_at() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(noise));
    let mut keeper = tintype()
        .current_dir(directory.path())
        .args(["keep", &host.seed(), "--delay", "0", "--budget", "50/day"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(keeper.stdout.take().unwrap()).lines().map_while(Result::ok);
    lines.find(|line| line.contains("first ")).expect("a page is reported");
    let pid = keeper.id().to_string();
    refused(directory.path(), &["keep"], 1, &["in use by", &pid, "next:"]);
    let status = run(directory.path(), &["status"]);
    let text = said(&status);
    assert!(status.status.success() && text.contains("50/day") && text.contains("left"), "{text}");
    keeper.kill().unwrap();
    keeper.wait().unwrap();
    let again = run(directory.path(), &["keep", "--once", "--delay", "0", "--budget", "50/day"]);
    assert!(again.status.success(), "{}", said(&again));
}

/// The kernel refuses to let any file grow beyond this: as real a full disk as a test can have.
#[test]
fn a_disk_that_fills_up_pauses_and_says_so_and_nothing_is_lost() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(noise));
    let limited = format!(
        "trap '' XFSZ; ulimit -f 64; exec {} keep {} --delay 0 --budget 100/day --for 4s --json",
        env!("CARGO_BIN_EXE_tintype"),
        host.seed()
    );
    let output = Command::new("bash").args(["-c", &limited]).current_dir(directory.path()).output().unwrap();
    let told = said(&output);
    assert!(!told.contains("panicked") && told.contains("File too large"), "{told}");
    // It was tried again later, not at once and again and again.
    assert!(told.matches("File too large").count() <= 3, "{told}");
    let lines = told.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let reported: Vec<String> = lines
        .filter(|line| line["result"] == "first")
        .filter_map(|line| Some(line["url"].as_str()?.to_owned()))
        .collect();
    assert!(!reported.is_empty(), "{told}");
    host.take_hits();
    let after = run(directory.path(), &["keep", "--once", "--delay", "0", "--budget", "100/day"]);
    assert!(after.status.success(), "{}", said(&after));
    let verified = run(directory.path(), &["verify"]);
    assert!(verified.status.success(), "{}", said(&verified));
    for url in &reported {
        let got = run(directory.path(), &["get", url]);
        assert!(got.status.success(), "{url} was reported: {}", said(&got));
    }
    assert!(replay_all(directory.path()) >= 2);
}

/// Both signals, at the very first request, in the first capture, and while it is watched.
#[test]
fn who_is_stopped_at_any_moment_ends_in_order() {
    for (signal, request) in [("-INT", 1), ("-TERM", 2), ("-INT", 7), ("-TERM", 31), ("-INT", 45)] {
        let directory = tempfile::tempdir().unwrap();
        let (pid, count) = (Arc::new(OnceLock::<u32>::new()), AtomicUsize::new(0));
        let whom = pid.clone();
        let host = Host::start(move |asked| {
            if count.fetch_add(1, Ordering::SeqCst) + 1 == request {
                let whom = whom.wait().to_string();
                assert!(Command::new("kill").args([signal, &whom]).status().unwrap().success());
            }
            noise(asked)
        });
        let mut command = tintype();
        command.current_dir(directory.path()).args([
            "keep",
            &host.seed(),
            "--delay",
            "0",
            "--budget",
            "80/day",
            "--once",
        ]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        pid.set(child.id()).unwrap();
        let output = child.wait_with_output().unwrap();
        let told = said(&output);
        assert!(told.contains("stopping") && output.status.code().is_some(), "{signal} at {request}: {told}");
        let verified = run(directory.path(), &["verify"]);
        assert!(verified.status.success(), "{signal} at {request}: {}", said(&verified));
        let again = run(directory.path(), &["keep", &host.seed(), "--once", "--delay", "0", "--budget", "80/day"]);
        assert!(again.status.success(), "{signal} at {request}: {}", said(&again));
        // What was asked before counts, but for robots.txt.
        let asked = host.asked();
        let pages = asked.iter().filter(|asked| asked.target != "/robots.txt").count();
        assert!(pages <= 81, "{signal} at {request}: {pages}");
        assert!(replay_all(directory.path()) >= 1);
    }
}

#[test]
fn what_was_typed_is_kept_for_later_only_if_that_is_said_and_that_is_told() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(noise));
    let keep = |more: &[&str]| {
        let seed = host.seed();
        let arguments = [&["keep", seed.as_str(), "--once", "--delay", "0"], more].concat();
        said(&run(directory.path(), &arguments))
    };
    let file = || fs::read_to_string(directory.path().join("collection/tintype.toml")).unwrap();
    let told = keep(&["--budget", "5/day"]);
    assert!(told.contains("without what was typed") && told.contains("--save"), "{told}");
    assert!(!file().contains("5/day"), "{}", file());
    let told = keep(&["--budget", "6/day,2MB/day", "--save"]);
    assert!(!told.contains("without what was typed"), "{told}");
    assert!(file().contains("budget = \"6/day,2MB/day\"") && file().contains("delay"), "{}", file());
}
