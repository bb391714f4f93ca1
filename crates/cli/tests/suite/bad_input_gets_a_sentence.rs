//! What bad input gets: a sentence, a next step, an exit code, and nothing half-written.

use crate::bench::{Bench, LIBRARY, capture, files, run, tintype};
use std::{fs, net::TcpListener, path::Path, process::Stdio};

/// Runs and expects failure: exit code, and all of `words` in what it said.
fn refused(directory: &Path, arguments: &[&str], code: i32, words: &[&str]) {
    let output = run(directory, arguments);
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    for word in words {
        assert!(said.contains(word), "{arguments:?} does not say {word:?}: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn seeds_that_are_no_web_pages_are_refused_before_anything_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    refused(here, &["capture", "ftp://example.com/"], 2, &["not a web page", "next:"]);
    refused(here, &["capture", "https://exa mple.com/"], 2, &["not a URL", "next:"]);
    refused(here, &["capture"], 2, &["nothing to capture yet", "tintype capture https://"]);
    refused(here, &["capture", "http://127.0.0.1/", "--scope", "galaxy"], 2, &["not a scope", "next:"]);
    refused(here, &["capture", "http://127.0.0.1/", "--budget", "lots"], 2, &["not a unit of size"]);
    refused(here, &["capture", "http://127.0.0.1/", "--delay", "soon"], 2, &["not a unit of time"]);
    for option in ["--budget", "--delay", "--depth", "--time"] {
        refused(here, &["capture", "http://127.0.0.1/", option, "-1"], 2, &["-1"]);
        let output = run(here, &["capture", "http://127.0.0.1/", option, "-1"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("unexpected argument"), "{option}: {said}");
    }
    refused(here, &["capture", "http://127.0.0.1/", "--policy", "guess"], 2, &["breadth-first"]);
    for (name, words) in [
        ("tintype", ["again and again", "tintype lab tournament --policies tintype"]),
        ("frequency", ["again and again", "tintype lab tournament --policies cho-freshness"]),
        ("proportional-true", ["nobody has of a live site", "--policy sharp"]),
        ("hottest-first", ["for the lab", "tintype lab sharc"]),
    ] {
        refused(here, &["capture", "http://127.0.0.1/", "--policy", name], 2, &words);
    }
    let pairs = ["skip:guess", "skip:nutch", "skip:skip", "skip:", "sharp:skip"];
    let words = ["no policy above another", "skip or warm", "sharp, explore-first"];
    pairs.iter().for_each(|pair| refused(here, &["capture", "http://127.0.0.1/", "--policy", pair], 2, &words));
    refused(here, &["capture", "http://127.0.0.1/", "--proxy", "gopher://x"], 2, &["proxy"]);
    assert!(!here.join("collection").exists());
}

#[test]
fn media_types_that_cannot_be_wanted_are_refused_before_anything_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let wishes =
        |more: &[&str], words: &[&str]| refused(here, &[&["capture", "http://127.0.0.1/"], more].concat(), 2, words);
    wishes(&["--media", "pictures"], &["is no media type", "image", "application/pdf"]);
    wishes(&["--media", "image:2"], &["between 0 and 1", "image:0.7"]);
    wishes(&["--media", "image/gif", "--no-media", "image"], &["nothing would be collected", "next:"]);
    wishes(&["--min-probability", "0.3"], &["nothing says of what", "next:"]);
    assert!(!here.join("collection").exists());
    refused(here, &["learn", "media", "ftp://example.com/x"], 2, &["not a web page", "next:"]);
}

#[test]
fn a_file_that_is_no_archive_is_refused_in_words_that_fit_the_command() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("notes.txt");
    fs::write(&file, "my notes\n").unwrap();
    for command in ["verify", "import"] {
        let output = run(directory.path(), &[command, "notes.txt"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
        assert!(said.contains("nothing was changed") && !said.contains("imported"), "{command}: {said}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = tintype();
    command.current_dir(directory.path()).args(["learn", "media", "http://example.com/x.jpg", "--json"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_host_that_is_not_there_is_an_outcome_with_its_cause() {
    let directory = tempfile::tempdir().unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    refused(
        directory.path(),
        &["capture", &format!("http://{closed}/"), "--delay", "0"],
        1,
        &["no connection", "robots.txt could not be read"],
    );
}

#[test]
fn a_collection_of_a_newer_version_is_left_alone() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    capture(directory.path(), &bench.seed(), &[]);
    let version = directory.path().join("collection/version");
    fs::write(&version, "format = 9999\n").unwrap();
    refused(directory.path(), &["capture", &bench.seed()], 1, &["newer version", "9999", "next:"]);
    assert_eq!(fs::read_to_string(version).unwrap(), "format = 9999\n");
}

#[test]
fn a_second_process_is_told_who_holds_the_collection() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    // A pause of a minute keeps the first one busy; it is told by its first line that it holds the lock.
    let mut first = tintype()
        .current_dir(directory.path())
        .args(["capture", &bench.seed(), "--delay", "60"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(first.stderr.as_mut().unwrap()), &mut line).unwrap();
    refused(directory.path(), &["capture", &bench.seed()], 1, &["in use by", &first.id().to_string(), "next:"]);
    first.kill().unwrap();
    first.wait().unwrap();
    // The lock dies with its holder.
    capture(directory.path(), &bench.seed(), &[]);
}

#[test]
fn a_full_disk_stops_with_a_sentence_and_the_next_run_goes_on() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::library());
    // The kernel refuses to let any file grow beyond this: as real a full disk as a test can have.
    let limited = format!(
        "trap '' XFSZ; ulimit -f 256; exec {} capture {} --delay 0 --json",
        env!("CARGO_BIN_EXE_tintype"),
        bench.seed()
    );
    let output =
        std::process::Command::new("bash").args(["-c", &limited]).current_dir(directory.path()).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    assert!(said.contains("File too large") && said.contains("cannot write") && said.contains("make room"), "{said}");
    let after = capture(directory.path(), &bench.seed(), &[]);
    assert_eq!(after["sites"][0]["pages"], LIBRARY, "{after}");
    let verified = run(directory.path(), &["verify"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

#[test]
fn a_file_that_is_no_warc_is_not_imported() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("holiday.jpg");
    fs::write(&file, b"\xff\xd8\xff\xe0 not an archive at all").unwrap();
    refused(directory.path(), &["import", file.to_str().unwrap()], 1, &["holiday.jpg", "not", "next:"]);
    refused(directory.path(), &["import", "missing.warc.gz"], 1, &["missing.warc.gz", "next:"]);
    if directory.path().join("collection").exists() {
        assert!(files(directory.path(), "warc").is_empty());
    }
}

#[test]
fn a_directory_that_is_no_collection_is_not_verified() {
    let directory = tempfile::tempdir().unwrap();
    refused(directory.path(), &["verify"], 1, &["no collection at", "next:"]);
}

#[test]
fn a_password_in_a_url_is_refused_before_it_is_archived() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    for arguments in [
        ["capture", "http://me:secret@127.0.0.1:9/", "--delay", "0"],
        ["keep", "http://me:secret@127.0.0.1:9/", "--budget", "5/day"],
        ["sites", "add", "http://me:secret@127.0.0.1:9/", "--json"],
    ] {
        let output = run(here, &arguments);
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("--user NAME:PASSWORD") && !said.contains("secret"), "{said}");
    }
    assert!(!here.join("collection/tintype.toml").exists());
}

#[test]
fn nothing_that_allows_no_request_is_taken_for_a_capture() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    refused(here, &["capture", "http://127.0.0.1:9/", "--time", "0"], 2, &["not even one request", "next:"]);
    refused(here, &["capture", "http://127.0.0.1:9/", "--connections", "0"], 2, &["--connections"]);
    assert!(!here.join("collection").exists());
}

#[test]
fn a_file_that_lost_its_sites_is_no_empty_collection() {
    let (bench, directory) = (Bench::library(), tempfile::tempdir().unwrap());
    let here = directory.path();
    capture(here, &bench.seed(), &[]);
    let file = here.join("collection/tintype.toml");
    fs::write(&file, "").unwrap();
    refused(here, &["capture"], 2, &["names no site", &bench.seed(), "next: name what to capture again"]);
    fs::write(&file, "[[site]]\nseeds = [\"http").unwrap();
    let said = String::from_utf8(run(here, &["capture", "--delay", "0"]).stderr).unwrap();
    assert_eq!(said.matches("ends in the middle of a line").count(), 1, "{said}");
}
