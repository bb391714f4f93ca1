//! Kinds of pages of which many wait and hardly any was asked for: worth a few requests whatever is thought of them.
//!
//! One answer may mislead: where nine downloads in ten are wanted, the first may be the tenth. As long as a kind was not
//! tried a few times nobody knows what is given up with it. A few requests for every crowd are cheap.

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

/// So many make a crowd, and so many of it are tried: at most a tenth of all requests goes into that.
const CROWD: u32 = 32;
const TRIES: u32 = 3;
const KINDS_MAX: usize = 1 << 16;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Trials {
    waiting: HashMap<u64, u32>,
    asked: HashMap<u64, u32>,
}

impl Trials {
    /// Counts anew who waits, by kind.
    pub(super) fn count(&mut self, kinds: impl Iterator<Item = u64>) {
        self.waiting.clear();
        kinds.for_each(|kind| *self.waiting.entry(kind).or_default() += 1);
    }

    /// A page of this kind is asked for.
    pub(super) fn ask(&mut self, kind: u64) {
        if self.asked.len() < KINDS_MAX || self.asked.contains_key(&kind) {
            *self.asked.entry(kind).or_default() += 1;
        }
    }

    /// Whether a page of this kind should be tried.
    pub(super) fn is_due(&self, kind: u64) -> bool {
        let is_crowd = self.waiting.get(&kind).is_some_and(|waiting| *waiting >= CROWD);
        is_crowd && self.asked.len() < KINDS_MAX && self.asked.get(&kind).is_none_or(|asked| *asked < TRIES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_of_every_crowd_are_tried() {
        let mut trials = Trials::default();
        trials.count((0..CROWD + 1).map(|nth| u64::from(nth / CROWD)));
        assert_eq!([trials.is_due(0), trials.is_due(1), trials.is_due(2)], [true, false, false]);
        (1..TRIES).for_each(|_| trials.ask(0));
        assert!(trials.is_due(0));
        trials.ask(0);
        assert!(!trials.is_due(0));
    }
}
