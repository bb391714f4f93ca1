//! Trees that grow and change at random: the synthetic versions on which NEAR-Miner is timed.
//!
//! The first tree has so many nodes, at most so many children in a directory and so many levels; from version to version a
//! share of its nodes is updated, inserted or deleted, anywhere. All of it is a function of a [`Growth`] and nothing else.

use crate::synthetic::chance::{Purpose, below, dice};
use tintype_plan::Dice;

/// Directories among so many nodes: one.
const NODES_PER_DIRECTORY: usize = 10;
/// Of so many changes one is an insertion and one a deletion; the others are updates.
const KINDS: usize = 4;

/// What a sequence of trees should be like.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Behind all dice.
    pub seed: u64,
    /// Directories and pages of the first tree; fewer where fan-out and depth leave no room for them.
    pub nodes: usize,
    /// Most children of a directory in the first tree.
    pub fan_out: usize,
    /// Levels below the root; the last one holds pages only.
    pub depth: usize,
    /// Share of the first tree's nodes that changes from one version to the next.
    pub changed: f64,
}

impl Default for Growth {
    fn default() -> Growth {
        Growth { seed: 1, nodes: 10_000, fan_out: 20, depth: 8, changed: 0.05 }
    }
}

/// One version of a growing tree.
#[derive(Debug)]
pub struct Grown {
    directories: Vec<Directory>,
    /// Path and content of every page that is there, by path: lists of a site are as its tree is walked.
    pages: Vec<(String, u64)>,
    changes: usize,
    /// Distinguishes names and contents.
    made: u64,
    dice: Dice,
}

#[derive(Debug)]
struct Directory {
    /// With a slash at the end.
    path: String,
    depth: usize,
    children: usize,
}

impl Growth {
    /// The first version.
    pub fn first(&self) -> Grown {
        let mut grown = Grown {
            directories: vec![Directory { path: "/".to_owned(), depth: 0, children: 0 }],
            pages: Vec::new(),
            changes: (self.changed * self.nodes as f64).round() as usize,
            made: 0,
            dice: dice(self.seed, Purpose::Places, 0),
        };
        let directories = (self.nodes / NODES_PER_DIRECTORY).max(1);
        let mut open: Vec<usize> = (0..usize::from(self.depth > 1)).collect();
        while grown.directories.len() < directories
            && let Some(parent) = grown.place(&mut open, self.fan_out)
        {
            let (path, depth) = grown.name_in(parent);
            grown.directories.push(Directory { path: path + "/", depth, children: 0 });
            if depth + 1 < self.depth {
                open.push(grown.directories.len() - 1);
            }
        }
        let has_room = |nth: &usize| grown.directories[*nth].children < self.fan_out;
        let mut open: Vec<usize> = (0..grown.directories.len()).filter(has_room).collect();
        while grown.nodes() < self.nodes
            && let Some(parent) = grown.place(&mut open, self.fan_out)
        {
            grown.insert(parent);
        }
        grown.pages.sort_unstable();
        grown
    }
}

impl Grown {
    /// Directories and pages.
    pub fn nodes(&self) -> usize {
        self.directories.len() + self.pages.len()
    }

    /// Every page with what is in it.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.pages.iter().map(|(path, content)| (path.as_str(), *content))
    }

    /// The next version.
    pub fn step(&mut self) {
        for _ in 0..self.changes {
            match below(&mut self.dice, KINDS) {
                1 if self.pages.len() > 1 => {
                    let gone = below(&mut self.dice, self.pages.len());
                    self.pages.swap_remove(gone);
                }
                2.. if !self.pages.is_empty() => {
                    let updated = below(&mut self.dice, self.pages.len());
                    self.made += 1;
                    self.pages[updated].1 = self.made;
                }
                _ => {
                    let parent = below(&mut self.dice, self.directories.len());
                    self.insert(parent);
                }
            }
        }
        self.pages.sort_unstable();
    }

    fn insert(&mut self, parent: usize) {
        let (path, _) = self.name_in(parent);
        self.pages.push((path, self.made));
    }

    /// A path that nothing had before, and its depth.
    fn name_in(&mut self, parent: usize) -> (String, usize) {
        self.made += 1;
        let parent = &mut self.directories[parent];
        parent.children += 1;
        (format!("{}{}", parent.path, self.made), parent.depth + 1)
    }

    /// A directory with room, from a list of those that had room when they were entered.
    fn place(&mut self, open: &mut Vec<usize>, fan_out: usize) -> Option<usize> {
        while !open.is_empty() {
            let at = below(&mut self.dice, open.len());
            if self.directories[open[at]].children < fan_out {
                return Some(open[at]);
            }
            open.swap_remove(at);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn contents(grown: &Grown) -> HashMap<String, u64> {
        grown.pages().map(|(path, content)| (path.to_owned(), content)).collect()
    }

    #[test]
    fn the_first_tree_has_the_size_fan_out_and_depth_that_were_wished() {
        let growth = Growth { nodes: 5000, fan_out: 12, depth: 5, ..Growth::default() };
        let grown = growth.first();
        assert_eq!((grown.nodes(), contents(&grown).len()), (5000, grown.pages().len()));
        let mut children: HashMap<&str, usize> = HashMap::new();
        for (path, _) in grown.pages() {
            assert!(path.matches('/').count() <= 5, "{path}");
            *children.entry(path.rsplit_once('/').unwrap().0).or_default() += 1;
        }
        assert!(children.values().all(|count| *count <= 12) && children.len() > 300, "{}", children.len());
    }

    #[test]
    fn a_tree_without_room_stays_smaller() {
        assert_eq!(Growth { nodes: 1000, fan_out: 3, depth: 1, ..Growth::default() }.first().nodes(), 4);
    }

    #[test]
    fn about_the_wished_share_changes_from_version_to_version() {
        let growth = Growth { nodes: 4000, changed: 0.1, ..Growth::default() };
        let mut grown = growth.first();
        for _ in 0..5 {
            let before = contents(&grown);
            grown.step();
            let after = contents(&grown);
            let gone = before.keys().filter(|path| !after.contains_key(*path)).count();
            let new_or_updated = after.iter().filter(|(path, content)| before.get(*path) != Some(content)).count();
            assert!((350..=400).contains(&(gone + new_or_updated)), "{gone} gone, {new_or_updated} new or updated");
        }
    }

    #[test]
    fn trees_are_a_function_of_their_seed() {
        let third = |seed: u64| {
            let mut grown = Growth { seed, nodes: 300, ..Growth::default() }.first();
            (0..2).for_each(|_| grown.step());
            contents(&grown)
        };
        assert_eq!(third(7), third(7));
        assert_ne!(third(7), third(8));
    }
}
