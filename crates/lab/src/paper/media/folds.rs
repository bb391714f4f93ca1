//! Folds A to H, by lot.

use crate::media::labelled::Labelled;
use tintype_plan::Dice;

/// Folds A to G: one is learned in each round.
pub(super) const ROUNDS: usize = 7;
/// How rounds are called.
pub(super) const LETTERS: [&str; ROUNDS] = ["a", "b", "c", "d", "e", "f", "g"];

pub(super) struct Folds<'a> {
    /// All that is learned, in order.
    learned: Vec<Labelled<'a>>,
    /// Fold H.
    pub(super) judged: Vec<Labelled<'a>>,
}

impl<'a> Folds<'a> {
    /// Fold H is an eighth by lot, unless there is another table for it.
    pub(super) fn new(urls: &[Labelled<'a>], other: Option<&[Labelled<'a>]>, seed: u64) -> Folds<'a> {
        let mut learned = urls.to_vec();
        let mut dice = Dice::new(seed, 0);
        for at in (1..learned.len()).rev() {
            learned.swap(at, (dice.next_u64() % (at as u64 + 1)) as usize);
        }
        let judged = match other {
            Some(other) => other.to_vec(),
            None => learned.split_off(learned.len() - learned.len() / (ROUNDS + 1)),
        };
        Folds { learned, judged }
    }

    /// All that is known after a round, and where its own fold begins.
    pub(super) fn until(&self, round: usize) -> (&[Labelled<'a>], usize) {
        let end = |rounds: usize| self.learned.len() * rounds / ROUNDS;
        (&self.learned[..end(round + 1)], end(round))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::labelled::{Names, Text};

    #[test]
    fn every_url_is_in_one_fold_and_lots_differ() {
        let text = Text::of((0..80).map(|n| format!("http://a.com/{n}\ttext/html\n")).collect());
        let rows = text.rows(Names::Folded).rows;
        let folds = Folds::new(&rows, None, 1);
        assert_eq!((folds.judged.len(), folds.until(0).0.len(), folds.until(ROUNDS - 1).0.len()), (10, 10, 70));
        assert_eq!(folds.until(3).1, folds.until(2).0.len());
        let mut all: Vec<&str> = folds.until(6).0.iter().chain(&folds.judged).map(|row| row.url).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 80);
        let other = Folds::new(&rows, Some(&rows[..3]), 2);
        assert_eq!((other.judged.len(), other.until(ROUNDS - 1).0.len()), (3, 80));
        assert!(other.until(0).0[..5] != folds.until(0).0[..5], "another lot");
    }
}
