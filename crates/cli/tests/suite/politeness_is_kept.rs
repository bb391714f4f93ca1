//! Politeness, measured where it counts: at the server.

use crate::{
    bench::{capture, run},
    host::{Asked, Host, Reply, answer, html, not_there},
};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// A small site with these rules: an entrance that links to `/a` to `/d`.
fn site(robots: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Host {
    Host::start(move |asked| match asked.target.as_str() {
        "/robots.txt" => robots(asked),
        "/" => html("<a href=/a>a</a> <a href=/b>b</a> <a href=/c/x>c</a> <a href=/d?private=1>d</a>"),
        "/a" | "/b" | "/c/x" | "/d?private=1" | "/listed" => html("a page"),
        "/map.xml" => listing(&format!("{}/listed", asked.origin())),
        _ => not_there(),
    })
}

fn listing(place: &str) -> Reply {
    let xml = format!("<urlset><url><loc>{place}</loc></url></urlset>");
    answer(200, &[("Content-Type", "application/xml")], xml.as_bytes())
}

/// A robots.txt in which `HERE` stands for the site's own address.
fn rules(text: &'static str) -> impl Fn(&Asked) -> Reply + Send + Sync + 'static {
    move |asked| answer(200, &[("Content-Type", "text/plain")], text.replace("HERE", &asked.origin()).as_bytes())
}

/// Targets in the order they were asked for.
fn order(asked: &[Asked]) -> Vec<&str> {
    asked.iter().map(|asked| asked.target.as_str()).collect()
}

/// The pauses a server saw between requests.
fn pauses(asked: &[Asked]) -> Vec<Duration> {
    asked.windows(2).map(|pair| pair[1].at - pair[0].at).collect()
}

#[test]
fn robots_txt_comes_first_and_its_rules_and_sitemaps_are_followed() {
    let (directory, host) = (
        tempfile::tempdir().unwrap(),
        site(rules(
            "User-agent: tintype\nDisallow: /c/\nDisallow: /*private=\nSitemap: HERE/map.xml\n\nUser-agent: *\nDisallow: /\n",
        )),
    );
    let said = capture(directory.path(), &host.seed(), &[]);
    let asked = host.asked();
    assert_eq!(asked[0].target, "/robots.txt");
    let mut targets = order(&asked);
    targets.sort();
    assert_eq!(targets, ["/", "/a", "/b", "/listed", "/map.xml", "/robots.txt"]);
    assert_eq!(said["sites"][0]["excluded"]["robots"]["links"], 2, "{said}");
}

#[test]
fn crawl_delay_is_kept() {
    let (directory, host) = (tempfile::tempdir().unwrap(), site(rules("User-agent: *\nCrawl-delay: 0.3\n")));
    let output = run(directory.path(), &["capture", &host.seed(), "--delay", "0.01", "--budget", "5"]);
    assert!(output.status.success(), "{output:?}");
    let asked = host.asked();
    assert_eq!(asked.len(), 5);
    assert!(pauses(&asked).iter().all(|pause| *pause >= Duration::from_millis(295)), "{:?}", pauses(&asked));
}

#[test]
fn a_delay_of_ones_own_is_kept_over_one_connection() {
    let (directory, host) = (tempfile::tempdir().unwrap(), site(|_| not_there()));
    let output = run(directory.path(), &["capture", &host.seed(), "--delay", "0.2", "--budget", "6"]);
    assert!(output.status.success(), "{output:?}");
    let asked = host.asked();
    assert_eq!(asked.len(), 6);
    assert!(pauses(&asked).iter().all(|pause| *pause >= Duration::from_millis(195)), "{:?}", pauses(&asked));
    assert_eq!((host.accepted(), host.most_open()), (1, 1), "one connection, kept");
}

#[test]
fn without_a_word_from_anyone_there_is_a_second_between_requests() {
    let (directory, host) = (tempfile::tempdir().unwrap(), site(|_| not_there()));
    let output = run(directory.path(), &["capture", &host.seed(), "--budget", "3"]);
    assert!(output.status.success(), "{output:?}");
    assert!(
        pauses(&host.asked()).iter().all(|pause| *pause >= Duration::from_millis(995)),
        "{:?}",
        pauses(&host.asked())
    );
    assert_eq!(host.asked().len(), 3);
}

#[test]
fn one_connection_at_a_time_unless_told_otherwise() {
    let busy = || {
        Host::start(|asked| match asked.target.as_str() {
            "/robots.txt" | "/sitemap.xml" => not_there(),
            "/" => html(&(0..40).map(|page| format!("<a href=/{page}>{page}</a>")).collect::<String>()),
            _ => html("a page"),
        })
    };
    let (directory, host) = (tempfile::tempdir().unwrap(), busy());
    capture(directory.path(), &host.seed(), &[]);
    assert_eq!((host.asked().len(), host.most_open()), (43, 1));
    let (directory, host) = (tempfile::tempdir().unwrap(), busy());
    capture(directory.path(), &host.seed(), &["--connections", "4"]);
    assert_eq!(host.asked().len(), 43);
    assert!((2..=4).contains(&host.most_open()), "{}", host.most_open());
}

/// A page that is refused at first, with a word about when to come back.
fn refused_once(status: u16) {
    let times = AtomicUsize::new(0);
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/robots.txt" | "/sitemap.xml" => not_there(),
        "/" => html("<a href=/busy>busy</a> <a href=/calm>calm</a>"),
        "/busy" if times.fetch_add(1, Ordering::SeqCst) == 0 => answer(status, &[("Retry-After", "1")], b"later"),
        _ => html("a page"),
    });
    let directory = tempfile::tempdir().unwrap();
    let said = capture(directory.path(), &host.seed(), &[]);
    assert_eq!(said["sites"][0]["pages"], 3, "{said}");
    let asked = host.asked();
    let busy = asked.iter().position(|asked| asked.target == "/busy").unwrap();
    assert!(pauses(&asked)[busy] >= Duration::from_millis(995), "{:?}", pauses(&asked));
    assert_eq!(order(&asked).iter().filter(|target| **target == "/busy").count(), 2, "{:?}", order(&asked));
}

#[test]
fn a_server_with_too_many_visitors_is_left_alone_until_it_says() {
    refused_once(429);
}

#[test]
fn a_server_out_of_service_is_left_alone_until_it_says() {
    refused_once(503);
}

#[test]
fn rules_that_cannot_be_read_forbid_everything() {
    let (directory, host) = (tempfile::tempdir().unwrap(), site(|_| answer(500, &[], b"broken")));
    let output = run(directory.path(), &["capture", &host.seed(), "--delay", "0", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(order(&host.asked()), ["/robots.txt"; 3], "asked again, and nothing else");
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["sites"][0]["excluded"]["robots-unreachable"]["samples"][0], host.seed(), "{said}");
}

#[test]
fn rules_that_are_not_there_forbid_nothing() {
    for status in [403, 404, 410] {
        let (directory, host) = (tempfile::tempdir().unwrap(), site(move |_| answer(status, &[], b"no rules")));
        let said = capture(directory.path(), &host.seed(), &[]);
        assert_eq!(said["sites"][0]["pages"], 5, "{status}: {said}");
    }
}

#[test]
fn every_request_says_who_asks_and_where_to_complain() {
    let (directory, host) = (tempfile::tempdir().unwrap(), site(|_| not_there()));
    capture(directory.path(), &host.seed(), &["--contact", "https://library.example/crawler"]);
    for asked in host.asked() {
        let agent = asked.header("user-agent").unwrap();
        assert!(agent.contains("tintype/") && agent.contains("+https://library.example/crawler"), "{agent}");
    }
}
