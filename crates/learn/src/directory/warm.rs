//! WARM: which directories rules say to skip.

#[cfg(test)]
mod tests;

use super::{DirectoryId, DirectoryShape, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// The directories to skip in a capture of a directory, each with the number of the rule that says so: Algorithm 4,
/// corrected. Every directory that is not skipped is taken to have changed. What was gone through is kept as long as it
/// is the beginning of any rule's head, however long, and siblings do not see each other's.
///
/// Only rules that begin with the target are used; nothing below a skipped directory is skipped once more.
pub fn skipped(shape: &DirectoryShape, rules: &[Rule], target: DirectoryId) -> Vec<(DirectoryId, usize)> {
    let heads = Heads::of(rules);
    let Some(path) = heads.step(Heads::EMPTY, target) else { return Vec::new() };
    walk(shape, target, path, |path, _, child| match heads.rule(*path, child) {
        Some(rule) => Err(rule),
        None => Ok(heads.step(*path, child).unwrap_or(*path)),
    })
}

/// Algorithm 4 by the letter: what was gone through becomes the last two directories (line 13) wherever a rule's whole
/// head is met (line 12), for the siblings that follow as well, and rules that begin elsewhere can match it.
pub fn skipped_as_printed(shape: &DirectoryShape, rules: &[Rule], target: DirectoryId) -> Vec<(DirectoryId, usize)> {
    let heads = Heads::of(rules);
    let pair = |parent, child| heads.step(heads.step(Heads::EMPTY, parent)?, child);
    walk(shape, target, heads.step(Heads::EMPTY, target), |path, parent, child| {
        if let Some(rule) = path.and_then(|path| heads.rule(path, child)) {
            return Err(rule);
        }
        if path.and_then(|path| heads.step(path, child)).is_some_and(|head| heads.whole.contains(&head)) {
            *path = pair(parent, child);
        }
        Ok(*path)
    })
}

/// Goes through everything below a directory that is not skipped, with what was gone through: `meet` is given that of
/// the parent, which its other children will see, and answers that of the child or the rule that skips it.
fn walk<P>(
    shape: &DirectoryShape,
    target: DirectoryId,
    path: P,
    mut meet: impl FnMut(&mut P, DirectoryId, DirectoryId) -> Result<P, usize>,
) -> Vec<(DirectoryId, usize)> {
    let mut skipped = Vec::new();
    let mut frames = vec![(target, shape.children(target), path)];
    while let Some((parent, children, path)) = frames.last_mut() {
        match children.next().map(|child| (child, meet(path, *parent, child))) {
            None => drop(frames.pop()),
            Some((child, Err(rule))) => skipped.push((child, rule)),
            Some((child, Ok(path))) => frames.push((child, shape.children(child), path)),
        }
    }
    skipped
}

/// The heads of rules as a tree of their beginnings, which are numbered.
struct Heads {
    longer: BTreeMap<(u32, DirectoryId), u32>,
    whole: BTreeSet<u32>,
    tails: BTreeMap<(u32, DirectoryId), usize>,
}

impl Heads {
    const EMPTY: u32 = 0;

    fn of(rules: &[Rule]) -> Heads {
        let mut heads = Heads { longer: BTreeMap::new(), whole: BTreeSet::new(), tails: BTreeMap::new() };
        for (number, rule) in rules.iter().enumerate() {
            let head = rule.head.iter().fold(Heads::EMPTY, |beginning, directory| {
                let next = heads.longer.len() as u32 + 1;
                *heads.longer.entry((beginning, *directory)).or_insert(next)
            });
            heads.whole.insert(head);
            heads.tails.entry((head, rule.tail)).or_insert(number);
        }
        heads
    }

    fn step(&self, beginning: u32, directory: DirectoryId) -> Option<u32> {
        self.longer.get(&(beginning, directory)).copied()
    }

    fn rule(&self, head: u32, tail: DirectoryId) -> Option<usize> {
        self.tails.get(&(head, tail)).copied()
    }
}
