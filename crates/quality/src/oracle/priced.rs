//! Few crawls that keep a promise, where windows are too long to find the fewest: a crawl has a price in bad steps.

use std::ops::Range;

/// How often the price is halved.
const HALVINGS: u32 = 14;
/// Bad steps before one crawl, in prices, beyond which nobody waits; and so many besides.
const WAITS: (f64, f64) = (3.0, 8.0);
/// Pairs of steps looked at for one price, at the most: beyond, not every step can be a crawl.
const PAIRS_MAX: usize = 20_000_000;
/// Waits that are looked at to find out how many pairs there would be.
const SAMPLES: usize = 64;

/// A schedule and the bad steps it leaves.
struct Priced {
    schedule: Vec<usize>,
    bad: usize,
}

/// Crawls of a window that leave at most `allowed` bad steps, by the highest price that does so. A slightly higher one may
/// leave far more; as much of its schedule as may be is gone along with first.
pub(super) fn priced_crawls(
    window: Range<usize>,
    allowed: usize,
    is_below: impl Fn(usize, usize) -> bool,
) -> Vec<usize> {
    let (mut low, mut high) = (0.0, (allowed as f64).max(2.0).ln());
    let mut best = cheapest(&window, 0.5, &is_below);
    let mut over = None;
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        let found = cheapest(&window, f64::exp(middle), &is_below);
        if found.bad <= allowed {
            low = middle;
            if best.bad > allowed || found.schedule.len() <= best.schedule.len() {
                best = found;
            }
        } else {
            high = middle;
            over = Some(found);
        }
    }
    match over {
        Some(over) if best.bad <= allowed => {
            one_then_other(&window, &over.schedule, &best.schedule, allowed, &is_below)
        }
        _ => best.schedule,
    }
}

/// The shortest schedule that begins as one does and goes on as the other, with at most `allowed` bad steps; the other, where
/// no beginning is worth it.
fn one_then_other(
    window: &Range<usize>,
    one: &[usize],
    other: &[usize],
    allowed: usize,
    is_below: &impl Fn(usize, usize) -> bool,
) -> Vec<usize> {
    let bad = |from: usize, end: usize| (from + 1..end).filter(|then| is_below(from, *then)).count();
    // Bad steps from a crawl of the other to the end.
    let mut rest = vec![0; other.len() + 1];
    for (nth, from) in other.iter().enumerate().rev() {
        rest[nth] = rest[nth + 1] + bad(*from, other.get(nth + 1).copied().unwrap_or(window.end));
    }
    let (mut before, mut best) = (0, (0, 0, other.len()));
    for taken in 0..=one.len() {
        let from = if taken == 0 { window.start } else { one[taken - 1] };
        let nth = other.partition_point(|crawl| *crawl <= from);
        let crawls = taken + other.len() - nth;
        let all = before + bad(from, other.get(nth).copied().unwrap_or(window.end)) + rest[nth];
        if all <= allowed && crawls < best.2 {
            best = (taken, nth, crawls);
        }
        before += one.get(taken).map_or(0, |next| bad(from, *next));
    }
    one[..best.0].iter().chain(&other[best.1..]).copied().collect()
}

/// The schedule with the least of bad steps and prices of crawls together.
fn cheapest(window: &Range<usize>, price: f64, is_below: &impl Fn(usize, usize) -> bool) -> Priced {
    let steps = window.len();
    let bad_max = (WAITS.0 * price + WAITS.1) as usize;
    let stride = stride(window, bad_max, is_below);
    let mut cost = vec![f64::INFINITY; steps];
    let mut before = vec![0u32; steps];
    let (mut last, mut least) = (0, f64::INFINITY);
    if let Some(first) = cost.first_mut() {
        *first = 0.0;
    }
    for from in (0..steps).step_by(stride) {
        let mut bad = 0;
        for then in from + 1..=steps {
            let price = if then == steps { 0.0 } else { price };
            let all = cost[from] + bad as f64 + price;
            if then == steps {
                (last, least) = if all < least { (from, all) } else { (last, least) };
            } else if then % stride == 0 && all < cost[then] {
                (cost[then], before[then]) = (all, from as u32);
            }
            bad += usize::from(then < steps && is_below(window.start + from, window.start + then));
            if bad > bad_max {
                break;
            }
        }
    }
    let crawls = std::iter::successors(Some(last), |crawl| before.get(*crawl).map(|crawl| *crawl as usize))
        .take_while(|crawl| *crawl > 0);
    let mut schedule: Vec<usize> = crawls.map(|crawl| window.start + crawl).collect();
    schedule.reverse();
    let bad = (least - price * schedule.len() as f64).round() as usize;
    Priced { schedule, bad }
}

/// From one step that can be a crawl to the next.
fn stride(window: &Range<usize>, bad_max: usize, is_below: &impl Fn(usize, usize) -> bool) -> usize {
    let waits = (0..SAMPLES).map(|nth| {
        let from = window.start + window.len() * nth / SAMPLES;
        let bad = (from + 1..window.end).filter(|then| is_below(from, *then));
        bad.take(bad_max + 1).last().map_or(window.end - from, |last| last - from)
    });
    let pairs = waits.sum::<usize>() / SAMPLES * window.len();
    pairs.div_ceil(PAIRS_MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::{super::fewest_crawls, *};

    #[test]
    fn a_long_window_takes_hardly_more_crawls_than_the_fewest() {
        // Copies last for 5 to 12 steps, by when they were made.
        let is_below = |from: usize, to: usize| to - from > 5 + from * 7919 % 8;
        let bad = |schedule: &[usize]| {
            let copies = std::iter::once(0).chain(schedule.iter().copied());
            let ends = schedule.iter().copied().chain([3000]);
            copies.zip(ends).map(|(from, end)| (from + 1..end).filter(|to| is_below(from, *to)).count()).sum::<usize>()
        };
        let (exact, priced) = (fewest_crawls(0..3000, 150, is_below), priced_crawls(0..3000, 150, is_below));
        assert!(bad(&priced) <= 150 && priced.is_sorted(), "{}", bad(&priced));
        assert!(priced.len() >= exact.len() && priced.len() <= exact.len() + 4, "{} {}", priced.len(), exact.len());
        assert!(priced_crawls(0..0, 1, is_below).is_empty());
    }
}
