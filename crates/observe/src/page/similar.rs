//! How alike two texts are: the Jaccard distance of their sets of words, and a way to find the likeliest partner
//! without looking at every pair.

use super::{
    element::{Element, items},
    hooks::Hooks,
    layout::Block,
    steady,
};
use hashbrown::HashMap;
use rapidhash::v3::rapidhash_v3;

/// Different words kept of one text, those with the smallest hashes; the standard error beyond is under one per cent.
const WORDS_MAX: usize = 8_192;
/// Words of more bytes are data that nobody reads, and taken as they are.
const PARTED_MAX: usize = 16 << 10;
/// Words by which a block can be found, those with the smallest hashes.
const CLUES: usize = 8;
/// Blocks found by one word; words of more are in most blocks and tell nothing.
const FOUND_MAX: usize = 8;
/// Likely partners that are looked at closely.
const LOOKED_AT: usize = 3;
/// Blocks further apart are different blocks.
const DISTANCE_MAX: f64 = 0.7;

/// A set of words by their hashes, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WordSet(Vec<u64>);

impl WordSet {
    /// The letters and digits of a text, without the words that are said to be volatile.
    pub(super) fn of_text(text: &str, hooks: &Hooks<'_>) -> WordSet {
        let mut hashes = Vec::new();
        let mut keep = |part: &str| hashes.push(rapidhash_v3(part.as_bytes()));
        let steady = steady::fields(items(text, Element::Text)).filter(|field| !(hooks.is_volatile)(field));
        steady.for_each(|field| parts(field.word, &mut keep));
        WordSet::of(hashes.into_iter())
    }

    /// Everything in a block.
    fn of_block(block: Block<'_>) -> WordSet {
        let each = |element| items(block.of(element), element).map(|item| rapidhash_v3(item.as_bytes()));
        WordSet::of(Element::ALL.into_iter().flat_map(each))
    }

    fn of(hashes: impl Iterator<Item = u64>) -> WordSet {
        let mut hashes: Vec<u64> = hashes.collect();
        hashes.sort_unstable();
        hashes.dedup();
        hashes.truncate(WORDS_MAX);
        WordSet(hashes)
    }

    /// Share of the words of both that only one has, among the smallest of both together; 0 if neither has any.
    pub(super) fn distance(&self, other: &WordSet) -> f64 {
        let (mut one, mut two) = (self.0.as_slice(), other.0.as_slice());
        let (mut all, mut common) = (0u32, 0u32);
        while let (Some(left), Some(right)) = (one.first(), two.first())
            && (all as usize) < WORDS_MAX
        {
            common += u32::from(left == right);
            (one, two) = (&one[usize::from(left <= right)..], &two[usize::from(right <= left)..]);
            all += 1;
        }
        all += (one.len() + two.len()).min(WORDS_MAX - all as usize) as u32;
        f64::from(all - common) / f64::from(all.max(1))
    }
}

/// The parts of a word that say something: runs of letters and digits, pairs of characters where words are written
/// without space, and signs beyond ASCII that stand alone.
pub(super) fn parts(word: &str, keep: &mut impl FnMut(&str)) {
    let sign = || !word.is_ascii() && !word.contains(char::is_alphanumeric);
    if word.len() > PARTED_MAX || sign() {
        return keep(word);
    }
    for run in word.split(|char: char| !char.is_alphanumeric()).filter(|run| !run.is_empty()) {
        if run.is_ascii() || !run.contains(is_unspaced) {
            keep(run);
        } else {
            pairs(run, keep);
        }
    }
}

fn pairs(run: &str, keep: &mut impl FnMut(&str)) {
    let mut ends = run.char_indices().map(|(at, _)| at).skip(2).chain([run.len()]);
    run.char_indices()
        .map_while(|(start, _)| Some((start, ends.next()?)))
        .for_each(|(start, end)| keep(&run[start..end]));
}

/// Thai and its neighbours, and the scripts of Chinese and Japanese.
fn is_unspaced(char: char) -> bool {
    matches!(char, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Blocks to be found again by their words.
#[derive(Debug, Default)]
pub(super) struct Likely {
    sets: Vec<(u32, WordSet)>,
    by_word: HashMap<u64, Vec<u32>>,
}

impl Likely {
    pub(super) fn add(&mut self, number: u32, block: Block<'_>) {
        let set = WordSet::of_block(block);
        for clue in set.0.iter().take(CLUES) {
            let found = self.by_word.entry(*clue).or_default();
            if found.len() <= FOUND_MAX {
                found.push(self.sets.len() as u32);
            }
        }
        self.sets.push((number, set));
    }

    /// The block most like this one among those that are `free`, if there is one like it; the nearest to `near` of
    /// several as likely.
    pub(super) fn find(&self, block: Block<'_>, near: u32, free: impl Fn(u32) -> bool) -> Option<u32> {
        let set = WordSet::of_block(block);
        let distance = |entry: u32| {
            let (number, other) = &self.sets[entry as usize];
            (set.distance(other), number.abs_diff(near), *number)
        };
        let likeliest = self.likeliest(&set, |entry| free(self.sets[entry as usize].0));
        let best =
            likeliest.into_iter().map(distance).min_by(|one, two| one.0.total_cmp(&two.0).then(one.1.cmp(&two.1)));
        best.filter(|(distance, ..)| *distance <= DISTANCE_MAX).map(|(.., number)| number)
    }

    /// The entries that share most clues with a set.
    fn likeliest(&self, set: &WordSet, free: impl Fn(u32) -> bool) -> Vec<u32> {
        let told = |found: &&Vec<u32>| found.len() <= FOUND_MAX;
        let clues = set.0.iter().take(CLUES).filter_map(|clue| self.by_word.get(clue).filter(told));
        let mut found: Vec<u32> = clues.flatten().copied().filter(|entry| free(*entry)).collect();
        found.sort_unstable();
        let mut counted: Vec<(usize, u32)> =
            found.chunk_by(|one, two| one == two).map(|same| (same.len(), same[0])).collect();
        counted.sort_unstable_by(|one, two| two.0.cmp(&one.0).then(one.1.cmp(&two.1)));
        counted.into_iter().take(LOOKED_AT).map(|(_, entry)| entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(old: &str, new: &str) -> f64 {
        let hooks = Hooks { is_volatile: &|field| field.word.contains(':'), ..Hooks::default() };
        let [old, new] = [old, new].map(|text| WordSet::of_text(text, &hooks));
        old.distance(&new)
    }

    #[test]
    fn distance_is_the_share_of_words_that_came_or_went() {
        for (old, new, expected) in [
            ("one two three", "one two three", 0.0),
            ("one two three", "one two four", 0.5),
            ("one two", "two, (one)!", 0.0),
            ("at 12:30 one", "at 14:05 one", 0.0),
            ("", "12:30", 0.0),
            ("", "new", 1.0),
            ("été noir", "été blanc", 2.0 / 3.0),
            ("yes ✓ - |", "yes ✗ + /", 2.0 / 3.0),
            ("東京都庁", "東京都市", 0.5),
            ("京", "都", 1.0),
        ] {
            assert_eq!(distance(old, new), expected, "{old} / {new}");
            assert_eq!(distance(new, old), expected, "{new} / {old}");
        }
    }

    #[test]
    fn long_texts_are_sampled() {
        let text = |range: std::ops::Range<u32>| range.map(|n| format!("word{n} ")).collect::<String>();
        let found = distance(&text(0..40_000), &text(10_000..50_000));
        assert!((found - 0.4).abs() < 0.03, "{found}");
    }
}
