//! Sites that make pages without end: what only repeats itself is left, everything else is captured.

use std::collections::BTreeMap;
use tintype_plan::{Mode, Objection, Scheduler, Settings, Step, policy};
use tintype_vocab::{LinkKind, Links, Observation, Outcome, Purpose, Request, SiteId, Span, Time};

const SITE: &str = "http://e.com/";
/// Captures that should come to an end by themselves are stopped here.
const VISITS_MAX: usize = 6_000;

/// What a page says, and where it leads to.
type Answer = (String, Vec<String>);

/// A number for what is said, as the look at a page would give.
fn gist(said: &str) -> u64 {
    said.bytes().fold(7, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn answer(request: &Request, now: Time, site: &dyn Fn(&str) -> Option<Answer>) -> Observation {
    let Some((said, to)) = request.url.strip_prefix(SITE).and_then(site) else {
        return Observation::of(request, now, now, Outcome::Gone { status: 404 });
    };
    let mut links = Links::new();
    to.iter().for_each(|to| links.push(&format!("{SITE}{to}"), LinkKind::Anchor));
    let bare = Observation::of(request, now, now, Outcome::Body { status: 200 });
    Observation { links, gist: Some(gist(&said)), ..bare }
}

/// Pages asked for, in order, and the scheduler at the end.
fn run(settings: Settings, visits: usize, site: impl Fn(&str) -> Option<Answer>) -> (Vec<String>, Scheduler) {
    let mut scheduler = Scheduler::new(settings).unwrap();
    let (mut now, mut asked) = (Time::from_secs(1_700_000_000), Vec::new());
    while asked.len() < visits {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                scheduler.settle(&answer(&request, now, &site));
                if request.purpose != Purpose::Robots && request.purpose != Purpose::Probe {
                    asked.push(request.url.strip_prefix(SITE).unwrap().to_owned());
                }
            }
            Step::WaitUntil(until) => now = until + Span::from_millis(1),
            Step::Idle => panic!("idle with nothing in flight"),
            Step::Done => break,
        }
    }
    (asked, scheduler)
}

fn settings(policy: &str) -> Settings {
    let mut settings = Settings::new(SiteId(0), vec![SITE.to_owned()]);
    settings.policy = policy.to_owned();
    settings.delay = Some(Span::ZERO);
    settings
}

fn excluded(scheduler: &Scheduler) -> (u64, String) {
    let cut = scheduler.exclusions().iter().find(|(rule, _)| *rule == Objection::EndlessFamily);
    cut.map_or_else(Default::default, |(_, cut)| (cut.links, cut.detail.clone().unwrap_or_default()))
}

const OTHERS: usize = 40;

/// The entrance, which leads into a trap and to forty pages, each of which leads to one more.
fn with_others(trap: &str, target: &str) -> Option<Answer> {
    if target.is_empty() {
        let links = std::iter::once(trap.to_owned()).chain((0..OTHERS).map(|page| format!("page/{page}")));
        return Some(("home".to_owned(), links.collect()));
    }
    let page = target.strip_prefix("page/")?;
    let links = if page.contains('x') { vec![] } else { vec![format!("page/{page}x")] };
    Some((format!("the words of {page}"), links))
}

