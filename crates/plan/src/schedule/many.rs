//! Many visits: the least blur for a number of requests, when pages may be visited as often as they deserve.

use super::{Plan, RatedSite, free::Free, pyramid::wishes};

/// Rates looked at to find the price of a visit; the rest of a large site follows from it.
const SAMPLE: usize = 2048;
const HALVINGS: usize = 50;
/// One page in so many is served at a time when the price was off: one by one on small sites.
const MARGIN: usize = 1000;
const REFINEMENTS: usize = 12;

/// How often each page is to be visited, coldest first, so that the blur λ/K sums to the least: K follows the square root
/// of λ, at least `least` each. Exact for the separable problem: as if visits were handed out one by one to whom they help
/// most.
pub fn visits_by_square_root(rates: impl Fn(usize) -> f64, pages: usize, least: u32, visits: usize) -> Vec<u32> {
    let visits = visits.max(pages * least as usize);
    let at = |price: f64| (0..pages).map(|nth| deserved(rates(nth), price).max(least)).collect::<Vec<u32>>();
    let missing = |counts: &[u32]| visits as i64 - counts.iter().map(|count| i64::from(*count)).sum::<i64>();
    let mut price = price(&rates, pages, least, visits);
    let mut counts = at(price);
    // The sample is not the site: look at all rates, with ever smaller steps, until nearly nothing is missing.
    let mut step = 1.3f64;
    for _ in 0..REFINEMENTS {
        let off = missing(&counts);
        if off.unsigned_abs() as usize <= pages / MARGIN {
            break;
        }
        price *= if off > 0 { 1.0 / step } else { step };
        step = step.sqrt();
        counts = at(price);
    }
    let missing = missing(&counts);
    correct(&rates, &mut counts, least, missing);
    counts
}

/// Visits that are worth the price: the one after the K-th spares λ/(K(K+1)).
fn deserved(rate: f64, price: f64) -> u32 {
    ((rate / price + 0.25).sqrt() + 0.5).clamp(0.0, 1e9) as u32
}

/// The price at which about so many visits are bought.
fn price(rates: &impl Fn(usize) -> f64, pages: usize, least: u32, visits: usize) -> f64 {
    let step = pages.div_ceil(SAMPLE).max(1);
    // From the hot end, where nearly all visits go.
    let sample: Vec<f64> = (0..pages).rev().step_by(step).map(rates).collect();
    let (mut low, mut high) = (f64::MIN_POSITIVE, sample.iter().copied().fold(1e-300, f64::max));
    for _ in 0..HALVINGS {
        let middle = (low.ln() / 2.0 + high.ln() / 2.0).exp();
        let bought: f64 = sample.iter().map(|rate| f64::from(deserved(*rate, middle).max(least))).sum();
        if bought * step as f64 > visits as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Gives or takes the visits by which a price from a sample was off: to or from those whom it helps most or harms least.
/// One by one at the margin; a large site's margin is wide, so there many are served at a time.
fn correct(rates: &impl Fn(usize) -> f64, counts: &mut [u32], least: u32, mut missing: i64) {
    let worth = |nth: usize, count: u32| rates(nth) / (f64::from(count) * (f64::from(count) + 1.0));
    while missing != 0 {
        let give = missing > 0;
        let offer = |nth: usize| if give { -worth(nth, counts[nth]) } else { worth(nth, counts[nth] - 1) };
        let open = (0..counts.len()).filter(|nth| give || counts[*nth] > least);
        let mut offers: Vec<(f64, usize)> = open.map(|nth| (offer(nth), nth)).collect();
        if offers.is_empty() {
            return;
        }
        let served = (missing.unsigned_abs() as usize).min(offers.len().div_ceil(MARGIN));
        offers.select_nth_unstable_by(served - 1, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, nth) in &offers[..served] {
            counts[*nth] = counts[*nth].saturating_add_signed(if give { 1 } else { -1 });
            missing -= if give { 1 } else { -1 };
        }
    }
}

/// A plan of that many visits with the least blur: K visits of a page at (2j−1)L/(2K), the hottest page first, each in
/// the nearest free slot; pages with one visit fill what is left from the middle outwards, as organ pipes.
pub fn square_root(site: &RatedSite, visits: usize) -> Plan {
    let visits = visits.max(site.len());
    let counts = visits_by_square_root(|nth| site.rate_per_slot(nth), site.len(), 1, visits);
    let mut free = Free::new(visits);
    let mut plan = vec![0; visits];
    for nth in (0..site.len()).rev().filter(|nth| counts[*nth] > 1) {
        for wish in wishes(counts[nth], visits) {
            if let Some(slot) = free.take_nearest(wish) {
                plan[slot] = site.page(nth);
            }
        }
    }
    let once = (0..site.len()).rev().filter(|nth| counts[*nth] == 1);
    fill_from_the_middle(once.map(|nth| site.page(nth)), &free, &mut plan);
    plan
}

/// Pages, the hottest first, from the middle outwards.
fn fill_from_the_middle(pages: impl Iterator<Item = u32>, free: &Free, plan: &mut [u32]) {
    let middle = plan.len() / 2;
    let (mut before, mut after) = (free.downwards(middle).peekable(), free.upwards(middle).peekable());
    for page in pages {
        let distance = |slot: Option<&usize>| slot.map_or(usize::MAX, |slot| (2 * slot + 1).abs_diff(plan.len()));
        let slot = if distance(before.peek()) <= distance(after.peek()) { before.next() } else { after.next() };
        if let Some(slot) = slot {
            plan[slot] = page;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tintype_vocab::{ChangeRate, Span};

    proptest! {
        /// Rates out of a few classes, as first guesses are.
        #[test]
        fn everybody_gets_the_visits_that_were_handed_out(
            classes in proptest::collection::vec(0usize..4, 1..200), spare in 0usize..300,
        ) {
            let rates: Vec<_> = classes.iter().map(|class| ChangeRate::known([0.0, 0.05, 0.2, 3.0][*class])).collect();
            let site = RatedSite::new(&rates, Span::from_days(1));
            let visits = site.len() + spare;
            let counts = visits_by_square_root(|nth| site.rate_per_slot(nth), site.len(), 1, visits);
            let plan = square_root(&site, visits);
            prop_assert_eq!(plan.len(), visits);
            for (nth, count) in counts.into_iter().enumerate() {
                let planned = plan.iter().filter(|page| **page == site.page(nth)).count();
                prop_assert_eq!(planned, count as usize);
            }
        }

        #[test]
        fn no_other_handing_out_leaves_less_blur(
            mut rates in proptest::collection::vec(0.001f64..10.0, 1..12), spare in 0usize..20,
        ) {
            rates.sort_by(f64::total_cmp);
            let visits = rates.len() + spare;
            let counts = visits_by_square_root(|nth| rates[nth], rates.len(), 1, visits);
            prop_assert_eq!(counts.iter().sum::<u32>() as usize, visits);
            let mut greedy = vec![1u32; rates.len()];
            for _ in 0..spare {
                let gain = |nth: &usize| rates[*nth] / f64::from(greedy[*nth] * (greedy[*nth] + 1));
                let best = (0..rates.len()).max_by(|a, b| gain(a).total_cmp(&gain(b))).unwrap();
                greedy[best] += 1;
            }
            let blur = |counts: &[u32]| counts.iter().zip(&rates).map(|(count, rate)| rate / f64::from(*count)).sum::<f64>();
            prop_assert!((blur(&counts) - blur(&greedy)).abs() < 1e-9 * blur(&greedy), "{counts:?} {greedy:?}");
        }
    }
}
