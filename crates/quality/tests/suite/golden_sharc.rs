//! The numbers of the SHARC paper, recomputed and corrected: those that measure a given schedule.

use super::{Item, numbers};
use tintype_quality::capture::{
    Ends, exact_blur_of_page, expected_blur, hot_outside_increase, is_sharp, penalty, worst_increase,
};
use tintype_vocab::Time;

/// What makes schedules instead of measuring them, and is tested where schedules are made.
const SCHEDULES: &[&str] = &[
    "best_online",
    "expected_sharp",
    "expected_sharp_tau",
    "greedy_pairs",
    "min_blur",
    "offline_order",
    "offline_order_blur",
    "offline_times",
    "online_equals_offline",
    "online_next",
    "opt_pairs",
    "opt_pairs_any",
    "opt_sharp",
    "order_breadth",
    "order_coldest",
    "order_depth",
    "order_hottest",
    "order_online",
    "revisit_pairs",
    "shift",
    "table4",
    "threshold_intervals",
];

impl Item {
    fn name(&self) -> &str {
        self.function.strip_prefix("sharc.").expect("all are SHARC's")
    }

    fn number(&self, input: &str) -> f64 {
        self.inputs[input].as_f64().unwrap_or_else(|| panic!("{}: {input} is a number", self.id))
    }

    /// The numbers in an input, however deep.
    fn list(&self, input: &str) -> Vec<f64> {
        numbers(&self.inputs[input])
    }

    fn pairs(&self) -> Vec<[f64; 2]> {
        self.list("pairs").chunks(2).map(|pair| [pair[0], pair[1]]).collect()
    }

    /// The length of a capture of `n + 1` slots.
    fn length(&self) -> f64 {
        self.number("n") * self.number("delta")
    }

    /// The same with as many slots for revisits.
    fn length_twice(&self) -> f64 {
        (2.0 * self.number("n") + 1.0) * self.number("delta")
    }

    fn agrees(&self, found: &[f64]) -> bool {
        let expected = numbers(&self.expected);
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= self.tolerance;
        found.len() == expected.len() && found.iter().zip(&expected).all(near)
    }
}

fn items() -> Vec<Item> {
    super::items(include_str!("../golden/sharc.json"))
}

/// What our measures say, if the item is one of theirs.
fn measured(item: &Item) -> Option<Vec<f64>> {
    Some(match item.name() {
        "omega" => omega(item),
        "omega_gen" => penalties(&item.list("t"), item.number("os"), item.number("oe")),
        "omega2" => item.pairs().iter().map(|pair| penalty(pair, 0.0, item.number("L"))).collect(),
        "omega_multi" => omega_multi(item),
        "blur_page" => blurs(item, one_visit(item), item.length()),
        "blur" => vec![blurs(item, one_visit(item), item.length()).iter().sum()],
        "blur2_page" => blurs(item, item.pairs(), item.length_twice()),
        "blur2" => vec![blurs(item, item.pairs(), item.length_twice()).iter().sum()],
        "exact_blur" => vec![exact(item, &[item.number("t")])],
        "exact_blur2" => vec![exact(item, &[item.number("v"), item.number("r")])],
        // Olston and Pandey count every change until it is seen: as blur does for a visit at the very end.
        "olston_utility" => vec![exact(item, &[item.number("oe")])],
        "sharp_count" => vec![sharp_count(item)],
        "sum" => vec![organ_pipes(&item.list("lambda"), 1.0)],
        "worst_increase" => vec![worst_increase(&item.list("lambda"), item.number("k") as usize, 1.0)],
        "eq17" => vec![hot_outside_increase(&item.list("lambda"), item.number("k") as usize, 1.0)],
        _ => return None,
    })
}

fn penalties(visits: &[f64], from: f64, to: f64) -> Vec<f64> {
    visits.iter().map(|&visit| penalty(&[visit], from, to)).collect()
}

