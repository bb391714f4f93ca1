//! Content structure construction: from blocks and the separators between them to a tree.

use super::{
    extract::Part,
    separator::{Axis, Bands},
    sheet::Sheet,
};

/// How often bands are divided across before what is left stays together.
const CUTS_MAX: u32 = 48;

/// Blocks inside of blocks.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Leaf(Part),
    Group(Vec<Tree>),
}

impl Tree {
    /// Several as one, in the order of the document; one alone is itself.
    pub(super) fn group(mut trees: Vec<Tree>) -> Tree {
        if trees.len() == 1 {
            return trees.remove(0);
        }
        trees.sort_by_key(Tree::first);
        Tree::Group(trees)
    }

    /// The first node in it, which is that of the first tree in it.
    fn first(&self) -> u32 {
        match self {
            Tree::Leaf(part) => part.first,
            Tree::Group(trees) => trees.first().map_or(u32::MAX, Tree::first),
        }
    }

    /// Puts another tree where each leaf is; `replace` is told how many groups it is in, if this tree is in `depth`.
    pub(super) fn each_leaf(&mut self, depth: u32, replace: &mut impl FnMut(Part, u32) -> Tree) {
        match self {
            Tree::Leaf(part) => *self = replace(*part, depth),
            Tree::Group(trees) => trees.iter_mut().for_each(|tree| tree.each_leaf(depth + 1, replace)),
        }
    }
}

/// The tree of some parts.
pub(super) fn tree(sheet: &Sheet<'_>, parts: Vec<Part>) -> Tree {
    cut(sheet, parts, CUTS_MAX)
}

/// Divides parts along the axis with the heaviest separator, and what is between two separators along the other.
fn cut(sheet: &Sheet<'_>, parts: Vec<Part>, cuts_left: u32) -> Tree {
    let flat = |parts: Vec<Part>| Tree::group(parts.into_iter().map(Tree::Leaf).collect());
    if parts.len() == 1 || cuts_left == 0 {
        return flat(parts);
    }
    let [down, across] = [Axis::Down, Axis::Across].map(|axis| Bands::along(axis, sheet, &parts));
    let chosen = if across.heaviest() > down.heaviest() { across } else { down };
    if chosen.bands.len() == 1 {
        return flat(parts);
    }
    let trees = chosen.bands.into_iter().map(|band| cut(sheet, band, cuts_left - 1)).collect();
    merge(trees, chosen.weights)
}

/// Puts together what the lightest separators divide, and so on up to the heaviest.
fn merge(mut trees: Vec<Tree>, mut weights: Vec<u8>) -> Tree {
    while let Some(lightest) = weights.iter().copied().min() {
        let mut merged: Vec<Vec<Tree>> = Vec::new();
        let mut left = Vec::new();
        let separators = std::iter::once(None).chain(weights.iter().copied().map(Some));
        for (tree, separator) in trees.into_iter().zip(separators) {
            match (merged.last_mut(), separator) {
                (Some(run), Some(weight)) if weight == lightest => run.push(tree),
                (_, separator) => {
                    merged.push(vec![tree]);
                    left.extend(separator);
                }
            }
        }
        trees = merged.into_iter().map(Tree::group).collect();
        weights = left;
    }
    Tree::group(trees)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::vips::Rect;

    fn leaf(first: u32) -> Tree {
        let part = Part { first, end: first + 1, single: true, extent: Rect::default(), ink: 0.0, coherence: 10 };
        Tree::Leaf(part)
    }

    #[test]
    fn what_light_separators_divide_is_put_together_first() {
        let group = |trees: &[Tree]| Tree::group(trees.to_vec());
        let found = merge((0..6).map(leaf).collect(), vec![5, 1, 1, 5, 2]);
        let expected = group(&[leaf(0), group(&[leaf(1), leaf(2), leaf(3)]), group(&[leaf(4), leaf(5)])]);
        assert_eq!(found, expected);
        assert_eq!(merge(vec![leaf(3)], Vec::new()), leaf(3));
    }
}
