//! In which transitions each directory changed: one bit each.

use super::{Delta, DirectoryId, Weighing, tight};
use serde::{Deserialize, Serialize};
use std::ops::Range;

const WORD: usize = u64::BITS as usize;

/// One bitmap per directory, whose bits are transitions, oldest first: those of the paper's general delta tree
/// (Definition 11). A new version appends one bit; nothing is ever rebuilt.
///
/// Kept by blocks of 64 transitions, one word per directory in each, so that a full word costs nothing to leave alone.
/// A block ends with the last directory that changed in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Saved")]
pub struct Bitmaps {
    transitions: usize,
    blocks: Vec<Vec<u64>>,
}

impl Bitmaps {
    pub fn transitions(&self) -> usize {
        self.transitions
    }

    /// Appends a transition: the bit of a directory is set if its degree of change is α or more, and any at all
    /// (`Merge_Tree` in Algorithm 2).
    pub fn append(&mut self, delta: &Delta, degree_of_change_min: f64, weighing: Weighing) {
        let has_changed = |degree: f64| degree > 0.0 && degree >= degree_of_change_min;
        let changed = delta.changes().iter().filter(|change| has_changed(change.degree(weighing)));
        self.push(changed.map(|change| change.directory));
    }

    /// Appends a transition in which these directories changed.
    pub fn push(&mut self, changed: impl IntoIterator<Item = DirectoryId>) {
        let bit = self.transitions % WORD;
        if bit == 0 {
            self.blocks.push(Vec::new());
        }
        let block = self.blocks.last_mut().expect("the first bit of a block makes it");
        for directory in changed {
            while block.len() <= directory.index() {
                tight::push(block, 0);
            }
            block[directory.index()] |= 1 << bit;
        }
        self.transitions += 1;
    }

    /// The bits of a directory, oldest first.
    pub fn get(&self, directory: DirectoryId) -> impl Iterator<Item = bool> + '_ {
        (0..self.transitions)
            .map(move |transition| self.word(transition / WORD, directory) >> (transition % WORD) & 1 == 1)
    }

    /// In how many of these transitions all these directories changed.
    pub fn together(&self, directories: &[DirectoryId], within: Range<usize>) -> u32 {
        let window = Window::new(self, within);
        let all = |block| directories.iter().fold(window.mask(block), |word, one| word & window.word(block, *one));
        (0..window.blocks()).map(|block| all(block).count_ones()).sum()
    }

    /// The frequency of change of a set of directories (Definition 2): the share of these transitions in which all of
    /// them changed; none of no transitions.
    pub fn frequency(&self, directories: &[DirectoryId], within: Range<usize>) -> f64 {
        let transitions = Window::new(self, within.clone()).transitions();
        if transitions == 0 { 0.0 } else { f64::from(self.together(directories, within)) / f64::from(transitions) }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| block.capacity() * size_of::<u64>()).sum()
    }

    fn word(&self, block: usize, directory: DirectoryId) -> u64 {
        self.blocks[block].get(directory.index()).copied().unwrap_or(0)
    }
}

/// Some successive transitions.
#[derive(Clone, Debug)]
pub(super) struct Window<'a> {
    bitmaps: &'a Bitmaps,
    within: Range<usize>,
}

impl<'a> Window<'a> {
    /// What lies beyond the last transition is left out.
    pub(super) fn new(bitmaps: &'a Bitmaps, within: Range<usize>) -> Window<'a> {
        let end = within.end.min(bitmaps.transitions);
        Window { bitmaps, within: within.start.min(end)..end }
    }

    pub(super) fn transitions(&self) -> u32 {
        self.within.len() as u32
    }

    /// Words a bitmap of this window has.
    pub(super) fn blocks(&self) -> usize {
        if self.within.is_empty() { 0 } else { (self.within.end - 1) / WORD - self.within.start / WORD + 1 }
    }

    /// The bits of a block that are in the window.
    pub(super) fn mask(&self, block: usize) -> u64 {
        let from = (self.within.start / WORD + block) * WORD;
        let below = |end: usize| match end.saturating_sub(from) {
            bits @ 0..WORD => (1 << bits) - 1,
            _ => u64::MAX,
        };
        below(self.within.end) & !below(self.within.start)
    }

    pub(super) fn word(&self, block: usize, directory: DirectoryId) -> u64 {
        self.bitmaps.word(self.within.start / WORD + block, directory) & self.mask(block)
    }
}

#[derive(Deserialize)]
struct Saved {
    transitions: usize,
    blocks: Vec<Vec<u64>>,
}

impl TryFrom<Saved> for Bitmaps {
    type Error = &'static str;

    fn try_from(Saved { transitions, blocks }: Saved) -> Result<Bitmaps, &'static str> {
        let unused = u64::MAX.checked_shl((transitions % WORD) as u32).filter(|_| transitions % WORD != 0).unwrap_or(0);
        let last = blocks.last().map_or(&[][..], Vec::as_slice);
        if blocks.len() != transitions.div_ceil(WORD) || last.iter().any(|word| word & unused != 0) {
            return Err("bitmaps with more or fewer transitions than they say");
        }
        Ok(Bitmaps { transitions, blocks })
    }
}
