//! The order in which paths came last time, to guess which one comes next.

use super::tight;

pub(super) const NONE: u32 = u32::MAX;

/// Successive lists of a site come in nearly the same order: to compare a path with the one that came here last time
/// reads memory in sequence, where to look it up in a table would jump about.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// For each page the one that came after it.
    next: Vec<u32>,
    last: u32,
    guess: u32,
}

impl Default for Order {
    fn default() -> Order {
        Order { next: Vec::new(), last: NONE, guess: NONE }
    }
}

impl Order {
    /// The page expected to come now, or [`NONE`].
    pub(super) fn guess(&self) -> u32 {
        self.guess
    }

    /// A new page does not change what is expected: it was put between the one before and that.
    pub(super) fn came(&mut self, page: u32) {
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
