//! A keeper of many sites: memory per kept page, knowledge included, and time per decision and per observation.
//!
//! `cargo bench -p tintype-plan --bench keeper` keeps 1,000 sites of 1,000 pages; `TINTYPE_BENCH_SITES=100,1000` and
//! `TINTYPE_BENCH_PAGES=1000` say otherwise. Times are what the thread used of the CPU, so that another process on the machine
//! counts no more than by what it takes of caches; they are medians, and what 99 of 100 decisions stay below. The first
//! decision for a site, which sorts all of its pages, is told apart. Every row is measured in a process of its own, as memory
//! that was given back is used again.

use std::{hint::black_box, process::Command, time::Duration};
use tintype_plan::{
    Bid, Budget, DayBudget, DaySpending, Keeper, KeptSites, Mode, Scheduler, Settings, SiteTerms, Step, Turn,
};
use tintype_vocab::{
    Change, ChangeRate, Link, LinkKind, Links, Observation, Outcome, PageId, Purpose, Request, SiteId, Span, Time,
};

const START: Time = Time::from_secs(1_794_000_000);
const DECISIONS: usize = 20_000;
const LINKS: usize = 20;

/// What this thread has used of the CPU.
fn cpu() -> Duration {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(spent.tv_sec as u64, spent.tv_nsec as u32)
}

/// What sites tell of their pages besides.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Told {
    Nothing,
    Sitemap,
    /// By links that read otherwise at every change, as those of front pages do.
    Wording,
}

const TOLD: [(&str, Told); 3] = [("nothing", Told::Nothing), ("sitemap", Told::Sitemap), ("wording", Told::Wording)];

/// Resident memory of this process in bytes.
fn resident() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<f64>().ok()).unwrap_or(f64::NAN) * 4096.0
}

fn url(site: usize, page: usize) -> String {
    match page {
        0 => format!("http://www.site-{site:04}.example/"),
        _ => format!(
            "http://www.site-{site:04}.example/section-{:02}/some-longer-article-name-{page:05}.html",
            page % 20
        ),
    }
}

/// From once an hour to hardly ever, as on the web.
fn period(site: usize, page: usize) -> Span {
    let mixed = (site * 1000 + page).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    Span::from_secs(3600 << (mixed % 12))
}

struct Sites {
    schedulers: Vec<Scheduler>,
    pages: usize,
    told: Told,
}

impl KeptSites for Sites {
    fn ask(&mut self, site: usize, now: Time) -> Step {
        self.schedulers[site].next(now)
    }

    fn bid(&self, site: usize, now: Time) -> Bid {
        self.schedulers[site].bid(now)
    }
}

impl Sites {
    /// What a visit finds: changes if the page's period has turned since `last`.
    fn observe(&self, site: usize, request: &Request, last: Option<Time>, now: Time) -> Observation {
        let seen = Observation::of(request, now, now + Span::from_millis(80), Outcome::Body { status: 200 });
        if request.purpose == Purpose::Robots {
            let robots = format!("Sitemap: http://www.site-{site:04}.example/sitemap.xml\n");
            return Observation { robots: (self.told == Told::Sitemap).then_some(robots), ..seen };
        }
        let nth = |at: Time, page: usize| at.as_millis() / period(site, page).as_millis();
        let mut links = Links::new();
        if request.url.ends_with(".xml") {
            (1..self.pages).for_each(|page| links.push(&url(site, page), LinkKind::Listed));
            return Observation { change: Change::New { importance: 0.5 }, links, ..seen };
        }
        let page = request.url.rsplit_once('-').and_then(|(_, end)| end[..5].parse().ok()).unwrap_or(0);
        let is_new = last.is_none_or(|last| nth(last, page) != nth(now, page));
        let change = match (last, is_new) {
            (None, _) => Change::First,
            (_, true) => Change::New { importance: 0.5 },
            (_, false) => Change::Same,
        };
        if change == Change::First && page == 0 {
            (1..self.pages).for_each(|page| links.push(&self::url(site, page), LinkKind::Anchor));
        } else if change != Change::Same {
            (0..LINKS).for_each(|nth| {
                let (url, context) = (url(site, (page * 31 + nth) % self.pages), (page * LINKS + nth + 1) as u32);
                let context = if self.told == Told::Wording { context } else { 0 };
                links.push_link(Link { context, ..Link::new(&url, LinkKind::Anchor) });
            });
        }
        Observation { bytes: 10_000, change, links, ..seen }
    }

