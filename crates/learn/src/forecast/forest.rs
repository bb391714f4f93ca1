//! Regression trees whose sum is the logarithm of the odds of a change: flat arrays, a microsecond for all of them.

use super::clues::{CLUES, Values};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// Marks a node that decides nothing more.
const LEAF: u8 = u8::MAX;
/// Trees that are asked side by side.
const ABREAST: usize = 8;
/// More trees or nodes would be no model of ours.
const NODES_MAX: usize = 1 << 16;

/// A question about one clue, or an answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    clue: u8,
    /// The left way is for values up to this; of a leaf, what it adds.
    value: f32,
    ways: [u16; 2],
}

/// The same as it is asked: eight bytes, and the right way is behind the left one.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Never exceeded at a leaf, whose left way leads to itself.
    value: f32,
    left: u16,
    clue: u8,
}

/// All steps, so many that no number of a node lies beyond them; made when first asked. Made of what is beside it, so that
/// all are equal.
#[derive(Debug, Default)]
struct Steps(OnceLock<Box<[Step; NODES_MAX]>>);

impl Clone for Steps {
    fn clone(&self) -> Steps {
        Steps::default()
    }
}

impl PartialEq for Steps {
    fn eq(&self, _: &Steps) -> bool {
        true
    }
}

/// What many sites have taught of when pages change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Forest {
    nodes: Vec<Node>,
    roots: Vec<u16>,
    /// Log-odds before the first tree.
    base: f32,
    trained_on: String,
    #[serde(skip)]
    steps: Steps,
}

impl Forest {
    pub fn new(base: f32, trained_on: &str) -> Forest {
        Forest { base, trained_on: trained_on.to_owned(), ..Forest::default() }
    }

    /// What it was trained on, in words.
    pub fn trained_on(&self) -> &str {
        &self.trained_on
    }

    pub fn len(&self) -> usize {
        self.roots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// The logarithm of the odds.
    pub fn log_odds(&self, clues: &Values) -> f32 {
        let (steps, mut sum) = (self.steps(), self.base);
        // As many as a step can name.
        let mut known = [0.0; 1 << u8::BITS];
        known[..CLUES].copy_from_slice(clues);
        // Several trees at once: a step in one need not wait for the step in another.
        for roots in self.roots.chunks(ABREAST) {
            let mut places = [roots[0]; ABREAST];
            places[..roots.len()].copy_from_slice(roots);
            loop {
                let mut is_under_way = false;
                for place in &mut places {
                    let step = steps[usize::from(*place)];
                    let next = step.left.wrapping_add(u16::from(known[usize::from(step.clue)] > step.value));
                    is_under_way |= next != *place;
                    *place = next;
                }
                if !is_under_way {
                    break;
                }
            }
            sum += places[..roots.len()].iter().map(|place| self.nodes[*place as usize].value).sum::<f32>();
        }
        sum
    }

    fn steps(&self) -> &[Step; NODES_MAX] {
        self.steps.0.get_or_init(|| {
            let step = |node: &Node| match node.clue {
                LEAF => Step { value: f32::INFINITY, left: node.ways[0], clue: 0 },
                clue => Step { value: node.value, left: node.ways[0], clue },
            };
            let mut steps: Vec<Step> = self.nodes.iter().map(step).collect();
            steps.resize(NODES_MAX, Step { value: f32::INFINITY, left: 0, clue: 0 });
            steps.into_boxed_slice().try_into().expect("there are so many")
        })
    }

    /// Begins a tree; returns its root, a leaf.
    pub(super) fn plant(&mut self) -> u16 {
        let root = self.leaf();
        self.roots.push(root);
        root
    }

    fn leaf(&mut self) -> u16 {
        self.steps = Steps::default();
        let own = self.nodes.len() as u16;
        self.nodes.push(Node { clue: LEAF, value: 0.0, ways: [own; 2] });
        own
    }

    /// Whether there is room for another tree of so many leaves.
    pub(super) fn has_room(&self, leaves: usize) -> bool {
        self.nodes.len() + 2 * leaves < NODES_MAX
    }

    /// Makes a leaf a question; returns the two new leaves.
    pub(super) fn split(&mut self, leaf: u16, clue: u8, value: f32) -> [u16; 2] {
        let ways = [self.leaf(), self.leaf()];
        self.nodes[leaf as usize] = Node { clue, value, ways };
        ways
    }

    pub(super) fn answer(&mut self, leaf: u16, value: f32) {
        self.nodes[leaf as usize].value = value;
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        crate::stored::to_bytes(&(CLUES as u32, self))
    }

    /// Nothing if they are not what [`Forest::to_bytes`] writes, of the same clues.
    pub fn from_bytes(bytes: &[u8]) -> Option<Forest> {
        let (clues, forest): (u32, Forest) = crate::stored::from_bytes(bytes)?;
        (clues as usize == CLUES && forest.is_sound()).then_some(forest)
    }

    /// Whether every question leads to an answer: ways go forward, to nodes that are there.
    fn is_sound(&self) -> bool {
        let there = |node: u16| (node as usize) < self.nodes.len();
        let sound = |(nth, node): (usize, &Node)| {
            let forward = |way: u16| there(way) && way as usize > nth;
            let is_leaf = node.clue == LEAF && node.ways.into_iter().all(|way| way as usize == nth);
            // As they are made.
            let [left, right] = node.ways;
            let is_pair = left.checked_add(1) == Some(right);
            let is_question = (node.clue as usize) < CLUES && is_pair && node.ways.into_iter().all(forward);
            node.value.is_finite() && (is_leaf || is_question)
        };
        self.base.is_finite() && self.roots.iter().copied().all(there) && self.nodes.iter().enumerate().all(sound)
    }

    /// A number that tells it from other forests.
    pub fn fingerprint(&self) -> u64 {
        rapidhash::v3::rapidhash_v3(&self.to_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Forest {
        let mut forest = Forest::new(-1.0, "a test");
        let root = forest.plant();
        let [left, right] = forest.split(root, 3, 0.5);
        forest.answer(left, 0.25);
        forest.answer(right, 2.0);
        forest
    }

    #[test]
    fn a_question_is_answered_by_its_clue() {
        let mut clues = [0.0; CLUES];
        assert_eq!(small().log_odds(&clues), -0.75);
        clues[3] = 0.6;
        assert_eq!(small().log_odds(&clues), 1.0);
    }

    #[test]
    fn a_forest_reads_back_and_one_that_runs_in_circles_does_not() {
        let forest = small();
        assert_eq!(Forest::from_bytes(&forest.to_bytes()), Some(forest.clone()));
        let mut circular = forest;
        circular.nodes[0].ways = [0, 1];
        assert_eq!(Forest::from_bytes(&circular.to_bytes()), None);
        let mut leading_on = small();
        leading_on.nodes[1].ways = [2, 2];
        assert_eq!(Forest::from_bytes(&leading_on.to_bytes()), None, "from an answer to another");
        let mut crossed = small();
        crossed.nodes[0].ways = [2, 1];
        assert_eq!(Forest::from_bytes(&crossed.to_bytes()), None, "the right way comes first");
    }

    #[test]
    fn what_was_asked_before_it_grew_is_asked_again() {
        let mut forest = small();
        assert_eq!(forest.log_odds(&[0.0; CLUES]), -0.75);
        let [left, right] = forest.split(1, 4, -1.0);
        forest.answer(left, 5.0);
        forest.answer(right, 8.0);
        assert_eq!(forest.log_odds(&[0.0; CLUES]), 7.0);
    }
}
