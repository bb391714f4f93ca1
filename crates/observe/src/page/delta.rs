//! What it takes to make one version's blocks of another's: the operations of Vi-DIFF.

use super::{
    element::{Content, Element, items},
    layout::{BlockShape, Layout},
    matching::Matching,
    sequence::{self, Hunk},
};
use serde::{Deserialize, Serialize};

/// All operations between two versions: complete, so that either version follows from the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delta {
    pub operations: Vec<Operation>,
}

/// Blocks are called by their number, those of the old version `from` and those of the new one `to`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "lowercase")]
pub enum Operation {
    /// A block that was not there.
    Insert { to: u32, shape: BlockShape, content: Content },
    /// A block that is not there any more.
    Delete { from: u32, shape: BlockShape, content: Content },
    /// Blocks in a row that overtook others.
    Move { from: u32, to: u32, count: u32 },
    /// The same block with another role or elsewhere in the hierarchy: markup, nothing a reader sees.
    Reshape { from: u32, to: u32, before: BlockShape, after: BlockShape },
    /// Other text, links or images in the same block.
    Update { from: u32, to: u32, element: Element, hunks: Vec<Hunk> },
}

impl Delta {
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The delta from the new version to the old one.
    pub fn inverse(&self) -> Delta {
        Delta { operations: self.operations.iter().map(Operation::inverse).collect() }
    }

    pub(super) fn between(old: &Layout, new: &Layout, matching: &Matching) -> Delta {
        let mut operations = Vec::new();
        for from in &matching.gone {
            let block = old.block(*from as usize);
            operations.push(Operation::Delete { from: *from, shape: block.shape(), content: block.content() });
        }
        for (to, from) in matching.olds.iter().enumerate() {
            match from {
                None => {
                    let block = new.block(to);
                    let (shape, content) = (block.shape(), block.content());
                    operations.push(Operation::Insert { to: to as u32, shape, content });
                }
                Some(from) => {
                    if matching.moved[to] {
                        push_move(&mut operations, *from, to as u32);
                    }
                    push_changes(&mut operations, [old, new], *from, to as u32);
                }
            }
        }
        Delta { operations }
    }
}

/// Adds a move, or makes the one before longer.
fn push_move(operations: &mut Vec<Operation>, from: u32, to: u32) {
    match operations.last_mut() {
        Some(Operation::Move { from: first, to: place, count }) if [*first + *count, *place + *count] == [from, to] => {
            *count += 1;
        }
        _ => operations.push(Operation::Move { from, to, count: 1 }),
    }
}

fn push_changes(operations: &mut Vec<Operation>, [old, new]: [&Layout; 2], from: u32, to: u32) {
    let (old, new) = (old.block(from as usize), new.block(to as usize));
    let (before, after) = (old.shape(), new.shape());
    if before != after {
        operations.push(Operation::Reshape { from, to, before, after });
    }
    for element in Element::ALL {
        let hunks = hunks(old.of(element), new.of(element), element);
        if !hunks.is_empty() {
            operations.push(Operation::Update { from, to, element, hunks });
        }
    }
}

/// What came and went between two lists of items.
pub(super) fn hunks(old: &str, new: &str, element: Element) -> Vec<Hunk> {
    if old == new {
        return Vec::new();
    }
    let [old, new]: [Vec<&str>; 2] = [old, new].map(|list| items(list, element).collect());
    let separator = element.separator().encode_utf8(&mut [0; 4]).to_owned();
    let hunk = |(removed, inserted): (std::ops::Range<usize>, std::ops::Range<usize>)| Hunk {
        at: removed.start as u32,
        removed: old[removed].join(&separator),
        inserted: new[inserted].join(&separator),
    };
    sequence::edits(&old, &new).into_iter().map(hunk).collect()
}

impl Operation {
    fn inverse(&self) -> Operation {
        match self.clone() {
            Operation::Insert { to, shape, content } => Operation::Delete { from: to, shape, content },
            Operation::Delete { from, shape, content } => Operation::Insert { to: from, shape, content },
            Operation::Move { from, to, count } => Operation::Move { from: to, to: from, count },
            Operation::Reshape { from, to, before, after } => {
                Operation::Reshape { from: to, to: from, before: after, after: before }
            }
            Operation::Update { from, to, element, hunks } => {
                Operation::Update { from: to, to: from, element, hunks: turned(hunks, element) }
            }
        }
    }
}

/// The hunks that undo these: they count from the new list.
fn turned(hunks: Vec<Hunk>, element: Element) -> Vec<Hunk> {
    let (mut removed, mut inserted) = (0u32, 0u32);
    let turn = |hunk: Hunk| {
        let at = hunk.at.wrapping_add(inserted).wrapping_sub(removed);
        removed = removed.wrapping_add(items(&hunk.removed, element).count() as u32);
        inserted = inserted.wrapping_add(items(&hunk.inserted, element).count() as u32);
        Hunk { at, removed: hunk.inserted, inserted: hunk.removed }
    };
    hunks.into_iter().map(turn).collect()
}
