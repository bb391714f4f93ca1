//! The scheduler's own promises: rules, redirects, retries, scope, resuming.

use crate::toy::{Page, Toy, run, taught, visited};
use std::collections::BTreeMap;
use tintype_plan::{Budget, Ending, Mode, Objection, Scheduler, SeedError, Settings, Step};
use tintype_vocab::{Entry, Failure, LinkKind, Purpose, SiteId, Span, Time};

fn settings(seed: &str) -> Settings {
    Settings::new(SiteId(0), vec![seed.to_owned()])
}

fn excluded(scheduler: &Scheduler, rule: Objection) -> u64 {
    scheduler.exclusions().iter().find(|(found, _)| *found == rule).map_or(0, |(_, excluded)| excluded.links)
}

#[test]
fn robots_txt_comes_before_the_first_page_and_is_obeyed() {
    let toy = Toy::default()
        .with("http://e.com/robots.txt", Page::Robots("User-agent: *\nDisallow: /no\nCrawl-delay: 9\n"))
        .page("http://e.com/", &["http://e.com/yes", "http://e.com/no/1", "http://e.com/no/2"]);
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &toy);
    assert_eq!(asked[0].1.purpose, Purpose::Robots);
    assert_eq!(visited(&asked), ["http://e.com/", "http://e.com/yes"]);
    assert_eq!(excluded(&scheduler, Objection::Robots), 2);
    assert!(asked[2].0 - asked[1].0 >= Span::from_secs(9));
}

#[test]
fn rules_that_cannot_be_read_forbid_everything_but_missing_rules_nothing() {
    let silent =
        Toy::default().with("http://e.com/robots.txt", Page::Fails(Failure::Server(500))).page("http://e.com/", &[]);
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &silent);
    assert_eq!(asked.len(), 3, "three tries for the rules, nothing else");
    assert_eq!(excluded(&scheduler, Objection::RobotsUnreachable), 1);

    let slow =
        Toy::default().with("http://e.com/robots.txt", Page::SlowRobots("# once upon a")).page("http://e.com/", &[]);
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    assert_eq!(visited(&run(&mut scheduler, &slow)), [""; 0], "what was still to come may forbid everything");
    assert_eq!(excluded(&scheduler, Objection::RobotsUnreachable), 1);

    let forbidden = Toy::default().with("http://e.com/robots.txt", Page::Refuses(403, None)).page("http://e.com/", &[]);
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    assert_eq!(visited(&run(&mut scheduler, &forbidden)), ["http://e.com/"]);
}

#[test]
fn rules_are_followed_through_redirects() {
    let toy = Toy::default()
        .with("http://e.com/robots.txt", Page::Redirect("http://e.com/rules".into()))
        .with("http://e.com/rules", Page::Robots("User-agent: *\nDisallow: /\n"));
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    run(&mut scheduler, &toy);
    assert_eq!(excluded(&scheduler, Objection::Robots), 1);
}

#[test]
fn redirects_to_absurdly_long_urls_are_not_followed() {
    let long = |name: &str| format!("http://www.e.com/{name}?{}", "&".repeat(10_000));
    let toy = Toy::default()
        .with("http://e.com/robots.txt", Page::Redirect(long("robots.txt")))
        .with("http://e.com/", Page::Redirect(long("")))
        .page("http://e.com/a", &[]);
    let mut scheduler = Scheduler::new(Settings {
        seeds: vec!["http://e.com/".to_owned(), "http://e.com/a".to_owned()],
        ..settings("http://e.com/")
    })
    .unwrap();
    let asked = run(&mut scheduler, &toy);
    let asked: std::collections::BTreeSet<_> = visited(&asked).into_iter().collect();
    assert_eq!(asked.into_iter().collect::<Vec<_>>(), ["http://e.com/", "http://e.com/a"]);
    assert_eq!(excluded(&scheduler, Objection::UrlTooLong), 1);
}

#[test]
fn a_redirect_to_another_spelling_is_followed() {
    let toy = Toy::default()
        .with("http://e.com/", Page::Redirect("https://www.e.com/".into()))
        .page("https://www.e.com/", &["https://www.e.com/a"]);
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &toy);
    assert_eq!(visited(&asked), ["http://e.com/", "https://www.e.com/", "https://www.e.com/a"]);
    let rules = asked.iter().filter(|(_, request)| request.purpose == Purpose::Robots).count();
    assert_eq!(rules, 2, "each authority has its own rules");
}

#[test]
fn a_seed_that_moved_to_another_host_takes_the_scope_along() {
    let toy = Toy::default()
        .with("http://old.com/", Page::Redirect("http://new.org/home".into()))
        .page("http://new.org/home", &["http://new.org/a", "http://else.net/"]);
    let mut scheduler = Scheduler::new(settings("http://old.com/")).unwrap();
    assert_eq!(visited(&run(&mut scheduler, &toy)), ["http://old.com/", "http://new.org/home", "http://new.org/a"]);
    assert_eq!(excluded(&scheduler, Objection::OutOfScope), 1);
}

