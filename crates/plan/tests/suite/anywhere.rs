//! Captures that go wherever links lead: many hosts, each at its pace, the best first.

use crate::toy::{Page, Toy};
use std::collections::{BTreeMap, BTreeSet};
use tintype_plan::{
    Budget, Dice, MemoryDepot, Objection, Scheduler, ScopeRule, SeedError, Settings, SharedHosts, Step, replay,
    replay_with,
};
use tintype_vocab::{Decision, Entry, Failure, LinkKind, Observation, Purpose, Request, SiteId, Span, Time};

const HOSTS: usize = 24;
/// The last hosts have nothing but essays.
const MUSICAL: usize = 8;
const SONGS: usize = 12;
const ESSAYS: usize = 60;

fn host(nth: usize) -> String {
    format!("http://h{nth}.example")
}

/// Hosts that link the next ones. A third of them have songs behind addresses that say nothing; all have many essays.
fn web() -> Toy {
    let mut toy = Toy::default();
    for nth in 0..HOSTS {
        let here = host(nth);
        let mut links: Vec<(LinkKind, String)> = Vec::new();
        let mut link = |url: String| links.push((LinkKind::Anchor, url));
        [nth + 1, nth + 7].iter().for_each(|next| link(format!("{}/", host(next % HOSTS))));
        link(format!("{here}/essays/"));
        if nth < MUSICAL {
            link(format!("{here}/songs/"));
        }
        toy = toy.with(&format!("{here}/"), Page::File("text/html", links));
        let urls = |path: &str, count: usize| -> Vec<(LinkKind, String)> {
            (0..count).map(|each| (LinkKind::Anchor, format!("{here}/{path}/{each}"))).collect()
        };
        toy = toy.with(&format!("{here}/songs/"), Page::File("text/html", urls("hear", SONGS)));
        toy = toy.with(&format!("{here}/essays/"), Page::File("text/html", urls("read", ESSAYS)));
        for each in 0..SONGS {
            toy = toy.with(&format!("{here}/hear/{each}"), Page::File("audio/ogg", Vec::new()));
        }
        for each in 0..ESSAYS {
            let next = vec![(LinkKind::Anchor, format!("{here}/read/{}", (each + 1) % ESSAYS))];
            toy = toy.with(&format!("{here}/read/{each}"), Page::File("text/html", next));
        }
        toy = toy.with(&format!("{here}/robots.txt"), Page::Robots("User-agent: *\nDisallow: /read/7\n"));
    }
    toy
}

fn settings(policy: &str, budget: Option<u64>) -> Settings {
    let mut settings = Settings::new(SiteId(0), vec![format!("{}/", host(0))]);
    (settings.scope, settings.policy) = (ScopeRule::Web, policy.to_owned());
    settings.budget = Budget { requests: budget, bytes: None };
    settings.media = ["audio"].iter().map(|rule| rule.parse().unwrap()).collect();
    settings
}

/// A run with overlapping requests: what was asked for when, and the log.
struct Run {
    scheduler: Scheduler,
    asked: Vec<(Time, Request)>,
    log: Vec<Entry>,
    most_at_once: usize,
}

impl Run {
    fn songs(&self) -> usize {
        self.asked.iter().filter(|(_, request)| request.url.contains("/hear/")).count()
    }

    fn of_host(&self, nth: usize) -> Vec<Time> {
        let here = format!("{}/", host(nth));
        self.asked.iter().filter(|(_, request)| request.url.starts_with(&here)).map(|(at, _)| *at).collect()
    }
}

/// Answers take between 20 and 600 ms. At each step in `killed` what is in mind is written down and read back.
fn run(mut scheduler: Scheduler, toy: &Toy, killed: Option<u64>) -> Run {
    let mut dice = Dice::new(7, killed.unwrap_or(0));
    let (mut asked, mut log, mut most_at_once) = (Vec::new(), Vec::new(), 0);
    let mut flying: BTreeMap<(Time, usize), Observation> = BTreeMap::new();
    let mut now = Time::from_secs(1_000_000);
    for step in 0..1_000_000 {
        if killed.is_some_and(|every| dice.next_u64().is_multiple_of(every)) {
            scheduler = read_back(scheduler);
        }
        let until = match scheduler.next(now) {
            Step::Fetch(request) => {
                let took = Span::from_millis(20 + (request.url.len() as i64 * 37 + step as i64 * 13) % 580);
                let seen = toy.answer(&request, now, took);
                log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                asked.push((now, request));
                flying.insert((now + took, step), seen);
                most_at_once = most_at_once.max(flying.len());
                continue;
            }
            Step::Done => return Run { scheduler, asked, log, most_at_once },
            Step::WaitUntil(until) => Some(until),
            Step::Idle => None,
        };
        let first = flying.first_key_value().map(|((at, _), _)| *at);
        match (until, first) {
            (Some(until), at) if at.is_none_or(|at| until < at) => {
                assert!(until > now, "waiting must lead somewhere");
                now = until;
            }
            (_, Some(_)) => {
                let ((at, _), seen) = flying.pop_first().unwrap();
                now = now.max(at);
                scheduler.settle(&seen);
                log.push(Entry::Observation(Box::new(seen)));
            }
            (None, None) | (Some(_), None) => panic!("idle with nothing in flight at {now}"),
        }
    }
    panic!("the run does not end");
}

