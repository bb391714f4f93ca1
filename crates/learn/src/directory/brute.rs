//! The paper's definitions by brute force: every chain of a small tree, bits as plain lists of truths.

use super::{Bitmaps, DirectoryId, DirectoryShape, Rule, Thresholds};
use proptest::prelude::*;

/// A small tree with what changed in it, and thresholds.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) shape: DirectoryShape,
    pub(super) bitmaps: Bitmaps,
    pub(super) thresholds: Thresholds,
    /// For each directory, whether it changed in each transition of the window.
    bits: Vec<Vec<bool>>,
}

/// Transitions before the window and after it, which must not matter.
pub(super) const BEFORE: usize = 60;
const AFTER: usize = 3;

pub(super) fn case() -> impl Strategy<Value = Case> {
    let directories = 2..9usize;
    let transitions = 2..9usize;
    (directories, transitions).prop_flat_map(|(directories, transitions)| {
        let parents = prop::collection::vec(any::<prop::sample::Index>(), directories - 1);
        let bits = prop::collection::vec(prop::collection::vec(any::<bool>(), transitions), directories);
        let thresholds = (1..8u32, 0..8u32, 0..10u32).prop_map(|(frequency, correlation, confidence)| {
            let [frequency, correlation, confidence] =
                [frequency, correlation, confidence].map(|tenths| f64::from(tenths) / 10.0);
            Thresholds::new(frequency, Some(correlation), confidence)
        });
        (parents, bits, thresholds).prop_map(|(parents, bits, thresholds)| Case::new(&parents, bits, thresholds))
    })
}

impl Case {
    fn new(parents: &[prop::sample::Index], bits: Vec<Vec<bool>>, thresholds: Thresholds) -> Case {
        let mut shape = DirectoryShape::default();
        for (number, parent) in (1..).zip(parents) {
            let parent = shape.path(DirectoryId(parent.index(number) as u32));
            let path = format!("{}/{number}", parent.trim_end_matches('/'));
            assert_eq!(shape.directory(&path), Some(DirectoryId(number as u32)));
        }
        let mut bitmaps = Bitmaps::default();
        let all = || (0..bits.len() as u32).map(DirectoryId);
        (0..BEFORE).for_each(|_| bitmaps.push(all()));
        let has_changed = |directory: &DirectoryId, transition: usize| bits[directory.index()][transition];
        (0..bits[0].len()).for_each(|nth| bitmaps.push(all().filter(|directory| has_changed(directory, nth))));
        (0..AFTER).for_each(|_| bitmaps.push(all()));
        Case { shape, bitmaps, thresholds, bits }
    }

    pub(super) fn within(&self) -> std::ops::Range<usize> {
        BEFORE..BEFORE + self.bits[0].len()
    }

    pub(super) fn directories(&self) -> impl Iterator<Item = DirectoryId> + use<> {
        (0..self.shape.directories() as u32).map(DirectoryId)
    }

    /// Whether the first is a proper ancestor of the second.
    pub(super) fn contains(&self, outer: DirectoryId, inner: DirectoryId) -> bool {
        self.shape.ancestors(inner).skip(1).any(|ancestor| ancestor == outer)
    }

    /// Definition 2.
    fn frequency(&self, directories: &[DirectoryId]) -> f64 {
        let transitions = self.bits[0].len();
        let changed = |transition: &usize| directories.iter().all(|one| self.bits[one.index()][*transition]);
        (0..transitions).filter(changed).count() as f64 / transitions as f64
    }

    /// Definition 4, for a chain.
    pub(super) fn is_pattern(&self, chain: &[DirectoryId]) -> bool {
        self.frequency(chain) >= self.thresholds.frequency_of_change_min
    }

    /// Definitions 3, 5, 6 and 7, for a chain whose last is the tail.
    pub(super) fn is_rule(&self, chain: &[DirectoryId]) -> bool {
        let Some((tail, head)) = chain.split_last().filter(|(_, head)| !head.is_empty()) else { return false };
        let [both, x, y] = [chain, head, &[*tail]].map(|directories| self.frequency(directories));
        let correlation = (both - x * y) / (x * (1.0 - x) * y * (1.0 - y)).sqrt();
        self.is_pattern(head)
            && !self.is_pattern(chain)
            && correlation - 1e-12 <= -self.thresholds.correlation_max.unwrap()
            && (x - both) / x + 1e-12 >= self.thresholds.confidence_min
    }

    /// Every chain of nested directories.
    pub(super) fn chains(&self) -> Vec<Vec<DirectoryId>> {
        let mut chains: Vec<_> = self.directories().map(|directory| vec![directory]).collect();
        let mut done = 0;
        while done < chains.len() {
            let chain = chains[done].clone();
            let inner = self.directories().filter(|inner| self.contains(chain[chain.len() - 1], *inner));
            chains.extend(inner.map(|inner| [chain.as_slice(), &[inner]].concat()));
            done += 1;
        }
        chains
    }

    /// Definition 9, with the tail as part of the sequence, which Example 5 needs: a pattern begins as the rule does,
    /// and then goes to a directory around the rule's next.
    pub(super) fn is_head_subsumed(&self, rule: &[DirectoryId], chains: &[Vec<DirectoryId>]) -> bool {
        chains.iter().filter(|pattern| self.is_pattern(pattern)).any(|pattern| {
            (1..rule.len().min(pattern.len()))
                .any(|place| rule[..place] == pattern[..place] && self.contains(pattern[place], rule[place]))
        })
    }

    /// Definition 8: a rule of the same head has a tail around this one's.
    pub(super) fn is_tail_subsumed(&self, rule: &[DirectoryId], chains: &[Vec<DirectoryId>]) -> bool {
        self.is_beyond_a_tail(rule, chains, |length| length == rule.len())
    }

    /// Strategy 3: the tail of a rule that begins as this one does is around its next, at any length.
    pub(super) fn is_within_a_tail(&self, rule: &[DirectoryId], chains: &[Vec<DirectoryId>]) -> bool {
        self.is_beyond_a_tail(rule, chains, |_| true)
    }

    fn is_beyond_a_tail(
        &self,
        rule: &[DirectoryId],
        chains: &[Vec<DirectoryId>],
        counts: impl Fn(usize) -> bool,
    ) -> bool {
        chains.iter().filter(|other| other.len() <= rule.len() && counts(other.len())).any(|other| {
            let last = other.len() - 1;
            self.is_rule(other) && other[..last] == rule[..last] && self.contains(other[last], rule[last])
        })
    }
}

/// A rule as one chain.
pub(super) fn chain_of(rule: &Rule) -> Vec<DirectoryId> {
    [rule.head.as_slice(), &[rule.tail]].concat()
}

/// A site of nested and neighbouring directories by their paths, and transitions by what changed in each.
pub(super) fn site(paths: &[&str], transitions: &[&[&str]]) -> (DirectoryShape, Bitmaps) {
    let mut shape = DirectoryShape::default();
    paths.iter().for_each(|path| assert!(shape.directory(path).is_some()));
    let mut bitmaps = Bitmaps::default();
    for changed in transitions {
        bitmaps.push(changed.iter().map(|path| shape.find_directory(path).unwrap()));
    }
    (shape, bitmaps)
}
