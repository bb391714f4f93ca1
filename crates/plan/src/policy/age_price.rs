//! What growing old costs: as little as keeps our copies younger than visits in turn would have kept them.
//!
//! Completeness alone would let quiet pages rot. Every change found tells how old the copy had grown, and how old it
//! would have grown had every page been visited in turn; the price follows the balance of the two.

use serde::{Deserialize, Serialize};
use tintype_vocab::{PageId, Time};

/// Where the price starts, and how far it may go.
const START: f64 = 0.2;
const LEAST: f64 = 0.05;
const MOST: f64 = 6.0;
/// Ours should stay this far below what visits in turn would give.
const TARGET: f64 = 0.85;
/// Visits between two looks at the balance, and the steps of the price.
const LOOK_AFTER: u32 = 50;
const UP: f64 = 1.25;
const DOWN: f64 = 0.95;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AgePrice {
    price: f64,
    /// Time spent old, in page-days², ours and of visits in turn; old sums fade.
    ours: f64,
    in_turn: f64,
    visits: u32,
    /// By page: when the latest round of changes began, and how many it has.
    rounds: Vec<(Time, u32)>,
}

impl Default for AgePrice {
    fn default() -> AgePrice {
        AgePrice { price: START, ours: 0.0, in_turn: 0.0, visits: 0, rounds: Vec::new() }
    }
}

impl AgePrice {
    pub(super) fn get(&self) -> f64 {
        self.price
    }

    /// A change was found at `now`; it happened at `modified` if that is known, at any moment since `last` otherwise.
    pub(super) fn found(&mut self, page: PageId, last: Time, modified: Option<Time>, now: Time, round_days: f64) {
        // A copy that is old for d days has an age of d/2 on average: d²/2.
        let days = |from: Time| (now - from).as_days_f64();
        self.ours += modified.map_or(days(last).powi(2) / 6.0, |modified| days(modified).powi(2) / 2.0);
        if self.rounds.len() <= page.index() {
            self.rounds.resize(page.index() + 1, (Time::MIN, 0));
        }
        let (began, changes) = &mut self.rounds[page.index()];
        if *changes == 0 || days(*began) > round_days {
            (*began, *changes) = (now, 0);
        }
        *changes += 1;
        // In turn, k changes of one page in one round leave its copy old for k/(2k + 4) rounds² on average.
        let k = f64::from(*changes);
        self.in_turn += round_days.powi(2) / ((k + 1.0) * (k + 2.0));
    }

    /// A visit was made while so many pages were watched.
    pub(super) fn visited(&mut self, watched: usize) {
        let kept = 1.0 - 1.0 / (2.0 * watched.max(50) as f64);
        (self.ours, self.in_turn) = (self.ours * kept, self.in_turn * kept);
        self.visits += 1;
        if self.visits.is_multiple_of(LOOK_AFTER) && self.in_turn > 0.0 {
            let step = if self.ours > TARGET * self.in_turn { UP } else { DOWN };
            self.price = (self.price * step).clamp(LEAST, MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::Span;

    fn after(found_after_days: i64) -> f64 {
        let mut price = AgePrice::default();
        for day in 0..2000 {
            let now = Time::from_secs(day * 86_400);
            let modified = now + Span::from_days(-found_after_days);
            price.found(PageId(day as u32 % 100), modified, Some(modified), now, 30.0);
            price.visited(100);
        }
        price.get()
    }

    #[test]
    fn the_price_rises_while_copies_grow_older_than_in_turn_and_falls_while_they_do_not() {
        assert!(after(25) > START, "{}", after(25));
        assert!(after(5) < START, "{}", after(5));
    }
}
