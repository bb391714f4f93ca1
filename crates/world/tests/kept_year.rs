//! A few weeks of a few sites, as `examples/kept_year` plays a year of many.

#[path = "../examples/kept_year/web.rs"]
mod web;

use std::collections::BTreeMap;
use tintype_archive::{CaptureKind, Collection, OpenOptions};
use tintype_plan::{DaySpending, host_name};
use tintype_session::{replay, spent_on};
use tintype_vocab::{Observation, Purpose, Request, Span, Time};
use tintype_world::{Document, Keeping, KeptWeb};
use web::MadeWeb;

const START: Time = Time::from_secs(1_763_424_000);

/// What was asked for, and what was reported.
struct Watched {
    web: MadeWeb,
    asked: Vec<(Time, String, Purpose)>,
    reported: Vec<(Time, String)>,
    /// Nothing can be reached.
    down: Option<[Time; 2]>,
}

impl Watched {
    fn new(pages: usize, per_host: usize) -> Watched {
        Watched { web: MadeWeb { pages, per_host }, asked: Vec::new(), reported: Vec::new(), down: None }
    }

    /// Requests of every day, rules aside.
    fn by_day(&self) -> BTreeMap<Time, u64> {
        let mut days = BTreeMap::new();
        for (at, ..) in self.asked.iter().filter(|asked| asked.2 != Purpose::Robots) {
            *days.entry(at.midnight()).or_default() += 1;
        }
        days
    }
}

impl KeptWeb for Watched {
    fn answer(&mut self, site: usize, request: &Request, held: Option<&str>, now: Time) -> (Option<Document>, Span) {
        let is_down = self.down.iter().any(|[from, to]| *from <= now && now < *to);
        ((!is_down).then(|| self.web.document(site, request, held, now)), Span::from_millis(120))
    }

    fn asked(&mut self, _: usize, request: &Request, now: Time) {
        self.asked.push((now, request.url.clone(), request.purpose));
    }

    fn reported(&mut self, _: usize, seen: &Observation) {
        self.reported.push((seen.asked, seen.url.clone()));
    }
}

fn open(path: &std::path::Path, now: Time) -> Collection {
    Collection::open(path, OpenOptions { create: true, command: "test".to_owned(), now }).unwrap()
}

/// Keeps from one moment to another, in order or until it is dropped like a process that is killed.
fn keep(
    path: &std::path::Path,
    watched: Watched,
    sites: usize,
    per_day: u64,
    [from, to]: [Time; 2],
    in_order: bool,
) -> Watched {
    let collection = open(path, from);
    let names: Vec<String> = (0..sites).map(|site| watched.web.spec(site).name).collect();
    let spent = spent_on(&collection.reading(), &names, from.midnight()).unwrap();
    let spent = DaySpending { requests: spent.requests, bytes: spent.bytes, all_day: spent.earlier };
    let keeper = web::keeper(per_day, from, spent);
    let specs = watched.web.sites(sites);
    let mut keeping = Keeping::begin(&collection, specs, keeper, watched, from).unwrap();
    keeping.run(to).unwrap();
    if in_order { keeping.finish().unwrap() } else { keeping.web }
}

fn days(days: i64) -> Time {
    START + Span::from_days(days)
}

#[test]
fn weeks_of_keeping_stay_within_budget_and_files_follow_days() {
    let directory = tempfile::tempdir().unwrap();
    let watched = keep(directory.path(), Watched::new(40, 1), 4, 100, [days(0), days(40)], true);
    assert!(watched.by_day().values().all(|asked| *asked <= 100), "{:?}", watched.by_day());
    assert!(watched.asked.len() > 3900, "{}", watched.asked.len());
    let count = |part: &str| std::fs::read_dir(directory.path().join(part)).unwrap().count();
    // A segment a day whatever the number of sites, and a log for every site and month.
    assert!(count("warc") <= 41, "{}", count("warc"));
    assert!(count("log") <= 4 * 2, "{}", count("log"));
    let reading = Collection::read(directory.path()).unwrap();
    assert_eq!(reading.verify().unwrap().findings, []);
    let captures = reading.captures_of("site-0002").unwrap();
    assert!(captures.iter().filter(|capture| capture.head.kind == CaptureKind::Keep).count() >= 39);
    for capture in captures.iter().rev().take(2) {
        replay(&reading, capture).unwrap();
    }
}

