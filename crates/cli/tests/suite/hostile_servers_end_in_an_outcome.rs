//! Whatever a server does, a capture ends by itself, keeps what it can, and the rest of the site is captured.
//! (Servers that keep one waiting end by time-outs too long for a test; the client's own tests shorten and prove them.)

use crate::{
    bench::{files, run, tintype},
    host::{Asked, Host, Reply, answer, html, not_there, raw, redirect},
};
use flate2::{Compression, write::GzEncoder};
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Write},
    net::{Shutdown, TcpStream},
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use tintype_vocab::{Entry, LeftOut};
use tintype_warc::{Reader, RecordType};

const MEMORY_MAX: u64 = 200 << 20;

/// A site whose entrance links to these and, after them, to `/good`.
fn site(paths: &[&str], misbehave: impl Fn(&Asked) -> Option<Reply> + Send + Sync + 'static) -> Host {
    let entrance: String = paths.iter().chain(&["/good"]).map(|path| format!("<a href='{path}'>{path}</a>")).collect();
    Host::start(move |asked| match (asked.target.as_str(), misbehave(asked)) {
        (_, Some(misdeed)) => misdeed,
        ("/", None) => html(&entrance),
        ("/good", None) => html("a good page"),
        _ => not_there(),
    })
}

/// Captures to the end and sees that nothing is left in disorder. The summary of the site.
fn endure(directory: &Path, host: &Host, options: &[&str]) -> serde_json::Value {
    let output = run(directory, &[&["capture", &host.seed(), "--delay", "0", "--json"], options].concat());
    assert!(output.status.success(), "{output:?}");
    let verified = run(directory, &["verify"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    assert!(host.asked().iter().any(|asked| asked.target == "/good"), "the good page was asked for");
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    said["sites"][0].clone()
}

/// Why responses were cut, and how long they are, by path.
fn responses(directory: &Path, host: &Host) -> BTreeMap<String, (Option<String>, u64)> {
    let mut responses = BTreeMap::new();
    for segment in files(directory, "warc") {
        let mut reader = Reader::new(File::open(segment).unwrap());
        while let Some(record) = reader.next().unwrap() {
            if record.header.record_type() == RecordType::Response {
                let path = record.header.target_uri().unwrap().strip_prefix(&host.origin()).unwrap().to_owned();
                let cut = record.header.truncated().map(str::to_owned);
                responses.insert(path, (cut, record.header.content_length().unwrap()));
            }
        }
    }
    responses
}

fn misdeed(act: impl FnOnce(&mut TcpStream) -> io::Result<()> + 'static) -> Option<Reply> {
    Some(Reply::Misdeed(Box::new(act)))
}

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

#[test]
fn an_endless_body_is_cut_at_the_limit() {
    let host = site(&["/endless", "/endless/chunks"], |asked| match asked.target.as_str() {
        "/endless" => misdeed(|stream| {
            stream.write_all(&[HEAD, b"\r\n"].concat())?;
            loop {
                stream.write_all(&[b'x'; 8192])?;
            }
        }),
        "/endless/chunks" => misdeed(|stream| {
            stream.write_all(&[HEAD, b"Transfer-Encoding: chunked\r\n\r\n"].concat())?;
            loop {
                stream.write_all(b"10\r\n0123456789abcdef\r\n")?;
            }
        }),
        _ => None,
    });
    let directory = tempfile::tempdir().unwrap();
    let said = endure(directory.path(), &host, &["--body-limit", "100kB"]);
    assert_eq!(said["pages"], 4, "{said}");
    let responses = responses(directory.path(), &host);
    for path in ["/endless", "/endless/chunks"] {
        let (cut, length) = &responses[path];
        assert_eq!(cut.as_deref(), Some("length"), "{path}");
        assert!((100_000..100_200).contains(length), "{path}: {length}");
    }
    assert_eq!(responses["/good"].0, None);
}

/// Broken in ways that need no second try, and what becomes of each.
fn broken(asked: &Asked) -> Option<Reply> {
    Some(match asked.target.as_str() {
        "/not-http" => raw("SSH-2.0-OpenSSH_9.9\r\n"),
        "/header-bomb" => {
            let mut bomb = HEAD.to_vec();
            (0..100_000)
                .for_each(|line| bomb.extend_from_slice(format!("X-{line}: {}\r\n", "x".repeat(90)).as_bytes()));
            raw(bomb)
        }
        "/one-header" => raw([HEAD, b"X: ", &vec![b'x'; 10 << 20], b"\r\n\r\nbody"].concat()),
        "/garbage-chunks" => raw([HEAD, b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzebra\r\n\xff\x00"].concat()),
        "/absurd-chunk" => raw([HEAD, b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nhello"].concat()),
        "/absurd-length" => raw([HEAD, b"Content-Length: 18446744073709551615\r\n\r\nhello"].concat()),
        "/two-lengths" => raw([HEAD, b"Content-Length: 5\r\nContent-Length: 50\r\n\r\nhello"].concat()),
        "/short" => raw([HEAD, b"Content-Length: 500\r\n\r\nhello"].concat()),
        "/not-gzip" => raw([HEAD, b"Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain"].concat()),
        "/half-closed" => {
            return misdeed(|stream| {
                stream.write_all(&[HEAD, b"\r\nhalf closed"].concat())?;
                stream.shutdown(Shutdown::Write)?;
                // Stays until the other side hangs up as well.
                io::copy(stream, &mut io::sink()).map(drop)
            });
        }
        "/reset" => {
            return misdeed(|stream| {
                stream.write_all(&[HEAD, b"Content-Length: 500\r\n\r\nhello"].concat())?;
                reset_on_close(stream)
            });
        }
        _ => return None,
    })
}

/// Makes the kernel send a reset when the connection is closed.
fn reset_on_close(stream: &TcpStream) -> io::Result<()> {
    let socket = tokio::net::TcpSocket::from_std_stream(stream.try_clone()?);
    socket.set_zero_linger()
}

#[test]
fn broken_answers_are_outcomes_and_the_site_goes_on() {
    let paths = [
        "/not-http",
        "/header-bomb",
        "/one-header",
        "/garbage-chunks",
        "/absurd-chunk",
        "/absurd-length",
        "/two-lengths",
        "/short",
        "/not-gzip",
        "/half-closed",
        "/reset",
    ];
    let (directory, host) = (tempfile::tempdir().unwrap(), site(&paths, broken));
    let said = endure(directory.path(), &host, &[]);
    let responses = responses(directory.path(), &host);
    assert_eq!(said["ending"], "complete", "{said}");
    assert_eq!(said["failures"]["response head too large"], 2, "{said}");
    for path in ["/garbage-chunks", "/short", "/reset"] {
        assert_eq!(
            responses.get(path).and_then(|(cut, _)| cut.as_deref()),
            Some("disconnect"),
            "{path}: {responses:?}"
        );
    }
    for path in ["/half-closed", "/not-gzip", "/good"] {
        assert_eq!(responses[path].0, None, "{path}");
    }
    // Every one is in the archive or among the failures.
    let counted = said["pages"].as_u64().unwrap()
        + said["failures"].as_object().unwrap().values().filter_map(|count| count.as_u64()).sum::<u64>();
    assert!(counted >= paths.len() as u64 + 2, "{said}");
}

#[test]
fn a_server_that_hangs_up_is_tried_again_and_then_left() {
    let host = site(&["/silent", "/half-a-head"], |asked| match asked.target.as_str() {
        "/silent" => Some(raw("")),
        "/half-a-head" => Some(raw("HTTP/1.1 200 OK\r\nContent-Ty")),
        _ => None,
    });
    let directory = tempfile::tempdir().unwrap();
    let said = endure(directory.path(), &host, &[]);
    assert_eq!(said["ending"], "complete", "{said}");
    let hits = host.take_hits();
    assert_eq!(hits["/half-a-head"], 3, "{hits:?}");
    // A try over a kept connection is made twice: the server may have hung up because of the connection.
    assert!((3..=6).contains(&hits["/silent"]), "{hits:?}");
    assert_eq!(said["failures"]["connection closed early"], 6, "{said}");
}

/// The most memory a process has had so far.
fn peak_memory(process: u64) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

/// Captures a site and measures how much memory that had taken at most when another page than `path` was asked for.
fn memory_after(
    path: &'static str,
    reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    options: &[&str],
) -> (u64, serde_json::Value) {
    let (process, peak) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (seen, measured) = (process.clone(), peak.clone());
    let host = site(&[path], move |asked| {
        let process = seen.load(Ordering::SeqCst);
        if asked.target != path && process != 0 {
            measured.fetch_max(peak_memory(process), Ordering::SeqCst);
        }
        (asked.target == path).then(|| reply(asked))
    });
    let directory = tempfile::tempdir().unwrap();
    let mut command = tintype();
    command.current_dir(directory.path()).args(["capture", &host.seed(), "--delay", "0", "--json"]).args(options);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    process.store(u64::from(child.id()), Ordering::SeqCst);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(run(directory.path(), &["verify"]).status.success());
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    (peak.load(Ordering::SeqCst), said["sites"][0].clone())
}

#[test]
fn a_decompression_bomb_does_not_go_off() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let zeros = vec![0; 1 << 20];
    (0..1024).for_each(|_| encoder.write_all(&zeros).unwrap());
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 2 << 20);
    let sent = move |_: &Asked| answer(200, &[("Content-Type", "text/html"), ("Content-Encoding", "gzip")], &bomb);
    let (peak, said) = memory_after("/bomb", sent, &[]);
    assert_eq!(said["pages"], 3, "{said}");
    assert!((1..MEMORY_MAX).contains(&peak), "{} MB", peak >> 20);
}

#[test]
fn a_page_of_a_hundred_thousand_links_is_read_up_to_a_limit() {
    let links: String = (0..100_000).map(|number| format!("<a href=/many/{number}>{number}</a>\n")).collect();
    let (peak, said) = memory_after("/many", move |_| html(&links), &["--budget", "10"]);
    assert_eq!(said["ending"], "budget-spent", "{said}");
    let (waiting, left_out) = (said["waiting"].as_u64().unwrap(), &said["excluded"]["too-many-links"]);
    assert!(waiting > 10_000, "{said}");
    assert_eq!(
        left_out["links"].as_u64().unwrap() + waiting + 5,
        100_000,
        "every link is asked for, known or counted: {said}"
    );
    assert!((1..MEMORY_MAX).contains(&peak), "{} MB", peak >> 20);
}

/// What the log of the only capture says was not read from pages.
fn unread(directory: &Path) -> LeftOut {
    let reading = tintype_archive::Collection::read(&directory.join("collection")).unwrap();
    let id = reading.captures().unwrap()[0].id.clone();
    let observed = reading.entries(&id).unwrap().filter_map(|entry| match entry.unwrap() {
        Entry::Observation(observation) => Some(observation.links.left_out()),
        Entry::Decision(_) => None,
    });
    observed.fold(LeftOut::default(), |sum, page| LeftOut {
        too_long: sum.too_long + page.too_long,
        too_many: sum.too_many + page.too_many,
    })
}

#[test]
fn absurd_urls_are_left_out() {
    let long = format!("/{}", "x".repeat(100_000));
    let paths = [&long, "/moved", "http://[", "http://a:b:c/", "//", "http://%00/", "ftp://a/", "http://"];
    let away = long.clone();
    let host = site(&paths, move |asked| match asked.target.as_str() {
        "/moved" => Some(redirect(&away)),
        _ => None,
    });
    let directory = tempfile::tempdir().unwrap();
    let said = endure(directory.path(), &host, &[]);
    assert_eq!(said["excluded"]["url-too-long"]["links"], 2, "the link and the redirect: {said}");
    assert!(host.asked().iter().all(|asked| asked.target.len() < 100));
    assert_eq!(unread(directory.path()), LeftOut { too_long: 1, too_many: 0 }, "the log tells it to whoever resumes");
}

#[test]
fn rules_that_moved_to_an_absurd_place_are_rules_that_are_not_there() {
    let host =
        site(&[], |asked| (asked.target == "/robots.txt").then(|| redirect(&format!("/{}", "x".repeat(20_000)))));
    let directory = tempfile::tempdir().unwrap();
    endure(directory.path(), &host, &[]);
}

#[test]
fn redirects_without_end_end() {
    let host = site(&["/round", "/on?0", "/self"], |asked| match asked.target.as_str() {
        "/round" => Some(redirect("/about")),
        "/about" => Some(redirect("/round")),
        "/self" => Some(redirect("/self")),
        target => {
            target.strip_prefix("/on?").map(|step| redirect(&format!("/on?{}", step.parse::<u64>().unwrap() + 1)))
        }
    });
    let directory = tempfile::tempdir().unwrap();
    let said = endure(directory.path(), &host, &[]);
    assert!(said["excluded"]["redirect-loop"]["links"].as_u64().unwrap() >= 2, "{said}");
    let hits = host.take_hits();
    assert!(hits.len() < 25 && hits.values().all(|count| *count <= 11), "{hits:?}");
}

#[test]
fn a_page_that_is_out_of_service_for_an_hour_is_named_and_the_capture_ends() {
    let host = site(&["/later"], |asked| {
        (asked.target == "/later").then(|| answer(503, &[("Retry-After", "3000")], b"later"))
    });
    let directory = tempfile::tempdir().unwrap();
    let said = endure(directory.path(), &host, &[]);
    assert_eq!(said["ending"], "complete", "{said}");
    let named = said["excluded"]["out-of-service"]["samples"][0].as_str().unwrap();
    assert!(named.ends_with("/later"), "{said}");
    assert_eq!(said["failures"]["503 refused"], 1, "it is not asked again sooner than it wants: {said}");
}

#[test]
fn a_start_that_leads_back_to_itself_is_told_as_a_loop() {
    let host = Host::start(|asked| redirect(if asked.target == "/" { "/in" } else { "/" }));
    let directory = tempfile::tempdir().unwrap();
    let output = run(directory.path(), &["capture", &host.seed(), "--delay", "0"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && said.contains("back to where they came from"), "{said}");
}

#[test]
fn rules_that_redirect_without_end_forbid_nothing() {
    let host =
        site(&[], |asked| asked.target.starts_with("/robots.txt").then(|| redirect(&format!("{}x", asked.target))));
    let directory = tempfile::tempdir().unwrap();
    endure(directory.path(), &host, &[]);
}

#[test]
fn traps_are_left_and_the_report_says_by_which_rule() {
    let host = site(&["/loop/", "/calendar/2026/12", "/shop?color=1&size=1&sort=1", "/deep"], |asked| {
        let target = asked.target.as_str();
        if target.starts_with("/loop/") {
            return Some(html("<a href=loop/>again</a>"));
        }
        if let Some((year, month)) = target.strip_prefix("/calendar/").and_then(|date| date.split_once('/')) {
            let (year, month): (u32, u32) = (year.parse().unwrap(), month.parse().unwrap());
            let (year, month) = if month >= 7 { (year + 1, 1) } else { (year, month + 6) };
            return Some(html(&format!("<a href=/calendar/{year}/{month}>next</a>")));
        }
        if target.starts_with("/shop?") {
            let last = target.rsplit('=').next().unwrap().parse::<u32>().unwrap();
            let more = (1..=100).map(|add| format!("<a href='/shop?color=1&size={add}&sort={}'>s</a>", last + add));
            return Some(html(&more.collect::<String>()));
        }
        let depth = target.strip_prefix("/deep")?.split('/').count();
        // What only repeats itself would be left by another rule.
        let own = "deeper".repeat(depth);
        Some(html(&format!("{own} <a href='{target}/d{depth}'>on</a>")))
    });
    let directory = tempfile::tempdir().unwrap();
    let said = endure(directory.path(), &host, &["--connections", "4"]);
    for rule in ["repeating-path", "calendar", "parameter-explosion", "deep-path"] {
        assert!(
            said["excluded"][rule]["links"].as_u64().is_some_and(|links| links > 0),
            "{rule}: {}",
            said["excluded"]
        );
    }
    // A path of a hundred sizes may have a few queries of each.
    assert!(host.asked().len() < 800, "{}", host.asked().len());
}
