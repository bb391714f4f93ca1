//! What growing old costs: as little as keeps our copies younger than visits in turn would have kept them.
//!
//! Completeness alone would let quiet pages rot. Pages are looked at in turn, visited or not, for how old their copies are to
//! be expected now and how old they would be if every page were visited in turn; the price follows the balance of the two.
//! Changes that visits find would not do: a page that nobody visits tells of none.

use serde::{Deserialize, Serialize};

/// Where the price starts, and how far it may go.
const START: f64 = 0.2;
const LEAST: f64 = 0.02;
const MOST: f64 = 20.0;
/// Ours should stay this far below what visits in turn would give. Of .4, .7 and 1 the one whose copies are no older than
/// uniform's on most of the ten recorded histories, each left out of what the forest was grown from.
const TARGET: f64 = 0.7;
/// Looks between two steps of the price, and how large these are.
const STEP_AFTER: u32 = 100;
const UP: f64 = 1.1;
const DOWN: f64 = 0.97;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AgeBalance {
    price: f64,
    /// Ages in rounds, ours and of visits in turn; old sums fade.
    ours: f64,
    in_turn: f64,
    looks: u32,
}

impl Default for AgeBalance {
    fn default() -> AgeBalance {
        AgeBalance { price: START, ours: 0.0, in_turn: 0.0, looks: 0 }
    }
}

/// The age of a copy that was right `rounds` ago, expected of a page that changes so often a round.
fn age(per_round: f64, rounds: f64) -> f64 {
    let expected = per_round * rounds;
    if expected < 1e-4 { expected * rounds / 2.0 } else { rounds - (-(-expected).exp_m1()) / per_round }
}

/// The same on average over the time from one visit to the next, one round later.
fn age_in_turn(per_round: f64) -> f64 {
    if per_round < 1e-3 {
        return per_round / 6.0;
    }
    0.5 - 1.0 / per_round + (-(-per_round).exp_m1()) / per_round.powi(2)
}

impl AgeBalance {
    pub(super) fn get(&self) -> f64 {
        self.price
    }

    /// A page, taken in turn from so many, was visited `rounds` ago, has changed since by this chance, and usually changes so
    /// often a round.
    pub(super) fn look(&mut self, rounds: f64, chance: f64, per_round: f64, watched: usize) {
        let kept = 1.0 - 1.0 / (2.0 * watched.max(50) as f64);
        let lately = -(1.0 - chance.min(0.999)).ln() / rounds.max(1e-9);
        self.ours = kept * self.ours + age(lately, rounds);
        self.in_turn = kept * self.in_turn + age_in_turn(per_round);
        self.looks += 1;
        if self.looks.is_multiple_of(STEP_AFTER) && self.in_turn > 0.0 {
            let step = if self.ours > TARGET * self.in_turn { UP } else { DOWN };
            self.price = (self.price * step).clamp(LEAST, MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_what_they_are_by_summing_them_up() {
        for per_round in [1e-5, 0.01, 0.5, 3.0, 50.0] {
            let steps = 100_000;
            let at = |nth: i32| (f64::from(nth) + 0.5) / f64::from(steps);
            let in_turn: f64 = (0..steps).map(|nth| age(per_round, at(nth))).sum::<f64>() / f64::from(steps);
            assert!((in_turn - age_in_turn(per_round)).abs() < 1e-3 * in_turn, "{per_round}: {in_turn}");
            // Changed first at u with density λe^−λu, it is 2 − u old after two rounds.
            let dense = |nth: i32| {
                let u = 2.0 * at(nth);
                per_round * (-per_round * u).exp() * (2.0 - u)
            };
            let after_two: f64 = (0..steps).map(dense).sum::<f64>() * 2.0 / f64::from(steps);
            assert!((after_two - age(per_round, 2.0)).abs() < 1e-3 * after_two, "{per_round}: {after_two}");
        }
    }

    #[test]
    fn the_price_rises_while_copies_are_older_than_in_turn_and_falls_while_they_are_not() {
        let after = |rounds: f64| {
            let mut balance = AgeBalance::default();
            (0..5000).for_each(|_| balance.look(rounds, 1.0 - (-0.1 * rounds).exp(), 0.1, 100));
            balance.get()
        };
        assert!(after(3.0) > START && after(0.1) < START, "{} {}", after(3.0), after(0.1));
    }
}
