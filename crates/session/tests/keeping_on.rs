//! A site that is kept begins with what was kept of it and the logs since as it would with all its logs.

use std::path::{Path, PathBuf};
use tintype_archive::{Capture, CaptureKind, Collection, Exchange, OpenOptions, Retention, Spool};
use tintype_plan::{
    Mode, Settings, Step,
    policy::{self, Use},
};
use tintype_session::{CollectionKnowledge, Opened, Session, SiteSpec, replay};
use tintype_vocab::{Decision, Observation, Outcome, Request, SiteId, Span, Time, Visit};

const START: Time = Time::from_secs(1_794_000_000);

fn collection(path: &Path) -> Collection {
    Collection::open(path, OpenOptions { create: true, command: "test".to_owned(), now: START }).unwrap()
}

/// The whole capture first, then stretches of watching, each on a day of its own and with dice of its own.
fn open(collection: &Collection, policy: &str, day: i64) -> Opened {
    let mut settings = Settings::new(SiteId(0), vec!["http://e.com/".to_owned()]);
    settings.run_seed = day as u64;
    let kind = if day == 0 { CaptureKind::Capture } else { CaptureKind::Keep };
    if day > 0 {
        (settings.mode, settings.policy) = (Mode::Kept, policy.to_owned());
    }
    let (name, lesser) = ("e.com".to_owned(), Retention::default());
    let spec = SiteSpec { name, kind, settings, lesser, describe: Vec::new(), fresh: false };
    Session::open(collection, &spec, &CollectionKnowledge::default(), START + Span::from_days(day)).unwrap()
}

/// Every page links three others of forty. One in five changes every hour, one fails, one moves, one comes and goes.
fn answer(capture: &mut Capture, request: Request, now: Time) -> Observation {
    let number = request.url.rsplit('/').next().and_then(|name| name.parse().ok()).unwrap_or(0u32);
    let links = (1..=3).map(|nth| format!("<a href=/{}>{nth}</a>", (number * 3 + nth) % 40));
    let hour = if number.is_multiple_of(5) { now.as_secs() / 3600 } else { 0 };
    let body = format!("{}<p>page {number} of {hour}</p>", links.collect::<String>());
    let is_page = !request.url.ends_with(".txt") && !request.url.ends_with(".xml");
    let there = is_page && (number != 7 || now.as_secs() / 86_400 % 3 != 0);
    let (head, outcome) = match number {
        _ if !there => ("404 Not Found".to_owned(), Outcome::Gone { status: 404 }),
        11 => ("503 Busy".to_owned(), Outcome::Refused { status: 503, retry_after: None }),
        13 => {
            let to = "http://e.com/14".to_owned();
            (format!("301 Moved\r\nLocation: {to}"), Outcome::Redirected { status: 301, to })
        }
        _ => (format!("200 OK\r\nETag: \"{number}-{hour}\""), Outcome::Body { status: 200 }),
    };
    let exchange = Exchange {
        request_head: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        response_head: format!("HTTP/1.1 {head}\r\nContent-Type: text/html\r\n\r\n").into_bytes(),
        body: Spool::from_bytes(body.into_bytes()),
        peer: None,
        protocols: Vec::new(),
        cipher_suite: None,
        truncated: None,
    };
    let visit = Visit { request, asked: now, answered: now + Span::from_millis(50), outcome };
    capture.ingest(&visit, Some(exchange), None).unwrap()
}

/// Goes so many steps from a day on, a quarter of an hour apart; says what was decided.
fn go(session: &mut Session, capture: &mut Capture, day: i64, steps: usize) -> Vec<Decision> {
    let (mut now, mut decided) = (START + Span::from_days(day), Vec::new());
    while decided.len() < steps {
        now += Span::from_secs(900);
        match session.next(now) {
            Step::Fetch(request) => {
                decided.push(session.last_decision().unwrap().clone());
                capture.decide(decided.last().unwrap()).unwrap();
                session.settle(&answer(capture, request, now));
            }
            Step::WaitUntil(until) => now = now.max(until),
            Step::Idle | Step::Done => break,
        }
    }
    capture.commit().unwrap();
    decided
}