fn read_back(scheduler: Scheduler) -> Scheduler {
    let mut blocks = Vec::new();
    assert!(scheduler.save(&mut |block| blocks.push(block)));
    let mut blocks = blocks.into_iter();
    let mut loaded = Scheduler::load(scheduler.settings().clone(), &mut || blocks.next()).expect("it can be read");
    assert_eq!(blocks.next(), None);
    // Nothing is outside in so small a web.
    assert!(loaded.keep_outside(Box::<MemoryDepot>::default()));
    assert_eq!(format!("{:?}", loaded.progress()), format!("{:?}", scheduler.progress()));
    loaded
}

#[test]
fn songs_of_many_hosts_are_found_for_few_requests_and_at_every_host_s_pace() {
    let toy = web();
    let focused = run(Scheduler::new(settings("focused", Some(100_000))).unwrap(), &toy, None);
    let breadth = run(Scheduler::new(settings("breadth-first", Some(100_000))).unwrap(), &toy, None);
    assert_eq!((focused.songs(), breadth.songs()), (MUSICAL * SONGS, MUSICAL * SONGS));
    let nine_tenths = |run: &Run| {
        let songs = run.asked.iter().enumerate().filter(|(_, (_, request))| request.url.contains("/hear/"));
        songs.map(|(nth, _)| nth + 1).nth(MUSICAL * SONGS * 9 / 10).unwrap()
    };
    let (ours, theirs) = (nine_tenths(&focused), nine_tenths(&breadth));
    assert!(10 * ours <= 4 * theirs, "{ours} requests against {theirs}");
    assert!(focused.most_at_once >= MUSICAL, "{} at once", focused.most_at_once);
    for nth in 0..HOSTS {
        let times = focused.of_host(nth);
        let pauses = times.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(pauses.clone().all(|pause| pause >= Span::from_secs(1)), "host {nth}: {:?}", pauses.min());
    }
    assert!(!focused.asked.iter().any(|(_, request)| request.url.ends_with("/read/7")), "robots.txt forbids it");
    let counts = focused.scheduler.host_counts().unwrap();
    assert_eq!((counts.asked, counts.wanted), (HOSTS, MUSICAL));
    let harvest = focused.scheduler.harvest().unwrap();
    assert_eq!(harvest.so_far().wanted, (MUSICAL * SONGS) as u64);
}

#[test]
fn a_crawl_across_hosts_is_taken_again_from_its_log() {
    let toy = web();
    for policy in ["focused", "breadth-first"] {
        let first = run(Scheduler::new(settings(policy, Some(400))).unwrap(), &toy, None);
        assert_eq!(first.asked.len(), 400, "{policy}");
        let again = replay(settings(policy, Some(400)), first.log).unwrap();
        assert_eq!(again.progress(), first.scheduler.progress(), "{policy}");
    }
}

#[test]
fn who_goes_on_from_what_was_written_down_goes_on_as_if_nothing_had_happened() {
    let toy = web();
    let whole = run(Scheduler::new(settings("focused", Some(300))).unwrap(), &toy, None);
    let urls = |run: &Run| run.asked.iter().map(|(_, request)| request.url.clone()).collect::<BTreeSet<String>>();
    let killed = run(Scheduler::new(settings("focused", Some(300))).unwrap(), &toy, Some(40));
    assert_eq!((killed.asked.len(), killed.songs()), (300, whole.songs()));
    assert_eq!(urls(&killed).len(), 300, "nothing is asked for twice");
    assert!(replay_with(Scheduler::new(settings("focused", Some(300))).unwrap(), killed.log).is_ok());
}

/// What a log tells is enough, and nothing that was answered is asked for again.
#[test]
fn a_log_that_ends_anywhere_is_gone_on_with() {
    let toy = web();
    let first = run(Scheduler::new(settings("focused", Some(200))).unwrap(), &toy, None);
    for cut in [1, 40, first.log.len() / 2, first.log.len() - 1] {
        let mut scheduler = Scheduler::new(settings("focused", Some(400))).unwrap();
        let mut answered = BTreeSet::new();
        let mut decided: Vec<Decision> = Vec::new();
        for entry in &first.log[..cut] {
            match entry {
                Entry::Decision(decision) => decided.push(decision.clone()),
                Entry::Observation(seen) => {
                    decided.drain(..).for_each(|decision| scheduler.assume(&decision));
                    scheduler.settle(seen);
                    if seen.purpose == Purpose::Visit {
                        answered.insert(seen.url.clone());
                    }
                }
            }
        }
        decided.iter().for_each(|decision| scheduler.assume(decision));
        scheduler.release_in_flight();
        let rest = run(scheduler, &toy, None);
        let again = rest.asked.iter().filter(|(_, request)| answered.contains(&request.url));
        assert_eq!(again.count(), 0, "cut at {cut}");
        assert!(
            rest.songs() + answered.iter().filter(|url| url.contains("/hear/")).count() >= MUSICAL * SONGS * 9 / 10
        );
    }
}

