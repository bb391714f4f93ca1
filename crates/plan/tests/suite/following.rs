//! Links that a site asks not to follow, and pages that do something rather than show something.

use crate::toy::{Page, Toy, run, visited};
use tintype_plan::{Mode, NoFollow, Objection, RenderMode, Scheduler, Settings, Step};
use tintype_vocab::{
    Change, Link, LinkKind, Links, Mention, Observation, Outcome, Purpose, Request, SiteId, Span, Tag, Time,
};

const SITE: &str = "http://e.com/";

fn settings(nofollow: NoFollow) -> Settings {
    let mut settings = Settings::new(SiteId(0), vec![SITE.to_owned()]);
    (settings.nofollow, settings.delay) = (nofollow, Some(Span::ZERO));
    settings
}

/// Nine pages of a wiki, each with many things to do.
fn wiki() -> Toy {
    let page = |number: usize| format!("{SITE}page{number}");
    let mut toy = Toy::default();
    for number in 0..9 {
        let deeds = (0..30).map(|deed| format!("{}?do=edit&rev={deed}", page(number)));
        let links: Vec<String> = deeds.chain((0..9).map(page)).collect();
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        toy = toy.page(&page(number), &links);
        links.iter().filter(|link| link.contains('?')).for_each(|deed| {
            toy.0.insert((*deed).to_owned(), Page::Links(vec![]));
        });
    }
    toy.page(SITE, &[&page(0)])
}

fn left_out(scheduler: &Scheduler, rule: Objection) -> (u64, Option<String>) {
    let found = scheduler.exclusions().iter().find(|(known, _)| *known == rule);
    found.map_or((0, None), |(_, excluded)| (excluded.links, excluded.detail.clone()))
}

#[test]
fn pages_that_do_something_come_last_and_are_at_most_a_third_of_all_requests() {
    let mut scheduler = Scheduler::new(settings(NoFollow::Last)).unwrap();
    let asked = run(&mut scheduler, &wiki());
    let pages = visited(&asked);
    assert!(pages[..10].iter().all(|url| !url.contains('?')), "{pages:?}");
    let deeds = pages[10..].iter().filter(|url| url.contains('?')).count();
    assert!((3..=asked.len() / 3).contains(&deeds), "{deeds} of {}", asked.len());
    let (links, detail) = left_out(&scheduler, Objection::ActionPage);
    assert_eq!(links as usize + deeds, 270, "what is not asked for is counted");
    assert_eq!(detail.unwrap(), format!("{deeds} such pages were asked for after all others"));
}

/// Of all requests for something that is there, those that repeat another page and forms are a third together.
#[test]
fn pages_that_repeat_others_or_are_not_there_leave_less_room_for_forms() {
    let forms_of = |repeats: usize, gone: usize| {
        let forms: Vec<String> = (0..60).map(|form| format!("{SITE}page0?do=edit&rev={form}")).collect();
        let repeats: Vec<String> = (0..repeats).map(|page| format!("{SITE}same{page}")).collect();
        let gone = (0..gone).map(|page| format!("{SITE}gone{page}"));
        let links: Vec<String> =
            (0..20).map(|page| format!("{SITE}page{page}")).chain(gone).chain(repeats.iter().cloned()).collect();
        let mut toy = Toy::default().with(SITE, Page::Bytes("home", links.iter().chain(&forms).cloned().collect()));
        for page in 0..20 {
            let bytes: &'static str = Box::leak(format!("page {page}").into_boxed_str());
            toy = toy.with(&format!("{SITE}page{page}"), Page::Bytes(bytes, vec![]));
        }
        let all = repeats.iter().map(|url| (url, "home")).chain(forms.iter().map(|url| (url, "form")));
        all.for_each(|(url, bytes)| drop(toy.0.insert(url.clone(), Page::Bytes(bytes, vec![]))));
        let asked = run(&mut Scheduler::new(settings(NoFollow::Last)).unwrap(), &toy);
        visited(&asked).iter().filter(|url| url.contains('?')).count()
    };
    let [plain, repeating, broken] = [forms_of(0, 0), forms_of(6, 0), forms_of(0, 30)];
    assert_eq!(repeating + 6, plain, "what repeats counts like a form");
    assert!(
        broken <= plain + 4,
        "beyond a few, what is not there is no page that a form may be asked for beside: {broken}"
    );
}

