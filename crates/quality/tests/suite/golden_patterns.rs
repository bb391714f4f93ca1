//! The numbers of the page-change-pattern paper that measure an archive: Example 1.

use super::{Item, numbers};
use serde_json::Value;
use tintype_quality::{Seen, Truth, Version, archive_completeness, page_completeness};
use tintype_vocab::Time;

fn lists(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

/// Every version lives for ten seconds; each captured one is visited twice, which must not count twice.
fn history(all: &[Vec<f64>], captured: &[Vec<f64>]) -> (Truth, Vec<Seen>) {
    let (mut truth, mut visits) = (Truth::default(), Vec::new());
    for (page, (all, captured)) in all.iter().zip(captured).enumerate() {
        let born = |nth: usize| Time::from_secs(10 * (nth as i64 + 1));
        truth.push_page(all.iter().enumerate().map(|(nth, weight)| Version {
            from: born(nth),
            until: born(nth + 1),
            weight: *weight as f32,
        }));
        for nth in (0..all.len()).filter(|nth| captured.contains(&all[*nth])) {
            visits.extend([Seen { at: born(nth), page: page as u32 }; 2]);
        }
    }
    visits.sort_by_key(|visit| visit.at);
    (truth, visits)
}

fn compute(item: &Item) -> Vec<f64> {
    match item.function.as_str() {
        "pattern.wc" => {
            let (truth, visits) = history(&lists(&item.inputs["all"]), &lists(&item.inputs["captured"]));
            let pages = page_completeness(&truth, Time::from_secs(0), Time::from_secs(100), &visits);
            pages.into_iter().map(|share| share.expect("something came to be")).collect()
        }
        "pattern.wc_archive" => {
            let pages: Vec<Option<f64>> = numbers(&item.inputs["wc"]).into_iter().map(Some).collect();
            let omega = numbers(&item.inputs["omega"]);
            vec![archive_completeness(&pages, |page| omega[page])]
        }
        other => panic!("{}: nobody computes {other}", item.id),
    }
}

#[test]
fn every_number_is_computed() {
    let items = super::items(include_str!("../golden/patterns.json"));
    assert_eq!(items.len(), 2);
    for item in items {
        // Weights of versions are kept in single precision.
        let tolerance = item.tolerance.max(1e-7);
        let (computed, expected) = (compute(&item), numbers(&item.expected));
        assert_eq!(computed.len(), expected.len(), "{}", item.id);
        for (computed, expected) in computed.iter().zip(expected) {
            assert!((computed - expected).abs() <= tolerance, "{}: {computed}, not {expected}", item.id);
        }
    }
}
