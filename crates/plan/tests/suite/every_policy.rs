//! What every registered policy must keep, whoever wrote it.

use crate::toy::{Toy, run, visited};
use std::collections::BTreeSet;
use tintype_learn::knowledge::{Knowledge, SharedKnowledge};
use tintype_plan::{Budget, Scheduler, Settings, Step, policy, replay, replay_with};
use tintype_vocab::{Entry, Purpose, SiteId, Span, Time};

fn settings(policy: &str) -> Settings {
    let mut settings = Settings::new(SiteId(0), vec!["http://e.com/".into()]);
    settings.policy = policy.to_owned();
    settings
}

#[test]
fn every_page_is_visited_exactly_once() {
    let toy = Toy::tree(4, 3);
    for name in policy::names() {
        let mut scheduler = Scheduler::new(settings(name)).unwrap();
        let asked = run(&mut scheduler, &toy);
        let urls = visited(&asked);
        assert_eq!(urls.len(), 85, "{name}");
        assert_eq!(urls.iter().collect::<BTreeSet<_>>().len(), 85, "{name}");
    }
}

/// Who is asked for proof looks at every page twice, or at least twice; nobody else is revisited a hundred times.
#[test]
fn every_page_is_revisited_where_proof_is_wanted() {
    let toy = Toy::tree(4, 3);
    for entry in policy::REGISTRY.iter().filter(|entry| entry.name != "square-root") {
        let mut scheduler = Scheduler::new(Settings { revisit: true, ..settings(entry.name) }).unwrap();
        let asked = run(&mut scheduler, &toy);
        let mut looks = std::collections::BTreeMap::<&str, Vec<Purpose>>::new();
        for (_, request) in asked.iter().filter(|(_, request)| request.purpose != Purpose::Robots) {
            looks.entry(&request.url).or_default().push(request.purpose);
        }
        looks.remove("http://e.com/sitemap.xml");
        assert_eq!(looks.len(), 85, "{}", entry.name);
        for (url, purposes) in looks {
            assert_eq!(purposes[0], Purpose::Visit, "{}: {url}", entry.name);
            assert!(purposes.len() >= 2, "{}: {url} was seen once", entry.name);
            assert!(purposes[1..].iter().all(|purpose| *purpose == Purpose::Revisit), "{}: {url}", entry.name);
        }
        assert!(asked.len() <= 2 * 87 + 10, "{}: {} requests", entry.name, asked.len());
    }
}

#[test]
fn requests_never_come_faster_than_politeness_allows() {
    for name in policy::names() {
        let mut scheduler = Scheduler::new(settings(name)).unwrap();
        let asked = run(&mut scheduler, &Toy::tree(3, 3));
        for pair in asked.windows(2) {
            assert!(pair[1].0 - pair[0].0 >= Span::from_secs(1), "{name}");
        }
    }
}

#[test]
fn a_budget_is_never_overspent() {
    for name in policy::names() {
        let mut settings = settings(name);
        settings.budget = Budget { requests: Some(10), bytes: None };
        let mut scheduler = Scheduler::new(settings).unwrap();
        let asked = run(&mut scheduler, &Toy::tree(4, 3));
        assert_eq!(asked.len(), 10, "{name}: robots.txt is a request like any other");
    }
}

#[test]
fn an_empty_site_ends_at_once() {
    for name in policy::names() {
        let mut scheduler = Scheduler::new(settings(name)).unwrap();
        let asked = run(&mut scheduler, &Toy::default());
        assert_eq!(visited(&asked), ["http://e.com/"], "{name}");
    }
}

#[test]
fn the_same_run_seed_gives_the_same_run() {
    let toy = Toy::tree(5, 3);
    for name in policy::names() {
        let once = run(&mut Scheduler::new(settings(name)).unwrap(), &toy);
        let twice = run(&mut Scheduler::new(settings(name)).unwrap(), &toy);
        assert_eq!(once, twice, "{name}");
    }
}

#[test]
fn asking_while_waiting_changes_nothing() {
    let toy = Toy::tree(3, 3);
    for name in policy::names() {
        let calm = run(&mut Scheduler::new(settings(name)).unwrap(), &toy);
        let mut scheduler = Scheduler::new(settings(name)).unwrap();
        let (mut now, mut asked) = (Time::from_secs(1_000_000), Vec::new());
        loop {
            match scheduler.next(now) {
                Step::Fetch(request) => {
                    let observation = toy.answer(&request, now, Span::from_millis(20));
                    asked.push((now, request));
                    now += Span::from_millis(20);
                    scheduler.settle(&observation);
                }
                Step::WaitUntil(until) => now = until.min(now + Span::from_millis(333)),
                Step::Idle => panic!("idle with nothing in flight"),
                Step::Done => break,
            }
        }
        assert_eq!(calm, asked, "{name}");
    }
}

