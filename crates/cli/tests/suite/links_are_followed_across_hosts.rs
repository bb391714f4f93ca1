//! `tintype capture --scope web`: wherever links lead, each host at its pace, wanted files for few requests, killed or not.

use crate::{
    bench::{run, tintype},
    host::{Asked, Host, Reply, answer, html, not_there},
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Stdio,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

const HOSTS: usize = 12;
/// These have songs, the others nothing but stories.
const MUSICAL: usize = 4;
const SONGS: usize = 10;
const STORIES: usize = 40;
const DELAY: f64 = 0.05;

/// Songs are called like pages, one album like a song; every host leads to two others.
fn answer_of(nth: usize, asked: &Asked, origins: &[String]) -> Reply {
    let link = |url: &str| format!("<a href='{url}'>this</a> ");
    let number = |prefix: &str| asked.target.strip_prefix(prefix)?.split('.').next()?.parse::<usize>().ok();
    match asked.target.as_str() {
        "/robots.txt" => answer(200, &[("Content-Type", "text/plain")], b"User-agent: *\nDisallow: /private/\n"),
        "/" => {
            let elsewhere = [nth + 1, nth + 5].map(|next| link(&format!("{}/", origins[next % HOSTS])));
            let album = if nth < MUSICAL { link("/album.mp3") } else { String::new() };
            let stories: String = (0..8).map(|story| link(&format!("/story/{story}"))).collect();
            html(&format!("{}{album}{stories}{}", elsewhere.concat(), link("/private/x")))
        }
        "/album.mp3" if nth < MUSICAL => {
            html(&(0..SONGS).map(|song| link(&format!("/listen/{song}.html"))).collect::<String>())
        }
        _ => match (number("/listen/"), number("/story/")) {
            (Some(song), _) if nth < MUSICAL => {
                // Every host has the same first song.
                let body =
                    if song == 0 { "OggS\0\u{2}the same".to_owned() } else { format!("OggS\0\u{2}{nth} {song}") };
                answer(200, &[("Content-Type", "audio/ogg")], body.as_bytes())
            }
            (_, Some(story)) => {
                let next: String =
                    (1..4).map(|step| link(&format!("/story/{}", (story + step * step) % STORIES))).collect();
                html(&format!("<p>Night {story} on host {nth}.</p>{next}"))
            }
            _ => not_there(),
        },
    }
}

struct Web {
    hosts: Vec<Host>,
    origins: Vec<String>,
}

impl Web {
    fn start() -> Web {
        let origins: Arc<OnceLock<Vec<String>>> = Arc::default();
        let start = |nth: usize| {
            let origins = origins.clone();
            let ip = std::net::Ipv4Addr::new(127, 0, 9, nth as u8 + 1);
            Host::start_at(ip.into(), move |asked| answer_of(nth, asked, origins.get().expect("all have started")))
        };
        let hosts: Vec<Host> = (0..HOSTS).map(start).collect();
        let all: Vec<String> = hosts.iter().map(Host::origin).collect();
        origins.set(all.clone()).unwrap();
        Web { hosts, origins: all }
    }

    /// What a capture is called with; hosts that links lead to are allowed to be private.
    fn arguments<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        let bare = |origin: &'a String| origin.trim_start_matches("http://").split(':').next().unwrap();
        let allowed = self.origins[1..].iter().flat_map(|origin| ["--allow-private", bare(origin)]);
        ["capture", &self.origins[0], "--scope", "web", "--delay", "0.05"]
            .into_iter()
            .chain(allowed)
            .chain(more.iter().copied())
            .collect()
    }

    /// Distinct songs that were asked for, all requests for pages, and the shortest pause.
    fn asked(&self) -> (usize, usize, Duration) {
        let (mut songs, mut pages, mut shortest) = (0, 0, Duration::MAX);
        for host in &self.hosts {
            let asked = host.asked();
            let targets: BTreeSet<&str> = asked.iter().map(|asked| asked.target.as_str()).collect();
            songs += targets.iter().filter(|target| target.starts_with("/listen/")).count();
            pages += asked.iter().filter(|asked| asked.target != "/robots.txt").count();
            shortest = asked.windows(2).map(|pair| pair[1].at - pair[0].at).fold(shortest, Duration::min);
        }
        (songs, pages, shortest)
    }
}

