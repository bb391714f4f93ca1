//! A scheduler that is written down and read back, as often as anybody likes, goes on as if nothing had happened.

use crate::{
    focusing::library,
    skipping::{remembered, site},
    toy::{Page, Toy, taught},
};
use tintype_plan::{Budget, Dice, Mode, Scheduler, Settings, Step, policy};
use tintype_vocab::{Change, Decision, Failure, Observation, SiteId, Span, Time};

fn settings(policy: &str) -> Settings {
    let mut settings = Settings::new(SiteId(0), vec!["http://e.com/".into()]);
    settings.policy = policy.to_owned();
    settings.connections = 3;
    settings
}

/// A tree with all that makes a scheduler remember something.
fn troubled() -> Toy {
    let toy = Toy::tree(4, 3).with("http://e.com/robots.txt", Page::Robots("User-agent: *\nDisallow: /1/2/\n"));
    let toy = toy.with("http://e.com/0/", Page::Redirect("https://www.e.com/0/".to_owned()));
    let toy = toy.with("http://e.com/2/1/", Page::Fails(Failure::Disconnected));
    let toy = toy.with("http://e.com/2/2/", Page::Refuses(429, Some(Span::from_secs(30))));
    let queries: Vec<String> = (0..12).map(|n| format!("http://e.com/3/?b={n}&a=1")).collect();
    toy.page("http://e.com/3/", &queries.iter().map(String::as_str).collect::<Vec<_>>())
}

fn read_back(scheduler: &Scheduler) -> Option<Scheduler> {
    let mut blocks = Vec::new();
    scheduler.save(&mut |block| blocks.push(block)).then_some(())?;
    let mut blocks = blocks.into_iter();
    let loaded = Scheduler::load(scheduler.settings().clone(), &mut || blocks.next());
    let loaded = loaded.expect("what was saved can be read");
    assert_eq!(blocks.next(), None);
    assert_eq!(format!("{:?}", loaded.progress()), format!("{:?}", scheduler.progress()));
    Some(loaded)
}

/// Whatever a page's number says changes now and then.
fn answer(toy: &Toy, scheduler: &Scheduler, now: Time) -> Observation {
    let decision = scheduler.last_decision().unwrap();
    let request = tintype_vocab::Request {
        site: SiteId(0),
        page: decision.page,
        url: decision.url.clone(),
        purpose: decision.purpose,
        attempt: 0,
        rate: Default::default(),
    };
    let mut seen = toy.answer(&request, now, Span::from_millis(20));
    if (now.as_secs() / 600 + i64::from(decision.page.0)) % 3 == 0 {
        seen.change = Change::New { importance: 0.5 };
        seen.validators.last_modified = Some("Sat, 01 Sep 2001 00:00:00 GMT".to_owned());
    }
    seen
}

/// All decisions of a run with overlapping requests, read back at one step in `every` by the dice.
fn decisions(mut scheduler: Scheduler, toy: &Toy, every: Option<u64>) -> Option<Vec<Decision>> {
    let (mut dice, mut flying, mut decided) = (Dice::new(every.unwrap_or(0), 1), Vec::new(), Vec::new());
    let mut now = Time::from_secs(1_000_000_000) + Span::from_days(7 * 12);
    loop {
        if every.is_some_and(|every| dice.next_u64().is_multiple_of(every)) {
            scheduler = read_back(&scheduler)?;
        }
        now += Span::from_millis(7);
        match scheduler.next(now) {
            Step::Fetch(_) => {
                decided.push(scheduler.last_decision().unwrap().clone());
                flying.push(answer(toy, &scheduler, now));
            }
            Step::Done => return Some(decided),
            Step::WaitUntil(until) if flying.is_empty() => now = until,
            Step::Idle | Step::WaitUntil(_) => scheduler.settle(&flying.remove(flying.len() / 2)),
        }
    }
}

fn goes_on(told: &str, make: impl Fn() -> Scheduler, toy: &Toy) {
    let whole = decisions(make(), toy, None).unwrap();
    assert!(whole.len() > 10, "{told}: {}", whole.len());
    let can = make().save(&mut |_| {});
    assert_eq!(can, !told.contains("best-first"), "{told}: the model of 2009 is only compared with");
    if !can {
        return;
    }
    for every in [13, 61] {
        let broken = decisions(make(), toy, Some(every)).unwrap_or_else(|| panic!("{told} cannot be saved"));
        let differs = whole.iter().zip(&broken).position(|(one, other)| one != other);
        assert_eq!(differs, None, "{told}, every {every}");
        assert_eq!(broken.len(), whole.len(), "{told}, every {every}");
    }
}

#[test]
fn every_policy_goes_on_from_what_it_had_in_mind() {
    for name in policy::names() {
        let once = settings(name);
        goes_on(name, || Scheduler::new(once.clone()).unwrap(), &troubled());
        let proof = Settings { revisit: true, delay: Some(Span::ZERO), ..once };
        goes_on(&format!("{name} with proof"), || Scheduler::new(proof.clone()).unwrap(), &troubled());
    }
}

#[test]
fn every_policy_goes_on_with_a_run_that_never_ends() {
    for name in policy::names() {
        let mode = Mode::Continual { every: Span::from_secs(600) };
        let budget = Budget { requests: Some(400), bytes: None };
        let kept = Settings { mode, budget, ..settings(name) };
        goes_on(name, || Scheduler::new(kept.clone()).unwrap(), &troubled());
    }
}

#[test]
fn what_is_remembered_of_directories_is_gone_on_with() {
    for name in ["skip", "warm", "skip:breadth-first"] {
        let make = || {
            let mut scheduler = Scheduler::new(settings(name)).unwrap();
            scheduler.remember(remembered(12, 10));
            scheduler
        };
        goes_on(name, make, &site(10));
    }
}

#[test]
fn what_is_learned_of_media_types_is_gone_on_with() {
    for name in ["focused", "sharp"] {
        let wanted = Settings { media: ["audio".parse().unwrap()].into_iter().collect(), ..settings(name) };
        let make = || {
            let mut scheduler = Scheduler::new(wanted.clone()).unwrap();
            scheduler.know_media(taught());
            scheduler
        };
        goes_on(name, make, &library());
    }
}

/// Cut anywhere, or of another version, it is nothing.
#[test]
fn what_is_not_whole_is_not_believed() {
    let scheduler = Scheduler::new(settings("sharp")).unwrap();
    let mut blocks = Vec::new();
    assert!(scheduler.save(&mut |block| blocks.push(block)));
    for cut in 0..blocks.len() {
        let mut some = blocks[..cut].iter().cloned();
        assert!(Scheduler::load(scheduler.settings().clone(), &mut || some.next()).is_none(), "{cut}");
        let mut torn = blocks.clone();
        torn[cut].pop();
        let mut torn = torn.into_iter();
        assert!(Scheduler::load(scheduler.settings().clone(), &mut || torn.next()).is_none(), "{cut}");
    }
    let mut all = blocks.into_iter();
    assert!(Scheduler::load(settings("breadth-first"), &mut || all.next()).is_none());
}