/// Three requests under way at once, answered out of order, then the log replayed.
#[test]
fn the_decision_log_replays_even_when_requests_overlap() {
    let toy = Toy::tree(4, 3);
    for (name, revisit) in policy::names().flat_map(|name| [(name, false), (name, true)]) {
        let mut settings = settings(name);
        settings.connections = 3;
        settings.delay = Some(Span::ZERO);
        settings.revisit = revisit;
        let mut scheduler = Scheduler::new(settings.clone()).unwrap();
        let (mut now, mut flying, mut log) = (Time::from_secs(1_000_000), Vec::new(), Vec::new());
        loop {
            now += Span::from_millis(7);
            match scheduler.next(now) {
                Step::Fetch(request) => {
                    log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                    flying.push(toy.answer(&request, now, Span::from_millis(20)));
                }
                Step::WaitUntil(until) if flying.is_empty() => now = until,
                Step::Done => break,
                Step::Idle | Step::WaitUntil(_) => {
                    let observation = flying.remove(flying.len() / 2);
                    scheduler.settle(&observation);
                    log.push(Entry::Observation(Box::new(observation)));
                }
            }
        }
        let decisions = log.iter().filter(|entry| matches!(entry, Entry::Decision(_))).count();
        assert!(decisions > 85, "{name}: {decisions}");
        let replayed =
            replay(settings.clone(), log.clone()).unwrap_or_else(|divergence| panic!("{name}: {divergence}"));
        assert_eq!(replayed.progress(), scheduler.progress(), "{name}");

        let Some(Entry::Decision(decision)) =
            log.iter_mut().filter(|entry| matches!(entry, Entry::Decision(_))).nth(40)
        else {
            panic!("{name}: the log is long enough");
        };
        decision.url = "http://e.com/never".into();
        assert!(replay(settings, log).is_err(), "{name}: a changed log must be noticed");
    }
}

/// A tournament repeats only those policies that say they roll dice.
#[test]
fn who_does_not_roll_dice_does_the_same_with_any() {
    for entry in policy::REGISTRY {
        let run_with = |run_seed| {
            let mut settings = settings(entry.name);
            settings.mode = tintype_plan::Mode::Continual { every: Span::from_secs(600) };
            settings.budget = Budget { requests: Some(400), bytes: None };
            settings.run_seed = run_seed;
            visited(&run(&mut Scheduler::new(settings).unwrap(), &Toy::tree(3, 3))).join(" ")
        };
        assert_eq!(
            run_with(1) != run_with(2),
            entry.rolls_dice && entry.kind != policy::PolicyKind::Capture,
            "{}",
            entry.name
        );
    }
}

#[test]
fn a_continual_run_visits_again_within_its_budget_and_spreads_it() {
    for entry in policy::continual() {
        let mut settings = settings(entry.name);
        settings.mode = tintype_plan::Mode::Continual { every: Span::from_secs(600) };
        settings.budget = Budget { requests: Some(100), bytes: None };
        let asked = run(&mut Scheduler::new(settings).unwrap(), &Toy::tree(3, 2));
        let visits: Vec<_> =
            asked.iter().filter(|(_, request)| request.purpose != tintype_vocab::Purpose::Robots).collect();
        assert_eq!(visits.len(), 100, "{}", entry.name);
        let urls: BTreeSet<_> = visits.iter().map(|(_, request)| &request.url).collect();
        assert!(urls.len() < 50, "{}: nothing was visited twice", entry.name);
        assert!(visits.windows(2).all(|pair| pair[1].0 - pair[0].0 >= Span::from_secs(600)), "{}", entry.name);
    }
}

/// What a recapture recalls decides what it asks for: its log replays only with the same memories.
#[test]
fn a_recapture_replays_with_what_it_recalled() {
    let toy = Toy::tree(4, 3);
    let told = || {
        let mut knowledge = Knowledge::default();
        knowledge.recall_rate("http://e.com/3/3/3/", tintype_vocab::ChangeRate::known(50.0));
        knowledge.recall_rate("http://e.com/3/", tintype_vocab::ChangeRate::known(40.0));
        knowledge.recall_rate("http://e.com/3/3/", tintype_vocab::ChangeRate::known(40.0));
        Scheduler::with_knowledge(settings("hottest-first"), knowledge).unwrap()
    };
    let (mut scheduler, mut now, mut log) = (told(), Time::from_secs(1_000_000), Vec::new());
    loop {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                let observation = toy.answer(&request, now, Span::from_millis(20));
                scheduler.settle(&observation);
                log.push(Entry::Observation(Box::new(observation)));
            }
            Step::WaitUntil(until) => now = until,
            Step::Idle | Step::Done => break,
        }
    }
    assert!(replay_with(told(), log.clone()).is_ok());
    assert!(replay(settings("hottest-first"), log).is_err(), "without them it goes another way");
}

