//! Visit and revisit for many sharp pages: intervals one inside the other around the middle of the capture.

use super::{Plan, RatedSite, free::Free, many::visits_by_square_root, pairs};
use std::cell::RefCell;

/// Groups in which a large site is looked at when it is decided who is hopeless.
const GROUPS: usize = 2048;

/// SHARC-threshold (Definition 7.7, corrected): hottest first, a page is promising if the chance that it changes in the
/// shortest interval left is below `hopeless_above`. For each page from the cold end, the half length of its interval:
/// `j` is visited j slots before the middle and revisited j slots after it.
pub fn threshold(site: &RatedSite, hopeless_above: f64) -> Vec<u32> {
    let mut halves = vec![0; site.len()];
    let mut hopeless = Vec::new();
    let mut next = 0;
    for nth in (0..site.len()).rev() {
        if 1.0 - site.still(nth, f64::from(2 * next + 1)) < hopeless_above {
            halves[nth] = next;
            next += 1;
        } else {
            hopeless.push(nth);
        }
    }
    for nth in hopeless.into_iter().rev() {
        halves[nth] = next;
        next += 1;
    }
    halves
}

/// How many pages that gives up.
pub fn hopeless_by_threshold(site: &RatedSite, hopeless_above: f64) -> usize {
    let promising = (0..site.len()).rev().fold(0, |next, nth| {
        let is_promising = 1.0 - site.still(nth, f64::from(2 * next + 1)) < hopeless_above;
        next + u32::from(is_promising)
    });
    site.len() - promising as usize
}

/// The same with the hopeless chosen by what that is worth: the hottest pages, as many as make the expected number of
/// sharp pages largest.
pub fn by_expected_value(site: &RatedSite) -> Vec<u32> {
    let (pages, hopeless) = (site.len(), hopeless_count(site));
    let half = |nth: usize| {
        let rank = pages - 1 - nth;
        if rank < hopeless { pages - 1 - rank } else { rank - hopeless }
    };
    (0..pages).map(|nth| half(nth) as u32).collect()
}

/// How many of the hottest pages had better be given up: their intervals would be long anyway, and every one of them that
/// takes a short one makes those of all the others longer.
///
/// A hot page wants a short interval while it may still be sharp (λl < 1) and does not care beyond. The expectation over
/// the number given up has one peak, found by looking coarsely first and then ever more closely.
pub fn hopeless_count(site: &RatedSite) -> usize {
    let pages = site.len();
    let known = RefCell::new(hashbrown::HashMap::<usize, f64>::new());
    let expected = |count: usize| *known.borrow_mut().entry(count).or_insert_with(|| expected_sharp(site, count));
    let mut step = (pages / 16).max(1);
    let coarse = (0..=pages).step_by(step);
    let better = |a: &usize, b: &usize| expected(*a).total_cmp(&expected(*b)).then(b.cmp(a));
    let mut best = coarse.max_by(better).unwrap_or(0);
    while step > 1 {
        step /= 2;
        let near = [best.saturating_sub(step), best, (best + step).min(pages)];
        best = near.into_iter().max_by(better).unwrap_or(best);
    }
    best
}

/// Theorem 7.8 when the `hopeless` hottest pages are given up; in groups of pages of nearly the same rate.
fn expected_sharp(site: &RatedSite, hopeless: usize) -> f64 {
    let pages = site.len();
    let group = pages.div_ceil(GROUPS).max(1);
    let sum = |ranks: std::ops::Range<usize>, half: &dyn Fn(usize) -> usize| {
        let groups = ranks.clone().step_by(group);
        let of_group = |from: usize| {
            let members = group.min(ranks.end - from);
            let rank = from + members / 2;
            members as f64 * site.still(pages - 1 - rank, (2 * half(rank) + 1) as f64)
        };
        groups.map(of_group).sum::<f64>()
    };
    sum(hopeless..pages, &|rank| rank - hopeless) + sum(0..hopeless, &|rank| pages - 1 - rank)
}

/// A plan from half lengths: visits down to the middle, revisits up from it.
pub fn pyramid(site: &RatedSite, halves: &[u32]) -> Plan {
    let pages = site.len();
    let pair = |half: &u32| (pages - 1 - *half as usize, pages + *half as usize);
    pairs::plan(site, &halves.iter().map(pair).collect::<Vec<_>>())
}

