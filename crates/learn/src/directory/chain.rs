//! A chain of directories and the transitions in which all of them changed.

use super::{
    DirectoryId, Pattern, Rule, Thresholds,
    bitmaps::Window,
    rule::{confidence, correlation},
};

/// The current pattern of Algorithm 3 with its bitmaps, one for each length it had on the way, so that it is shortened
/// for free.
#[derive(Clone, Debug)]
pub(super) struct Chain<'a> {
    window: Window<'a>,
    directories: Vec<DirectoryId>,
    /// As many words per directory as the window has blocks: the AND of its bitmap and all before it.
    words: Vec<u64>,
    changed: Vec<u32>,
}

impl<'a> Chain<'a> {
    pub(super) fn new(window: Window<'a>) -> Chain<'a> {
        Chain { window, directories: Vec::new(), words: Vec::new(), changed: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.directories.len()
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.directories.truncate(length);
        self.words.truncate(length * self.window.blocks());
        self.changed.truncate(length);
    }

    pub(super) fn push(&mut self, directory: DirectoryId) {
        let blocks = self.window.blocks();
        for block in 0..blocks {
            let before = self.words.len().checked_sub(blocks).map_or(u64::MAX, |place| self.words[place]);
            self.words.push(before & self.window.word(block, directory));
        }
        let changed = self.words[self.words.len() - blocks..].iter().map(|word| word.count_ones()).sum();
        self.directories.push(directory);
        self.changed.push(changed);
    }

    /// In how many transitions the whole chain changed, and this directory with it.
    pub(super) fn together(&self, directory: DirectoryId) -> u32 {
        let first = self.words.len() - self.window.blocks();
        let words = self.words[first..].iter().enumerate();
        words.map(|(block, word)| (word & self.window.word(block, directory)).count_ones()).sum()
    }

    /// Whether directories that changed together so often are a pattern, by β.
    pub(super) fn is_frequent(&self, changed: u32, thresholds: &Thresholds) -> bool {
        let transitions = self.window.transitions();
        transitions > 0 && f64::from(changed) / f64::from(transitions) >= thresholds.frequency_of_change_min
    }

    /// Whether the chain is a pattern (Definition 4).
    pub(super) fn is_pattern(&self, thresholds: &Thresholds) -> bool {
        self.changed.last().is_some_and(|changed| self.is_frequent(*changed, thresholds))
    }

    pub(super) fn pattern(&self) -> Pattern {
        let changed = self.changed.last().copied().unwrap_or(0);
        Pattern { directories: self.directories.clone(), transitions: self.window.transitions(), changed }
    }

    /// How the chain and a tail that does not extend it go together, if that is defined.
    pub(super) fn against(&self, tail: DirectoryId, together: u32) -> Option<Bond> {
        let head_changed = *self.changed.last()?;
        let tail_changed = (0..self.window.blocks()).map(|block| self.window.word(block, tail).count_ones()).sum();
        let [transitions, head, both] = [self.window.transitions(), head_changed, together].map(f64::from);
        let correlation = correlation(transitions, head, f64::from(tail_changed), both)?;
        Some(Bond { tail, tail_changed, together, correlation, confidence: confidence(head, both) })
    }

    pub(super) fn rule(&self, bond: Bond) -> Rule {
        let Bond { tail, tail_changed, together, correlation, confidence } = bond;
        Rule {
            head: self.directories.clone(),
            tail,
            transitions: self.window.transitions(),
            head_changed: self.changed.last().copied().unwrap_or(0),
            tail_changed,
            together,
            correlation,
            confidence,
        }
    }
}

/// What a rule says beyond its head.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bond {
    tail: DirectoryId,
    tail_changed: u32,
    together: u32,
    pub(super) correlation: f64,
    pub(super) confidence: f64,
}