#[test]
fn a_browser_builds_pages_and_no_forms_of_them_unless_it_is_to_build_all() {
    let built = |render| {
        let mut scheduler = Scheduler::new(Settings { render, ..settings(NoFollow::Last) }).unwrap();
        let asked = run(&mut scheduler, &wiki());
        let is_built = |request: &Request| scheduler.may_be_built(request, &Outcome::Body { status: 200 });
        let visits = asked.iter().filter(|(_, request)| request.purpose == Purpose::Visit);
        let built: Vec<&str> =
            visits.filter(|(_, request)| is_built(request)).map(|(_, request)| request.url.as_str()).collect();
        (built.len(), built.iter().filter(|url| url.contains('?')).count())
    };
    assert_eq!(built(RenderMode::Auto), (10, 0));
    let (all, forms) = built(RenderMode::Always);
    assert_eq!(all - forms, 10);
    assert!(forms > 0);
}

#[test]
fn they_are_all_asked_for_or_none_if_a_person_says_so() {
    let asked = |nofollow| visited(&run(&mut Scheduler::new(settings(nofollow)).unwrap(), &wiki())).len();
    assert_eq!((asked(NoFollow::Obey), asked(NoFollow::Ignore)), (10, 280));
}

/// What a page with these links answers; all others have none.
fn answer(request: &tintype_vocab::Request, now: Time, links: &[(&str, Tag)]) -> Observation {
    if request.url.ends_with(".xml") {
        return Observation::of(request, now, now, Outcome::Gone { status: 404 });
    }
    let mut found = Links::new();
    for (to, tag) in links.iter().filter(|_| request.url == SITE) {
        let mention = Mention { tag: *tag, ..Mention::default() };
        let kind = if *tag == Tag::Feed { LinkKind::Feed } else { LinkKind::Anchor };
        found.push_link(Link { mention, ..Link::new(&format!("{SITE}{to}"), kind) });
    }
    Observation {
        links: found,
        change: Change::First,
        ..Observation::of(request, now, now, Outcome::Body { status: 200 })
    }
}

fn order(settings: Settings, links: &[(&str, Tag)], visits: usize) -> Vec<String> {
    let mut scheduler = Scheduler::new(settings).unwrap();
    let (mut now, mut asked) = (Time::from_secs(1_000_000), Vec::new());
    while asked.len() < visits {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                scheduler.settle(&answer(&request, now, links));
                if request.purpose == Purpose::Visit {
                    asked.push(request.url.strip_prefix(SITE).unwrap().to_owned());
                }
            }
            Step::WaitUntil(until) => now = until + Span::from_millis(1),
            Step::Idle => panic!("idle with nothing in flight"),
            Step::Done => break,
        }
    }
    asked
}

#[test]
fn links_not_to_be_followed_come_last_unless_they_are_linked_otherwise_too() {
    let links = [("away", Tag::Unfollowed), ("one", Tag::Anchor), ("two", Tag::Anchor), ("three", Tag::Anchor)];
    assert_eq!(order(settings(NoFollow::Last), &links, 9).last().unwrap(), "away");
    assert_eq!(order(settings(NoFollow::Ignore), &links, 9)[1], "away");
    assert_eq!(order(settings(NoFollow::Obey), &links, 9).len(), 4);
}

#[test]
fn who_keeps_a_site_does_not_watch_its_forms() {
    let mut settings = settings(NoFollow::Last);
    settings.mode = Mode::Kept;
    settings.policy = tintype_plan::policy::CONTINUAL_DEFAULT.to_owned();
    let links = [("page?action=edit", Tag::Anchor), ("away", Tag::Unfollowed), ("one", Tag::Anchor)];
    let asked = order(settings, &links, 20);
    assert!(asked.iter().all(|url| url.is_empty() || url == "one"), "{asked:?}");
    assert!(asked.contains(&"one".to_owned()));
}

#[test]
fn where_the_entrance_marks_every_link_the_marks_tell_nothing_and_actions_still_come_last() {
    let links = [("a?action=edit", Tag::Unfollowed), ("one", Tag::Unfollowed), ("two", Tag::Unfollowed)];
    assert_eq!(order(settings(NoFollow::Last), &links, 9), ["", "one", "two", "a?action=edit"]);
    assert_eq!(order(settings(NoFollow::Obey), &links, 9), [""]);
}

#[test]
fn a_feed_for_every_page_does_not_double_a_capture() {
    let feeds: Vec<String> = (0..40).map(|number| format!("feed{number}")).collect();
    let links = feeds.iter().map(|feed| (feed.as_str(), Tag::Feed));
    let links: Vec<_> = links.chain([("one", Tag::Anchor), ("two", Tag::Anchor)]).collect();
    let asked = order(settings(NoFollow::Last), &links, 99);
    // Eight with the pages, then one for every two other requests: robots.txt, a sitemap, three pages, eight feeds.
    assert_eq!(asked.iter().filter(|url| url.starts_with("feed")).count(), 8 + 13 / 2);
    assert!(asked[..11].contains(&"two".to_owned()), "{asked:?}");
    assert_eq!(order(settings(NoFollow::Ignore), &links, 99).len(), 43);
}
