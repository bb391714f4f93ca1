//! Who begins anew every midnight goes on as one that never stopped: what choosing left in mind is recalled as well.

use tintype_plan::{Mode, Scheduler, Settings, Step, policy};
use tintype_vocab::{
    Change, Link, LinkKind, Links, Observation, Outcome, Purpose, Request, SiteId, Span, Time, Validators,
};

const SITE: &str = "http://e.com/";
const START: Time = Time::from_secs(1_704_067_200);
const GAP: Span = Span::from_secs(900);
/// Pages `0` to `59`; the entrance links them all. Every tenth changes every other hour, the others hardly ever.
const PAGES: usize = 60;

fn changed(page: usize, now: Time) -> Time {
    let hours = if page.is_multiple_of(10) { 2 } else { 24 * (page as i64 + 20) };
    Time::from_secs(now.as_secs() / (3600 * hours) * 3600 * hours)
}

/// What a page says, and a sitemap that dates all of them.
fn answer(request: &Request, now: Time, held: &mut [Time]) -> Observation {
    let of_page = |page: usize| format!("{SITE}{page}");
    let bare = Observation::of(request, now, now, Outcome::Body { status: 200 });
    let mut links = Links::new();
    if request.url == format!("{SITE}sitemap.xml") {
        for page in 0..PAGES {
            let modified = Some(changed(page, now));
            links.push_link(Link { modified, ..Link::new(&of_page(page), LinkKind::Listed) });
        }
        return Observation { links, change: Change::New { importance: 0.0 }, ..bare };
    }
    if request.purpose == Purpose::Robots {
        return Observation { robots: Some(format!("Sitemap: {SITE}sitemap.xml\n")), ..bare };
    }
    if request.url == SITE {
        (0..PAGES).for_each(|page| links.push(&of_page(page), LinkKind::Anchor));
        return Observation { links, change: Change::Same, ..bare };
    }
    let Some(page) = request.url.strip_prefix(SITE).and_then(|page| page.parse::<usize>().ok()) else {
        return Observation::of(request, now, now, Outcome::Gone { status: 404 });
    };
    let modified = changed(page, now);
    let change = match std::mem::replace(&mut held[page], modified) {
        Time::MIN => Change::First,
        before if before == modified => Change::Same,
        _ => Change::New { importance: 1.0 },
    };
    let validators = Validators { etag: None, last_modified: Some(modified.to_mail_date()) };
    Observation { change, validators, ..bare }
}

/// So many requests from a moment on; what was seen.
fn watch(scheduler: &mut Scheduler, from: Time, requests: usize, held: &mut [Time]) -> Vec<Observation> {
    let (mut now, mut seen) = (from, Vec::new());
    while seen.len() < requests {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                let observation = answer(&request, now, held);
                scheduler.settle(&observation);
                seen.push(observation);
                now += GAP;
            }
            Step::WaitUntil(until) => now = now.max(until),
            Step::Idle | Step::Done => panic!("a kept site always has something to ask for"),
        }
    }
    seen
}

fn begun() -> Scheduler {
    let mut settings = Settings::new(SiteId(0), vec![SITE.to_owned()]);
    (settings.mode, settings.policy) = (Mode::Kept, policy::CONTINUAL_DEFAULT.to_owned());
    settings.delay = Some(Span::ZERO);
    Scheduler::new(settings).unwrap()
}

#[test]
fn who_begins_anew_asks_for_what_one_that_never_stopped_would_ask_for() {
    let (mut lasting, mut held) = (begun(), vec![Time::MIN; PAGES]);
    let before = watch(&mut lasting, START, 1500, &mut held);
    let mut anew = begun();
    before.iter().for_each(|observation| anew.recall_chosen(observation));
    anew.begin_after_recall(0);
    let since = START + GAP * 1500;
    let urls = |seen: Vec<Observation>| seen.into_iter().map(|one| one.url).collect::<Vec<_>>();
    let lasted = urls(watch(&mut lasting, since, 300, &mut held.clone()));
    let begun = urls(watch(&mut anew, since, 300, &mut held));
    let same = lasted.iter().zip(&begun).filter(|(one, other)| one == other).count();
    assert!(same > 280, "{same} of 300: {lasted:?} {begun:?}");
    let sitemaps = lasted.iter().filter(|url| url.ends_with("sitemap.xml")).count();
    assert!(sitemaps > 10, "{sitemaps} readings: the sitemap is right, and read for what it tells");
}
