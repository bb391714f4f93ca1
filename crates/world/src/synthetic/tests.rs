//! What every world must be, and what each kind promises.

use super::*;
use crate::{Contents, Document, EventKind};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};
use tintype_observe::{Described, Look, look};
use tintype_vocab::LinkKind;

fn small(seed: u64) -> SyntheticConfig {
    SyntheticConfig { seed, pages: 120, days: 8.0, ..SyntheticConfig::default() }
}

fn made(name: &str, wish: &SyntheticConfig) -> Made {
    (named(name).expect("a registered name").make)(wish)
}

fn document(made: &mut Made, row: u32) -> Document {
    made.contents.document(row).unwrap().expect("every row has a document")
}

fn read(made: &Made, row: u32, document: &Document) -> Look {
    let url = format!("http://world.invalid{}", made.history.path(made.history.events()[row as usize].page));
    look(
        &Described { url: &url, content_type: document.content_type.as_deref(), ..Described::default() },
        &document.body,
    )
}

/// A few rows of every kind of page, first and last ones included.
fn sample(made: &Made) -> Vec<u32> {
    let rows = made.history.events().len() as u32;
    (0..rows).step_by((rows as usize / 300).max(1)).chain(rows.checked_sub(1)).collect()
}

/// Days between changes of each page.
fn gaps(made: &Made) -> Vec<Vec<f64>> {
    let events = made.history.events();
    let gaps = |page| {
        let rows = made.history.rows(page);
        rows.windows(2).map(|pair| (events[pair[1] as usize].at - events[pair[0] as usize].at).as_days_f64()).collect()
    };
    (0..made.history.pages() as u32).map(gaps).collect()
}

#[test]
fn a_world_is_a_function_of_its_seed() {
    for world in REGISTRY {
        let (mut one, mut same, other) = ((world.make)(&small(3)), (world.make)(&small(3)), (world.make)(&small(4)));
        assert_eq!(one.history.events(), same.history.events(), "{}", world.name);
        assert_eq!(one.rates, same.rates, "{}", world.name);
        assert_ne!(one.history.events(), other.history.events(), "{}", world.name);
        let last = one.history.events().len() as u32 - 1;
        assert_eq!(document(&mut one, last), document(&mut same, last), "{}", world.name);
    }
}

#[test]
fn a_world_is_about_as_large_and_long_as_wished() {
    for world in REGISTRY {
        let wish = small(5);
        let made = (world.make)(&wish);
        let (pages, events) = (made.history.pages(), made.history.events());
        assert!((0.7..1.3).contains(&(pages as f64 / wish.pages as f64)), "{} has {pages} pages", world.name);
        assert_eq!(made.rates.len(), pages, "{}", world.name);
        assert!(made.rates.iter().all(|rate| rate.is_finite() && *rate >= 0.0), "{}", world.name);
        assert_eq!(events[0].at, wish.from, "{}", world.name);
        assert!(events.iter().all(|event| event.at < wish.until()), "{}", world.name);
        assert!(events.iter().any(|event| event.kind == EventKind::Modified), "{}", world.name);
    }
}

#[test]
fn an_empty_or_tiny_wish_is_granted() {
    for world in REGISTRY {
        for (pages, days) in [(0, 0.0), (1, 3.0), (2, 0.001)] {
            (world.make)(&SyntheticConfig { pages, days, ..small(1) });
        }
    }
}

#[test]
fn documents_are_those_the_history_speaks_of() {
    for world in REGISTRY {
        let mut made = (world.make)(&small(6));
        for row in sample(&made) {
            let event = made.history.events()[row as usize];
            let document = document(&mut made, row);
            if event.kind == EventKind::Deleted {
                assert_eq!(document, Document::gone());
                continue;
            }
            assert_eq!(document.body.len(), event.size as usize, "{}", world.name);
            assert_eq!(rapidhash::v3::rapidhash_v3(&document.body), event.digest, "{}", world.name);
            assert!(document.body.len() < 64 << 10, "{}", world.name);
        }
        let beyond = made.history.events().len() as u32;
        assert!(made.contents.document(beyond).unwrap().is_none());
    }
}

#[test]
fn consecutive_versions_differ() {
    for world in REGISTRY {
        let made = (world.make)(&small(7));
        let events = made.history.events();
        for page in 0..made.history.pages() as u32 {
            for pair in made.history.rows(page).windows(2) {
                assert_ne!(events[pair[0] as usize].digest, events[pair[1] as usize].digest, "{}", world.name);
            }
        }
    }
}

/// Whether a path of the site may answer 404 without anybody being wrong.
fn is_off_limits(path: &str) -> bool {
    path.starts_with("/account")
}

