//! What a visit costs the policies of continuous archiving: one decision and one answer, with 10^4 and 10^5 pages known and
//! a tenth of them visited every hour. And what it costs `skip` in a capture of a site of that size that is remembered.
//!
//! `cargo bench -p tintype-plan --bench policies`, or with names of policies as arguments. A plain program: the sizes are
//! the measurement. Lists that are made once an hour are part of the mean, and the slowest decision shows them.

use std::time::{Duration, Instant};
use tintype_learn::directory::{Memory, Unseen};
use tintype_plan::{Mode, Scheduler, Settings, Step, policy};
use tintype_vocab::{Change, LinkKind, Observation, Outcome, Purpose, Request, SiteId, Span, Time};

const HOURS: i64 = 3;

/// Pages change ever more seldom; every hundredth visit finds a change of some importance.
fn answer(request: &Request, now: Time, nth: usize) -> Observation {
    let rules = request.purpose == Purpose::Robots;
    let outcome = if rules { Outcome::Gone { status: 404 } } else { Outcome::Body { status: 200 } };
    let importance = (nth % 7) as f32 / 7.0;
    let change = if nth.is_multiple_of(100) { Change::New { importance } } else { Change::Same };
    Observation { change, ..Observation::of(request, now, now, outcome) }
}

/// A site whose pages were all seen once.
fn opened(policy: &str, pages: usize, start: Time) -> Scheduler {
    let mut settings = Settings::new(SiteId(0), vec!["http://e.com/".into()]);
    settings.policy = policy.to_owned();
    settings.delay = Some(Span::ZERO);
    settings.mode = Mode::Continual { every: Span::ZERO };
    let mut scheduler = Scheduler::new(settings).expect("the settings are sound");
    for nth in 0..pages {
        let url = format!("http://e.com/{}/p{nth}.html", nth % 97);
        let Some(page) = scheduler.announce(&url, start) else { continue };
        let (site, purpose, rate) = (SiteId(0), Purpose::Visit, scheduler.pages().get(page).rate);
        let request = Request { site, page, url, purpose, attempt: 0, rate };
        scheduler.settle(&Observation { change: Change::First, ..answer(&request, start, nth) });
    }
    scheduler
}

fn measure(policy: &str, pages: usize) {
    let start = Time::from_secs(1_800_000_000);
    let scheduler = opened(policy, pages, start);
    let visits = pages / 10 * HOURS as usize;
    let gap = Span::from_millis(HOURS * 3_600_000 / visits as i64);
    drive(scheduler, policy, pages, visits, |nth| start + gap * nth as i64);
}

/// A capture of a remembered site: every tenth directory changes each week, and nothing else.
fn measure_capture(policy: &str, pages: usize) {
    let (week, weeks) = (Span::from_days(7), 6);
    let path = |nth: usize| format!("/{}/p{nth}.html", nth % 97);
    let start = Time::from_secs(1_800_000_000);
    let mut memory = Memory::default();
    for past in 0..weeks {
        memory.begin(start - week * (weeks - past));
        (0..pages).for_each(|nth| memory.see(&path(nth), if nth % 97 % 10 == 0 { past as u64 } else { 0 }, 1.0));
        memory.end(Unseen::Kept);
    }
    let mut settings = Settings::new(SiteId(0), vec!["http://e.com/".into()]);
    settings.policy = policy.to_owned();
    settings.delay = Some(Span::ZERO);
    let mut scheduler = Scheduler::new(settings).expect("the settings are sound");
    scheduler.remember(memory);
    (0..pages).for_each(|nth| scheduler.hold(&format!("http://e.com{}", path(nth)), LinkKind::Anchor, start));
    drive(scheduler, policy, pages, pages, |nth| start + Span::from_millis(nth as i64));
}

/// At most so many visits, and what they cost.
fn drive(mut scheduler: Scheduler, policy: &str, pages: usize, visits: usize, at: impl Fn(usize) -> Time) {
    let (mut next, mut settle, mut slowest) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut made = 0;
    for nth in 0..visits {
        let now = at(nth);
        let began = Instant::now();
        let Step::Fetch(request) = scheduler.next(now) else { continue };
        let took = began.elapsed();
        let observation = answer(&request, now, nth);
        let began = Instant::now();
        scheduler.settle(&observation);
        settle += began.elapsed();
        next += took;
        slowest = slowest.max(took);
        made += 1;
    }
    let per = |total: Duration| total.as_secs_f64() * 1e6 / f64::from(made.max(1));
    println!("{policy:<20} {pages:>8} {:>10.2} {:>10.2} {:>12.2}", per(next), per(settle), slowest.as_secs_f64() * 1e3);
}

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    println!("policy                  pages    us/next  us/settle   slowest ms");
    let is_wanted = |policy: &str| named.is_empty() || named.iter().any(|name| name == policy);
    for pages in [10_000, 100_000] {
        for entry in policy::continual().filter(|entry| is_wanted(entry.name)) {
            measure(entry.name, pages);
        }
        for policy in ["skip", "warm"].into_iter().filter(|policy| is_wanted(policy)) {
            measure_capture(policy, pages);
        }
    }
}
