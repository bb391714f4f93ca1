//! The same scheduler in `live` over loopback and in `world` asks for the same pages in the same order.

use crate::bench::{Bench, START, capture};
use tintype_plan::{Scheduler, Settings, policy, replay};
use tintype_vocab::{Decision, Entry, Span};
use tintype_world::drive;

/// The decisions and settings in the only log of a collection.
fn logged(directory: &std::path::Path) -> (Settings, Vec<Decision>) {
    let reading = tintype_archive::Collection::read(&directory.join("collection")).unwrap();
    let capture = reading.captures().unwrap().remove(0);
    let decision = |entry| match entry {
        Entry::Decision(decision) => Some(decision),
        Entry::Observation(_) => None,
    };
    let decisions = reading.entries(&capture.id).unwrap().map(Result::unwrap).filter_map(decision).collect();
    (serde_json::from_value(capture.head.settings).unwrap(), decisions)
}

#[test]
fn every_policy_of_a_capture_asks_for_the_same_pages_in_the_same_order() {
    let bench = Bench::newsroom();
    let once = policy::offered(policy::Use::Capture).map(|entry| (entry.name, None));
    let twice = ["breadth-first", "sharc-threshold", "sharp"].map(|name| (name, Some("--revisit")));
    for (name, revisit) in once.chain(twice) {
        let directory = tempfile::tempdir().unwrap();
        let options: Vec<&str> = ["--policy", name].into_iter().chain(revisit).collect();
        capture(directory.path(), &bench.seed(), &options);
        let (settings, live) = logged(directory.path());
        let mut scheduler = Scheduler::new(settings).unwrap();
        let run = drive(&mut scheduler, bench.site(), START, Span::from_millis(1));
        let step = |decision: &Decision| {
            (decision.url.clone(), decision.purpose, decision.why, decision.page, decision.settled)
        };
        let (live, world): (Vec<_>, Vec<_>) =
            (live.iter().map(step).collect(), run.decisions.iter().map(step).collect());
        assert!(live.len() > 30, "{name}: {}", live.len());
        assert_eq!(live, world, "{name}");
    }
}

#[test]
fn a_night_in_production_replays_from_its_log() {
    let bench = Bench::newsroom();
    for connections in ["1", "5"] {
        let directory = tempfile::tempdir().unwrap();
        capture(directory.path(), &bench.seed(), &["--connections", connections, "--policy", "sharc-online"]);
        let (settings, decisions) = logged(directory.path());
        let reading = tintype_archive::Collection::read(&directory.path().join("collection")).unwrap();
        let id = reading.captures().unwrap()[0].id.clone();
        let entries = reading.entries(&id).unwrap().map(Result::unwrap);
        let replayed =
            replay(settings, entries).unwrap_or_else(|divergence| panic!("{connections} connections: {divergence}"));
        assert_eq!(replayed.progress().settled, decisions.len() as u64);
        assert_eq!(replayed.progress().waiting, 0);
    }
}
