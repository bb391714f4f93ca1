//! Whole-site plans: which page is asked for in which slot, when every page and its change rate are known beforehand.
//!
//! Pure arithmetic on rates; nothing here knows a scheduler. A plan is a list of pages, one per slot, in which a page may
//! occur more than once. Read [`RatedSite`] first, then [`organ_pipes`]. Every plan costs one sort and a pass or two.

mod free;
mod many;
mod organ_pipes;
mod pairs;
mod pyramid;

pub use many::{square_root, visits_by_square_root};
pub use organ_pipes::{organ_pipes, slot_of};
pub use pairs::{Pair, better_pairs, definition_7_3, greedy_pairs, polish};
pub use pyramid::{
    both_goals, by_expected_value, hopeless_by_threshold, hopeless_count, pyramid, threshold, visits_besides, wishes,
    wishes_around_a_pair,
};

use tintype_vocab::{ChangeRate, Span};

/// The page asked for in each slot, by its number in the list of rates.
pub type Plan = Vec<u32>;

/// The pages of a site from the coldest to the hottest.
#[derive(Clone, Debug)]
pub struct RatedSite {
    /// Numbers of pages.
    order: Vec<u32>,
    /// In that order.
    rates: Vec<ChangeRate>,
    slot_days: f64,
}

impl RatedSite {
    /// Pages of equal rate keep their order.
    pub fn new(rates: &[ChangeRate], slot: Span) -> RatedSite {
        // Positive floats order like their bits, and a word is sorted faster than a pair.
        let key = |(page, rate): (usize, &ChangeRate)| u64::from(rate.per_day.max(0.0).to_bits()) << 32 | page as u64;
        let mut keys: Vec<u64> = rates.iter().enumerate().map(key).collect();
        keys.sort_unstable();
        let order: Vec<u32> = keys.into_iter().map(|key| key as u32).collect();
        let rates = order.iter().map(|page| rates[*page as usize]).collect();
        RatedSite { order, rates, slot_days: slot.as_days_f64() }
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The number of the `nth` page from the cold end.
    pub fn page(&self, nth: usize) -> u32 {
        self.order[nth]
    }

    /// Expected changes of the `nth` page from the cold end during one slot.
    pub fn rate_per_slot(&self, nth: usize) -> f64 {
        f64::from(self.rates[nth].per_day) * self.slot_days
    }

    /// The chance that nothing happens to it for so many slots.
    fn still(&self, nth: usize, slots: f64) -> f64 {
        self.rates[nth].still_chance_days(slots * self.slot_days)
    }
}