#[test]
fn a_domain_takes_no_more_than_it_may_and_a_host_that_is_silent_holds_up_nothing() {
    let mut toy = web();
    for each in 0..ESSAYS {
        toy = toy.with(&format!("{}/read/{each}", host(3)), Page::Fails(Failure::Disconnected));
    }
    let mut wanted = settings("breadth-first", Some(2000));
    wanted.domain_budget = Some(Budget { requests: Some(20), bytes: None });
    let ran = run(Scheduler::new(wanted).unwrap(), &toy, None);
    for nth in 0..HOSTS {
        assert!(ran.of_host(nth).len() <= 21, "host {nth}: {}, its robots.txt included", ran.of_host(nth).len());
    }
    let counts = ran.scheduler.host_counts().unwrap();
    assert!(counts.asked == HOSTS && counts.spent >= HOSTS - 1, "{counts:?}");
    let left_out = ran.scheduler.exclusions().iter().find(|(why, _)| *why == Objection::DomainSpent);
    assert!(left_out.unwrap().1.links > 500, "{left_out:?}");
}

/// No name is asked before it is known where it leads, and so many are looked up at a time.
#[test]
fn hosts_whose_names_are_being_looked_up_hold_up_nothing() {
    let shared = SharedHosts::default();
    shared.lock().resolve_names();
    let links = (0..200).map(|nth| (LinkKind::Anchor, format!("http://n{nth}.example/"))).collect();
    let mut toy = Toy::default().with(&format!("{}/", host(0)), Page::File("text/html", links));
    for nth in 0..200 {
        toy = toy.with(&format!("http://n{nth}.example/"), Page::File("text/html", Vec::new()));
    }
    let mut scheduler = Scheduler::new(settings("focused", Some(1000))).unwrap();
    let mut now = Time::from_secs(1_000_000);
    scheduler.share_hosts(shared.clone(), now);
    let (mut asked, mut most) = (0, 0);
    for _ in 0..100_000 {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                asked += usize::from(request.url.starts_with("http://n") && request.purpose == Purpose::Visit);
                scheduler.settle(&toy.answer(&request, now, Span::from_millis(20)));
                now += Span::from_millis(20);
            }
            Step::WaitUntil(until) if until > now => now = until,
            Step::Done => break,
            Step::Idle | Step::WaitUntil(_) => {
                let names = shared.lock().take_unresolved();
                assert!(!names.is_empty(), "it waits for names that nobody looks up");
                most = most.max(names.len());
                names.iter().zip(1..).for_each(|(name, nth)| {
                    let address = format!("192.0.2.{nth}-{name}");
                    shared.lock().resolved(name, &[address]);
                });
            }
        }
    }
    assert_eq!(asked, 200);
    assert!(most > 8 && most <= 64, "{most} at once");
}

#[test]
fn what_goes_anywhere_knows_two_orders_and_asks_once() {
    let refused = |settings: Settings| matches!(Scheduler::new(settings), Err(SeedError::NotAcrossHosts { .. }));
    assert!(refused(settings("sharp", None)) && refused(settings("skip", None)));
    assert!(refused(Settings { revisit: true, ..settings("focused", None) }));
    assert!(!refused(settings("focused", None)));
}

/// A page with more links than memory has room for: all that was found is asked for in the end, wherever it waited.
#[test]
fn what_memory_has_no_room_for_waits_outside() {
    let many = 3000;
    let links = (0..many).map(|nth| (LinkKind::Anchor, format!("http://e.com/read/{nth}"))).collect();
    let mut toy = Toy::default().with(&format!("{}/", host(0)), Page::File("text/html", links));
    for nth in 0..many {
        toy = toy.with(&format!("http://e.com/read/{nth}"), Page::File("text/html", Vec::new()));
    }
    let mut wanted = settings("breadth-first", None);
    wanted.media = Default::default();
    let ran = run(Scheduler::new(wanted).unwrap(), &toy, None);
    let asked: BTreeSet<&str> = ran.asked.iter().map(|(_, request)| request.url.as_str()).collect();
    assert_eq!((asked.iter().filter(|url| url.contains("/read/")).count(), asked.len()), (many, ran.asked.len()));
    assert_eq!(ran.scheduler.progress().waiting, 0);
}
