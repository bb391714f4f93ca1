//! A session that was killed goes on from its checkpoint as it would from its whole log.

use std::path::Path;
use tintype_archive::{Capture, CaptureKind, Checkpoint, Collection, Exchange, OpenOptions, Retention, Spool};
use tintype_plan::{Settings, Step};
use tintype_quality::Tally;
use tintype_session::{CollectionKnowledge, Opened, Session, SiteSpec};
use tintype_vocab::{Decision, Observation, Outcome, Request, SiteId, Span, Time, Visit};

const START: Time = Time::from_secs(1_794_000_000);

fn collection(path: &Path) -> Collection {
    Collection::open(path, OpenOptions { create: true, command: "test".to_owned(), now: START }).unwrap()
}

fn open(collection: &Collection, policy: &str, revisit: bool) -> Opened {
    let mut settings = Settings::new(SiteId(0), vec!["http://e.com/".to_owned()]);
    (settings.policy, settings.revisit, settings.connections) = (policy.to_owned(), revisit, 2);
    let (name, kind, lesser) = ("e.com".to_owned(), CaptureKind::Capture, Retention::default());
    let spec = SiteSpec { name, kind, settings, lesser, describe: Vec::new(), fresh: false };
    Session::open(collection, &spec, &CollectionKnowledge::default(), START).unwrap()
}

/// Every page links three others of a hundred, and has words of its own.
fn answer(capture: &mut Capture, request: Request, now: Time) -> Observation {
    let number = request.url.rsplit('/').next().and_then(|name| name.parse().ok()).unwrap_or(0u32);
    let links = (1..=3).map(|nth| format!("<a href=/{}>{nth}</a>", (number * 3 + nth) % 100));
    let own = "a".repeat(number as usize + 1);
    let body = format!("{}{own}", links.collect::<String>());
    let found = !request.url.ends_with(".txt") && !request.url.ends_with(".xml");
    let (status, outcome) =
        if found { ("200 OK", Outcome::Body { status: 200 }) } else { ("404 Not", Outcome::Gone { status: 404 }) };
    let exchange = Exchange {
        request_head: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        response_head: format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\nETag: \"{number}\"\r\n\r\n")
            .into_bytes(),
        body: Spool::from_bytes(body.into_bytes()),
        peer: None,
        protocols: Vec::new(),
        cipher_suite: None,
        truncated: None,
    };
    let visit = Visit { request, asked: now, answered: now + Span::from_millis(50), outcome };
    capture.ingest(&visit, Some(exchange), None).unwrap()
}

/// Goes so many steps, with requests under way all the time; says what was decided.
fn go(session: &mut Session, capture: &mut Capture, flying: &mut Vec<Request>, steps: usize) -> Vec<Decision> {
    let (mut now, mut decided) = (START + Span::from_days(1), Vec::new());
    while decided.len() < steps {
        now += Span::from_secs(2);
        match session.next(now) {
            Step::Fetch(request) => {
                decided.push(session.last_decision().unwrap().clone());
                capture.decide(decided.last().unwrap()).unwrap();
                flying.push(request);
            }
            Step::WaitUntil(_) | Step::Idle if !flying.is_empty() => {
                let request = flying.remove(0);
                session.settle(&answer(capture, request, now));
            }
            Step::WaitUntil(until) => now = until,
            Step::Idle | Step::Done => break,
        }
    }
    capture.commit().unwrap();
    decided
}

fn keep(session: &Session, capture: &mut Capture) {
    let mut checkpoint = Checkpoint::new(&capture.spool_directory());
    assert!(session.save(&mut |block| checkpoint.push(&block).unwrap()));
    capture.checkpoint(checkpoint).unwrap();
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

/// What an earlier run had done, and what the next one decides.
fn resumed(path: &Path, policy: &str, revisit: bool) -> (Tally, Vec<(String, u64)>) {
    let collection = collection(path);
    let Opened { mut session, mut capture, .. } = open(&collection, policy, revisit);
    let tally = session.resumed().expect("it goes on").tally.clone();
    let decided = go(&mut session, &mut capture, &mut Vec::new(), usize::MAX);
    (tally, decided.into_iter().map(|decision| (decision.url, decision.settled)).collect())
}

#[test]
fn a_checkpoint_and_the_rest_of_the_log_are_as_good_as_all_of_it() {
    for (policy, revisit) in [("breadth-first", false), ("sharp", false), ("sharp", true), ("breadth-first", true)] {
        let directory = tempfile::tempdir().unwrap();
        let [killed, bare] = ["killed", "bare"].map(|name| directory.path().join(name));
        let collection = collection(&killed);
        let Opened { mut session, mut capture, .. } = open(&collection, policy, revisit);
        let mut flying = Vec::new();
        go(&mut session, &mut capture, &mut flying, 40);
        keep(&session, &mut capture);
        go(&mut session, &mut capture, &mut flying, 15);
        let checkpoint = format!("state/{}.checkpoint", capture.id());
        // Nothing is brought to an end, as by a kill.
        drop((session, capture, collection));
        copy(&killed, &bare);
        std::fs::remove_file(bare.join(&checkpoint)).unwrap();
        let (quick, whole) = (resumed(&killed, policy, revisit), resumed(&bare, policy, revisit));
        assert!(quick.0.visits > 40 && quick.1.len() > 30, "{policy}: {quick:?}");
        assert_eq!(quick, whole, "{policy} {revisit}");
    }
}

/// The session is only taught what came after: a log whose beginning is gone would not do without its checkpoint.
#[test]
fn what_came_before_the_checkpoint_is_not_read() {
    let directory = tempfile::tempdir().unwrap();
    let first = collection(directory.path());
    let Opened { mut session, mut capture, .. } = open(&first, "sharp", false);
    go(&mut session, &mut capture, &mut Vec::new(), 60);
    keep(&session, &mut capture);
    let log = directory.path().join(format!("log/{}.jsonl", capture.id()));
    drop((session, capture, first));
    let mut text = std::fs::read(&log).unwrap();
    let head = text.iter().position(|byte| *byte == b'\n').unwrap();
    let end = text.len() - 4096;
    text[head + 1..end].fill(b' ');
    std::fs::write(&log, text).unwrap();
    let collection = collection(directory.path());
    let Opened { session, .. } = open(&collection, "sharp", false);
    assert!(session.resumed().unwrap().tally.visits > 50);
}
