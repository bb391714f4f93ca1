//! Visit and revisit with little blur: Definition 7.3, the true greedy schedule, and the better of the two, polished.

use super::{Plan, RatedSite, organ_pipes::slot_of};
use tintype_quality::oracle::assignment;

/// Sites up to this size are polished: exact assignments cost the third power.
const POLISHED_MAX: usize = 200;

/// The slots of a visit and its revisit.
pub type Pair = (usize, usize);

/// SHARC-revisits: organ pipes twice in the same order; for each page from the cold end its pair.
pub fn definition_7_3(pages: usize) -> Vec<Pair> {
    (0..pages).map(|nth| (slot_of(nth, pages), pages + slot_of(nth, pages))).collect()
}

/// Hottest page first, the pair of free slots with the smallest penalty. The paper claims that Definition 7.3 does this;
/// it does not.
///
/// The penalty is convex, and whoever takes slots nearest to its minimum leaves holes without gaps, so the best free pair
/// is always one of four: the edges of the hole among the visits with those of the hole among the revisits.
pub fn greedy_pairs(pages: usize) -> Vec<Pair> {
    let last = (2 * pages).saturating_sub(1) as f64;
    let mut visits = Hole::around(last / 4.0, 0, pages);
    let mut revisits = Hole::around(last * 3.0 / 4.0, pages, 2 * pages);
    let mut pairs = vec![(0, 0); pages];
    for nth in (0..pages).rev() {
        let pair = |visit| revisits.edges().map(move |revisit| (visit, revisit));
        let best = visits.edges().flat_map(pair).min_by(|a, b| cost(*a, last).total_cmp(&cost(*b, last)));
        let (visit, revisit) = best.expect("there are as many slots as pages");
        visits.take(visit);
        revisits.take(revisit);
        pairs[nth] = (visit, revisit);
    }
    pairs
}

/// Slots taken around a place, without gaps.
struct Hole {
    /// The slots of this kind.
    first: usize,
    end: usize,
    /// The taken ones.
    from: usize,
    to: usize,
}

impl Hole {
    fn around(place: f64, first: usize, end: usize) -> Hole {
        let at = (place.ceil() as usize).clamp(first, end);
        Hole { first, end, from: at, to: at }
    }

    fn edges(&self) -> impl Iterator<Item = usize> + use<> {
        let below = (self.from > self.first).then(|| self.from - 1);
        let above = (self.to < self.end).then_some(self.to);
        below.into_iter().chain(above)
    }

    fn take(&mut self, slot: usize) {
        if slot < self.from {
            self.from = slot;
        } else {
            self.to = slot + 1;
        }
    }
}

/// The blur of a page that changes once per slot, times the length of the capture: `capture::penalty` of two visits,
/// written out (19), because planning asks for nothing else.
fn cost((visit, revisit): Pair, last: f64) -> f64 {
    let (visit, revisit) = (visit.min(revisit) as f64, visit.max(revisit) as f64);
    visit * visit / 2.0 + (revisit - visit).powi(2) / 4.0 + (last - revisit).powi(2) / 2.0
}

fn blur(site: &RatedSite, pairs: &[Pair]) -> f64 {
    let last = (2 * pairs.len()).saturating_sub(1) as f64;
    pairs.iter().enumerate().map(|(nth, pair)| site.rate_per_slot(nth) * cost(*pair, last)).sum()
}

/// Fixes the revisits and finds the best visits for them, and the other way round, until neither helps. Both are linear
/// assignments; on small sites this ends at the exact optimum of all pairings, or within a fraction of a per cent.
pub fn polish(site: &RatedSite, mut pairs: Vec<Pair>) -> Vec<Pair> {
    let pages = pairs.len();
    let last = (2 * pages).saturating_sub(1) as f64;
    let mut least = blur(site, &pairs);
    loop {
        for first in [true, false] {
            let slots: Vec<usize> = pairs.iter().map(|pair| if first { pair.0 } else { pair.1 }).collect();
            let other = |nth: usize| if first { pairs[nth].1 } else { pairs[nth].0 };
            let price = |nth: usize, slot: usize| site.rate_per_slot(nth) * cost((slot, other(nth)), last);
            let costs: Vec<f64> = (0..pages)
                .flat_map(|nth| slots.iter().map(move |slot| (nth, *slot)))
                .map(|(n, s)| price(n, s))
                .collect();
            let chosen = assignment(&costs, pages, pages);
            for (nth, slot) in chosen.into_iter().enumerate() {
                let pair = &mut pairs[nth];
                *(if first { &mut pair.0 } else { &mut pair.1 }) = slots[slot];
            }
        }
        let now = blur(site, &pairs);
        if now >= least * (1.0 - 1e-12) {
            return pairs;
        }
        least = now;
    }
}

/// The better of Definition 7.3 (good for flat rates) and the greedy schedule (good for skewed ones), polished where that
/// is affordable.
pub fn better_pairs(site: &RatedSite) -> Plan {
    let candidates = [definition_7_3(site.len()), greedy_pairs(site.len())];
    let [first, second] = candidates.map(|pairs| if site.len() <= POLISHED_MAX { polish(site, pairs) } else { pairs });
    plan(site, if blur(site, &first) <= blur(site, &second) { &first } else { &second })
}

pub(super) fn plan(site: &RatedSite, pairs: &[Pair]) -> Plan {
    let mut plan = vec![0; 2 * pairs.len()];
    for (nth, (visit, revisit)) in pairs.iter().enumerate() {
        plan[*visit] = site.page(nth);
        plan[*revisit] = site.page(nth);
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_quality::capture::penalty;

    #[test]
    fn the_cost_of_a_pair_is_its_penalty() {
        for (visit, revisit) in [(0, 11), (3, 8), (8, 3), (5, 6)] {
            let times = [visit.min(revisit) as f64, visit.max(revisit) as f64];
            assert!((cost((visit, revisit), 11.0) - penalty(&times, 0.0, 11.0)).abs() < 1e-9);
        }
    }

    /// By looking at every pair of free slots.
    #[test]
    fn four_candidates_are_as_good_as_all() {
        for pages in 1..40 {
            let last = (2 * pages - 1) as f64;
            let mut free = [(0..pages).collect::<Vec<_>>(), (pages..2 * pages).collect()];
            let quick = greedy_pairs(pages);
            for nth in (0..pages).rev() {
                let all = free[0].iter().flat_map(|v| free[1].iter().map(move |r| (*v, *r)));
                let least = all.map(|pair| cost(pair, last)).min_by(f64::total_cmp).unwrap();
                assert!((cost(quick[nth], last) - least).abs() < 1e-9, "{pages} pages, page {nth}: {:?}", quick[nth]);
                free[0].retain(|slot| *slot != quick[nth].0);
                free[1].retain(|slot| *slot != quick[nth].1);
            }
        }
    }
}
