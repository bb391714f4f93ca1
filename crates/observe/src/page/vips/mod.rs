//! VIPS: the blocks of a page by what it looks like (Cai, Yu, Wen and Ma, MSR-TR-2003-79).
//!
//! Rounds of three steps, from the whole page down. The boxes of a block are divided until each is coherent enough for
//! the round ([`extract`]); the space between them is weighed ([`separator`]); and what the lightest separators divide is
//! put together first, up to the whole again ([`construct`]). Parts that are not coherent have a round of their own. The
//! result is what the segmentation of markup gives ([`emit`]), so that versions are compared and weighed alike.

mod boxes;
mod construct;
mod emit;
mod extract;
mod separator;
mod sheet;
#[cfg(test)]
mod tests;

pub use boxes::{ATTRIBUTES, Boxes, Node, Rect, VisualBox, What};

use super::read::Segmented;
use construct::Tree;
use extract::Part;
use sheet::Sheet;

/// The degree of coherence from which a block is not divided any further (PDoC), of 1 to 10.
const COHERENT: u8 = 7;
/// Rounds inside each other.
const ROUNDS_MAX: u32 = 64;
/// What is inside of more blocks has no round of its own.
const DEPTH_MAX: u32 = 128;

/// The blocks of a page as it was drawn.
pub fn vips(boxes: &Boxes) -> Segmented {
    let sheet = Sheet::of(boxes);
    let whole = sheet.roots().map(|root| round(&sheet, Part::of(&sheet, root, 0), 0, ROUNDS_MAX)).collect();
    emit::segmented(&sheet, Tree::group(whole))
}

/// Divides a part as far as it can be.
fn round(sheet: &Sheet<'_>, part: Part, depth: u32, rounds_left: u32) -> Tree {
    if part.coherence >= COHERENT || depth >= DEPTH_MAX || rounds_left == 0 {
        return Tree::Leaf(part);
    }
    let parts = extract::parts(sheet, &part);
    let mut tree = construct::tree(sheet, parts);
    tree.each_leaf(depth, &mut |leaf, depth| round(sheet, leaf, depth, rounds_left - 1));
    tree
}
