//! One pace per host: what a host asks for holds up what lies on it, for all sites alike, and nothing else.

use crate::toy::{Page, Toy, run, visited};
use tintype_plan::{
    Budget, Ending, Entrance, Exclusions, Objection, Scheduler, ScopeRule, Settings, SharedHosts, Step, replay,
};
use tintype_vocab::{Entry, Failure, LinkKind, Purpose, Request, SiteId, Span, Time};

const START: Time = Time::from_secs(1_000_000);

fn settings(seed: &str) -> Settings {
    Settings::new(SiteId(0), vec![seed.to_owned()])
}

fn links(exclusions: &Exclusions, objection: Objection) -> u64 {
    exclusions.iter().find(|(found, _)| *found == objection).map_or(0, |(_, excluded)| excluded.links)
}

/// A site of so many pages in a row, each with a picture from elsewhere.
fn illustrated(toy: Toy, site: &str, pages: usize, pictures: &str) -> Toy {
    (0..pages).fold(toy, |toy, number| {
        let here = if number == 0 { format!("{site}/") } else { format!("{site}/{number}") };
        let next = (LinkKind::Anchor, format!("{site}/{}", number + 1));
        let picture = (LinkKind::Embed, format!("{pictures}{}.png", site.len() * 1000 + number));
        let links = if number + 1 < pages { vec![picture, next] } else { vec![picture] };
        toy.with(&here, Page::Links(links))
    })
}

fn asked_of<'a>(asked: &'a [(Time, Request)], host: &'a str) -> impl Iterator<Item = &'a (Time, Request)> {
    asked.iter().filter(move |(_, request)| request.url.starts_with(host))
}

#[test]
fn a_host_that_wants_a_day_between_requests_holds_up_only_what_lies_on_it() {
    let rules = Page::Robots("User-agent: *\nCrawl-delay: 86400\n");
    let toy = illustrated(Toy::default(), "http://e.com", 200, "http://slow.net/");
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &toy.with("http://slow.net/robots.txt", rules));
    assert_eq!(asked_of(&asked, "http://e.com").filter(|(_, request)| request.purpose == Purpose::Visit).count(), 200);
    assert_eq!(asked_of(&asked, "http://slow.net").count(), 1, "its rules");
    let took = asked.last().unwrap().0 - asked[0].0;
    assert!(took < Span::from_secs(230), "{took}");
    assert_eq!((scheduler.ending(), scheduler.progress().waiting), (Ending::Complete, 0));
    assert_eq!(links(scheduler.exclusions(), Objection::HostPause), 200);
    let said = serde_json::to_string(scheduler.exclusions()).unwrap();
    assert!(said.contains("slow.net asked for a pause of 1 d 0 h"), "{said}");
}

#[test]
fn a_slow_answer_of_another_host_does_not_hold_up_the_site() {
    let toy = illustrated(Toy::default(), "http://e.com", 3, "http://slow.net/");
    let settings = Settings { policy: "breadth-first".to_owned(), ..settings("http://e.com/") };
    let mut scheduler = Scheduler::new(settings).unwrap();
    let (mut now, mut asked, mut flying) = (START, Vec::new(), Vec::new());
    while asked.len() < 5 {
        match scheduler.next(now) {
            Step::Fetch(request) if request.url.starts_with("http://slow.net") => flying.push(request),
            Step::Fetch(request) => {
                scheduler.settle(&toy.answer(&request, now, Span::from_millis(20)));
                asked.push(request.url);
            }
            Step::WaitUntil(until) => now = until,
            step @ (Step::Idle | Step::Done) => panic!("{step:?} after {asked:?}"),
        }
    }
    asked.sort();
    assert_eq!(asked, ["/", "/1", "/2", "/robots.txt", "/sitemap.xml"].map(|path| format!("http://e.com{path}")));
    assert_eq!(flying.len(), 1, "its rules are asked for once");
}