    /// Everything seen twice, a week apart.
    fn fill(sites: usize, pages: usize, told: Told) -> Sites {
        let mut all = Sites { schedulers: Vec::new(), pages, told };
        for site in 0..sites {
            let mut settings = Settings::new(SiteId(0), vec![url(site, 0)]);
            (settings.mode, settings.policy) = (Mode::Kept, "tintype".to_owned());
            settings.delay = Some(Span::ZERO);
            let mut scheduler = Scheduler::new(settings).expect("the settings are sound");
            for week in 0..2 {
                let last = (week > 0).then_some(START);
                for page in 0..pages {
                    let now = START + Span::from_days(7 * week) + Span::from_secs(page as i64);
                    let (purpose, rate) = (Purpose::Visit, ChangeRate::default());
                    let request =
                        Request { site: SiteId(0), page: PageId(0), url: url(site, page), purpose, attempt: 0, rate };
                    scheduler.recall(&all.observe(site, &request, last, now));
                }
            }
            scheduler.begin_after_recall(site as u64);
            all.schedulers.push(scheduler);
        }
        all
    }
}

/// The time below which such a share stays, in µs.
fn below(share: f64, times: &mut [Duration]) -> f64 {
    let nth = (share * times.len() as f64) as usize;
    times.select_nth_unstable(nth.min(times.len() - 1)).1.as_nanos() as f64 / 1000.0
}

fn measure(count: usize, pages: usize, (name, told): (&str, Told)) {
    let before = resident();
    let mut sites = Sites::fill(count, pages, told);
    let start = START + Span::from_days(15);
    // As many requests a day as a tenth of the pages.
    let budget = Budget { requests: Some((count * pages / 10) as u64), bytes: None };
    let mut keeper = Keeper::new(Some(DayBudget::new(budget, start, DaySpending::default())));
    for _ in 0..count {
        keeper.add(SiteTerms { endless: true, ..SiteTerms::default() });
    }
    let bytes = (resident() - before) / (count * pages) as f64;
    let (mut now, mut first, mut decisions) = (start, Vec::new(), Vec::new());
    let (mut settled, mut waits) = (Vec::new(), Vec::new());
    let mut last = vec![std::collections::HashMap::new(); count];
    while decisions.len() < DECISIONS {
        let began = cpu();
        let turn = black_box(keeper.next(now, &mut sites));
        let took = cpu() - began;
        match turn {
            Turn::Fetch(site, request) => {
                if last[site].is_empty() {
                    first.push(took)
                } else {
                    decisions.push(took)
                }
                let week = START + Span::from_days(7);
                let seen = last[site].insert(request.page, now).unwrap_or(week);
                let observation = sites.observe(site, &request, Some(seen), now);
                let began = cpu();
                sites.schedulers[site].settle(&observation);
                keeper.touch(site);
                settled.push(cpu() - began);
            }
            Turn::WaitUntil(until, _) => {
                waits.push(took);
                now = until.max(now + Span::from_millis(1));
            }
            Turn::Idle | Turn::Over(_) => panic!("there is always something to ask for"),
        }
    }
    println!(
        "{count:>6} {pages:>8} {:>9} {bytes:>12.0} {:>12.2} {:>12.2} {:>12.2} {:>12.2} {:>12.2}",
        name,
        below(0.5, &mut decisions),
        below(0.99, &mut decisions),
        below(0.5, &mut first),
        below(0.5, &mut waits),
        below(0.5, &mut settled)
    );
}

fn numbers(name: &str, usual: &str) -> Vec<usize> {
    let text = std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    text.split(',').filter_map(|number| number.trim().parse().ok()).collect()
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, row, sites, pages, told] = &arguments[..]
        && row == "row"
    {
        let [sites, pages] = [sites, pages].map(|number| number.parse().expect("a number"));
        let told = TOLD.into_iter().find(|(name, _)| name == told).expect("what sites tell");
        measure(sites, pages, told);
        return Ok(());
    }
    println!(
        " sites    pages      told   bytes/page  µs/decision         99 %   µs at first      µs/wait    µs/settle"
    );
    for pages in numbers("TINTYPE_BENCH_PAGES", "1000") {
        for sites in numbers("TINTYPE_BENCH_SITES", "1000") {
            for (told, _) in TOLD {
                let row = ["row", &sites.to_string(), &pages.to_string(), told];
                Command::new(std::env::current_exe()?).args(row).status()?;
            }
        }
    }
    Ok(())
}
