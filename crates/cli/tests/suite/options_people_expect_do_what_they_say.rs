//! Patterns, lists of URLs, time, credentials, robots.txt of named hosts, silence.

use crate::{
    bench::{capture, files, run, tintype},
    host::{Asked, Host, Reply, answer, html, not_there},
};
use flate2::read::MultiGzDecoder;
use std::{
    fs,
    io::{Read, Write},
    path::Path,
    process::Stdio,
};

fn site(asked: &Asked) -> Reply {
    match asked.target.as_str() {
        "/" => html(
            "<link rel=stylesheet href=/s.css><a href=/news/1>n</a><a href=/news/2?print=1>p</a><a href=/shop/>s</a>",
        ),
        "/news/1" => html("<a href=/news/3>three</a>"),
        "/news/2?print=1" | "/news/3" | "/shop/" => html("a page"),
        "/s.css" => answer(200, &[("Content-Type", "text/css")], b"body{}"),
        "/robots.txt" => answer(200, &[("Content-Type", "text/plain")], b"User-agent: *\nDisallow: /shop/\n"),
        _ => not_there(),
    }
}

/// What was asked for besides robots.txt and the sitemap.
fn pages(host: &Host) -> Vec<String> {
    let hits = host.take_hits();
    hits.into_keys().filter(|target| !["/robots.txt", "/sitemap.xml"].contains(&target.as_str())).collect()
}

/// All bytes of a collection, records inflated.
fn everything(directory: &Path) -> String {
    let mut all = Vec::new();
    for room in ["warc", "log", "index", "state", "."] {
        for path in files(directory, room).into_iter().filter(|path| path.is_file()) {
            let mut bytes = fs::read(&path).unwrap();
            if bytes.starts_with(&[0x1f, 0x8b]) {
                let mut inflated = Vec::new();
                MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut inflated).unwrap();
                bytes = inflated;
            }
            all.extend(bytes);
        }
    }
    String::from_utf8_lossy(&all).into_owned()
}

#[test]
fn only_what_is_included_and_nothing_that_is_excluded_is_asked_for() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(site));
    let seed = host.seed();
    let said = capture(directory.path(), &seed, &["--include", "/news/*", "--exclude", "*print=*"]);
    assert_eq!(pages(&host), ["/", "/news/1", "/news/3", "/s.css"], "the start and what pages are made of come along");
    assert_eq!(said["sites"][0]["excluded"]["excluded"]["links"], 2, "{said}");
    capture(directory.path(), &seed, &["--exclude", "re:/news/[0-9]$", "--save", "--fresh"]);
    assert_eq!(pages(&host), ["/", "/news/2?print=1", "/s.css"]);
    let output = run(directory.path(), &["capture", "--fresh"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(pages(&host), ["/", "/news/2?print=1", "/s.css"], "as the file has it");
    let output = run(directory.path(), &["capture", &seed, "--exclude", "re:("]);
    assert!(
        output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("unclosed"),
        "{output:?}"
    );
}

#[test]
fn urls_are_read_from_a_file_or_from_standard_input() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(site));
    let list = format!("# mine\n{0}news/1\n\n{0}news/2?print=1\n", host.seed());
    fs::write(directory.path().join("list"), &list).unwrap();
    let page = ["--scope", "page", "--delay", "0"];
    let output = run(directory.path(), &[&["capture", "--urls", "list"], &page[..]].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(pages(&host), ["/news/1", "/news/2?print=1"]);
    let mut child = tintype()
        .current_dir(directory.path())
        .args(["capture", "--urls", "-", "--fresh"])
        .args(page)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(list.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(pages(&host), ["/news/1", "/news/2?print=1"]);
    fs::write(directory.path().join("empty"), "# nothing\n").unwrap();
    let output = run(directory.path(), &["capture", "--urls", "empty"]);
    assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("no URL in empty"));
}