/// Several sites, one process: each goes as soon as it may; the requests of all, and the log of each.
fn run_together(toy: &Toy, schedulers: &mut [Scheduler]) -> (Vec<(Time, Request)>, Vec<Vec<Entry>>) {
    let shared = SharedHosts::default();
    schedulers.iter_mut().for_each(|scheduler| scheduler.share_hosts(shared.clone(), START));
    let (mut now, mut asked, mut logs) = (START, Vec::new(), vec![Vec::new(); schedulers.len()]);
    loop {
        let mut until = None;
        for (scheduler, log) in schedulers.iter_mut().zip(&mut logs) {
            loop {
                match scheduler.next(now) {
                    Step::Fetch(request) => {
                        let observation = toy.answer(&request, now, Span::ZERO);
                        scheduler.settle(&observation);
                        log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                        log.push(Entry::Observation(Box::new(observation)));
                        asked.push((now, request));
                    }
                    Step::WaitUntil(at) => {
                        until = Some(until.map_or(at, |until: Time| until.min(at)));
                        break;
                    }
                    Step::Idle => panic!("idle with nothing in flight"),
                    Step::Done => break,
                }
            }
        }
        match until {
            Some(until) => now = until,
            None => return (asked, logs),
        }
    }
}

#[test]
fn sites_that_share_a_host_keep_one_pace_and_each_log_replays() {
    let sites = ["http://a.com", "http://bb.com", "http://ccc.com", "http://dddd.com"];
    let rules = Page::Robots("User-agent: *\nCrawl-delay: 4\n");
    let toy = sites.iter().fold(Toy::default(), |toy, site| illustrated(toy, site, 6, "http://cdn.net/"));
    let toy = toy.with("http://cdn.net/robots.txt", rules);
    for policy in ["breadth-first", "sharp", "random"] {
        let settings = sites.map(|site| Settings { policy: policy.to_owned(), ..settings(&format!("{site}/")) });
        let mut schedulers = settings.clone().map(|settings| Scheduler::new(settings).unwrap());
        let (asked, logs) = run_together(&toy, &mut schedulers);
        let times: Vec<Time> = asked_of(&asked, "http://cdn.net").map(|(at, _)| *at).collect();
        assert_eq!(times.len(), 4 + 4 * 6, "{policy}: rules and pictures");
        // The delay is known once the rules were read.
        let after = times.windows(2).skip(1).all(|pair| pair[1] - pair[0] >= Span::from_secs(4));
        assert!(after, "{policy}: {times:?}");
        for (settings, log) in settings.into_iter().zip(logs) {
            replay(settings, log).unwrap_or_else(|divergence| panic!("{policy}: {divergence}"));
        }
    }
}

#[test]
fn a_refusal_to_one_site_is_obeyed_by_all() {
    let toy = ["http://a.com", "http://bb.com"]
        .iter()
        .fold(Toy::default(), |toy, site| illustrated(toy, site, 4, "http://cdn.net/"))
        .with("http://cdn.net/12000.png", Page::Refuses(429, Some(Span::from_secs(600))));
    let mut schedulers = ["http://a.com/", "http://bb.com/"].map(|site| Scheduler::new(settings(site)).unwrap());
    let (asked, _) = run_together(&toy, &mut schedulers);
    let cdn: Vec<_> = asked_of(&asked, "http://cdn.net").collect();
    let refused: Vec<usize> = (0..cdn.len()).filter(|nth| cdn[*nth].1.url.ends_with("/12000.png")).collect();
    assert!(!refused.is_empty(), "the first site has that picture");
    for nth in refused.into_iter().filter(|nth| nth + 1 < cdn.len()) {
        assert!(cdn[nth + 1].0 - cdn[nth].0 >= Span::from_secs(600), "{:?}", cdn[nth + 1]);
    }
}

/// A thousand sites of one machine each get their share.
#[test]
fn sites_on_one_address_take_turns() {
    let names: Vec<String> = (0..20).map(|number| format!("http://s{number}.example/")).collect();
    let shared = SharedHosts::default();
    let mut schedulers: Vec<Scheduler> = names.iter().map(|name| Scheduler::new(settings(name)).unwrap()).collect();
    schedulers.iter_mut().for_each(|scheduler| scheduler.share_hosts(shared.clone(), START));
    for number in 0..20 {
        shared.lock().resolved(&format!("s{number}.example"), &["192.0.2.7".to_owned()]);
    }
    let toy =
        names.iter().fold(Toy::default(), |toy, name| toy.page(name, &[&format!("{name}a"), &format!("{name}b")]));
    let (mut now, mut served) = (START, vec![0; names.len()]);
    for _ in 0..60 {
        // Always in the same order: the first in it must not be served first every time.
        for (nth, scheduler) in schedulers.iter_mut().enumerate() {
            if let Step::Fetch(request) = scheduler.next(now) {
                scheduler.settle(&toy.answer(&request, now, Span::ZERO));
                served[nth] += 1;
            }
        }
        now += Span::from_secs(1);
    }
    assert_eq!(served.iter().sum::<usize>(), 60, "one a second, all together");
    assert!(served.iter().all(|served| (2..=4).contains(served)), "{served:?}");
}