#[test]
fn endless_redirects_end() {
    let mut toy = Toy::default();
    for i in 0..100 {
        toy = toy.with(&format!("http://e.com/{i}"), Page::Redirect(format!("http://e.com/{}", i + 1)));
    }
    let mut scheduler = Scheduler::new(settings("http://e.com/0")).unwrap();
    assert_eq!(visited(&run(&mut scheduler, &toy)).len(), 11);
    assert_eq!(excluded(&scheduler, Objection::RedirectLoop), 1);

    let looping = Toy::default().with("http://e.com/", Page::Redirect("http://e.com/".into()));
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    assert_eq!(visited(&run(&mut scheduler, &looping)).len(), 5);
}

#[test]
fn what_a_page_is_made_of_is_taken_from_anywhere_but_not_for_ever() {
    let embed = |url: &str| Page::Links(vec![(LinkKind::Embed, url.to_owned())]);
    let toy = Toy::default()
        .with("http://e.com/", embed("http://cdn.net/a.css"))
        .with("http://cdn.net/a.css", embed("http://fonts.net/1"))
        .with("http://fonts.net/1", embed("http://fonts.net/2"))
        .with("http://fonts.net/2", embed("http://fonts.net/3"))
        .page("http://fonts.net/3", &[]);
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &toy);
    assert_eq!(visited(&asked).len(), 4);
    assert_eq!(excluded(&scheduler, Objection::OutOfScope), 1);
}

#[test]
fn transient_failures_are_tried_again_and_given_up_in_the_end() {
    let toy = Toy::default()
        .page("http://e.com/", &["http://e.com/flaky", "http://e.com/gone"])
        .with("http://e.com/flaky", Page::Fails(Failure::Disconnected))
        .with("http://e.com/gone", Page::Fails(Failure::NotHttp));
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &toy);
    let tries = |url: &str| {
        asked.iter().filter(|(_, request)| request.url == url).map(|(_, request)| request.attempt).collect::<Vec<_>>()
    };
    assert_eq!(tries("http://e.com/flaky"), [0, 1, 2]);
    assert_eq!(tries("http://e.com/gone"), [0]);
    assert_eq!(scheduler.ending(), Ending::Complete);
}

#[test]
fn a_site_that_dies_is_left_alone() {
    let links: Vec<String> = (0..500).map(|i| format!("http://e.com/{i}")).collect();
    let mut toy = Toy::default().page("http://e.com/", &links.iter().map(String::as_str).collect::<Vec<_>>());
    for link in &links {
        toy = toy.with(link, Page::Fails(Failure::Unreachable));
    }
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &toy);
    assert!(asked.len() < 30, "{}", asked.len());
    assert_eq!(scheduler.ending(), Ending::Unreachable);
}

#[test]
fn depth_and_media_limits_hold() {
    let toy = Toy::default()
        .page("http://e.com/", &["http://e.com/1", "http://e.com/a.mp3"])
        .page("http://e.com/1", &["http://e.com/2"])
        .page("http://e.com/2", &["http://e.com/3"]);
    let mut settings = settings("http://e.com/");
    settings.depth_max = Some(2);
    settings.media = ["image".parse().unwrap()].into_iter().collect();
    let mut scheduler = Scheduler::new(settings).unwrap();
    scheduler.know_media(taught());
    assert_eq!(visited(&run(&mut scheduler, &toy)), ["http://e.com/", "http://e.com/1", "http://e.com/2"]);
    assert_eq!((excluded(&scheduler, Objection::TooDeep), excluded(&scheduler, Objection::UnwantedMedia)), (1, 1));
}

#[test]
fn a_ceiling_of_pages_ends_a_run_and_says_so() {
    for connections in [1, 4] {
        let mut settings = settings("http://e.com/");
        (settings.pages_max, settings.connections) = (Some(7), connections);
        let mut scheduler = Scheduler::new(settings).unwrap();
        let asked = run(&mut scheduler, &Toy::tree(4, 3));
        assert_eq!((scheduler.ending(), visited(&asked).len()), (Ending::PageLimit, 7));
    }
    let mut roomy = settings("http://e.com/");
    roomy.pages_max = Some(1_000);
    let mut scheduler = Scheduler::new(roomy).unwrap();
    run(&mut scheduler, &Toy::tree(4, 3));
    assert_eq!(scheduler.ending(), Ending::Complete);
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let refuse = |change: fn(&mut Settings)| {
        let mut settings = settings("http://e.com/");
        change(&mut settings);
        Scheduler::new(settings).unwrap_err()
    };
    assert_eq!(refuse(|s| s.seeds.clear()), SeedError::NoSeeds);
    assert!(matches!(refuse(|s| s.seeds = vec!["ftp://e.com/".into()]), SeedError::NotHttp { .. }));
    assert!(matches!(refuse(|s| s.seeds = vec!["e.com".into()]), SeedError::Malformed { .. }));
    assert!(matches!(refuse(|s| s.policy = "guess".into()), SeedError::UnknownPolicy { .. }));
}