/// Dropped without a word, as a killed process: what was reported is in the logs, and what was spent is not spent again.
#[test]
fn who_is_killed_loses_nothing_reported_and_spends_nothing_twice() {
    let directory = tempfile::tempdir().unwrap();
    let (mut watched, mut now, mut deaths) = (Watched::new(30, 1), days(0), 0);
    while now < days(12) {
        let to = now + Span::from_secs(17 * 3600 + 311);
        watched = keep(directory.path(), watched, 3, 120, [now, to], false);
        (now, deaths) = (to, deaths + 1);
    }
    keep(directory.path(), Watched::new(30, 1), 3, 120, [now, now], true);
    // What was under way when it died was asked for and is not known.
    assert!(watched.by_day().values().all(|asked| *asked <= 120 + 2 * 3), "{:?}", watched.by_day());
    let reading = Collection::read(directory.path()).unwrap();
    let mut seen = std::collections::HashSet::new();
    for capture in reading.captures().unwrap() {
        for entry in reading.entries(&capture.id).unwrap() {
            if let tintype_vocab::Entry::Observation(observation) = entry.unwrap() {
                seen.insert((observation.asked, observation.url.clone()));
            }
        }
    }
    let lost: Vec<_> = watched.reported.iter().filter(|reported| !seen.contains(*reported)).collect();
    assert_eq!(lost, Vec::<&(Time, String)>::new());
    assert!(watched.asked.len() - watched.reported.len() <= 3 * deaths, "{deaths}");
    assert_eq!(reading.verify().unwrap().findings, []);
}

/// Two hundred sites that lie on twenty hosts: each host is asked as if one site lay there.
#[test]
fn two_hundred_sites_on_twenty_hosts_keep_to_the_pace_of_every_host() {
    let directory = tempfile::tempdir().unwrap();
    let per_day = 24_000;
    let watched =
        keep(directory.path(), Watched::new(4, 10), 200, per_day, [days(0), days(0) + Span::from_secs(3 * 3600)], true);
    let mut hosts: BTreeMap<&str, Vec<Time>> = BTreeMap::new();
    for (at, url, _) in &watched.asked {
        hosts.entry(host_name(url)).or_default().push(*at);
    }
    assert_eq!(hosts.len(), 20);
    for (host, asked) in &hosts {
        assert!(asked.len() > 60, "{host}: {}", asked.len());
        // Five times the 120 ms an answer takes, after the answer.
        let least = asked.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap();
        assert!(least >= Span::from_millis(600), "{host}: {least}");
    }
    assert!(watched.by_day().values().all(|asked| *asked <= per_day));
}

#[test]
fn a_week_without_an_answer_costs_little_and_everything_is_watched_after_it() {
    let directory = tempfile::tempdir().unwrap();
    let down = [days(10), days(17)];
    let watched = Watched { down: Some(down), ..Watched::new(30, 1) };
    let watched = keep(directory.path(), watched, 2, 100, [days(0), days(24)], true);
    let by_day = watched.by_day();
    let between = |from: i64, to: i64| by_day.range(days(from)..days(to)).map(|(_, asked)| *asked).sum::<u64>();
    assert!(between(11, 17) < 6 * 50, "less than half of what there was: {by_day:?}");
    assert!(between(18, 24) > 6 * 90, "{by_day:?}");
    let reading = Collection::read(directory.path()).unwrap();
    for site in ["site-0000", "site-0001"] {
        let status = tintype_session::SiteStatus::of(&reading, site, days(0), days(24)).unwrap();
        assert!(status.pages >= 29, "{site}: {}", status.pages);
        assert!(status.upheaval.is_none());
    }
}

#[test]
fn a_clock_that_jumps_brings_neither_a_burst_nor_a_second_day() {
    let directory = tempfile::tempdir().unwrap();
    let mut watched = keep(directory.path(), Watched::new(30, 1), 2, 100, [days(0), days(6)], true);
    // The machine slept for a week; then its clock is set back by two days.
    for from in [days(13), days(11)] {
        watched.asked.clear();
        watched = keep(directory.path(), watched, 2, 100, [from, from + Span::from_days(1)], true);
        let all: u64 = watched.by_day().values().sum();
        assert!((90..=100).contains(&all), "{all}");
        let asked: Vec<Time> = watched.asked.iter().map(|asked| asked.0).collect();
        let least = asked.windows(3).map(|three| three[2] - three[0]).min().unwrap();
        assert!(least >= Span::from_millis(600), "two sites, two hosts: {least}");
    }
    let reading = Collection::read(directory.path()).unwrap();
    assert_eq!(reading.verify().unwrap().findings, []);
    // Also what was begun in the future, and what in the past after it.
    for capture in &reading.captures().unwrap() {
        replay(&reading, capture).unwrap();
    }
}