fn said(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn manifest(directory: &Path) -> Vec<Value> {
    let text = fs::read_to_string(directory.join("manifest.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn wanted_files_of_many_hosts_are_found_at_every_host_s_pace_and_put_into_a_directory() {
    let (directory, web) = (tempfile::tempdir().unwrap(), Web::start());
    let here = directory.path();
    let output = run(here, &web.arguments(&["--media", "audio", "--budget", "1000", "--save-to", "songs", "--json"]));
    assert!(output.status.success(), "{output:?}");
    let said = said(&output);
    let site = &said["sites"][0];
    let (songs, pages, shortest) = web.asked();
    assert_eq!((songs, site["media"]["wanted"].as_u64()), (MUSICAL * SONGS, Some((MUSICAL * SONGS) as u64)), "{said}");
    assert!(shortest >= Duration::from_secs_f64(DELAY * 0.9), "{shortest:?}");
    assert_eq!(site["across"]["hosts"]["asked"], HOSTS, "{said}");
    assert_eq!(site["across"]["hosts"]["wanted"], MUSICAL, "{said}");
    let course = site["across"]["course"].as_array().unwrap();
    assert_eq!(course.last().unwrap()["wanted"], MUSICAL * SONGS, "{said}");
    let all_by = course.iter().find(|point| point["wanted"] == MUSICAL * SONGS).unwrap()["requests"].as_u64().unwrap();
    assert!(4 * all_by as usize <= pages, "{all_by} requests of {pages} for all songs: {said}");
    assert!(site["excluded"]["robots"]["links"].as_u64().unwrap() > 0, "{said}");

    let lines = manifest(&here.join("songs"));
    let urls: BTreeSet<&str> = lines.iter().map(|line| line["url"].as_str().unwrap()).collect();
    assert_eq!((lines.len(), urls.len()), (MUSICAL * SONGS, MUSICAL * SONGS));
    let files: BTreeMap<&str, &Value> = lines.iter().map(|line| (line["file"].as_str().unwrap(), line)).collect();
    assert_eq!(files.len(), MUSICAL * (SONGS - 1) + 1, "one song is the same everywhere");
    assert_eq!(
        (&said["saved"]["files"], &said["saved"]["answers"]),
        (&files.len().into(), &lines.len().into()),
        "{said}"
    );
    for (file, line) in files {
        let bytes = fs::read(here.join("songs").join(file)).unwrap();
        assert!(bytes.starts_with(b"OggS") && file.ends_with(".ogg"), "{line}");
        assert_eq!(line["bytes"], bytes.len(), "{line}");
    }
    let replayed = run(here, &["captures"]);
    assert!(String::from_utf8_lossy(&replayed.stdout).contains("web:127.0.9.1"), "{replayed:?}");
    let left: Vec<_> =
        fs::read_dir(here.join("collection/state")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".outside")), "{left:?}");
}

#[test]
fn a_capture_across_hosts_that_is_killed_again_and_again_loses_nothing_and_asks_nothing_twice() {
    let (directory, web) = (tempfile::tempdir().unwrap(), Web::start());
    let here = directory.path();
    let wishes = ["--media", "audio", "--budget", "1000", "--save-to", "songs"];
    for killed in 1..=3 {
        let mut command = tintype();
        command.current_dir(here).args(web.arguments(&wishes)).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (began, enough) = (Instant::now(), killed * 30);
        while web.asked().1 < enough && child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < Duration::from_secs(60), "{:?}", web.asked());
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = run(here, &[&web.arguments(&wishes)[..], &["--json"]].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(said(&output)["sites"][0]["media"]["wanted"], MUSICAL * SONGS, "{output:?}");
    let twice = web.hosts.iter().map(|host| {
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        host.asked().into_iter().for_each(|asked| *times.entry(asked.target).or_default() += 1);
        times.iter().filter(|(target, times)| **times > 1 && *target != "/robots.txt").count()
    });
    // What was under way when it was killed is asked for again: at most one of each host per kill.
    assert!(twice.sum::<usize>() <= 3 * HOSTS);
    assert_eq!(web.asked().0, MUSICAL * SONGS);
    let urls: BTreeSet<String> = manifest(&here.join("songs")).iter().map(|line| line["url"].to_string()).collect();
    assert_eq!(urls.len(), MUSICAL * SONGS);
}

#[test]
fn a_domain_takes_no_more_than_it_may() {
    let (directory, web) = (tempfile::tempdir().unwrap(), Web::start());
    let output = run(directory.path(), &web.arguments(&["--budget", "1000", "--domain-budget", "5", "--json"]));
    assert!(output.status.success(), "{output:?}");
    for host in &web.hosts {
        let pages = host.asked().iter().filter(|asked| asked.target != "/robots.txt").count();
        assert!(pages <= 5, "{pages}");
    }
    let said = said(&output);
    assert!(said["sites"][0]["excluded"]["domain-spent"]["links"].as_u64().unwrap() > 0, "{said}");
    assert_eq!(said["sites"][0]["across"]["hosts"]["spent"], HOSTS, "{said}");
}

#[test]
fn hosts_in_private_space_are_not_asked_because_somebody_links_them() {
    let (directory, web) = (tempfile::tempdir().unwrap(), Web::start());
    let arguments =
        ["capture", &web.origins[0], "--scope", "web", "--delay", "0.01", "--media", "audio", "--budget", "200"];
    let output = run(directory.path(), &arguments);
    assert!(output.status.success(), "{output:?}");
    assert!(!web.hosts[0].asked().is_empty());
    assert!(web.hosts[1..].iter().all(|host| host.asked().is_empty()));
}

#[test]
fn what_cannot_be_meant_is_refused_with_what_to_do_instead() {
    let directory = tempfile::tempdir().unwrap();
    let seed = "http://127.0.0.1:9/";
    for (arguments, told) in [
        (&["capture", seed, "--scope", "web", "--media", "audio"][..], "--budget 20000,50GB"),
        (&["capture", seed, "--scope", "web", "--budget", "9", "--policy", "sharp"], "leave out --policy"),
        (&["capture", seed, "--scope", "web", "--budget", "9", "--revisit"], "leave out --revisit"),
        (&["capture", seed, "--scope", "web", "--budget", "9", "--render", "always"], "leave out --render"),
        (&["capture", seed, "--domain-budget", "9"], "add --scope web"),
        (&["capture", seed, "--scope", "web", "--budget", "9", "--domain-budget", "0"], "allows not even one request"),
        (&["capture", seed, "--save-to", "x"], "--media audio,application/pdf"),
        (&["keep", seed, "--scope", "web", "--budget", "9/day"], "capture it"),
    ] {
        let output = run(directory.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(told), "{arguments:?}: {said}");
    }
    fs::write(directory.path().join("taken"), "a file").unwrap();
    let wishes = ["capture", seed, "--media", "audio", "--save-to", "taken"];
    let output = run(directory.path(), &wishes);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("taken"), "{output:?}");
}
