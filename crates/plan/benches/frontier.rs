//! The frontier at 10^5, 10^6 and 10^7 known URLs: memory per URL, and time per `next` and per `settle`.
//!
//! `cargo bench -p tintype-plan` runs the first two; `TINTYPE_BENCH_URLS=10000000` names other sizes, comma-separated.
//! A plain program rather than criterion: filling the frontier is the measurement, and it cannot be repeated cheaply.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use tintype_plan::{Scheduler, Settings, Step};
use tintype_vocab::{LinkKind, Links, Observation, Outcome, SiteId, Span, Time};

const LINKS: usize = 50;
const STEPS: usize = 20_000;

/// About 85 bytes, as on the real web; parameters of a permutation spread them over directories.
fn url(number: usize) -> String {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!(
        "http://www.example.com/section-{:03}/topic-{:05}/some-longer-article-name-{number:09}.html",
        mixed >> 55,
        mixed >> 47 & 0xffff
    )
}

/// Resident memory of this process in bytes.
fn resident() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<f64>().ok()).unwrap_or(f64::NAN) * 4096.0
}

struct Drive {
    scheduler: Scheduler,
    now: Time,
    next: Duration,
    settle: Duration,
    steps: u32,
}

impl Drive {
    fn new(policy: &str) -> Drive {
        let mut settings = Settings::new(SiteId(0), vec!["http://www.example.com/".into()]);
        settings.policy = policy.to_owned();
        settings.delay = Some(Span::ZERO);
        let scheduler = Scheduler::new(settings).expect("the settings are sound");
        Drive { scheduler, now: Time::from_secs(1_800_000_000), next: Duration::ZERO, settle: Duration::ZERO, steps: 0 }
    }

    /// One visit to a page that carries these links.
    fn step(&mut self, links: Links) {
        self.now += Span::from_millis(1);
        let began = Instant::now();
        let step = black_box(self.scheduler.next(self.now));
        self.next += began.elapsed();
        let Step::Fetch(request) = step else { panic!("{step:?}") };
        let outcome = if links.is_empty() { Outcome::Gone { status: 404 } } else { Outcome::Body { status: 200 } };
        let observation =
            Observation { bytes: 10_000, links, ..Observation::of(&request, self.now, self.now, outcome) };
        let began = Instant::now();
        self.scheduler.settle(&observation);
        self.settle += began.elapsed();
        self.steps += 1;
    }
}

fn links(numbers: impl Iterator<Item = usize>) -> Links {
    let mut links = Links::new();
    numbers.for_each(|number| links.push(&url(number), LinkKind::Anchor));
    links
}

fn measure(policy: &str, urls: usize) {
    let before = resident();
    let mut drive = Drive::new(policy);
    drive.step(Links::new());
    let mut known = 0;
    while known < urls {
        drive.step(links(known..known + 1000));
        known += 1000;
    }
    let (bytes, fill) = ((resident() - before) / urls as f64, drive.settle.as_nanos() as f64 / urls as f64);
    (drive.next, drive.settle, drive.steps) = (Duration::ZERO, Duration::ZERO, 0);
    for step in 0..STEPS {
        drive.step(links((0..LINKS).map(|link| (step * 7919 + link * 104_729) % urls)));
    }
    let per = |total: Duration| total.as_nanos() as f64 / f64::from(drive.steps);
    println!(
        "{policy:<14} {urls:>10} {bytes:>9.0} {:>8.2} {fill:>9.0} {:>9.0} {:>11.0}",
        bytes * urls as f64 / (1u64 << 30) as f64,
        per(drive.next),
        per(drive.settle)
    );
}

fn main() {
    let sizes = std::env::var("TINTYPE_BENCH_URLS").unwrap_or_else(|_| "100000,1000000".to_owned());
    println!("policy               URLs bytes/URL      GiB ns/new URL  ns/next ns/settle (50 known links)");
    for size in sizes.split(',').filter_map(|size| size.trim().parse().ok()) {
        for policy in ["breadth-first", "hottest-first"] {
            measure(policy, size);
        }
    }
}
