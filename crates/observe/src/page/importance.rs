//! Change importance: how much of the blocks that matter changed, 0 to 1.
//!
//! The sum over blocks of I(B) times what happened in the block: for every operation and sort of element its importance
//! I(op, el) times the share of the block's elements it touched, PerCh. The paper normalises in three ways that
//! contradict each other; all of them are here.

use super::{
    compare::Compared,
    element::{Element, items},
    hooks::{Hooks, Seen},
    similar::WordSet,
};
use std::{borrow::Cow, cmp::Ordering};
use url::Url;

/// α: what is left of an operation's importance if it is an advertisement that came or went.
pub const ADVERTISEMENT: f64 = 0.1;
/// I(move): the same content, seen sooner or later.
pub const MOVED: f64 = 0.1;

/// What becomes of the sums over operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Normalisation {
    /// No block counts more than once: I(B) min(1, Σ). Ours, because another change never makes a change less
    /// important, and no change is more important than the blocks it is in.
    #[default]
    Clamped,
    /// I(B) Σ, the whole at most 1: as Example 3 is computed.
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
pub struct Change {
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
    pub changes: Vec<Change>,
}

impl Change {
    fn share(&self) -> f64 {
        self.importance * f64::from(self.count) / f64::from(self.total.max(1))
    }
}

impl BlockChange {
    /// What the block adds to the importance of the whole.
    pub fn importance(&self, normalisation: Normalisation) -> f64 {
        let sum: f64 = self.changes.iter().map(Change::share).sum();
        self.block
            * match normalisation {
                Normalisation::Clamped => sum.min(1.0),
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

/// Weighs what happened in blocks.
pub(super) struct Weigher<'a> {
    pub(super) hooks: &'a Hooks<'a>,
    pub(super) page: &'a str,
    base: Option<Url>,
}

impl<'a> Weigher<'a> {
    pub(super) fn new(hooks: &'a Hooks<'a>, page: &'a str) -> Weigher<'a> {
        Weigher { hooks, page, base: Url::parse(page).ok() }
    }

    /// What happened in a block; an empty version of it is one that is not there.
    pub(super) fn changes(&self, compared: &Compared<'_>) -> Vec<Change> {
        let [old, new] = [compared.before(), compared.after()];
        let mut changes = Vec::new();
        self.text(old[0], new[0], &mut changes);
        self.references(Element::Link, old[1], new[1], &mut changes);
        self.references(Element::Image, old[2], new[2], &mut changes);
        if compared.moved {
            changes.push(Change { importance: MOVED, count: 1, total: 1 });
        }
        changes
    }

    fn text(&self, old: &str, new: &str, changes: &mut Vec<Change>) {
        if old == new {
            return;
        }
        let [old, new] = [old, new].map(|text| WordSet::of_text(text, self.hooks.is_volatile));
        let importance = old.distance(&new);
        if importance > 0.0 {
            changes.push(Change { importance, count: 1, total: 1 });
        }
    }

    fn references(&self, element: Element, old: &str, new: &str, changes: &mut Vec<Change>) {
        if old == new {
            return;
        }
        let [old, new] = [old, new].map(|list| items(list, element).map(|url| self.steady(url)).collect::<Vec<_>>());
        let before = old.len();
        let (removed, inserted) = came_and_went(old, new);
        let total = (before + inserted.len().saturating_sub(removed.len())) as u32;
        // One that came for one that went is an update.
        let updated = removed.len().min(inserted.len());
        for operation in [&inserted[..updated], &inserted[updated..], &removed[updated..]] {
            let advertisements = operation.iter().filter(|(_, url)| self.is_advertisement(element, url)).count();
            let parts = [(1.0, operation.len() - advertisements), (ADVERTISEMENT, advertisements)];
            for (importance, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
                changes.push(Change { importance, count: count as u32, total });
            }
        }
    }

    /// A URL without the parts that are volatile, and as it is: a new session is no new link.
    fn steady<'u>(&self, url: &'u str) -> Steady<'u> {
        let parts = || url.split_inclusive(['/', '?', '&', ';', '=', '#']);
        let is_volatile = |part: &&str| {
            let word = part.trim_end_matches(['/', '?', '&', ';', '=', '#']);
            !word.is_empty() && (self.hooks.is_volatile)(word)
        };
        let steady = match parts().any(|part| is_volatile(&part)) {
            false => Cow::Borrowed(url),
            true => Cow::Owned(parts().filter(|part| !is_volatile(part)).collect()),
        };
        (steady, url)
    }

    fn is_advertisement(&self, element: Element, url: &str) -> bool {
        let absolute = self.base.as_ref().and_then(|base| base.join(url).ok());
        let url = absolute.map_or(Cow::Borrowed(url), |url| Cow::Owned(String::from(url)));
        (self.hooks.is_advertisement)(&Seen { element, url: &url, page: self.page })
    }
}

/// What of a URL tells it from others, and all of it.
type Steady<'u> = (Cow<'u, str>, &'u str);

/// Which URLs are gone and which are new, whatever their order.
fn came_and_went<'u>(mut old: Vec<Steady<'u>>, mut new: Vec<Steady<'u>>) -> (Vec<Steady<'u>>, Vec<Steady<'u>>) {
    old.sort_unstable();
    new.sort_unstable();
    let (mut removed, mut inserted) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (Some(left), Some(right)) => left.0.cmp(&right.0),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return (removed, inserted),
        };
        let (gone, came) = (old.next_if(|_| order.is_le()), new.next_if(|_| order.is_ge()));
        if order.is_ne() {
            removed.extend(gone);
            inserted.extend(came);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two of ten links deleted at 0.8, one image updated, in a block of 0.3.
    fn example_3() -> [BlockChange; 1] {
        let links = Change { importance: 0.8, count: 2, total: 10 };
        let image = Change { importance: 1.0, count: 1, total: 1 };
        [BlockChange { block: 0.3, changes: vec![links, image] }]
    }

    #[test]
    fn golden_p04_example_3_as_computed() {
        assert!((Normalisation::Sum.importance(&example_3()) - 0.348).abs() < 1e-9);
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
    fn a_block_counts_no_more_than_it_is_worth() {
        assert!((Normalisation::Clamped.importance(&example_3()) - 0.3).abs() < 1e-9);
        let half = BlockChange { block: 0.3, changes: vec![Change { importance: 1.0, count: 5, total: 10 }] };
        assert!((Normalisation::Clamped.importance([&half]) - 0.15).abs() < 1e-9);
        assert!((Normalisation::Clamped.importance([&half, &half]) - 0.3).abs() < 1e-9);
    }

    #[test]
    fn nothing_of_nothing_is_nothing() {
        let empty = BlockChange { block: 0.5, changes: vec![Change { importance: 1.0, count: 0, total: 0 }] };
        for normalisation in
            [Normalisation::Clamped, Normalisation::Sum, Normalisation::Formula, Normalisation::PerOperation]
        {
            assert_eq!(normalisation.importance([]), 0.0);
            assert_eq!(normalisation.importance([&empty]), 0.0);
        }
    }

    #[test]
    fn order_is_no_change() {
        let lists = |old: &'static str, new: &'static str| {
            let all = |list: &'static str| list.split_whitespace().map(|url| (Cow::Borrowed(url), url)).collect();
            let (removed, inserted) = came_and_went(all(old), all(new));
            [removed, inserted].map(|list| list.into_iter().map(|(_, url)| url).collect::<String>())
        };
        assert_eq!(lists("a b c b", "c b d a"), ["b", "d"]);
        assert_eq!(lists("", "a b"), ["", "ab"]);
    }
}