/// Both goals in one plan: pages that cannot be sharp anyway are visited where the blur wants it, all others form the
/// pyramid in the slots between. `extra` visits are handed out to whom they spare most blur: to the former, and to lively
/// pages of the pyramid, whose pair in the middle counts as one visit.
pub fn both_goals(site: &RatedSite, extra: usize, hopeless_above: Option<f64>) -> Plan {
    let pages = site.len();
    let hopeless = hopeless_above.map_or_else(|| hopeless_count(site), |chance| hopeless_by_threshold(site, chance));
    let counts = visits_besides(|nth| site.rate_per_slot(nth), pages, hopeless, extra);
    let slots = 2 * pages + counts.iter().map(|count| *count as usize).sum::<usize>();
    let mut free = Free::new(slots);
    let mut plan = vec![0; slots];
    for (rank, count) in counts.iter().enumerate() {
        let page = site.page(pages - 1 - rank);
        let wished: Vec<f64> = match rank < hopeless {
            true => wishes(count + 2, slots).collect(),
            false => wishes_around_a_pair(*count, slots).collect(),
        };
        for slot in wished.into_iter().filter_map(|wish| free.take_nearest(wish)) {
            plan[slot] = page;
        }
    }
    let (mut before, mut after) = (free.downwards(slots / 2), free.upwards(slots / 2));
    for nth in (0..pages - hopeless).rev() {
        // The coldest may find one side full; where they stand hardly matters.
        let visit = before.next().or_else(|| after.next());
        let revisit = after.next().or_else(|| before.next());
        for slot in [visit, revisit].into_iter().flatten() {
            plan[slot] = site.page(nth);
        }
    }
    plan
}

/// Visits besides two for everybody, hottest page first, for as many pages as get some. Those of the pyramid get an even
/// number: as many before the middle as after it.
pub fn visits_besides(rates: impl Fn(usize) -> f64, pages: usize, hopeless: usize, extra: usize) -> Vec<u32> {
    let lively = (hopeless + extra).min(pages);
    let counts = visits_by_square_root(|nth| rates(pages - lively + nth), lively, 1, lively + hopeless + extra);
    let mut left = extra as u32;
    let besides = |(rank, count): (usize, u32)| {
        let wanted = if rank < hopeless { count.saturating_sub(2) } else { count & !1 };
        let given = if rank < hopeless { wanted.min(left) } else { wanted.min(left) & !1 };
        left -= given;
        given
    };
    let mut counts: Vec<u32> = counts.into_iter().rev().enumerate().map(besides).collect();
    let some = counts.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
    counts.truncate(some.max(hopeless));
    counts
}

/// Where `count` visits stand evenly among so many slots.
pub fn wishes(count: u32, slots: usize) -> impl Iterator<Item = f64> {
    let last = slots.saturating_sub(1) as f64;
    (0..count).map(move |visit| (2.0 * f64::from(visit) + 1.0) * last / (2.0 * f64::from(count)))
}

/// The same for visits besides a pair that stands in the middle.
pub fn wishes_around_a_pair(count: u32, slots: usize) -> impl Iterator<Item = f64> {
    let middle = (count / 2) as usize;
    wishes(count + 1, slots).enumerate().filter(move |(nth, _)| *nth != middle).map(|(_, wish)| wish)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tintype_vocab::{ChangeRate, Span};

    proptest! {
        #[test]
        fn everybody_is_seen_twice_and_no_request_is_wasted(
            classes in proptest::collection::vec(0usize..5, 1..200), extra in 0usize..20,
        ) {
            let rates: Vec<_> = classes.iter().map(|class| ChangeRate::known([0.0, 1e-4, 1e-3, 0.05, 3.0][*class])).collect();
            let plan = both_goals(&RatedSite::new(&rates, Span::from_days(1)), extra, None);
            prop_assert!(plan.len() <= 2 * rates.len() + extra);
            for page in 0..rates.len() as u32 {
                prop_assert!(plan.iter().filter(|other| **other == page).count() >= 2);
            }
        }
    }

    #[test]
    fn a_threshold_gives_up_as_many_pages_as_it_says() {
        let rates: Vec<_> = [0.001, 0.01, 0.02, 0.5, 0.9, 4.0].map(ChangeRate::known).to_vec();
        let site = RatedSite::new(&rates, Span::from_days(1));
        let given_up = |chance: f64| hopeless_by_threshold(&site, chance);
        assert_eq!([0.0, 0.1, 0.7, 1.0].map(given_up), [6, 3, 2, 0]);
        // Those stand behind all that are promising.
        let halves = threshold(&site, 0.1);
        assert_eq!(halves.iter().filter(|half| **half >= 3).count(), given_up(0.1));
    }

    #[test]
    fn lively_pages_of_the_pyramid_are_seen_at_both_ends_too() {
        assert_eq!(wishes_around_a_pair(2, 601).collect::<Vec<_>>(), [100.0, 500.0]);
        assert_eq!(visits_besides(|nth| [0.0, 0.0, 0.0, 0.01, 5.0][nth], 5, 0, 4), [4]);
        assert_eq!(visits_besides(|nth| [0.0, 0.0, 0.0, 0.01, 5.0][nth], 5, 1, 3), [3]);
    }
}
