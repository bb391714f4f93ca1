//! A recapture begins with every page that is held: whoever plans plans the whole site, and what lost its links is kept.

use crate::{
    bench::capture,
    host::{Host, answer, html, not_there},
};
use std::{
    collections::BTreeMap,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tintype_archive::Collection;
use tintype_plan::schedule::{RatedSite, organ_pipes};
use tintype_vocab::{ChangeRate, Entry, Observation, Purpose, Span};

const PAGES: usize = 40;

/// A chain of pages, each found through the one before; the higher its number, the more often it changes.
fn chain() -> (Host, Arc<AtomicUsize>) {
    let edition = Arc::new(AtomicUsize::new(0));
    let now = edition.clone();
    let host = Host::start(move |asked| {
        let number = match asked.target.as_str() {
            "/" => Some(0),
            path => path.strip_prefix("/p").and_then(|number| number.parse::<usize>().ok()),
        };
        let Some(number) = number.filter(|number| *number < PAGES) else { return not_there() };
        let version = now.load(Ordering::SeqCst) * number / PAGES;
        html(&format!("<p>page {number}, version {version}</p><a href='/p{}'>on</a>", number + 1))
    });
    (host, edition)
}

/// The visits of the latest capture, without robots.txt and probes for sitemaps.
fn visits(directory: &Path) -> Vec<Observation> {
    let reading = Collection::read(&directory.join("collection")).unwrap();
    let id = reading.captures().unwrap().pop().unwrap().id;
    let entries = reading.entries(&id).unwrap().map(Result::unwrap);
    let visits = entries.filter_map(|entry| match entry {
        Entry::Observation(seen) if matches!(seen.purpose, Purpose::Visit | Purpose::Revisit) => Some(*seen),
        _ => None,
    });
    visits.collect()
}

#[test]
fn a_planned_recapture_asks_in_the_order_of_the_plan_of_the_whole_site() {
    let (directory, (host, edition)) = (tempfile::tempdir().unwrap(), chain());
    for _ in 0..4 {
        capture(directory.path(), &host.seed(), &[]);
        edition.fetch_add(1, Ordering::SeqCst);
    }
    capture(directory.path(), &host.seed(), &["--policy", "sharc-revisits"]);
    // The page after the last of the chain is linked and not there; it was never held.
    let visits: Vec<Observation> =
        visits(directory.path()).into_iter().filter(|seen| seen.outcome.saw_page()).collect();
    let mut rates: BTreeMap<String, ChangeRate> = BTreeMap::new();
    for seen in visits.iter().filter(|seen| seen.purpose == Purpose::Visit) {
        rates.insert(seen.url.clone(), seen.rate);
    }
    assert_eq!((visits.len(), rates.len()), (2 * PAGES, PAGES));
    let urls: Vec<&String> = rates.keys().collect();
    let site = RatedSite::new(&urls.iter().map(|url| rates[*url]).collect::<Vec<_>>(), Span::from_secs(1));
    let plan: Vec<&String> = organ_pipes(&site).repeat(2).into_iter().map(|nth| urls[nth as usize]).collect();
    // Pages that are thought to change alike may stand for each other.
    let by_rate = |urls: &[&String]| urls.iter().map(|url| rates[*url].per_day).collect::<Vec<_>>();
    let asked: Vec<&String> = visits.iter().map(|seen| &seen.url).collect();
    assert_eq!(by_rate(&asked), by_rate(&plan));
    assert_eq!(asked[..PAGES], asked[PAGES..], "the second round goes as the first");
}

#[test]
fn a_page_that_nothing_links_any_more_is_kept_and_one_that_went_is_not_asked_for_again() {
    let directory = tempfile::tempdir().unwrap();
    let edition = Arc::new(AtomicUsize::new(0));
    let now = edition.clone();
    let host = Host::start(move |asked| match (asked.target.as_str(), now.load(Ordering::SeqCst)) {
        ("/", 0) => html("<a href='/stays'>one</a> <a href='/goes'>other</a>"),
        ("/", _) => html("nothing to see"),
        ("/stays", _) | ("/goes", 0) => html("a page"),
        ("/goes", _) => answer(410, &[], b""),
        _ => not_there(),
    });
    for (expected, policy) in
        [(["/goes", "/stays"].as_slice(), "sharp"), (&["/goes", "/stays"], "breadth-first"), (&["/stays"], "sharp")]
    {
        capture(directory.path(), &host.seed(), &["--policy", policy]);
        let hits = host.take_hits();
        let asked: Vec<&str> =
            hits.keys().map(String::as_str).filter(|path| path.len() > 1 && !path.contains('.')).collect();
        assert_eq!(asked, expected, "{policy}");
        edition.store(1, Ordering::SeqCst);
    }
}

#[test]
fn a_depth_that_was_asked_for_is_kept_although_deeper_pages_are_held() {
    let (directory, (host, _)) = (tempfile::tempdir().unwrap(), chain());
    capture(directory.path(), &host.seed(), &[]);
    host.take_hits();
    capture(directory.path(), &host.seed(), &["--depth", "3"]);
    let deepest = host.take_hits().keys().filter(|path| path.starts_with("/p")).count();
    assert_eq!(deepest, 3);
}