/// Of a single visit, Theorem 4.3 also has the least blur of the running example, whose rates are 0 to n.
fn omega(item: &Item) -> Vec<f64> {
    let mut found = penalties(&item.list("t"), 0.0, item.length());
    if item.inputs["t"].is_number() {
        let rates: Vec<f64> = (0..=item.number("n") as u32).map(f64::from).collect();
        found.push(organ_pipes(&rates, item.number("delta")) / item.length());
    }
    found
}

/// Also the least penalty of as many visits.
fn omega_multi(item: &Item) -> Vec<f64> {
    let (visits, length) = (item.list("times"), item.number("L"));
    let part = length / visits.len() as f64;
    let best: Vec<f64> = (0..visits.len()).map(|nth| part * (nth as f64 + 0.5)).collect();
    vec![penalty(&visits, 0.0, length), penalty(&best, 0.0, length)]
}

/// Σ λω of the best order (6): coldest page first, next coldest last, and so on inwards.
fn organ_pipes(rates: &[f64], delta: f64) -> f64 {
    let last = rates.len() - 1;
    let slot = |nth: usize| if nth.is_multiple_of(2) { nth / 2 } else { last - nth / 2 };
    let length = last as f64 * delta;
    let pages = rates.iter().enumerate().map(|(nth, &rate)| (rate, [slot(nth) as f64 * delta]));
    expected_blur(pages, 0.0, length) * length
}

fn one_visit(item: &Item) -> Vec<[f64; 1]> {
    item.list("t").into_iter().map(|visit| [visit]).collect()
}

fn blurs<const VISITS: usize>(item: &Item, visits: Vec<[f64; VISITS]>, length: f64) -> Vec<f64> {
    let pages = item.list("lambda").into_iter().zip(visits);
    pages.map(|page| expected_blur([page], 0.0, length)).collect()
}

/// A unit of the paper is a second of ours, so that halves are whole milliseconds.
fn time(units: f64) -> Time {
    Time::from_millis((units * 1000.0).round() as i64)
}

fn exact(item: &Item, visits: &[f64]) -> f64 {
    let visits: Vec<Time> = visits.iter().copied().map(time).collect();
    let history = item.list("history").into_iter().map(time);
    exact_blur_of_page(history, &visits, time(item.number("os")), time(item.number("oe")))
}

fn sharp_count(item: &Item) -> f64 {
    let ends = if item.inputs["closed"] == true { Ends::Closed } else { Ends::HalfOpen };
    let histories = item.inputs["history"].as_array().expect("one history per page");
    let pages = histories.iter().map(numbers).zip(item.pairs());
    pages.filter(|(history, [visit, revisit])| is_sharp(history, *visit, *revisit, ends)).count() as f64
}

#[test]
fn every_item_is_a_measure_or_a_schedule() {
    let items = items();
    assert_eq!(items.len(), 54);
    for item in &items {
        let schedule = SCHEDULES.contains(&item.name());
        assert!(schedule != measured(item).is_some(), "{} {}", item.id, item.function);
        assert!(["paper", "corrected", "convention", "derived"].contains(&item.status.as_str()), "{}", item.status);
    }
    let idle = SCHEDULES.iter().find(|name| items.iter().all(|item| item.name() != **name));
    assert_eq!(idle, None, "every schedule is asked for");
    let mut ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), items.len(), "every item has a name of its own");
}

#[test]
fn every_measure_is_that_of_the_paper_or_its_correction() {
    for item in items() {
        if let Some(found) = measured(&item) {
            assert!(item.agrees(&found), "{}: {found:?} is {}", item.id, item.expected);
        }
    }
}

#[test]
fn any_wrong_number_would_be_noticed() {
    for item in items() {
        let Some(found) = measured(&item) else { continue };
        for wrong in 0..found.len() {
            let mut other = found.clone();
            other[wrong] += 1e-6;
            assert!(!item.agrees(&other), "{}: number {wrong}", item.id);
        }
        assert!(!item.agrees(&found[1..]), "{}: a number less", item.id);
    }
}