#[test]
fn a_log_that_tells_of_a_request_twice_or_not_at_all_still_resumes() {
    let toy = Toy::default().page("http://e.com/", &["http://e.com/a", "http://e.com/b"]);
    let mut log = Vec::new();
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let mut now = Time::from_secs(1_000_000);
    loop {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                let observation = toy.answer(&request, now, Span::from_millis(20));
                scheduler.settle(&observation);
                log.push((scheduler.last_decision().unwrap().clone(), observation));
            }
            Step::WaitUntil(until) => now = until,
            Step::Idle | Step::Done => break,
        }
    }
    for told in [0, 2] {
        let mut resumed = Scheduler::new(settings("http://e.com/")).unwrap();
        for (decision, observation) in &log {
            (0..told).for_each(|_| resumed.assume(decision));
            resumed.settle(observation);
        }
        resumed.release_in_flight();
        assert_eq!(run(&mut resumed, &toy), [], "told {told} times");
    }
}

/// How often each page was seen, by URL.
fn looks(asked: impl IntoIterator<Item = (String, Purpose)>) -> BTreeMap<String, usize> {
    let pages = asked.into_iter().filter(|(_, purpose)| matches!(purpose, Purpose::Visit | Purpose::Revisit));
    pages.fold(BTreeMap::new(), |mut looks, (url, _)| {
        *looks.entry(url).or_default() += 1;
        looks
    })
}

/// Stops after every possible number of steps, resumes from the log alone, and compares what was visited how often.
#[test]
fn a_run_cut_anywhere_resumes_and_visits_the_same_pages_as_often() {
    let toy = Toy::tree(3, 3)
        .with("http://e.com/0/", Page::Redirect("http://e.com/moved/".into()))
        .page("http://e.com/moved/", &["http://e.com/late/"])
        .page("http://e.com/1/0/", &["http://www.e.com/x", "http://www.e.com/y", "http://e.com/X"])
        .with("http://www.e.com/x", Page::Redirect("http://e.com/x".into()))
        .with("http://e.com/x", Page::Bytes("x", vec![]))
        .with("http://e.com/X", Page::Bytes("x", vec![]))
        .with("http://e.com/1/1/", Page::Fails(Failure::Disconnected))
        .with("http://e.com/robots.txt", Page::Robots("User-agent: *\nDisallow: /2/2/\n"));
    let policies = ["breadth-first", "sharc-online", "sharc-threshold", "sharp", "focused"];
    for (policy, revisit) in policies.into_iter().flat_map(|policy| [(policy, false), (policy, true)]) {
        let settings = || Settings { policy: policy.to_owned(), revisit, ..settings("http://e.com/") };
        let asked = run(&mut Scheduler::new(settings()).unwrap(), &toy);
        let whole = looks(asked.into_iter().map(|(_, request)| (request.url, request.purpose)));
        for cut in (0..180).step_by(if revisit { 7 } else { 3 }) {
            let (mut seen, log) = run_until(settings(), &toy, cut);
            let mut resumed = Scheduler::new(settings()).unwrap();
            for entry in &log {
                match entry {
                    Entry::Decision(decision) => resumed.assume(decision),
                    Entry::Observation(observation) => resumed.settle(observation),
                }
            }
            resumed.release_in_flight();
            seen.extend(run(&mut resumed, &toy).into_iter().map(|(_, request)| (request.url, request.purpose)));
            let (mut seen, mut whole) = (looks(seen), whole.clone());
            // How often a page that fails is tried depends on where the tries were cut.
            assert_eq!(seen.remove("http://e.com/1/1/").is_some(), whole.remove("http://e.com/1/1/").is_some());
            assert_eq!(seen, whole, "{policy}, revisit {revisit}, cut after {cut} entries");
            assert_eq!(resumed.progress().waiting, 0, "{policy}, revisit {revisit}, cut after {cut} entries");
        }
    }
}

