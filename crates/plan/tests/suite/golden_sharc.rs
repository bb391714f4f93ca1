//! The numbers of the SHARC paper, recomputed and corrected: those that make a schedule. The fixture is shared with
//! `quality`, which tests those that measure one.

use crate::toy::{Page, Toy, run, visited};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use tintype_learn::knowledge::Knowledge;
use tintype_plan::{
    Scheduler, ScopeRule, Settings,
    schedule::{self, RatedSite},
};
use tintype_quality::{capture, oracle};
use tintype_vocab::{ChangeRate, LinkKind, SiteId, Span, Time};

#[derive(Debug, Deserialize)]
struct Item {
    id: String,
    #[serde(rename = "fn")]
    function: String,
    inputs: Value,
    expected: Value,
    tolerance: f64,
}

fn items() -> Vec<Item> {
    serde_json::from_str(include_str!("../../../quality/tests/golden/sharc.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        Value::Object(map) => map.values().flat_map(numbers).collect(),
        Value::Bool(flag) => vec![f64::from(u8::from(*flag))],
        other => vec![other.as_f64().unwrap()],
    }
}

const DAY: Span = Span::from_days(1);

/// A site whose rates are per slot, because a slot is a day.
fn site(rates: &[f64]) -> RatedSite {
    RatedSite::new(&rates.iter().map(|rate| ChangeRate::known(*rate)).collect::<Vec<_>>(), DAY)
}

fn sorted(rates: &[f64]) -> Vec<f64> {
    let mut rates = rates.to_vec();
    rates.sort_by(f64::total_cmp);
    rates
}

/// Blur of visits by page, over the whole capture.
fn blur(rates: &[f64], visits: &[Vec<usize>], last: usize) -> f64 {
    let times = |visits: &Vec<usize>| sorted(&visits.iter().map(|slot| *slot as f64).collect::<Vec<_>>());
    capture::expected_blur(rates.iter().zip(visits).map(|(rate, visits)| (*rate, times(visits))), 0.0, last as f64)
}

fn blur_of_order(rates: &[f64], order: &[usize]) -> f64 {
    let mut visits = vec![Vec::new(); rates.len()];
    order.iter().enumerate().for_each(|(slot, page)| visits[*page].push(slot));
    blur(rates, &visits, order.len() - 1)
}

fn blur_of_pairs(rates: &[f64], pairs: &[schedule::Pair]) -> f64 {
    let visits: Vec<_> = pairs.iter().map(|(visit, revisit)| vec![*visit, *revisit]).collect();
    blur(rates, &visits, 2 * pairs.len() - 1)
}

fn orders(pages: usize) -> Vec<Vec<usize>> {
    if pages == 0 {
        return vec![Vec::new()];
    }
    let place = |order: Vec<usize>| {
        (0..pages).map(move |at| {
            let mut longer = order.clone();
            longer.insert(at, pages - 1);
            longer
        })
    };
    orders(pages - 1).into_iter().flat_map(place).collect()
}

/// The children of every page of the running example.
fn children(item: &Item) -> Vec<Vec<usize>> {
    let map = item.inputs["children"].as_object().unwrap();
    let list = |page: usize| numbers(&map[&page.to_string()]).into_iter().map(|child| child as usize).collect();
    (0..map.len()).map(list).collect()
}

fn url(page: usize) -> String {
    if page == 0 { "http://e.com/s/".to_owned() } else { format!("http://e.com/s/{page}") }
}

/// The order in which a policy visits a graph of pages, through the scheduler.
fn order(policy: &str, children: &[Vec<usize>], rates: &[f64], told: bool) -> Vec<usize> {
    let link = |child: &usize| (LinkKind::Anchor, url(*child));
    let page = |list: &Vec<usize>| Page::Links(list.iter().map(link).collect());
    let toy = Toy(children.iter().enumerate().map(|(number, list)| (url(number), page(list))).collect());
    let mut settings = Settings::new(SiteId(0), vec![url(0)]);
    settings.policy = policy.to_owned();
    // No sitemap is asked for outside the scope.
    settings.scope = ScopeRule::Prefix;
    let mut knowledge = Knowledge::default();
    for (number, rate) in rates.iter().enumerate() {
        knowledge.recall_rate(&url(number), ChangeRate::known(*rate));
    }
    knowledge.expect_pages(rates.len());
    let mut scheduler = Scheduler::with_knowledge(settings, knowledge).unwrap();
    for number in 0..if told { rates.len() } else { 0 } {
        scheduler.announce(&url(number), Time::from_secs(0));
    }
    let asked = run(&mut scheduler, &toy);
    let number = |url: &str| url.rsplit('/').next().filter(|name| !name.is_empty()).map_or(0, |n| n.parse().unwrap());
    visited(&asked).into_iter().map(number).collect()
}

/// Half lengths when exactly these pages are given up: hot enough to be, all others cold enough not to be.
fn halves(rates: &[f64], hopeless: &[f64]) -> Vec<u32> {
    let clear = |(page, rate): (usize, &f64)| if hopeless.contains(&(page as f64)) { 1e6 } else { rate * 1e-6 };
    schedule::threshold(&site(&rates.iter().enumerate().map(clear).collect::<Vec<_>>()), 0.5)
}

fn interval(half: u32, pages: usize) -> [f64; 2] {
    [(pages - 1) as f64 - f64::from(half), pages as f64 + f64::from(half)]
}

fn expected_sharp(rates: &[f64], halves: &[u32], slot: f64) -> f64 {
    let pages = rates.len();
    let proof = |(rate, half): (&f64, &u32)| {
        let [visit, revisit] = interval(*half, pages);
        (*rate, visit * slot, revisit * slot)
    };
    capture::expected_sharp(rates.iter().zip(halves).map(proof))
}

/// The least blur of all ways to give every page two of the slots, or `best` if there is none below.
fn least_of_all_pairings(rates: &[f64], used: u32, best: f64) -> f64 {
    let (page, slots) = (rates.len() - 1, 12);
    let rest = &rates[..page];
    let mut least = best;
    for first in (0..slots).filter(|slot| used & 1 << slot == 0) {
        for second in (first + 1..slots).filter(|slot| used & 1 << slot == 0) {
            let own = rates[page] * capture::penalty(&[f64::from(first), f64::from(second)], 0.0, 11.0) / 11.0;
            // No pair costs less than the one with both slots where the penalty is smallest.
            let bound = rest.iter().sum::<f64>() * 15.125 / 11.0;
            if own + bound >= least {
                continue;
            }
            let used = used | 1 << first | 1 << second;
            let others = if rest.is_empty() { 0.0 } else { least_of_all_pairings(rest, used, least - own) };
            least = least.min(own + others);
        }
    }
    least
}

/// What the product makes of an item; nothing for what is no schedule.
fn found(item: &Item) -> Option<Vec<f64>> {
    let list = |name: &str| numbers(&item.inputs[name]);
    let number = |name: &str| item.inputs[name].as_f64().unwrap();
    let pages = || number("n") as usize + 1;
    let floats = |list: Vec<usize>| list.into_iter().map(|n| n as f64).collect::<Vec<f64>>();
    let slots = |pages: usize| floats((0..pages).map(|nth| schedule::slot_of(nth, pages)).collect());
    let pipes =
        |rates: &[f64]| schedule::organ_pipes(&site(rates)).into_iter().map(|page| page as usize).collect::<Vec<_>>();
    let pairs =
        |pairs: Vec<schedule::Pair>| pairs.into_iter().flat_map(|(v, r)| [v as f64, r as f64]).collect::<Vec<_>>();
    let counting = |pages: usize| (0..pages).map(|page| page as f64).collect::<Vec<_>>();
    let name = item.function.strip_prefix("sharc.").unwrap();
    Some(match name {
        "offline_times" => slots(pages()),
        "offline_order" => floats(pipes(&counting(pages()))),
        "offline_order_blur" => {
            let order = pipes(&list("lambda"));
            [vec![blur_of_order(&list("lambda"), &order)], floats(order)].concat()
        }
        "shift" => {
            let by = (number("oe") + number("os") - number("n") * number("delta")) / 2.0;
            slots(pages()).into_iter().map(|slot| slot * number("delta") + by).collect()
        }
        "min_blur" => {
            let rates = list("lambda");
            let least = orders(rates.len()).iter().map(|order| blur_of_order(&rates, order)).fold(f64::MAX, f64::min);
            assert!((least - blur_of_order(&rates, &pipes(&rates))).abs() < 1e-9, "organ pipes are the optimum");
            vec![least]
        }
        "order_breadth" => floats(order("breadth-first", &children(item), &list("lambda"), false)),
        "order_depth" => floats(order("depth-first", &children(item), &list("lambda"), false)),
        "order_hottest" => floats(order("hottest-first", &children(item), &list("lambda"), false)),
        "order_coldest" => floats(order("coldest-first", &children(item), &list("lambda"), false)),
        "order_online" => floats(order("sharc-online", &children(item), &list("lambda"), false)),
        "online_next" => {
            let running = items().into_iter().find(|other| other.id == "S12-online").unwrap();
            let order = floats(order("sharc-online", &children(&running), &numbers(&running.inputs["lambda"]), false));
            let downloaded = list("downloaded");
            assert_eq!(order[..downloaded.len()], downloaded, "{}", item.id);
            vec![order[downloaded.len()]]
        }
        "online_equals_offline" => {
            let same = |pages: usize| {
                let (rates, alone) = (counting(pages), vec![Vec::new(); pages]);
                order("sharc-online", &alone, &rates, true) == order("sharc-offline", &alone, &rates, true)
            };
            vec![f64::from(u8::from((2..60).all(same)))]
        }
        "best_online" => {
            let (rates, children) = (list("lambda"), children(item));
            let parent = |page: usize| children.iter().position(|list| list.contains(&page));
            let at = |order: &[usize], page: usize| order.iter().position(|other| *other == page);
            let possible = |order: &&Vec<usize>| (1..6).all(|page| at(order, parent(page).unwrap()) < at(order, page));
            let orders = orders(rates.len());
            let possible: Vec<_> = orders.iter().filter(|order| order[0] == 0).filter(possible).collect();
            assert_eq!(possible.len(), 20);
            vec![possible.into_iter().map(|order| blur_of_order(&rates, order)).fold(f64::MAX, f64::min)]
        }
        "revisit_pairs" => pairs(schedule::definition_7_3(pages())),
        "greedy_pairs" => pairs(schedule::greedy_pairs(list("lambda").len())),
        "opt_pairs" => {
            let rates = list("lambda");
            let (site, simple) = (site(&rates), schedule::definition_7_3(rates.len()));
            let greedy = schedule::greedy_pairs(rates.len());
            let polished =
                [&simple, &greedy].map(|pairs| blur_of_pairs(&rates, &schedule::polish(&site, pairs.clone())));
            let best = polished[0].min(polished[1]);
            if item.expected.is_array() {
                vec![blur_of_pairs(&rates, &simple), blur_of_pairs(&rates, &greedy), best]
            } else {
                vec![best]
            }
        }
        "opt_pairs_any" => vec![least_of_all_pairings(&list("lambda"), 0, f64::INFINITY)],
        "threshold_intervals" => {
            let (rates, hopeless) = (list("lambda"), list("hopeless"));
            halves(&rates, &hopeless).into_iter().flat_map(|half| interval(half, rates.len())).collect()
        }
        "expected_sharp" => {
            let rates = list("lambda");
            vec![expected_sharp(&rates, &halves(&rates, &list("hopeless")), number("delta"))]
        }
        "expected_sharp_tau" => {
            let rates = list("lambda");
            let by_tau = |tau: f64| expected_sharp(&rates, &schedule::threshold(&site(&rates), tau), number("delta"));
            list("tau").into_iter().map(by_tau).collect()
        }
        "opt_sharp" => {
            let rates = list("lambda");
            let best = oracle::expected_sharp(&rates);
            let ours = expected_sharp(&rates, &schedule::by_expected_value(&site(&rates)), number("delta"));
            assert!(ours > 0.999 * best.sharp, "{ours} of {}", best.sharp);
            [vec![best.sharp], best.half_length.into_iter().map(|half| half as f64).collect()].concat()
        }
        "table4" => {
            let (pages, skew, slot) = (number("N") as usize, number("skew"), number("delta"));
            let rates: Vec<f64> =
                sorted(&(0..pages).map(|page| ((page / 2 + 1) as f64).powf(-skew)).collect::<Vec<_>>());
            let per_slot: Vec<f64> = rates.iter().map(|rate| rate * slot).collect();
            let same_gap = schedule::definition_7_3(pages).into_iter().zip(&rates);
            let same_gap = same_gap.map(|((visit, revisit), rate)| (*rate, visit as f64 * slot, revisit as f64 * slot));
            let threshold = schedule::threshold(&site(&per_slot), number("tau"));
            vec![capture::expected_sharp(same_gap), expected_sharp(&rates, &threshold, slot)]
        }
        _ => return None,
    })
}

#[test]
fn every_schedule_of_the_paper_is_as_checked() {
    let mut names = BTreeSet::new();
    for item in items() {
        let Some(found) = found(&item) else { continue };
        let expected = numbers(&item.expected);
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= item.tolerance;
        assert_eq!(found.len(), expected.len(), "{}: {found:?}", item.id);
        assert!(found.iter().zip(&expected).all(near), "{}: {found:?} is not {expected:?}", item.id);
        names.insert(item.function);
    }
    assert_eq!(names.len(), 22, "{names:?}");
}
