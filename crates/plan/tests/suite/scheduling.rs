//! The scheduler's own promises: rules, redirects, retries, scope, resuming.

use crate::toy::{Page, Toy, run, visited};
use tintype_plan::{Ending, Rule, Scheduler, SeedError, Settings, Step};
use tintype_vocab::{Entry, Failure, LinkKind, Purpose, SiteId, Span, Time};

fn settings(seed: &str) -> Settings {
    Settings::new(SiteId(0), vec![seed.to_owned()])
}

fn excluded(scheduler: &Scheduler, rule: Rule) -> u64 {
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
    assert_eq!(excluded(&scheduler, Rule::Robots), 2);
    assert!(asked[2].0 - asked[1].0 >= Span::from_secs(9));
}

#[test]
fn rules_that_cannot_be_read_forbid_everything_but_missing_rules_nothing() {
    let silent =
        Toy::default().with("http://e.com/robots.txt", Page::Fails(Failure::Server(500))).page("http://e.com/", &[]);
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &silent);
    assert_eq!(asked.len(), 3, "three tries for the rules, nothing else");
    assert_eq!(excluded(&scheduler, Rule::RobotsUnreachable), 1);

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
    assert_eq!(excluded(&scheduler, Rule::Robots), 1);
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
    assert_eq!(excluded(&scheduler, Rule::UrlTooLong), 1);
}

#[test]
fn a_redirect_to_another_spelling_of_the_same_page_is_followed() {
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
    assert_eq!(excluded(&scheduler, Rule::OutOfScope), 1);
}

#[test]
fn endless_redirects_end() {
    let mut toy = Toy::default();
    for i in 0..100 {
        toy = toy.with(&format!("http://e.com/{i}"), Page::Redirect(format!("http://e.com/{}", i + 1)));
    }
    let mut scheduler = Scheduler::new(settings("http://e.com/0")).unwrap();
    assert_eq!(visited(&run(&mut scheduler, &toy)).len(), 11);
    assert_eq!(excluded(&scheduler, Rule::RedirectLoop), 1);

    let looping = Toy::default().with("http://e.com/", Page::Redirect("http://e.com/".into()));
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    assert_eq!(visited(&run(&mut scheduler, &looping)).len(), 11);
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
    assert_eq!(excluded(&scheduler, Rule::OutOfScope), 1);
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
    settings.media = vec!["image".into()];
    let mut scheduler = Scheduler::new(settings).unwrap();
    assert_eq!(visited(&run(&mut scheduler, &toy)), ["http://e.com/", "http://e.com/1", "http://e.com/2"]);
    assert_eq!((excluded(&scheduler, Rule::TooDeep), excluded(&scheduler, Rule::UnwantedMedia)), (1, 1));
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

/// Stops after every possible number of steps, resumes from the log alone, and compares what was visited.
#[test]
fn a_run_cut_anywhere_resumes_and_visits_the_same_pages() {
    let toy = Toy::tree(3, 3)
        .with("http://e.com/0/", Page::Redirect("http://e.com/moved/".into()))
        .page("http://e.com/moved/", &["http://e.com/late/"])
        .with("http://e.com/1/1/", Page::Fails(Failure::Disconnected))
        .with("http://e.com/robots.txt", Page::Robots("User-agent: *\nDisallow: /2/2/\n"));
    let mut whole = visited(&run(&mut Scheduler::new(settings("http://e.com/")).unwrap(), &toy))
        .iter()
        .map(|url| (*url).to_owned())
        .collect::<Vec<_>>();
    whole.sort();
    whole.dedup();
    for cut in 0..60 {
        let mut log = Vec::new();
        let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
        let mut now = Time::from_secs(1_000_000);
        while log.len() < cut {
            match scheduler.next(now) {
                Step::Fetch(request) => {
                    log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                    if log.len() < cut {
                        let observation = toy.answer(&request, now, Span::from_millis(20));
                        scheduler.settle(&observation);
                        log.push(Entry::Observation(Box::new(observation)));
                    }
                }
                Step::WaitUntil(until) => now = until,
                Step::Idle | Step::Done => break,
            }
        }
        let mut resumed = Scheduler::new(settings("http://e.com/")).unwrap();
        let mut urls = Vec::new();
        for entry in &log {
            match entry {
                Entry::Decision(decision) => resumed.assume(decision),
                Entry::Observation(observation) => {
                    if observation.purpose == Purpose::Visit {
                        urls.push(observation.url.clone());
                    }
                    resumed.settle(observation);
                }
            }
        }
        resumed.release_in_flight();
        urls.extend(visited(&run(&mut resumed, &toy)).into_iter().map(str::to_owned));
        urls.sort();
        urls.dedup();
        assert_eq!(urls, whole, "cut after {cut} entries");
        assert_eq!(resumed.progress().waiting, 0);
    }
}
