//! The sites of the SHARC experiments: a tree of pages, rates by rank, hot pages near the root or anywhere.

use super::{
    Made, SyntheticConfig,
    chance::{Purpose, below, dice, poisson},
    plain::Plain,
};
use tintype_vocab::Span;

pub(super) const SUMMARY: &str = "a tree of pages whose rates fall as a power of their rank (SHARC)";

/// Where the pages that change most are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Near the root of the tree, the hottest first.
    Top,
    /// Anywhere.
    Random,
}

/// How the site is built. The defaults are those of the paper's section 8.
#[derive(Clone, Copy, Debug)]
pub struct Sharc {
    pub skew: f64,
    pub outdegree: usize,
    pub placement: Placement,
    /// Change rate of the hottest pages, per slot. Multiplying it is the same as making slots longer (Δ).
    pub rate_per_slot: f64,
    /// How long a slot is in the history; plans that count in slots never see it.
    pub slot: Span,
}

impl Default for Sharc {
    fn default() -> Sharc {
        Sharc { skew: 1.75, outdegree: 8, placement: Placement::Top, rate_per_slot: 1.0, slot: Span::from_secs(3600) }
    }
}

impl Sharc {
    /// The rate of every page per slot: 1/rank^skew for the ranks from 1 up, each twice.
    pub fn rates_per_slot(&self, pages: usize, seed: u64) -> Vec<f64> {
        let rate = |page: usize| self.rate_per_slot / ((page / 2 + 1) as f64).powf(self.skew);
        let mut rates: Vec<f64> = (0..pages).map(rate).collect();
        if self.placement == Placement::Random {
            let mut dice = dice(seed, Purpose::Places, 0);
            for last in (1..pages).rev() {
                rates.swap(last, below(&mut dice, last + 1));
            }
        }
        rates
    }
}

/// A SHARC site of `wish.pages` pages; `wish.rate_per_day` does not count here.
pub fn sharc(wish: &SyntheticConfig, shape: &Sharc) -> Made {
    let slots_per_day = 1.0 / shape.slot.as_days_f64();
    let per_slot = shape.rates_per_slot(wish.pages, wish.seed);
    let rates = per_slot.into_iter().map(|rate| rate * slots_per_day).collect();
    Plain::new(wish, shape.outdegree, rates)
        .play(wish, |dice, _, rate| poisson(dice, rate, 0.0, wish.days).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rate_occurs_twice_and_random_places_only_move_them() {
        let top = Sharc::default();
        let rates = top.rates_per_slot(1024, 1);
        assert_eq!((rates[0], rates[1]), (1.0, 1.0));
        assert_eq!(rates[2], rates[3]);
        assert!((rates[1023] - 512f64.powf(-1.75)).abs() < 1e-12);
        let random = Sharc { placement: Placement::Random, ..top };
        let mut shuffled = random.rates_per_slot(1024, 1);
        assert_ne!(shuffled, rates);
        assert_ne!(shuffled, random.rates_per_slot(1024, 2));
        shuffled.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(shuffled, rates);
    }

    #[test]
    fn longer_slots_are_faster_changes() {
        let twice = Sharc { rate_per_slot: 2.0, ..Sharc::default() };
        let single = Sharc::default().rates_per_slot(10, 0);
        assert_eq!(twice.rates_per_slot(10, 0), single.iter().map(|rate| 2.0 * rate).collect::<Vec<_>>());
    }
}