#[test]
fn a_clock_that_is_set_neither_stalls_nor_bursts() {
    for hours in [1, -1] {
        let toy = Toy::tree(3, 2);
        let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
        let (mut steady, mut ahead, mut asked) = (START, Span::ZERO, Vec::new());
        loop {
            if asked.len() == 5 {
                ahead = Span::from_secs(3600 * hours);
            }
            scheduler.clock_was_set(ahead);
            match scheduler.next(steady + ahead) {
                Step::Fetch(request) => {
                    scheduler.settle(&toy.answer(&request, steady + ahead, Span::ZERO));
                    asked.push(steady);
                }
                Step::WaitUntil(until) => steady = until - ahead,
                Step::Idle | Step::Done => break,
            }
        }
        assert_eq!(asked.len(), 15);
        let pauses: Vec<Span> = asked.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(pauses.iter().all(|pause| *pause == Span::from_secs(1)), "{pauses:?}");
    }
}

#[test]
fn rules_refused_for_the_moment_allow_nothing() {
    let busy = Page::Refuses(429, Some(Span::from_secs(30)));
    let toy = Toy::default().with("http://e.com/robots.txt", busy).page("http://e.com/", &[]);
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &toy);
    assert_eq!(asked.len(), 3, "the rules, three times: {asked:?}");
    assert!(asked.windows(2).all(|pair| pair[1].0 - pair[0].0 >= Span::from_secs(30)));
    assert_eq!(links(scheduler.exclusions(), Objection::RobotsUnreachable), 1);
}

#[test]
fn one_page_out_of_service_does_not_hold_up_the_others() {
    let pages: Vec<String> = (0..30).map(|number| format!("http://e.com/{number}")).collect();
    let toy = Toy::default()
        .page("http://e.com/", &pages.iter().map(String::as_str).collect::<Vec<_>>())
        .with("http://e.com/0", Page::Refuses(503, None));
    let toy = pages[1..].iter().fold(toy, |toy, page| toy.page(page, &[]));
    let asked = run(&mut Scheduler::new(settings("http://e.com/")).unwrap(), &toy);
    let tries = asked.iter().filter(|(_, request)| request.url == pages[0]).count();
    let took = asked.last().unwrap().0 - asked[0].0;
    assert_eq!((tries, asked.len()), (3, 35));
    assert!(took < Span::from_secs(37), "{took}");
}

#[test]
fn a_page_that_is_out_of_service_for_an_hour_is_named_and_not_waited_for() {
    let later = Page::Refuses(503, Some(Span::from_secs(3000)));
    let toy = Toy::default()
        .page("http://e.com/", &["http://e.com/0", "http://e.com/1", "http://e.com/login"])
        .with("http://e.com/0", later.clone())
        .page("http://e.com/1", &[]);
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &toy);
    assert_eq!(visited(&asked), ["http://e.com/", "http://e.com/0", "http://e.com/1", "http://e.com/login"]);
    let took = asked.last().unwrap().0 - asked[0].0;
    assert!(took < Span::from_secs(60), "{took}");
    let left = scheduler.exclusions().iter().find(|(rule, _)| *rule == Objection::OutOfService).unwrap().1;
    assert_eq!(left.samples, ["http://e.com/0"]);
    // A host that says so of everything is waited for.
    let mut toy = Toy::default().page("http://e.com/", &["http://e.com/0", "http://e.com/1", "http://e.com/2"]);
    for number in 0..3 {
        toy = toy.with(&format!("http://e.com/{number}"), later.clone());
    }
    let asked = run(&mut Scheduler::new(settings("http://e.com/")).unwrap(), &toy);
    let took = asked.last().unwrap().0 - asked[0].0;
    assert!(took > Span::from_secs(3000), "{took}");
}