/// A run that goes on, up to so many requests.
fn kept_up(name: &str, requests: u64, knowledge: Knowledge) -> (Scheduler, Vec<Entry>) {
    let mut settings = settings(name);
    settings.mode = tintype_plan::Mode::Continual { every: Span::from_secs(600) };
    settings.budget = Budget { requests: Some(requests), bytes: None };
    let mut scheduler = Scheduler::with_knowledge(settings, knowledge).unwrap();
    let (toy, mut now, mut log) = (Toy::tree(3, 3), Time::from_secs(1_000_000), Vec::new());
    loop {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                let mut seen = toy.answer(&request, now, Span::from_millis(20));
                let changed = (now.as_secs() / 600 + i64::from(request.page.0)) % 3 == 0;
                seen.change = if changed { tintype_vocab::Change::New { importance: 0.5 } } else { seen.change };
                scheduler.settle(&seen);
                log.push(Entry::Observation(Box::new(seen)));
            }
            Step::WaitUntil(until) => now = until,
            Step::Idle | Step::Done => return (scheduler, log),
        }
    }
}

/// What a kept site with hot, warm and cold pages is asked for: one in nine changes every hour, two a day, the rest never;
/// how much a change matters and at which hours there are any differs from page to page.
fn kept_requests(name: &str) -> Vec<String> {
    let mut settings = settings(name);
    (settings.mode, settings.run_seed) = (tintype_plan::Mode::Kept, 7);
    let mut scheduler = Scheduler::new(settings).unwrap();
    let (toy, mut now, mut asked) = (Toy::tree(4, 3), Time::from_secs(1_700_006_400), Vec::new());
    let mut versions = std::collections::BTreeMap::<String, i64>::new();
    while asked.len() < 1_000 {
        now += Span::from_secs(300);
        match scheduler.next(now) {
            Step::Fetch(request) => {
                let mut seen = toy.answer(&request, now, Span::from_millis(20));
                let (page, hour) = (i64::from(request.page.0), now.as_secs() / 3600);
                let version = match page % 9 {
                    4 => hour,
                    1 | 2 if (8..18).contains(&(hour % 24)) => 24 * (hour / 24) + page,
                    _ => 0,
                };
                let known = versions.insert(request.url.clone(), version);
                seen.change = match known {
                    None => tintype_vocab::Change::First,
                    Some(known) if known != version => {
                        tintype_vocab::Change::New { importance: 0.1 + 0.2 * (page % 4) as f32 }
                    }
                    Some(_) => tintype_vocab::Change::Same,
                };
                scheduler.settle(&seen);
                if request.purpose != Purpose::Robots {
                    asked.push(request.url);
                }
            }
            Step::WaitUntil(until) => now = now.max(until),
            Step::Idle | Step::Done => break,
        }
    }
    asked
}

/// A policy that silently becomes another would be found here.
#[test]
fn no_two_policies_that_keep_a_site_ask_alike() {
    let asked: Vec<_> =
        policy::offered(policy::Use::Keep).map(|entry| (entry.name, kept_requests(entry.name))).collect();
    assert!(asked.len() > 10);
    for (nth, (name, requests)) in asked.iter().enumerate() {
        assert_eq!(requests.len(), 1_000, "{name}");
        for (other, others) in &asked[..nth] {
            assert!(requests != others, "{name} asks as {other} does");
        }
    }
}

/// What a run learned is what its log teaches a fresh scheduler, and what is read back from the bytes it was kept as.
#[test]
fn knowledge_is_kept_and_rebuilt_from_the_log() {
    for entry in policy::REGISTRY {
        let (scheduler, log) = kept_up(entry.name, 300, Knowledge::default());
        let bytes = scheduler.knowledge().save();
        let settings = scheduler.settings().clone();
        let replayed = replay(settings, log).unwrap_or_else(|divergence| panic!("{}: {divergence}", entry.name));
        assert!(replayed.knowledge().save() == bytes, "{}: the log teaches something else", entry.name);
        let loaded = tintype_learn::knowledge::Knowledge::load(&bytes, SharedKnowledge::default());
        assert!(loaded.relearn.is_empty(), "{}: {:?}", entry.name, loaded.relearn);
        assert!(loaded.knowledge.save() == bytes, "{}: something was lost", entry.name);
    }
}

/// Who begins with what an earlier run learned goes on with it, though pages are found in another order.
#[test]
fn what_a_run_learned_serves_the_next() {
    let (scheduler, _) = kept_up("tintype", 300, Knowledge::default());
    let url = "http://e.com/2/2/2/";
    let rate = |scheduler: &Scheduler, page| {
        let knowledge = scheduler.knowledge();
        knowledge.changes().unwrap().mean_per_day(knowledge.slot(page))
    };
    let page = scheduler.pages().ids().find(|page| scheduler.pages().url(*page) == url).unwrap();
    let learned = rate(&scheduler, page);
    let bytes = scheduler.knowledge().save();
    let loaded = Knowledge::load(&bytes, SharedKnowledge::default());
    let mut next = Scheduler::with_knowledge(settings("tintype"), loaded.knowledge).unwrap();
    let again = next.announce(url, Time::from_secs(2_000_000)).unwrap();
    assert_ne!(again, page);
    assert_eq!(rate(&next, again), learned);
    assert!(learned > 0.0);
}