/// The answered requests and the log of the first so many entries.
fn run_until(settings: Settings, toy: &Toy, entries: usize) -> (Vec<(String, Purpose)>, Vec<Entry>) {
    let (mut seen, mut log) = (Vec::new(), Vec::new());
    let mut scheduler = Scheduler::new(settings).unwrap();
    let mut now = Time::from_secs(1_000_000);
    while log.len() < entries {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                if log.len() < entries {
                    let observation = toy.answer(&request, now, Span::from_millis(20));
                    scheduler.settle(&observation);
                    seen.push((request.url, request.purpose));
                    log.push(Entry::Observation(Box::new(observation)));
                }
            }
            Step::WaitUntil(until) => now = until,
            Step::Idle | Step::Done => break,
        }
    }
    (seen, log)
}

/// Pages made of images that another host no longer serves.
#[test]
fn a_dead_host_of_images_is_no_trouble_of_the_site() {
    let image = |number: usize| format!("http://dead.example/{number}.png");
    let links = |number: usize| {
        let next = (LinkKind::Anchor, format!("http://e.com/{}", number + 1));
        Page::Links(vec![(LinkKind::Embed, image(number)), next])
    };
    let mut toy = Toy::default().with("http://e.com/", links(0));
    for number in 1..40 {
        toy = toy.with(&format!("http://e.com/{number}"), links(number));
    }
    for number in 0..40 {
        toy = toy.with(&image(number), Page::Fails(Failure::Unreachable));
    }
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &toy);
    assert_eq!(scheduler.ending(), Ending::Complete);
    assert!(visited(&asked).contains(&"http://e.com/39"));
}

/// Rules are asked for once a day: a capture with revisits outlives them.
#[test]
fn what_was_captured_stays_so_when_the_rules_change() {
    let mut settings = Settings { revisit: true, ..settings("http://e.com/") };
    settings.delay = Some(Span::from_secs(3600));
    let mut scheduler = Scheduler::new(settings).unwrap();
    let (open, shut) = (
        Toy::tree(3, 2),
        Toy::tree(3, 2).with("http://e.com/robots.txt", Page::Robots("User-agent: *\nDisallow: /\n")),
    );
    let (mut now, mut asked) = (Time::from_secs(1_000_000), 0);
    loop {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                let toy = if asked < 16 { &open } else { &shut };
                scheduler.settle(&toy.answer(&request, now, Span::from_millis(20)));
                asked += 1;
            }
            Step::WaitUntil(until) => now = until,
            Step::Idle | Step::Done => break,
        }
    }
    assert_eq!(scheduler.progress().waiting, 0);
    assert_eq!(excluded(&scheduler, Objection::Robots), 0, "all pages were captured before the rules changed");
    assert!((17..26).contains(&asked), "{asked} requests");
}

/// The budget pays for pairs: half as many pages, each of them proved.
#[test]
fn a_budget_with_revisits_is_spent_on_proofs() {
    let mut settings = Settings { revisit: true, ..settings("http://e.com/") };
    settings.budget = Budget { requests: Some(41), bytes: None };
    let mut scheduler = Scheduler::new(settings).unwrap();
    let asked = run(&mut scheduler, &Toy::tree(4, 3));
    let count = |purpose: Purpose| asked.iter().filter(|(_, request)| request.purpose == purpose).count();
    assert!(
        count(Purpose::Visit) <= 20 && count(Purpose::Revisit) >= 19,
        "{} {}",
        count(Purpose::Visit),
        count(Purpose::Revisit)
    );
    let near = |url: &&str| url.matches('/').count() <= 4;
    assert!(visited(&asked).iter().filter(|url| near(url)).count() >= 5, "the entrance comes before the cellar");
}

/// What leads elsewhere for good is not watched; the seed is, ever less often, as a person named it.
#[test]
fn a_watched_site_asks_once_for_what_leads_to_another_page() {
    let toy = Toy::default()
        .with("http://e.com/", Page::Redirect("http://e.com/home".into()))
        .page("http://e.com/home", &["http://e.com/a", "http://e.com/a/"])
        .page("http://e.com/a", &[])
        .with("http://e.com/a/", Page::Redirect("http://e.com/a".into()));
    let kept = Settings { mode: Mode::Kept, policy: "uniform".into(), ..settings("http://e.com/") };
    let mut scheduler = Scheduler::new(kept).unwrap();
    let (mut now, mut asked) = (Time::from_secs(0), BTreeMap::<String, u32>::new());
    for _ in 0..30 * 24 {
        now += Span::from_secs(3600);
        if let Step::Fetch(request) = scheduler.next(now) {
            *asked.entry(request.url.clone()).or_default() += 1;
            scheduler.settle(&toy.answer(&request, now, Span::ZERO));
        }
    }
    assert_eq!(asked["http://e.com/a/"], 1, "{asked:?}");
    assert!((4..8).contains(&asked["http://e.com/"]), "{asked:?}");
    assert!(asked["http://e.com/a"] > 300 && asked["http://e.com/home"] > 300, "{asked:?}");
}
