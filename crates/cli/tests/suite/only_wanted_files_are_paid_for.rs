//! `tintype capture --media` finds what is wanted behind URLs that say nothing of it, or lie, and learns on the way.

use crate::{
    bench::{capture, run, tintype},
    host::{Asked, Host, Reply, answer, html, not_there},
};
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
};
use tintype_archive::{Collection, Derived, OpenOptions};
use tintype_vocab::Time;

const ALBUMS: usize = 6;
const PICTURES: usize = 10;
const STORIES: usize = 60;
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";

/// A site that keeps pictures behind `/show.php?n=`, writes pages that are called `.jpg`, and has many stories in which
/// nobody who wants pictures is interested.
fn gallery(asked: &Asked) -> Reply {
    let links = |links: Vec<String>| html(&links.concat());
    let album = |n: usize| format!("<a href='/albums/{n}.jpg'>Album {n}</a> ");
    let story = |n: usize| format!("<a href='/files/story-{n}.txt'>Story {n}</a> ");
    let picture = |album: usize, n: usize| format!("<img src='/show.php?n={album}-{n}' alt='a picture'> ");
    let number = |prefix: &str, suffix: &str| asked.target.strip_prefix(prefix)?.strip_suffix(suffix)?.parse().ok();
    match asked.target.as_str() {
        "/" => links((0..STORIES).map(story).chain((0..ALBUMS).map(album)).collect()),
        "/robots.txt" => not_there(),
        shown if shown.starts_with("/show.php?n=") => answer(200, &[("Content-Type", "image/png")], PNG),
        _ => match (number("/albums/", ".jpg"), number("/files/story-", ".txt")) {
            (Some(n), _) => links((0..PICTURES).map(|nth| picture(n, nth)).collect()),
            (_, Some(n)) => {
                let n: usize = n;
                answer(200, &[("Content-Type", "text/plain")], format!("It was night number {n}.").as_bytes())
            }
            _ => not_there(),
        },
    }
}

fn pictures(host: &Host) -> (usize, usize) {
    let hits = host.take_hits();
    (hits.keys().filter(|target| target.starts_with("/show.php")).count(), hits.values().sum())
}

fn of_site(said: &Value) -> &Value {
    &said["sites"][0]
}

fn learned(directory: &Path, more: &[&str]) -> Value {
    let output = run(directory, &[&["learn", "media", "--json"], more].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn pictures_are_found_without_paying_for_the_rest() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(gallery));
    let here = directory.path();
    let said = capture(here, &host.seed(), &["--media", "image", "--save"]);
    let (found, requests) = pictures(&host);
    assert_eq!(found, ALBUMS * PICTURES, "every picture is found: {said}");
    assert!(requests < STORIES / 2 + ALBUMS * (PICTURES + 1), "stories are hardly asked for: {requests} requests");
    let media = &of_site(&said)["media"];
    assert_eq!((&media["wanted"], &media["types"]["image/png"]), (&found.into(), &found.into()), "{said}");
    assert_eq!(media["requests"], requests, "{said}");
    let (expected, found) = (media["expected"].as_f64().unwrap(), found as f64);
    assert!(expected > found / 2.0 && expected < found * 1.5, "{said}");
    assert!(of_site(&said)["excluded"]["unwanted-media"]["links"].as_u64().unwrap() > 0, "{said}");
    let file = fs::read_to_string(here.join("collection/tintype.toml")).unwrap();
    assert!(file.contains("media = [\"image\"]"), "{file}");
}

#[test]
fn what_was_begun_for_other_media_types_goes_on_and_says_so() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(gallery));
    // A pause of a minute keeps it busy until it is killed.
    let mut command = tintype();
    command.current_dir(directory.path()).args(["capture", &host.seed(), "--media", "image", "--delay", "60"]);
    let mut begun = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let told = BufReader::new(begun.stderr.take().unwrap()).lines().nth(1);
    begun.kill().unwrap();
    begun.wait().unwrap();
    assert!(told.is_some(), "a visit was told before the kill");
    let output = run(directory.path(), &["capture", &host.seed(), "--media", "audio:0.7", "--delay", "0"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("it was begun for image and goes on so; --fresh"), "{said}");
    assert_eq!(pictures(&host).0, ALBUMS * PICTURES);
}

