//! The order in which paths came last time, to guess which one comes next.

use super::tight;

pub(super) const NONE: u32 = u32::MAX;
/// After so many wrong guesses in a row a list has another order, and comparing costs more than it spares.
const PATIENCE: u32 = 8;

/// Successive lists of a site come in nearly the same order: to compare a path with the one that came here last time
/// reads memory in sequence, where to look it up in a table would jump about.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// For each page the one that came after it.
    next: Vec<u32>,
    last: u32,
    guess: u32,
    /// Guesses that were wrong since one was right, asked for or not.
    wrong: u32,
}

impl Default for Order {
    fn default() -> Order {
        Order { next: Vec::new(), last: NONE, guess: NONE, wrong: 0 }
    }
}

impl Order {
    /// The page expected to come now, or [`NONE`].
    pub(super) fn guess(&self) -> u32 {
        if self.wrong < PATIENCE { self.guess } else { NONE }
    }

    /// A new page does not change what is expected: it was put between the one before and that.
    pub(super) fn came(&mut self, page: u32) {
        self.wrong = if page == self.guess { 0 } else { self.wrong.saturating_add(1) };
        match self.next.get(page as usize) {
            Some(next) => self.guess = *next,
            None => tight::push(&mut self.next, NONE),
        }
        if self.last != page && self.last != NONE {
            self.next[self.last as usize] = page;
        }
        self.last = page;
    }

    pub(super) fn bytes(&self) -> usize {
        self.next.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many pages of a list are guessed.
    fn guessed(order: &mut Order, list: &[u32]) -> usize {
        let right = list.iter().filter(|page| {
            let is_right = order.guess() == **page;
            order.came(**page);
            is_right
        });
        right.count()
    }

    #[test]
    fn a_list_in_the_same_order_is_guessed() {
        let mut order = Order::default();
        let list: Vec<u32> = (0..100).collect();
        assert_eq!(guessed(&mut order, &list), 0);
        assert_eq!(guessed(&mut order, &list), 98);
        assert_eq!(guessed(&mut order, &list), 100);
    }

    #[test]
    fn what_comes_or_goes_costs_one_guess_once() {
        let mut order = Order::default();
        let first: Vec<u32> = (0..100).collect();
        guessed(&mut order, &first);
        guessed(&mut order, &first);
        let second: Vec<u32> = (0..30).chain(100..103).chain(30..60).chain(62..100).collect();
        assert_eq!(guessed(&mut order, &second), second.len() - 3 - 1);
        assert_eq!(guessed(&mut order, &second), second.len());
    }

    #[test]
    fn another_order_is_learned_from_one_list() {
        let mut order = Order::default();
        let list: Vec<u32> = (0..100).collect();
        guessed(&mut order, &list);
        let reversed: Vec<u32> = list.iter().rev().copied().collect();
        assert!(guessed(&mut order, &reversed) <= 1);
        assert!(guessed(&mut order, &reversed) >= 98);
    }
}