#[test]
fn links_lead_to_pages_that_are_there_at_that_time() {
    for world in REGISTRY {
        let mut made = (world.make)(&small(8));
        let mut followed = 0;
        for row in sample(&made) {
            let event = made.history.events()[row as usize];
            let document = document(&mut made, row);
            if document.status != 200 {
                continue;
            }
            let look = read(&made, row, &document);
            assert_eq!(look.findings, Default::default(), "{} {}", world.name, made.history.path(event.page));
            assert_eq!(look.media_type.as_deref(), Some(made.history.media_type(&event)), "{}", world.name);
            for link in look.links.iter() {
                let Some(path) = link.url.strip_prefix("http://world.invalid").filter(|path| !is_off_limits(path))
                else {
                    continue;
                };
                let page = made.history.find(path).unwrap_or_else(|| panic!("{}: no page {path}", world.name));
                let target = made.history.at(page, event.at).map(|row| made.history.events()[row as usize].kind);
                assert!(
                    matches!(target, Some(EventKind::Added | EventKind::Modified)),
                    "{}: {path} is {target:?}",
                    world.name
                );
                followed += 1;
            }
        }
        assert!(followed > 100, "{}: {followed} links", world.name);
    }
}

#[test]
fn every_page_can_be_reached_from_the_first() {
    for world in REGISTRY {
        let mut made = (world.make)(&small(9));
        let (now, root) = (small(9).until(), made.history.find("/").expect("a first page"));
        let (mut seen, mut open) = (HashSet::from([root]), vec![root]);
        while let Some(page) = open.pop() {
            let row = made.history.at(page, now).expect("linked pages exist");
            let document = document(&mut made, row);
            for link in read(&made, row, &document).links.iter() {
                let page = link.url.strip_prefix("http://world.invalid").and_then(|path| made.history.find(path));
                open.extend(page.filter(|&page| seen.insert(page)));
            }
        }
        for page in 0..made.history.pages() as u32 {
            let row = made.history.at(page, now).expect("all pages were born");
            let there = made.history.events()[row as usize].kind != EventKind::Deleted;
            let furniture = ["/robots.txt", "/sitemap.xml"].contains(&made.history.path(page));
            assert!(!there || furniture || seen.contains(&page), "{}: {}", world.name, made.history.path(page));
        }
    }
}

/// A χ²-like check: over pages, (observed − expected)² / expected averages to the process's dispersion.
#[test]
fn what_happens_agrees_with_the_rates() {
    let wish = SyntheticConfig { pages: 1000, days: 28.0, ..small(10) };
    for (name, dispersion_max) in
        [("sharc", 1.25), ("poisson", 1.25), ("seasonal", 1.25), ("bursty", 20.0), ("directories", 1.25)]
    {
        let made = made(name, &wish);
        let observed: Vec<f64> =
            (0..made.history.pages() as u32).map(|page| made.history.rows(page).len() as f64 - 1.0).collect();
        let expected: Vec<f64> = made.rates.iter().map(|rate| rate * wish.days).collect();
        let ratio = observed.iter().sum::<f64>() / expected.iter().sum::<f64>();
        assert!((ratio - 1.0).abs() < 0.1, "{name}: {ratio} times the expected changes");
        let pairs = observed.iter().zip(&expected).filter(|(_, expected)| **expected >= 2.0);
        let terms: Vec<f64> = pairs.map(|(observed, expected)| (observed - expected).powi(2) / expected).collect();
        let dispersion = terms.iter().sum::<f64>() / terms.len() as f64;
        assert!((0.7..dispersion_max).contains(&dispersion), "{name}: dispersion {dispersion}");
    }
}

/// Squared coefficient of variation of gaps, each relative to its page's mean gap.
fn gap_variation(made: &Made) -> f64 {
    let busy = gaps(made).into_iter().filter(|gaps| gaps.len() >= 20);
    let relative: Vec<f64> = busy
        .flat_map(|gaps| {
            let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
            gaps.into_iter().map(move |gap| gap / mean)
        })
        .collect();
    relative.iter().map(|gap| (gap - 1.0).powi(2)).sum::<f64>() / relative.len() as f64
}

#[test]
fn bursts_are_burstier_than_chance() {
    let wish = SyntheticConfig { pages: 300, days: 56.0, rate_per_day: 1.0, ..small(11) };
    let (bursty, even) = (gap_variation(&made("bursty", &wish)), gap_variation(&made("poisson", &wish)));
    assert!(bursty > 1.5, "{bursty}");
    assert!((0.85..1.15).contains(&even), "{even}");
}