#[test]
fn what_was_learned_serves_the_next_capture_and_is_derived() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(gallery));
    let here = directory.path();
    capture(here, &host.seed(), &["--media", "image"]);
    let picture = format!("{}/show.php?n=3-3", host.origin());
    let chance = |said: &Value, name: &str| {
        let chances = said["urls"][0]["content_types"].as_array().unwrap().clone();
        chances.into_iter().find(|chance| chance["name"] == name).unwrap()["chance"].as_f64().unwrap()
    };
    let explained = learned(here, &[&picture]);
    assert!(chance(&explained, "image") > 0.9, "{explained}");
    let elsewhere = tempfile::tempdir().unwrap();
    let shipped = learned(elsewhere.path(), &[&picture]);
    assert!(chance(&shipped, "image") < chance(&explained, "image"), "{shipped}");

    // The next capture keeps what this one taught; what is spoiled is learned anew, and is the same.
    capture(here, &host.seed(), &["--media", "image"]);
    let opened = || {
        let options = OpenOptions { create: false, command: "test".to_owned(), now: Time::from_secs(0) };
        Collection::open(&here.join("collection"), options).unwrap()
    };
    let Derived { upto, bytes } = opened().derived("media").unwrap().unwrap();
    let after = learned(here, &[&picture]);
    assert!(after["captures"] == 2 && chance(&after, "image") > 0.9, "{after}");
    let other = String::from_utf8_lossy(&bytes[..20]).replacen("\"version\":\"", "\"version\":\"x", 1);
    for spoiled in [b"", &bytes[..bytes.len() / 2], &[other.as_bytes(), &bytes[20..]].concat()] {
        assert_ne!(spoiled, bytes);
        opened().keep_derived("media", upto, spoiled).unwrap();
        assert_eq!(learned(here, &[&picture]), after);
    }
}

#[test]
fn patterns_and_how_guesses_came_true_are_shown() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(gallery));
    let here = directory.path();
    capture(here, &host.seed(), &["--policy", "breadth-first"]);
    let said = learned(here, &["--top", "5"]);
    let patterns = said["patterns"].as_array().unwrap();
    assert!(patterns.len() == 5 && patterns.iter().any(|pattern| pattern["media_type"] == "text/plain"), "{said}");
    let answers = 1 + STORIES + ALBUMS * (PICTURES + 1);
    assert_eq!(said["foretold"]["answers"], answers, "{said}");
    assert!(said["foretold"]["accuracy"].as_f64().unwrap() > 0.6, "{said}");
    let output = run(here, &["learn", "media", &format!("{}/albums/3.jpg", host.origin())]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("carries links") && text.contains("was") && text.contains("text/html"), "{text}");
    let output = run(here, &["learn", "media", "--domain", "nowhere.example"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn wishes_are_rules_with_chances_of_their_own() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(gallery));
    let here = directory.path();
    let said = capture(here, &host.seed(), &["--no-media", "text/plain:0.3", "--policy", "breadth-first"]);
    let (found, requests) = pictures(&host);
    assert!(found == ALBUMS * PICTURES && requests < 3 + ALBUMS * (PICTURES + 1) + STORIES, "{requests}: {said}");
    for (typed, problem) in [
        (&["--media", "pictures"][..], "is no media type"),
        (&["--media", "image:7"], "no chance between 0 and 1"),
        (&["--min-probability", "0.7"], "nothing says of what"),
    ] {
        let output = run(here, &[&["capture", &host.seed()], typed].concat());
        assert_eq!(output.status.code(), Some(2), "{typed:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(problem), "{typed:?} {output:?}");
    }
}

/// Photos and animations whose URLs say nothing but the directory they lie in, and pages that show them.
fn photos_and_animations(asked: &Asked) -> Reply {
    let number = |prefix: &str| asked.target.strip_prefix(prefix)?.parse::<usize>().ok();
    let many = |prefix: &str, from: usize, count: usize| -> String {
        (from..from + count).map(|n| format!("<a href='{prefix}{n}'>see</a> ")).collect()
    };
    match (number("/rooms/"), number("/photo/"), number("/anim/")) {
        (Some(n), _, _) => html(&(many("/photo/", n * 10, 10) + &many("/anim/", n * 4, 4))),
        (_, Some(n), _) => answer(200, &[("Content-Type", "image/png")], &[PNG, &n.to_be_bytes()].concat()),
        (_, _, Some(n)) => answer(200, &[("Content-Type", "image/gif")], &[b"GIF89a", &n.to_be_bytes()[..]].concat()),
        _ if asked.target == "/" => html(&many("/rooms/", 0, 12)),
        _ => not_there(),
    }
}

#[test]
fn of_two_kinds_of_pictures_only_the_wanted_one_is_asked_for() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(photos_and_animations));
    let wishes = ["--media", "image/png", "--no-media", "image/gif"];
    let under = |prefix: &str| host.take_hits().keys().filter(|target| target.starts_with(prefix)).count();
    let said = capture(directory.path(), &host.seed(), &wishes);
    let hits = host.take_hits();
    let count = |prefix: &str| hits.keys().filter(|target| target.starts_with(prefix)).count();
    assert_eq!(count("/photo/"), 120, "{said}");
    assert!(count("/anim/") <= 5, "{} animations were asked for: {said}", count("/anim/"));
    let left_out = &of_site(&said)["excluded"]["forbidden-media"];
    assert_eq!(left_out["detail"], format!("{} by image/gif", 48 - count("/anim/")), "{said}");
    capture(directory.path(), &host.seed(), &wishes);
    assert_eq!(under("/anim/"), 0, "what was seen before counts");
}