/// One stretch; what was asked for when.
fn stretch(path: &Path, policy: &str, day: i64, steps: usize) -> Vec<(String, Time)> {
    let collection = collection(path);
    let Opened { mut session, mut capture, warnings } = open(&collection, policy, day);
    assert_eq!(warnings, []);
    let decided = go(&mut session, &mut capture, day, steps);
    match session.closing_entry((day == 0).then(|| session.ending())) {
        // As by a kill now and then.
        _ if day % 3 == 2 => {}
        Some(end) => capture.finish(&end).unwrap(),
        None => capture.suspend().unwrap(),
    }
    decided.into_iter().map(|decision| (decision.url, decision.at)).collect()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}

fn kept(path: &Path) -> Option<PathBuf> {
    let state = std::fs::read_dir(path.join("state")).unwrap().map(|entry| entry.unwrap().path());
    state.into_iter().find(|path| path.extension().is_some_and(|end| end == "kept"))
}

fn replay_all(path: &Path) -> usize {
    let reading = Collection::read(path).unwrap();
    let captures = reading.captures().unwrap();
    captures.iter().for_each(|capture| drop(replay(&reading, capture).unwrap()));
    captures.len()
}

#[test]
fn what_was_kept_and_the_logs_since_are_as_good_as_all_logs_for_every_policy() {
    for policy in policy::offered(Use::Keep).map(|entry| entry.name) {
        let directory = tempfile::tempdir().unwrap();
        let [with, bare] = ["with", "bare"].map(|name| directory.path().join(name));
        assert!(stretch(&with, policy, 0, usize::MAX).len() > 30);
        for day in 1..=3 {
            stretch(&with, policy, day, 70);
        }
        copy(&with, &bare);
        std::fs::remove_file(kept(&bare).expect("what was learned is kept")).unwrap();
        let (quick, whole) = (stretch(&with, policy, 5, 80), stretch(&bare, policy, 5, 80));
        assert_eq!(quick.len(), 80, "{policy}");
        assert_eq!(quick, whole, "{policy}");
        assert_eq!(replay_all(&with), 5, "{policy}");
    }
}

/// Whoever reads it all again keeps it anew, without what was put behind it.
#[test]
fn what_came_before_is_not_read_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    stretch(path, "tintype", 0, usize::MAX);
    stretch(path, "tintype", 1, 90);
    stretch(path, "tintype", 3, 10);
    let file = kept(path).unwrap();
    let marked = [std::fs::read(&file).unwrap(), b"put behind it".to_vec()].concat();
    std::fs::write(&file, &marked).unwrap();
    stretch(path, "tintype", 4, 10);
    assert!(std::fs::read(&file).unwrap() == marked);
    stretch(path, "tintype", 6, 90);
    stretch(path, "tintype", 7, 10);
    assert!(std::fs::read(&file).unwrap() != marked, "ninety visits are worth keeping");
}

#[test]
fn what_cannot_be_read_or_is_of_other_settings_or_logs_is_learned_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    stretch(path, "tintype", 0, usize::MAX);
    stretch(path, "tintype", 1, 90);
    stretch(path, "tintype", 3, 90);
    let file = kept(path).unwrap();
    let bytes = std::fs::read(&file).unwrap();
    for (nth, damage) in [0, 9, bytes.len() / 2, bytes.len() - 1].into_iter().enumerate() {
        let mut damaged = bytes.clone();
        damaged[damage] ^= 1;
        std::fs::write(&file, &damaged).unwrap();
        stretch(path, "tintype", 4 + nth as i64, 10);
        assert!(std::fs::read(&file).unwrap() != damaged, "{damage}");
    }
    let before = std::fs::read(&file).unwrap();
    stretch(path, "uniform", 15, 10);
    assert!(std::fs::read(&file).unwrap() != before, "another policy has something else in mind");
    replay_all(path);
}