#[test]
fn a_capture_ends_when_its_time_is_up_and_can_be_gone_on_with() {
    let directory = tempfile::tempdir().unwrap();
    let host = Host::start(|asked| {
        let page: usize = asked.target.trim_matches('/').parse().unwrap_or(0);
        html(&format!("<a href=/{}>next</a>", page + 1))
    });
    let output = run(directory.path(), &["capture", &host.seed(), "--delay", "0.02", "--time", "300ms", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let site = &said["sites"][0];
    assert_eq!((&site["time_is_up"], site["ending"].is_null()), (&true.into(), true), "{said}");
    assert!(site["waiting"].as_u64().unwrap() > 0, "{said}");
    let said = capture(directory.path(), &host.seed(), &["--budget", "60"]);
    assert_eq!(said["sites"][0]["resumed"], true, "{said}");
}

#[test]
fn credentials_go_to_the_named_server_only_and_are_written_nowhere() {
    let other = Host::start(|_| answer(200, &[("Content-Type", "image/png")], b"\x89PNG\r\n\x1a\nx"));
    let elsewhere = format!("{}x.png", other.seed());
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/robots.txt" | "/sitemap.xml" => not_there(),
        _ if asked.header("authorization") != Some("Basic bWU6c2VzYW1l") => answer(401, &[], b"who are you?"),
        _ => html(&format!("<img src='{elsewhere}'>welcome")),
    });
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("jar"), "127.0.0.1\tFALSE\t/\tFALSE\t0\tid\tcrumbs-of-mine\n").unwrap();
    let header = ["--header", "X-Key: key-of-mine", "--cookies", "jar", "--cookie", "lang=tongue-of-mine"];
    let said = capture(directory.path(), &host.seed(), &[&["--user", "me:sesame"][..], &header].concat());
    assert_eq!(said["sites"][0]["pages"], 2, "{said}");
    let asked = host.asked();
    let last = asked.iter().find(|asked| asked.target == "/").unwrap();
    assert_eq!(last.header("x-key"), Some("key-of-mine"));
    let cookies = last.header("cookie").unwrap();
    assert!(cookies.contains("id=crumbs-of-mine") && cookies.contains("lang=tongue-of-mine"), "{cookies}");
    let strange = other.asked();
    assert!(strange.iter().any(|asked| asked.target == "/x.png"));
    assert!(
        strange
            .iter()
            .all(|asked| ["authorization", "x-key", "cookie"].iter().all(|name| asked.header(name).is_none()))
    );
    let kept = everything(directory.path());
    for secret in ["bWU6c2VzYW1l", "sesame", "key-of-mine", "crumbs-of-mine", "tongue-of-mine"] {
        assert!(!kept.contains(secret), "{secret} was written down");
    }
    assert!(
        !said.to_string().contains("of-mine") && said["sites"][0]["settings"]["credentials"]["value"] == "not archived"
    );

    let output = tintype()
        .current_dir(directory.path())
        .args(["capture", &host.seed(), "--delay", "0", "--record-credentials"])
        .env("TINTYPE_USER", "me:sesame")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(everything(directory.path()).contains("bWU6c2VzYW1l"), "it was asked for");
}

#[test]
fn credentials_without_a_server_they_are_for_are_refused() {
    let (one, other) = (Host::start(site), Host::start(site));
    let directory = tempfile::tempdir().unwrap();
    capture(directory.path(), &one.seed(), &[&other.seed()]);
    one.take_hits();
    let output = run(directory.path(), &["capture", "--user", "me:sesame"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("which server"), "{said}");
    assert!(one.asked().is_empty());
}

#[test]
fn robots_txt_is_passed_over_for_named_hosts_only_and_the_archive_says_so() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(site));
    capture(directory.path(), &host.seed(), &["--ignore-robots", "other.example"]);
    assert!(!pages(&host).contains(&"/shop/".to_owned()));
    capture(directory.path(), &host.seed(), &["--ignore-robots", "127.0.0.1", "--fresh"]);
    assert!(pages(&host).contains(&"/shop/".to_owned()));
    assert!(everything(directory.path()).contains("robots: obey; ignored as asked for 127.0.0.1"));
}

#[test]
fn the_contact_is_sent_and_kept_and_another_name_is_sent_where_asked_for() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(site));
    let agent = |host: &Host| host.asked().last().unwrap().header("user-agent").unwrap().to_owned();
    capture(directory.path(), &host.seed(), &["--contact", "https://me.example/", "--save"]);
    capture(directory.path(), &host.seed(), &[]);
    assert!(agent(&host).contains("tintype") && agent(&host).contains("+https://me.example/"), "{}", agent(&host));
    let file = fs::read_to_string(directory.path().join("collection/tintype.toml")).unwrap();
    assert!(file.contains("contact = \"https://me.example/\""), "{file}");
    capture(directory.path(), &host.seed(), &["--user-agent", "Somebody/1.0"]);
    assert_eq!(agent(&host), "Somebody/1.0");
}

#[test]
fn a_quiet_run_says_nothing_unless_something_fails_and_ones_own_machine_is_recognised() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(site));
    let output = run(directory.path(), &["capture", &host.seed(), "--delay", "0", "--quiet"]);
    assert_eq!((output.stdout.len(), output.stderr.len(), output.status.success()), (0, 0, true), "{output:?}");
    let output = run(directory.path(), &["capture", &format!("{}none", host.seed()), "--budget", "2", "--fresh"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("--delay 0 lifts the pause"), "{said}");
    let (missing, elsewhere) = (format!("{}none", host.seed()), tempfile::tempdir().unwrap());
    let output = run(elsewhere.path(), &["capture", &missing, "--delay", "0", "--quiet", "--scope", "page"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("404 not there"), "{output:?}");
}