#[test]
fn seasons_show() {
    let made = made("seasonal", &SyntheticConfig { pages: 1000, ..small(12) });
    let changes = made.history.events().iter().filter(|event| event.kind == EventKind::Modified);
    let (mut busy, mut night, mut weekend, mut all) = (0, 0, 0, 0);
    for event in changes {
        all += 1;
        busy += usize::from((9..12).contains(&profile::hour(event.at)));
        night += usize::from((0..3).contains(&profile::hour(event.at)));
        weekend += usize::from(profile::weekday(event.at) >= 5);
    }
    assert!(busy > 10 * night, "{busy} in the morning, {night} at night");
    let weekend = f64::from(weekend as u32) / f64::from(all);
    assert!((0.09..0.17).contains(&weekend), "{weekend} at weekends, two of seven days");
}

/// Share of changes that happen at the instant of another page's change in the same directory.
fn shared_instants(made: &Made) -> f64 {
    let directory = |page: u32| page as usize / plain::DIRECTORY;
    let mut at_once: HashMap<(Time, usize), usize> = HashMap::new();
    let changes = || made.history.events().iter().filter(|event| event.kind == EventKind::Modified);
    changes().for_each(|event| *at_once.entry((event.at, directory(event.page))).or_default() += 1);
    let shared = changes().filter(|event| at_once[&(event.at, directory(event.page))] > 1).count();
    shared as f64 / changes().count() as f64
}

#[test]
fn neighbours_change_at_the_same_instant() {
    let wish = SyntheticConfig { pages: 800, days: 28.0, ..small(13) };
    let (together, alone) = (shared_instants(&made("directories", &wish)), shared_instants(&made("poisson", &wish)));
    assert!((0.68..0.82).contains(&together), "{together}");
    assert!(alone < 0.01, "{alone}");
}

/// Life spans of the objects born early enough that hardly any outlives the world.
fn life_spans(survival: MadeUpSurvival, wish: &SyntheticConfig) -> Vec<f64> {
    let made = objects(wish, &Objects { survival, mean_life_days: 5.0, ..Objects::default() });
    let events = made.history.events();
    let born = wish.from + Span::from_days(1)..wish.moment(wish.days - 40.0);
    let span = |page| {
        let rows = made.history.rows(page);
        let (first, last) = (&events[rows[0] as usize], &events[rows[rows.len() - 1] as usize]);
        (born.contains(&first.at) && last.kind == EventKind::Deleted).then(|| (last.at - first.at).as_days_f64())
    };
    (0..made.history.pages() as u32).filter_map(span).collect()
}

#[test]
fn objects_live_as_long_as_they_should() {
    let wish = SyntheticConfig { pages: 4800, days: 100.0, ..small(14) };
    let weibull = MadeUpSurvival::Weibull { shape: 2.0 };
    for (survival, variation) in [(MadeUpSurvival::Exponential, 1.0), (weibull, 4.0 / std::f64::consts::PI - 1.0)] {
        let spans = life_spans(survival, &wish);
        let mean = spans.iter().sum::<f64>() / spans.len() as f64;
        let square = spans.iter().map(|span| (span / mean - 1.0).powi(2)).sum::<f64>() / spans.len() as f64;
        assert!(spans.len() > 500, "{}", spans.len());
        assert!((mean - 5.0).abs() < 0.5, "{survival:?}: mean {mean}");
        assert!((square / variation - 1.0).abs() < 0.2, "{survival:?}: squared variation {square}");
    }
}

#[test]
fn a_source_of_objects_is_in_equilibrium_from_the_start() {
    let wish = SyntheticConfig { pages: 1000, days: 40.0, ..small(15) };
    let made = objects(&wish, &Objects::default());
    let alive = |day: f64| {
        let now = wish.moment(day);
        let there = |page: &u32| {
            let row = made.history.at(*page, now);
            row.is_some_and(|row| made.history.events()[row as usize].kind != EventKind::Deleted)
        };
        (0..made.history.pages() as u32).filter(there).count() as f64
    };
    let (start, end) = (alive(0.0), alive(39.0));
    assert!((0.7..1.4).contains(&(end / start)), "{start} at the start, {end} at the end");
}

#[test]
fn noise_is_on_every_page_and_in_no_version() {
    for name in ["news", "docs", "shop", "forum", "objects"] {
        let mut made = made(name, &small(16));
        let row = made.history.rows(made.history.find("/").unwrap())[0];
        let still = document(&mut made, row).body;
        let fetched = |fetch| {
            let mut body = still.clone();
            noise(&mut body, fetch, Time::from_secs(1_770_000_000));
            body
        };
        assert_ne!(fetched(1), fetched(2), "{name}");
        assert_eq!(fetched(1).len(), still.len(), "{name}");
        let text = String::from_utf8(fetched(1)).unwrap();
        assert!(text.contains("Generated at 2026-02-02T02:40:00Z"), "{name}");
        assert!(text.contains("class=\"ad advertisement"), "{name}");
    }
}

