//! In which transitions each directory changed: one bit each.

use super::{DirectoryDelta, DirectoryId, Weighing, tight};
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
    pub fn append(&mut self, delta: &DirectoryDelta, degree_of_change_min: f64, weighing: Weighing) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Transitions of four directories, more than two blocks of them.
    fn transitions() -> impl Strategy<Value = Vec<[bool; 4]>> {
        prop::collection::vec(any::<[bool; 4]>(), 0..150)
    }

    fn bitmaps(transitions: &[[bool; 4]]) -> Bitmaps {
        let mut bitmaps = Bitmaps::default();
        for bits in transitions {
            bitmaps.push((0..4).map(DirectoryId).filter(|directory| bits[directory.index()]));
        }
        bitmaps
    }

    proptest! {
        #[test]
        fn bits_are_what_was_pushed(transitions in transitions(), from in 0..160usize, length in 0..160usize) {
            let bitmaps = bitmaps(&transitions);
            prop_assert_eq!(bitmaps.transitions(), transitions.len());
            for place in 0..4 {
                let bits: Vec<bool> = transitions.iter().map(|bits| bits[place]).collect();
                prop_assert_eq!(bitmaps.get(DirectoryId(place as u32)).collect::<Vec<_>>(), bits);
            }
            let both = [DirectoryId(1), DirectoryId(3)];
            let within = transitions.iter().skip(from).take(length);
            let together = within.clone().filter(|bits| bits[1] && bits[3]).count();
            prop_assert_eq!(bitmaps.together(&both, from..from + length) as usize, together);
            let share = if together == 0 { 0.0 } else { together as f64 / within.count() as f64 };
            prop_assert_eq!(bitmaps.frequency(&both, from..from + length), share);
        }

        #[test]
        fn what_was_saved_goes_on(before in transitions(), after in transitions()) {
            let mut saved: Bitmaps = serde_json::from_str(&serde_json::to_string(&bitmaps(&before)).unwrap()).unwrap();
            bitmaps(&after).get(DirectoryId(0)).for_each(|bit| saved.push(bit.then_some(DirectoryId(0))));
            let both = before.iter().chain(&after).map(|bits| bits[0]);
            prop_assert!(saved.get(DirectoryId(0)).eq(both));
        }
    }

    #[test]
    fn saved_bits_of_no_transition_are_refused() {
        for saved in [
            r#"{"transitions":1,"blocks":[]}"#,
            r#"{"transitions":0,"blocks":[[]]}"#,
            r#"{"transitions":1,"blocks":[[2]]}"#,
            r#"{"transitions":65,"blocks":[[1],[2]]}"#,
        ] {
            assert!(serde_json::from_str::<Bitmaps>(saved).is_err(), "{saved}");
        }
        assert!(serde_json::from_str::<Bitmaps>(r#"{"transitions":64,"blocks":[[18446744073709551615]]}"#).is_ok());
    }

    #[test]
    fn a_degree_of_nothing_is_no_change_whatever_is_wanted() {
        let mut tree = crate::directory::DirectoryTree::default();
        tree.see("/a", 1);
        tree.close(crate::directory::Unseen::Gone);
        tree.see_weighed("/a", 2, 0.0);
        let delta = tree.close(crate::directory::Unseen::Gone).unwrap();
        let mut bitmaps = Bitmaps::default();
        bitmaps.append(&delta, 0.0, Weighing::Importance);
        bitmaps.append(&delta, 0.0, Weighing::Count);
        assert_eq!(bitmaps.get(DirectoryId::ROOT).collect::<Vec<_>>(), [false, true]);
    }
}
