//! The fewest crawls that keep the promise about a copy, told how it was going to rot.

use super::priced::priced_crawls;
use std::ops::Range;

/// Steps times bad steps up to which the fewest crawls are found exactly.
const EXACT_MAX: usize = 8_000_000;

/// The fewest crawls of a window, before which the copy was made anew, that leave at most `allowed` of its steps worse than
/// promised. `is_below` says whether a copy made at one step is worse than promised at a later one; it need not get worse
/// with time.
///
/// Exact, by the fewest bad steps with which each step can be the last of so many crawls. O(steps × crawls × (steps from
/// one crawl to the next + allowed)) at the very most. Where that is too long, the least that some price of a crawl in bad
/// steps leads to: never fewer than the fewest, and in practice more by some thousandths.
pub fn fewest_crawls(window: Range<usize>, allowed: usize, is_below: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    if window.len().saturating_mul(allowed) > EXACT_MAX {
        return priced_crawls(window, allowed, is_below);
    }
    let waits = waits(&window, allowed, is_below);
    let steps = window.len();
    let mut layer = vec![UNREACHED; steps];
    if let Some(first) = layer.first_mut() {
        *first = 0;
    }
    let mut least = layer.clone();
    let mut before: Vec<Vec<u32>> = Vec::new();
    while !ends(&layer, &waits, allowed) {
        let (mut next, from) = one_more(&layer, &waits, allowed);
        // A step that was reached as well with fewer crawls leads nowhere better.
        for (bad, least) in next.iter_mut().zip(&mut least) {
            if *bad < *least { *least = *bad } else { *bad = UNREACHED }
        }
        layer = next;
        before.push(from);
    }
    let last = (0..steps).rfind(|&step| reaches_end(step, layer[step], &waits[step], steps, allowed)).unwrap_or(0);
    let mut schedule = Vec::with_capacity(before.len());
    let mut crawl = last;
    for from in before.iter().rev() {
        schedule.push(window.start + crawl);
        crawl = from[crawl] as usize;
    }
    schedule.reverse();
    schedule
}

/// Crawls each as late as the promise allows: at the first step the copy would be worse. The fewest, if later copies are
/// never worse than earlier ones.
pub fn latest_crawls(window: Range<usize>, is_below: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut copied = window.start;
    let mut schedule = Vec::new();
    for step in window.skip(1) {
        if is_below(copied, step) {
            schedule.push(step);
            copied = step;
        }
    }
    schedule
}

const UNREACHED: u32 = u32::MAX;

/// Of each step, how many steps are bad if the next crawl is so many steps later; as far as it is allowed.
fn waits(window: &Range<usize>, allowed: usize, is_below: impl Fn(usize, usize) -> bool) -> Vec<Vec<u32>> {
    let wait = |from: usize| {
        let mut bad = 0u32;
        // A crawl at the very next step leaves none.
        let later = (from + 1..window.end).map(|step| {
            bad += u32::from(is_below(from, step));
            bad
        });
        std::iter::once(0).chain(later).take_while(|bad| *bad as usize <= allowed).collect()
    };
    window.clone().map(wait).collect()
}

fn reaches_end(step: usize, bad: u32, waits: &[u32], steps: usize, allowed: usize) -> bool {
    let rest = waits.get(steps - step - 1);
    bad != UNREACHED && rest.is_some_and(|rest| (bad + rest) as usize <= allowed)
}

fn ends(layer: &[u32], waits: &[Vec<u32>], allowed: usize) -> bool {
    let steps = layer.len();
    steps == 0 || (0..steps).any(|step| reaches_end(step, layer[step], &waits[step], steps, allowed))
}

/// The fewest bad steps before each step if it is the next to be crawled, and which was crawled before.
fn one_more(layer: &[u32], waits: &[Vec<u32>], allowed: usize) -> (Vec<u32>, Vec<u32>) {
    let mut next = vec![UNREACHED; layer.len()];
    let mut from = vec![0; layer.len()];
    for (step, &bad) in layer.iter().enumerate().filter(|(_, bad)| **bad != UNREACHED) {
        for (wait, &more) in waits[step].iter().enumerate() {
            let then = step + wait + 1;
            if (bad + more) as usize > allowed || then >= layer.len() {
                break;
            }
            // Of equals the later: its copy is younger.
            if bad + more <= next[then] {
                next[then] = bad + more;
                from[then] = step as u32;
            }
        }
    }
    (next, from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy_score;
    use proptest::prelude::*;

    #[test]
    fn a_steady_decay_is_crawled_at_equal_distances() {
        let is_below = |from: usize, to: usize| to - from >= 4;
        assert_eq!(fewest_crawls(10..19, 0, is_below), latest_crawls(10..19, is_below));
        assert_eq!(latest_crawls(10..19, is_below), [14, 18]);
        assert_eq!(fewest_crawls(10..19, 1, is_below).len(), 1, "one bad step saves a crawl");
        assert!(fewest_crawls(10..14, 0, is_below).is_empty());
        assert!(fewest_crawls(3..3, 0, is_below).is_empty());
    }

    #[test]
    fn a_copy_that_rots_at_once_is_made_anew_at_every_step() {
        assert_eq!(fewest_crawls(0..4, 0, |_, _| true), [1, 2, 3]);
        assert!(fewest_crawls(0..4, 3, |_, _| true).is_empty());
    }

    proptest! {
        #[test]
        fn no_schedule_does_with_fewer(
            table in prop::collection::vec(prop::collection::vec(any::<bool>(), 10), 10), allowed in 0usize..4,
        ) {
            let is_below = |from: usize, to: usize| table[from][to];
            let broken = |schedule: &[usize]| {
                let score = copy_score(schedule, 0..10, 0.5, |from, to| f64::from(u8::from(!is_below(from, to))));
                (score.below * 10.0).round() as usize
            };
            let found = fewest_crawls(0..10, allowed, is_below);
            prop_assert!(broken(&found) <= allowed, "{found:?}");
            prop_assert_eq!(broken(&latest_crawls(0..10, is_below)), 0);
            for chosen in 0u32..1 << 9 {
                if (chosen.count_ones() as usize) < found.len() {
                    let schedule: Vec<usize> = (1..10).filter(|step| chosen >> (step - 1) & 1 == 1).collect();
                    prop_assert!(broken(&schedule) > allowed, "{schedule:?} does as well as {found:?}");
                }
            }
        }
    }
}
