//! WeighedChange importance: how much of the blocks that matter changed, 0 to 1.
//!
//! The sum over blocks of I(B) times what happened in the block: for every operation and sort of element its importance
//! I(op, el) times the share of the block's elements it touched, PerCh. The paper normalises in three ways that
//! contradict each other; all of them are here. What I(B) and I(op, el) are is a question of its own: [`PartWeighing`].

/// What blocks and operations are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PartWeighing {
    /// By what is new: I(B) is how likely a reader cares for the block, and one operation stands for all that came or
    /// went in it; its importance grows with the words nobody had read before and levels off. Ours: one word can be
    /// the news of a page of thousands.
    #[default]
    News,
    /// By share, as in the paper: I(B) is the block's share of the page, I(text) the Jaccard distance of its words.
    Shares,
}

/// What becomes of the sums over operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Normalisation {
    /// I(B) Σ, the whole at most 1: as Example 3 is computed (0.348), and ours. The reference for the papers' formulas
    /// prints it as I(B) min(1, Σ), which would make that example 0.3, and gives 0.348 for it all the same: formula and
    /// number contradict each other, and the number is what was agreed on. Another change never makes a change less
    /// important.
    #[default]
    Sum,
    /// I(B) Σ / 9, for three operations on three sorts of elements: as the formula is printed.
    Formula,
    /// I(B) Σ divided by the number of operations that took place: Algorithm 2.
    PerOperation,
}

/// Operations times sorts of elements in the paper's formula.
const OPERATIONS_AND_ELEMENTS: f64 = 9.0;

/// What happened to elements of one sort in one block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeighedChange {
    /// I(op, el).
    pub importance: f64,
    /// N(op, el): how many elements it happened to.
    pub count: u32,
    /// How many there were before, and those that came.
    pub total: u32,
}

/// What happened in one block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockChange {
    /// I(B), of all blocks of both versions 1.
    pub block: f64,
    pub changes: Vec<WeighedChange>,
}

impl WeighedChange {
    fn share(&self) -> f64 {
        self.importance * f64::from(self.count) / f64::from(self.total.max(1))
    }
}

impl BlockChange {
    /// What the block adds to the importance of the whole.
    pub fn importance(&self, normalisation: Normalisation) -> f64 {
        let sum: f64 = self.changes.iter().map(WeighedChange::share).sum();
        self.block
            * match normalisation {
                Normalisation::Sum => sum,
                Normalisation::Formula => sum / OPERATIONS_AND_ELEMENTS,
                Normalisation::PerOperation => sum / self.changes.len().max(1) as f64,
            }
    }
}

impl Normalisation {
    /// The importance of a change from what happened in each block.
    pub fn importance<'c>(self, blocks: impl IntoIterator<Item = &'c BlockChange>) -> f64 {
        blocks.into_iter().fold(0.0, |sum, block| sum + block.importance(self)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two of ten links deleted at 0.8, one image updated, in a block of 0.3.
    fn example_3() -> [BlockChange; 1] {
        let links = WeighedChange { importance: 0.8, count: 2, total: 10 };
        let image = WeighedChange { importance: 1.0, count: 1, total: 1 };
        [BlockChange { block: 0.3, changes: vec![links, image] }]
    }

    #[test]
    fn golden_p04_example_3_as_computed() {
        assert!((Normalisation::Sum.importance(&example_3()) - 0.348).abs() < 1e-9);
        assert_eq!(Normalisation::default(), Normalisation::Sum);
    }

    #[test]
    fn the_whole_is_never_more_than_one() {
        let [block] = example_3();
        let many = vec![block; 5];
        assert_eq!(Normalisation::Sum.importance(&many), 1.0);
    }

    #[test]
    fn golden_p05_example_3_by_the_printed_formula() {
        assert!((Normalisation::Formula.importance(&example_3()) - 0.0386666666667).abs() < 1e-9);
    }

    #[test]
    fn golden_p06_example_3_by_algorithm_2() {
        assert!((Normalisation::PerOperation.importance(&example_3()) - 0.174).abs() < 1e-9);
    }

    #[test]
    fn nothing_of_nothing_is_nothing() {
        let empty = BlockChange { block: 0.5, changes: vec![WeighedChange { importance: 1.0, count: 0, total: 0 }] };
        for normalisation in [Normalisation::Sum, Normalisation::Formula, Normalisation::PerOperation] {
            assert_eq!(normalisation.importance([]), 0.0);
            assert_eq!(normalisation.importance([&empty]), 0.0);
        }
    }
}
