//! Which of many edits are one and the same, or nearly.

use super::BlockEdit;
use hashbrown::HashMap;

/// Two edits of that share of words in common are one. A list that gained the same entry on two pages and lost another one each
/// shares three quarters at worst when entries are four words long and more; two different entries share next to nothing.
const ALIKE: f64 = 0.6;
/// Shorter edits are the same only if they are equal: a few words have words in common by chance.
const WORDS_MIN: usize = 6;
/// Edits are held against each other only if they share one of so many smallest hashes of their words. The smallest of a set
/// is that of another with the chance of their similarity, so alike edits are missed with a chance below 0.4⁸.
const PROBES: usize = 8;

/// For every edit the number of its kind; edits of one number are one edit. Linear in the number of edits and their words.
pub fn same_edits<'e>(edits: impl IntoIterator<Item = &'e BlockEdit>) -> Vec<usize> {
    let mut kinds = Kinds::default();
    edits.into_iter().map(|edit| kinds.kind(edit)).collect()
}

#[derive(Default)]
struct Kinds<'e> {
    by_print: HashMap<u64, usize>,
    /// The first of every kind.
    first: Vec<&'e BlockEdit>,
    by_probe: HashMap<(usize, u64), usize>,
}

impl<'e> Kinds<'e> {
    fn kind(&mut self, edit: &'e BlockEdit) -> usize {
        if let Some(kind) = self.by_print.get(&edit.print) {
            return *kind;
        }
        let probes = probes(&edit.words);
        let near = probes.iter().enumerate().filter_map(|probe| self.by_probe.get(&(probe.0, *probe.1)));
        let near = near.copied().find(|kind| similarity(&self.first[*kind].words, &edit.words) >= ALIKE);
        let kind = near.unwrap_or_else(|| {
            self.first.push(edit);
            self.first.len() - 1
        });
        self.by_print.insert(edit.print, kind);
        for (nth, probe) in probes.into_iter().enumerate() {
            self.by_probe.entry((nth, probe)).or_insert(kind);
        }
        kind
    }
}

/// The smallest of the words by several orders; none of an edit that is too short.
fn probes(words: &[u64]) -> Vec<u64> {
    if words.len() < WORDS_MIN {
        return Vec::new();
    }
    let mixed = |word: &u64, nth: usize| {
        (word ^ (nth as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93)
    };
    (0..PROBES).map(|nth| words.iter().map(|word| mixed(word, nth)).min().unwrap_or_default()).collect()
}

/// The share of words that two sorted lists have in common.
fn similarity(one: &[u64], two: &[u64]) -> f64 {
    let (mut left, mut right, mut common) = (0, 0, 0usize);
    while left < one.len() && right < two.len() {
        match one[left].cmp(&two[right]) {
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
            std::cmp::Ordering::Equal => (left, right, common) = (left + 1, right + 1, common + 1),
        }
    }
    common as f64 / (one.len() + two.len() - common).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(words: std::ops::Range<u64>) -> BlockEdit {
        let words: Vec<u64> = words.map(|word| word.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let mut sorted = words.clone();
        sorted.sort_unstable();
        let print = words.iter().fold(7, |print, word| print ^ word.rotate_left(9)).max(1);
        BlockEdit { words: sorted, print, ..BlockEdit::default() }
    }

    #[test]
    fn equal_and_nearly_equal_edits_are_one_and_others_are_not() {
        let edits = [edit(0..20), edit(0..20), edit(1..21), edit(100..120), edit(0..3), edit(0..4)];
        assert_eq!(same_edits(&edits), [0, 0, 0, 1, 2, 3]);
    }
}