/// The dates of a sitemap as it is at the end of the world, with when those pages truly last changed by then.
fn dates(lastmod: Lastmod) -> Vec<(Option<Time>, Time)> {
    let mut made = made("shop", &SyntheticConfig { lastmod, days: 14.0, ..small(17) });
    let sitemap = made.history.find("/sitemap.xml").unwrap();
    let row = *made.history.rows(sitemap).last().unwrap();
    let now = made.history.events()[row as usize].at;
    let document = document(&mut made, row);
    let links = read(&made, row, &document).links;
    let listed = links.iter().filter(|link| link.kind == LinkKind::Listed && link.url.ends_with(".html"));
    let true_date = |path: &str| {
        let row = made.history.at(made.history.find(path).unwrap(), now).unwrap();
        made.history.events()[row as usize].at
    };
    listed.map(|link| (link.modified, true_date(&link.url["http://world.invalid".len()..]))).collect()
}

#[test]
fn sitemaps_are_honest_stale_or_silent() {
    let start = small(17).from;
    let wrong = |dates: &[(Option<Time>, Time)]| {
        let late = |(said, truth): &&(Option<Time>, Time)| {
            *truth > start && said.is_some_and(|said| (*truth - said).as_millis() >= 1000)
        };
        dates.iter().filter(late).count()
    };
    let (honest, stale, missing) = (dates(Lastmod::Honest), dates(Lastmod::Stale), dates(Lastmod::Missing));
    assert!(honest.len() > 50 && honest.iter().all(|(said, _)| said.is_some()));
    assert_eq!(wrong(&honest), 0);
    assert!(wrong(&stale) > 5, "{}", wrong(&stale));
    assert!(!missing.is_empty() && missing.iter().all(|(said, _)| said.is_none()));
}

#[test]
fn stories_freeze_and_threads_go_quiet() {
    for name in ["news", "forum"] {
        let made = made(name, &SyntheticConfig { pages: 400, days: 28.0, ..small(18) });
        let (from, until) = (small(18).from, small(18).from + Span::from_days(10));
        let events = made.history.events();
        let (mut early, mut late) = (0, 0);
        for page in (0..made.history.pages() as u32).filter(|&page| made.history.path(page).matches('-').count() >= 4) {
            let rows = made.history.rows(page);
            let born = events[rows[0] as usize].at;
            for &row in rows[1..].iter().filter(|_| from < born && born < until) {
                let age = events[row as usize].at - born;
                *(if age < Span::from_days(2) { &mut early } else { &mut late }) += 1;
            }
        }
        assert!(early > 3 * late, "{name}: {early} changes in the first two days, {late} later");
    }
}

#[test]
fn feeds_announce_what_is_new() {
    for name in ["news", "forum"] {
        let mut made = made(name, &small(19));
        let feed = made.history.find("/feed.xml").expect("a feed");
        let row = *made.history.rows(feed).last().unwrap();
        let document = document(&mut made, row);
        let look = read(&made, row, &document);
        let listed: Vec<_> = look.links.iter().filter(|link| link.kind == LinkKind::Listed).collect();
        assert!(listed.len() >= 10, "{name}: {}", listed.len());
        assert!(listed.iter().all(|link| link.modified.is_some()), "{name}: feeds date their entries");
        assert!(made.history.rows(feed).len() > 20, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A history that could not have happened would be refused while it is recorded.
    #[test]
    fn any_modest_wish_comes_true(
        seed: u64,
        pages in 0usize..60,
        days in -1.0..5.0f64,
        rate_per_day in prop_oneof![Just(0.0), 0.01..30.0f64],
        from in -4_000_000_000i64..4_000_000_000,
        kind in 0..REGISTRY.len(),
        lastmod in prop_oneof![Just(Lastmod::Honest), Just(Lastmod::Stale), Just(Lastmod::Missing)],
    ) {
        let wish = SyntheticConfig { seed, pages, days, rate_per_day, from: Time::from_secs(from), lastmod, ..SyntheticConfig::default() };
        let mut made = (REGISTRY[kind].make)(&wish);
        for row in 0..made.history.events().len().min(50) as u32 {
            let event = made.history.events()[row as usize];
            prop_assert_eq!(document(&mut made, row).body.len(), event.size as usize);
        }
    }
}
