//! Spellings of an address: told apart where a server does, not multiplied where it does not, followed where a site moved.

use crate::toy::{Page, Toy, digest_of, run, visited};
use std::collections::BTreeSet;
use tintype_plan::{Objection, Scheduler, Settings, Step};
use tintype_vocab::{LinkKind, Links, Observation, Outcome, Purpose, SiteId, Span, Time};

fn scheduler(seed: &str) -> Scheduler {
    Scheduler::new(Settings::new(SiteId(0), vec![seed.to_owned()])).unwrap()
}

fn excluded(scheduler: &Scheduler, rule: Objection) -> u64 {
    scheduler.exclusions().iter().find(|(found, _)| *found == rule).map_or(0, |(_, excluded)| excluded.links)
}

#[test]
fn what_a_server_may_tell_apart_is_asked_for() {
    let pairs = ["Apple", "apple", "x", "x/", "?ID=aB", "?ID=Ab", "l?a=1&b=2", "l?b=2&a=1"];
    let urls = pairs.map(|pair| format!("http://e.com/{pair}"));
    let toy = Toy::default().page("http://e.com/", &urls.each_ref().map(String::as_str));
    let asked = run(&mut scheduler("http://e.com/"), &toy);
    let asked: BTreeSet<&str> = visited(&asked).into_iter().collect();
    assert_eq!(asked, urls.iter().map(String::as_str).chain(["http://e.com/"]).collect());
}

/// Sixty pages, each linked with a slash and without one, which the server takes for the same.
fn slashes() -> Toy {
    let name = |nth: usize| -> &'static str { format!("{nth:02}").leak() };
    let links = (0..60).flat_map(|nth| [format!("http://e.com/s/{nth}"), format!("http://e.com/s/{nth}/")]);
    (0..60).fold(Toy::default().with("http://e.com/", Page::Bytes("home", links.collect())), |toy, nth| {
        let page = Page::Bytes(name(nth), vec![]);
        toy.with(&format!("http://e.com/s/{nth}"), page.clone()).with(&format!("http://e.com/s/{nth}/"), page)
    })
}

#[test]
fn spellings_that_proved_to_be_the_same_come_last_and_end() {
    let mut scheduler = scheduler("http://e.com/");
    let asked = run(&mut scheduler, &slashes());
    let is_spelling = |url: &&&str| url.ends_with('/') && url.contains("/s/");
    let pages = visited(&asked);
    let spellings = pages.iter().filter(is_spelling).count();
    assert_eq!((pages.len() - spellings, spellings), (61, 16));
    assert_eq!(pages[..61 + 3].iter().filter(is_spelling).count(), 3, "the others wait for all that is new");
    assert_eq!((scheduler.same_bytes(), excluded(&scheduler, Objection::SameBytes)), (16, 60 - 16));
    assert_eq!(scheduler.progress().waiting, 0);
}

#[test]
fn spellings_with_bytes_of_their_own_are_all_asked_for() {
    let toy = (0..60).fold(slashes(), |toy, nth| {
        toy.with(&format!("http://e.com/s/{nth}/"), Page::Bytes(format!("other {nth}").leak(), vec![]))
    });
    let mut scheduler = scheduler("http://e.com/");
    assert_eq!(visited(&run(&mut scheduler, &toy)).len(), 121);
    assert_eq!(scheduler.same_bytes(), 0);
}

/// Every answer links five pages under a new session's number, and no two answers are the same.
#[test]
fn sessions_in_urls_do_not_multiply_a_site_without_end() {
    let mut scheduler = scheduler("http://e.com/");
    let (mut now, mut asked) = (Time::from_secs(1_000_000), Vec::new());
    loop {
        match scheduler.next(now) {
            Step::Fetch(request) if request.purpose == Purpose::Visit => {
                let mut links = Links::new();
                (0..5).for_each(|page| {
                    links.push(&format!("http://e.com/{page}?sid={:032x}", asked.len()), LinkKind::Anchor)
                });
                let digest = Some(digest_of(&format!("{}", asked.len())));
                let bare = Observation::of(&request, now, now, Outcome::Body { status: 200 });
                scheduler.settle(&Observation { links, digest, ..bare });
                asked.push(request.url);
            }
            Step::Fetch(request) => {
                scheduler.settle(&Observation::of(&request, now, now, Outcome::Gone { status: 404 }));
            }
            Step::WaitUntil(until) => now = until + Span::from_millis(1),
            Step::Idle => panic!("idle with nothing in flight"),
            Step::Done => break,
        }
        assert!(asked.len() < 100, "the run does not end");
    }
    assert_eq!(asked.len(), 1 + 5 * 8);
    assert!(excluded(&scheduler, Objection::ManySpellings) > 0);
}

#[test]
fn a_site_that_moved_is_captured_once() {
    let toy = Toy::default()
        .with("http://e.com/", Page::Redirect("https://www.e.com/".into()))
        .page("https://www.e.com/", &["http://e.com/a", "https://www.e.com/a", "http://e.com/b?c=1"])
        .page("https://www.e.com/a", &["http://e.com/", "http://www.e.com/"])
        .with("http://www.e.com/", Page::Redirect("https://www.e.com/".into()));
    let asked = run(&mut scheduler("http://e.com/"), &toy);
    let (secure, plain) = ("https://www.e.com", "http://www.e.com");
    let all = ["http://e.com/".to_owned(), format!("{secure}/"), format!("{secure}/a"), format!("{secure}/b?c=1")];
    assert_eq!(visited(&asked), [&all[..], &[format!("{plain}/")]].concat());
}

#[test]
fn what_waits_moves_with_its_site() {
    let toy = Toy::default()
        .page("https://e.com/", &["http://e.com/a", "http://e.com/b", "http://e.com/c", "https://e.com/c"])
        .with("http://e.com/a", Page::Redirect("https://e.com/a".into()));
    let mut scheduler = scheduler("https://e.com/");
    let asked = run(&mut scheduler, &toy);
    let all = ["https://e.com/", "http://e.com/a", "https://e.com/a", "https://e.com/b", "https://e.com/c"];
    assert_eq!(visited(&asked), all);
    assert_eq!(scheduler.progress().waiting, 0);
}

#[test]
fn a_site_that_answers_under_both_names_did_not_move() {
    let toy = Toy::default()
        .page("http://e.com/", &["http://e.com/login", "http://e.com/a", "https://e.com/a"])
        .with("http://e.com/login", Page::Redirect("https://e.com/login".into()))
        .page("https://e.com/login", &["http://e.com/b"]);
    let asked = run(&mut scheduler("http://e.com/"), &toy);
    let asked: BTreeSet<&str> = visited(&asked).into_iter().collect();
    assert!(["http://e.com/a", "https://e.com/a", "http://e.com/b"].iter().all(|url| asked.contains(url)), "{asked:?}");
}