#[test]
fn a_host_of_pictures_that_does_not_answer_is_given_up_by_itself() {
    let mut toy = illustrated(Toy::default(), "http://e.com", 60, "http://dead.net/")
        .with("http://dead.net/robots.txt", Page::Robots(""));
    for number in 0..60 {
        let picture = format!("http://dead.net/{}.png", "http://e.com".len() * 1000 + number);
        toy = toy.with(&picture, Page::Fails(Failure::Unreachable));
    }
    let mut scheduler = Scheduler::new(settings("http://e.com/")).unwrap();
    let asked = run(&mut scheduler, &toy);
    assert_eq!(scheduler.ending(), Ending::Complete);
    assert_eq!(visited(&asked).iter().filter(|url| url.starts_with("http://e.com")).count(), 60);
    assert_eq!(asked_of(&asked, "http://dead.net").count(), 21, "its rules, and twenty failures");
    assert!(links(scheduler.exclusions(), Objection::HostSilent) > 30);
}

#[test]
fn two_ways_into_a_site_have_budgets_of_their_own_and_share_what_both_reach() {
    let page = |name: &str, number: usize| format!("http://e.com/{name}/{number}");
    let mut toy = Toy::default();
    for name in ["a", "b"] {
        let links: Vec<String> = (0..20).map(|number| page(name, number)).chain([page("a/both", 0)]).collect();
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        toy = toy.page(&format!("http://e.com/{name}/"), &links).page("http://e.com/a/both/0", &[]);
        toy = (0..20).fold(toy, |toy, number| toy.page(&page(name, number), &[]));
    }
    let budget = |requests| Budget { requests: Some(requests), bytes: None };
    let mut first = Settings { scope: ScopeRule::Prefix, budget: budget(5), ..settings("http://e.com/a/") };
    first.policy = "breadth-first".to_owned();
    let second = |seed: &str, requests| Entrance {
        seeds: vec![seed.to_owned()],
        scope: ScopeRule::Prefix,
        budget: budget(requests),
        depth_max: None,
    };
    first.more = vec![second("http://e.com/b/", 9)];
    let mut scheduler = Scheduler::new(first.clone()).unwrap();
    let asked = run(&mut scheduler, &toy);
    let of = |name: &str| visited(&asked).iter().filter(|url| url.contains(name)).count();
    assert_eq!((of("/a/"), of("/b/")), (4, 9), "the first pays for robots.txt");
    assert_eq!(scheduler.ending(), Ending::BudgetSpent);

    first.budget = Budget::default();
    first.more = vec![second("http://e.com/a/both/0", 9)];
    let asked = run(&mut Scheduler::new(first).unwrap(), &toy);
    assert_eq!(visited(&asked).iter().filter(|url| url.ends_with("/both/0")).count(), 1);
}

/// Answers come late and out of order, several hosts are asked at once, and pictures lead to further pictures.
#[test]
fn a_log_replays_when_hosts_answer_out_of_order() {
    let rules = Page::Robots("User-agent: *\nCrawl-delay: 3\n");
    let mut toy = illustrated(Toy::default(), "http://e.com", 12, "http://cdn.net/");
    toy = toy.with("http://cdn.net/robots.txt", rules);
    for number in 0..12 {
        let more = (LinkKind::Embed, format!("http://fonts.net/{number}"));
        toy = toy.with(&format!("http://cdn.net/{}.png", 12_000 + number), Page::Links(vec![more]));
    }
    for name in tintype_plan::policy::names() {
        let settings = Settings { policy: name.to_owned(), ..settings("http://e.com/") };
        let mut scheduler = Scheduler::new(settings.clone()).unwrap();
        let (mut now, mut flying, mut log) = (START, Vec::new(), Vec::new());
        for step in 0.. {
            assert!(step < 100_000, "{name}: the run does not end");
            let next = scheduler.next(now);
            match next {
                Step::Fetch(request) => {
                    log.push(Entry::Decision(scheduler.last_decision().unwrap().clone()));
                    flying.push(toy.answer(&request, now, Span::from_millis(900)));
                }
                Step::Done => break,
                Step::WaitUntil(until) if flying.is_empty() || step % 3 == 0 => now = until,
                Step::Idle | Step::WaitUntil(_) => {
                    let observation = flying.remove(step % flying.len());
                    now = now.max(observation.answered);
                    scheduler.settle(&observation);
                    log.push(Entry::Observation(Box::new(observation)));
                }
            }
        }
        let decisions = log.iter().filter(|entry| matches!(entry, Entry::Decision(_))).count();
        assert!(decisions >= 36, "{name}: {decisions}");
        replay(settings, log).unwrap_or_else(|divergence| panic!("{name}: {divergence}"));
    }
}