#[test]
fn what_is_ruled_out_is_not_asked_for_though_it_leads_on_unless_that_is_said() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(photos_and_animations));
    let asked_for = |wishes: &[&str]| {
        capture(directory.path(), &host.seed(), wishes);
        host.take_hits().keys().filter(|target| target.starts_with("/rooms/")).count()
    };
    assert_eq!(asked_for(&["--no-media", "text/html"]), 0);
    assert_eq!(asked_for(&["--no-media", "text/html", "--follow-unwanted"]), 12);
    let output = run(directory.path(), &["capture", &host.seed(), "--media", "image", "--follow-unwanted"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// What was learned in one collection is written down as rules, changed by hand, and followed in another.
#[test]
fn patterns_are_written_as_rules_and_rules_are_followed() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(gallery));
    let here = directory.path();
    capture(here, &host.seed(), &["--policy", "breadth-first"]);
    let output = run(here, &["learn", "media", "--rules", "--top", "50"]);
    let rules = String::from_utf8(output.stdout).unwrap();
    assert!(rules.lines().any(|line| line.starts_with("ALLOW image/png ") && line.contains(" URLs")), "{rules}");
    assert!(rules.lines().all(|line| line.split(' ').nth(2).is_some()), "{rules}");
    host.take_hits();

    let elsewhere = tempfile::tempdir().unwrap();
    let mine = "# by hand\nDISALLOW */albums/*\n\n".to_owned() + &rules;
    fs::write(elsewhere.path().join("rules.txt"), mine).unwrap();
    let said = capture(elsewhere.path(), &host.seed(), &["--media", "text/plain", "--rules", "rules.txt"]);
    let hits = host.take_hits();
    let count = |prefix: &str| hits.keys().filter(|target| target.starts_with(prefix)).count();
    assert_eq!((count("/albums/"), count("/files/")), (0, STORIES), "{said}");
    let detail = of_site(&said)["excluded"]["forbidden-media"]["detail"].as_str().unwrap().to_owned();
    assert_eq!(detail, format!("{ALBUMS} by DISALLOW */albums/*"), "{said}");

    fs::write(elsewhere.path().join("rules.txt"), "ALLOW pictures */x/*\n").unwrap();
    let output = run(elsewhere.path(), &["capture", &host.seed(), "--rules", "rules.txt"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("correct it in rules.txt"), "{said}");
}
