//! What planning costs: a whole site from scratch, next to sorting its rates and writing a list; and one online decision
//! with 10^4, 10^5 and 10^6 pages known.
//!
//! `cargo bench -p tintype-plan --bench sharpness`; ratios within one run are what counts. A plain program: the sizes are
//! the measurement, and each takes long enough to be timed by itself.

use std::{hint::black_box, time::Instant};
use tintype_learn::knowledge::Knowledge;
use tintype_plan::{
    Scheduler, ScopeRule, Settings, Step,
    schedule::{self, Plan, RatedSite},
};
use tintype_vocab::{ChangeRate, Observation, Outcome, Purpose, SiteId, Span, Time};

type Maker = fn(&RatedSite) -> Plan;

const PAGES: usize = 1_000_000;
const RUNS: usize = 5;
const STEPS: u32 = 20_000;

/// Rates of a million pages in no order.
fn rates(pages: usize) -> Vec<ChangeRate> {
    let rank = |page: usize| (page.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) % pages;
    (0..pages).map(|page| ChangeRate { per_day: ((rank(page) + 1) as f32).powf(-1.0), shape: 2.0 }).collect()
}

/// The quickest of a few runs, in milliseconds: the others were disturbed.
fn quickest<T>(mut work: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..RUNS).map(time).fold(f64::INFINITY, f64::min)
}

fn plans() {
    let rates = rates(PAGES);
    let pairs: Vec<(f32, u32)> = rates.iter().enumerate().map(|(page, rate)| (rate.per_day, page as u32)).collect();
    let sorting = quickest(|| {
        let mut pairs = pairs.clone();
        pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        pairs.into_iter().map(|(_, page)| page).collect::<Plan>()
    });
    println!("sorting {PAGES} (rate, page) pairs and writing the list: {sorting:.0} ms");
    let slot = Span::from_secs(1);
    let makers: [(&str, Maker); 6] = [
        ("organ pipes", schedule::organ_pipes),
        ("organ pipes twice", |site| schedule::organ_pipes(site).repeat(2)),
        ("better pairs", schedule::better_pairs),
        ("pyramid", |site| schedule::pyramid(site, &schedule::by_expected_value(site))),
        ("both goals", |site| schedule::both_goals(site, site.len() / 50, None)),
        ("square root, two visits per page", |site| schedule::square_root(site, 2 * site.len())),
    ];
    for (name, make) in makers {
        let took = quickest(|| make(&RatedSite::new(&rates, slot)));
        println!("{name}: {took:.0} ms, {:.2} times that", took / sorting);
    }
}

/// Microseconds per decision and answer of a policy that knows so many pages.
fn decision(policy: &str, pages: usize, revisit: bool) -> (f64, f64) {
    let url = |page: usize| format!("http://e.com/s/p{page}.html");
    let mut settings = Settings::new(SiteId(0), vec!["http://e.com/s/".into()]);
    settings.policy = policy.to_owned();
    settings.scope = ScopeRule::Prefix;
    settings.revisit = revisit;
    settings.delay = Some(Span::from_millis(10));
    let mut knowledge = Knowledge::default();
    knowledge.expect_pages(pages);
    for (page, rate) in rates(pages).into_iter().enumerate() {
        knowledge.recall_rate(&url(page), rate);
    }
    let mut scheduler = Scheduler::with_knowledge(settings, knowledge).expect("the settings are sound");
    let mut now = Time::from_secs(0);
    let start = Instant::now();
    for page in 0..pages {
        scheduler.announce(&url(page), now);
    }
    let known = start.elapsed();
    let start = Instant::now();
    let mut steps = 0;
    while steps < STEPS {
        match scheduler.next(now) {
            Step::Fetch(request) => {
                let rules = request.purpose == Purpose::Robots;
                let outcome = if rules { Outcome::Gone { status: 404 } } else { Outcome::Body { status: 200 } };
                scheduler.settle(&Observation::of(&request, now, now, outcome));
                steps += 1;
            }
            Step::WaitUntil(until) => now = until,
            Step::Idle | Step::Done => break,
        }
    }
    let micros = |time: std::time::Duration, count: f64| time.as_secs_f64() * 1e6 / count;
    (micros(known, pages as f64), micros(start.elapsed(), f64::from(steps.max(1))))
}

fn main() {
    plans();
    for (policy, revisit) in [("breadth-first", false), ("sharc-online", false), ("sharp", false), ("sharp", true)] {
        for pages in [10_000, 100_000, 1_000_000] {
            let (known, decided) = decision(policy, pages, revisit);
            let proof = if revisit { " with proof" } else { "" };
            println!(
                "{policy}{proof}, {pages} pages known: {known:.2} us to take one in, {decided:.2} us per decision"
            );
        }
    }
}
