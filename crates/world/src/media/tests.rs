//! Made-up webs are what they claim to be, and strategies on them do what is claimed for them.

use super::*;
use hashbrown::HashSet;
use tintype_vocab::folded_content_type;

const SMALL: usize = 700;

fn webs(seed: u64) -> impl Iterator<Item = (&'static str, Web)> {
    REGISTRY.iter().map(move |registered| (registered.name, (registered.make)(&WebConfig { seed, pages: SMALL })))
}

/// Pages that can be reached from the seeds.
fn reachable(web: &Web) -> HashSet<u32> {
    let mut open: Vec<u32> = web.seeds.iter().map(|seed| web.find(seed).unwrap()).collect();
    let mut seen: HashSet<u32> = open.iter().copied().collect();
    while let Some(page) = open.pop() {
        open.extend(web.pages()[page as usize].links.iter().map(|(to, _)| *to).filter(|to| seen.insert(*to)));
    }
    seen
}

#[test]
fn every_file_can_be_found_and_most_pages_are_not_wanted() {
    for (name, web) in webs(3) {
        assert_eq!(reachable(&web).len(), web.pages().len(), "{name}");
        assert!(web.pages().len().abs_diff(SMALL) < SMALL / 2, "{name}: {} pages", web.pages().len());
        let share = web.wanted_files() as f64 / web.pages().len() as f64;
        assert!((0.02..0.4).contains(&share), "{name}: {share}");
        let again = (named(name).unwrap().make)(&WebConfig { seed: 3, pages: SMALL });
        assert!(web.pages().iter().zip(again.pages()).all(|(one, other)| one.url == other.url), "{name}");
    }
}

#[test]
fn addresses_lie() {
    for (name, extension) in [("gallery", ".jpg"), ("documents", ".pdf")] {
        let web = (named(name).unwrap().make)(&WebConfig { seed: 1, pages: SMALL });
        let liars = web.pages().iter().filter(|page| page.url.ends_with(extension) && page.media_type == "text/html");
        assert!(liars.count() > 10, "{name}");
    }
    for (name, web) in webs(1) {
        // The name of a script says nothing of what it sends.
        let plain = |page: &&WebPage| {
            page.url.rsplit('/').next().is_some_and(|file| file.contains('.') && !file.contains(".php?"))
        };
        let files = web.pages().iter().filter(|page| web.wanted.want(&page.media_type));
        assert!(files.filter(plain).count() * 5 < web.wanted_files() * 4, "{name}: extensions say it all");
        assert!(web.pages().iter().all(|page| folded_content_type(&page.media_type).is_some()), "{name}");
    }
}

fn strategy(name: &str) -> &'static Strategy {
    STRATEGIES.iter().find(|strategy| strategy.name == name).unwrap()
}

/// The best order there is, and ours with and without much room, beside the one everybody knows.
#[test]
fn files_are_found_with_half_the_requests_and_nobody_beats_who_was_told_everything() {
    for name in ["gallery", "portal"] {
        let web = (named(name).unwrap().make)(&WebConfig { seed: 5, pages: SMALL });
        let curve = |name| play(&web, strategy(name), &MediaCrawlConfig::default());
        let [all, ours, told] = ["breadth-first", "focused", "oracle"].map(curve);
        let [all_reached, reached, best] = [&all, &ours, &told].map(|curve| curve.reached(0.9).unwrap());
        assert!(best <= reached && 2 * reached <= all_reached, "{name}: {best}, {reached}, {all_reached}");
        assert!(ours.share() > 0.97 && [all.share(), told.share()] == [1.0; 2], "{name}: {}", ours.share());
        assert_eq!((all.requests as usize, all.forgotten), (web.pages().len(), 0), "{name}");
    }
}

#[test]
fn a_budget_ends_a_capture() {
    let web = (named("portal").unwrap().make)(&WebConfig { seed: 2, pages: SMALL });
    for strategy in ["breadth-first", "best-first", "focused"].map(strategy) {
        let curve = play(&web, strategy, &MediaCrawlConfig { run_seed: 1, budget: Some(30) });
        // robots.txt is one of the thirty, and no page.
        assert_eq!(curve.requests, 29, "{}", strategy.name);
    }
}