/// Where a trap begins, and what it answers.
struct Trap(&'static str, fn(&str) -> Option<Answer>);

fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// A month: its days, and the months before and after it.
fn month(target: &str) -> Option<Answer> {
    let date = target.strip_prefix("cal/")?;
    let (year, rest) = date.split_once('/')?;
    let (year, month) = (number(year)?, number(rest.split('/').next()?)?);
    let near = [(year, month - 1), (year, month + 1), (year - 1, month)];
    let near = near.map(|(year, month)| match month {
        0 => (year - 1, 12),
        13 => (year + 1, 1),
        _ => (year, month),
    });
    let months = near.map(|(year, month)| format!("cal/{year}/{month}")).into_iter();
    let days = (1..=5).map(|day| format!("cal/{year}/{month}/{day}"));
    let said = if rest.contains('/') { "nothing on this day" } else { "Mo Tu We" };
    Some((said.to_owned(), months.chain(days).collect()))
}

fn parameters(target: &str) -> Option<Answer> {
    let query = target.strip_prefix("list?")?;
    let month: i64 = query.rsplit('=').next().and_then(number)?;
    let links = (-1..=1).flat_map(|year| (1..=3).map(move |add| format!("list?y={};m={}", 2000 + year, month + add)));
    Some(("a month".to_owned(), links.collect()))
}

fn date(target: &str) -> Option<Answer> {
    let day = number(target.strip_prefix("day?date=2020-")?)?;
    Some(("no events".to_owned(), (-2..=2).map(|add| format!("day?date=2020-{}", day + add)).collect()))
}

/// Ten real pages that link each other under a new number every time, each with letters alone.
fn session(target: &str) -> Option<Answer> {
    let (page, sid) = target.strip_prefix("shop")?.split_once("?sid=")?;
    let turn = sid.bytes().fold(1u64, |turn, byte| turn.wrapping_mul(31).wrapping_add(byte.into()));
    let letters = |n: u64| (0..8).map(|at| char::from(b'a' + (n >> (at * 4)) as u8 % 16)).collect::<String>();
    let link = |to: u64| format!("shop{to}?sid={}", letters(turn.wrapping_mul(10).wrapping_add(to)));
    Some((format!("shop {page}"), (0..10).map(link).collect()))
}

/// The same, under numbers nobody counted, which stand behind semicolons as well.
fn counted_by_nobody(target: &str) -> Option<Answer> {
    let (page, sid) = target.strip_prefix("stall")?.split_once(";sid=")?;
    let turn = sid.bytes().fold(1u64, |turn, byte| turn.wrapping_mul(31).wrapping_add(byte.into()));
    let link =
        |to: u64| format!("stall{to};sid={}", 100_000_000 + turn.wrapping_mul(10).wrapping_add(to) % 900_000_000);
    Some((format!("stall {page}"), (0..10).map(link).collect()))
}

/// Every directory contains itself under the names of two others.
fn echo(target: &str) -> Option<Answer> {
    target.strip_prefix("in/")?;
    let links = ["red", "green", "blue"].map(|name| format!("{}/{name}", target.trim_end_matches('/')));
    Some(("a directory".to_owned(), links.to_vec()))
}

const TRAPS: [Trap; 6] = [
    Trap("cal/2023/11", month),
    Trap("list?y=2000;m=1", parameters),
    Trap("day?date=2020-100", date),
    Trap("shop0?sid=a", session),
    Trap("stall0;sid=100000001", counted_by_nobody),
    Trap("in/red", echo),
];

#[test]
fn a_trap_takes_a_bounded_share_and_everything_else_is_captured() {
    for Trap(entrance, inside) in TRAPS {
        for policy in ["breadth-first", policy::DEFAULT, "depth-first"] {
            let (asked, scheduler) =
                run(settings(policy), VISITS_MAX, |target| inside(target).or_else(|| with_others(entrance, target)));
            let others = asked.iter().filter(|target| target.starts_with("page/")).count();
            let case = format!("{policy} in {entrance}: {} of {}", others, asked.len());
            assert_eq!(others, 2 * OTHERS, "{case}");
            assert!(asked.len() < 800, "{case}");
            let (links, forms) = excluded(&scheduler);
            assert!(links > 0 && forms.contains("e.com/"), "{case}: {forms}");
        }
    }
}

/// Only where pages are merely numbered may hundreds be alike.
#[test]
fn months_and_sessions_are_a_fraction_of_a_capture() {
    for Trap(entrance, inside) in &TRAPS[1..5] {
        let (asked, _) = run(settings(policy::DEFAULT), VISITS_MAX, |target| {
            inside(target).or_else(|| with_others(entrance, target))
        });
        assert!(asked.len() - 2 * OTHERS < 80, "{entrance}: {}", asked.len());
    }
}

/// By the time a small budget is spent, the rest of the site has been seen.
#[test]
fn a_trap_does_not_starve_the_rest_of_a_budget() {
    for Trap(entrance, inside) in TRAPS {
        let mut settings = settings(policy::DEFAULT);
        settings.budget.requests = Some(400);
        let (asked, _) = run(settings, VISITS_MAX, |target| inside(target).or_else(|| with_others(entrance, target)));
        let others = asked.iter().filter(|target| target.starts_with("page/")).count();
        assert_eq!(others, 2 * OTHERS, "{entrance}: {}", asked.len());
    }
}

#[test]
fn who_keeps_a_site_is_not_drawn_into_its_calendar() {
    for Trap(entrance, inside) in TRAPS {
        let mut settings = settings(policy::CONTINUAL_DEFAULT);
        settings.mode = Mode::Kept;
        let (asked, scheduler) =
            run(settings, 3_000, |target| inside(target).or_else(|| with_others(entrance, target)));
        let mut visits: BTreeMap<&str, usize> = BTreeMap::new();
        asked.iter().for_each(|target| *visits.entry(target).or_default() += 1);
        let known = scheduler.progress().known;
        assert!(known < 1_500 && excluded(&scheduler).0 > 0, "{entrance}: {known} known, {} asked for", visits.len());
        let others = visits.keys().filter(|target| target.starts_with("page/")).count();
        assert_eq!(others, 2 * OTHERS, "{entrance}: {known}");
    }
}

/// Every article leads to the next two, and says something of its own.
fn article(target: &str, last: i64) -> Option<Answer> {
    let id = number(target.strip_prefix("article?id=")?)?;
    let links = (1..=2).map(|add| id + add).filter(|id| *id <= last).map(|id| format!("article?id={id}"));
    Some((format!("what article {id} is about"), links.collect()))
}

#[test]
fn a_hundred_thousand_articles_are_captured_whole() {
    let (asked, scheduler) = run(settings("breadth-first"), 1_000_000, |target| {
        article(target, 100_000).or_else(|| with_others("article?id=1", target))
    });
    assert_eq!(asked.len(), 1 + 100_000 + 2 * OTHERS);
    assert_eq!(excluded(&scheduler).0, 0);
}

#[test]
fn a_family_that_feeds_on_itself_waits_while_others_have_had_less() {
    let (asked, _) = run(settings("depth-first"), 1_000, |target| {
        article(target, 100_000).or_else(|| with_others("article?id=1", target))
    });
    let first = |prefix: &str| asked.iter().filter(|target| target.starts_with(prefix)).count();
    assert_eq!((first("page/"), asked.len()), (2 * OTHERS, 1_000));
}

#[test]
fn pages_that_an_index_lists_are_asked_for_even_if_they_all_say_the_same() {
    let (asked, scheduler) = run(settings(policy::DEFAULT), VISITS_MAX, |target| match target {
        "" => Some(("home".to_owned(), (0..500).map(|id| format!("soon/{id}")).collect())),
        _ => target.starts_with("soon/").then(|| ("coming soon".to_owned(), vec![])),
    });
    assert_eq!((asked.len(), excluded(&scheduler).0), (501, 0));
}
