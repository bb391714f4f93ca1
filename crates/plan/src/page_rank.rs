//! What a page weighs by who links it: PageRank over the links that visits have shown.

use serde::{Deserialize, Serialize};
use tintype_vocab::PageId;

/// The chance that a reader follows a link instead of going anywhere.
const DAMPING: f32 = 0.85;
/// Rounds of the power iteration, which begins where the last one ended.
const ROUNDS_MAX: usize = 50;
/// Weights are good enough when they move by this much on average.
const TOLERANCE: f32 = 1e-3;
/// Links remembered over all pages, in four bytes each; pages read beyond that link nothing.
const LINKS_MAX: usize = 50_000_000;
/// Weights are computed anew when this share of the links has come or gone: a constant number of passes over every
/// link, however many visits there are.
const STALE_SHARE: usize = 4;

/// The link graph and the weights of its pages: ω(P). The mean weight is 1, which is also what a page weighs of which
/// nobody knows who links it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct PageRank {
    links: Vec<Box<[PageId]>>,
    held: usize,
    /// Links that came or went since the weights were computed.
    stale: usize,
    weights: Vec<f32>,
}

impl PageRank {
    pub(crate) fn weight(&self, page: PageId) -> f64 {
        self.weights.get(page.index()).map_or(1.0, |weight| f64::from(*weight))
    }

    /// A visit showed what a page links.
    pub(crate) fn read(&mut self, page: PageId, linked: impl Iterator<Item = PageId>) {
        let mut links: Vec<PageId> = linked.filter(|target| *target != page).collect();
        links.sort_unstable();
        links.dedup();
        let pages = links.last().map_or(0, |last| last.index()).max(page.index()) + 1;
        if self.links.len() < pages {
            self.links.resize_with(pages, Box::default);
        }
        let before = &self.links[page.index()];
        if **before == *links {
            return;
        }
        self.held -= before.len();
        self.stale += before.len().max(links.len());
        if self.held + links.len() > LINKS_MAX {
            links.clear();
        }
        self.held += links.len();
        self.links[page.index()] = links.into();
        if self.stale > self.held / STALE_SHARE {
            self.compute();
        }
    }

    fn compute(&mut self) {
        self.stale = 0;
        self.weights.resize(self.links.len(), 1.0);
        for _ in 0..ROUNDS_MAX {
            if self.round() < TOLERANCE * self.weights.len() as f32 {
                break;
            }
        }
    }

    /// Every page hands its weight on; one without links hands it to everybody. Returns how far weights moved in all.
    fn round(&mut self) -> f32 {
        let mut handed = vec![0.0f32; self.weights.len()];
        let mut to_all = 0.0f64;
        for (links, weight) in self.links.iter().zip(&self.weights) {
            if links.is_empty() {
                to_all += f64::from(*weight);
            }
            let share = weight / links.len().max(1) as f32;
            links.iter().for_each(|target| handed[target.index()] += share);
        }
        let base = 1.0 - DAMPING + DAMPING * (to_all / self.weights.len() as f64) as f32;
        let mut moved = 0.0;
        for (weight, handed) in self.weights.iter_mut().zip(handed) {
            let new = base + DAMPING * handed;
            moved += (new - *weight).abs();
            *weight = new;
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(graph: &[&[u32]]) -> Vec<f64> {
        let mut ranks = PageRank::default();
        for (page, links) in graph.iter().enumerate() {
            ranks.read(PageId(page as u32), links.iter().map(|link| PageId(*link)));
        }
        ranks.compute();
        (0..graph.len()).map(|page| ranks.weight(PageId(page as u32))).collect()
    }

    /// A links B and C, B links C, C links A, D links C: an example found in every introduction.
    #[test]
    fn four_pages_weigh_what_introductions_say() {
        let weights = weights(&[&[1, 2], &[2], &[0], &[2]]);
        for (weight, expected) in weights.iter().zip([1.49, 0.783, 1.577, 0.15]) {
            assert!((weight - expected).abs() < 0.005, "{weights:?}");
        }
    }

    #[test]
    fn the_mean_is_one_also_where_pages_link_nothing() {
        let weights = weights(&[&[1, 2, 1, 0], &[], &[], &[1]]);
        assert!((weights.iter().sum::<f64>() - 4.0).abs() < 1e-3, "{weights:?}");
        assert!(weights[1] > weights[2] && weights[2] > weights[3], "{weights:?}");
    }

    #[test]
    fn pages_nobody_spoke_of_weigh_one() {
        assert_eq!(PageRank::default().weight(PageId(7)), 1.0);
    }

    /// Weights follow links that move, without a pass over all links for every visit.
    #[test]
    fn weights_are_computed_anew_when_enough_links_have_moved() {
        let mut ranks = PageRank::default();
        let all_link = |ranks: &mut PageRank, target: u32| {
            (0..3_000).for_each(|page| ranks.read(PageId(page), [PageId(target)].into_iter()));
        };
        all_link(&mut ranks, 5);
        assert!(ranks.weight(PageId(5)) > 100.0);
        all_link(&mut ranks, 6);
        assert!(ranks.weight(PageId(6)) > ranks.weight(PageId(5)));
        let before = ranks.stale;
        all_link(&mut ranks, 6);
        assert_eq!((ranks.stale, ranks.held), (before, 2_999), "nothing has moved");
    }
}
