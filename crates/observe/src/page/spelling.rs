//! Words that are written in another way and say what they said: apart or together, with other signs, in other capitals.

use std::ops::Range;

/// What of two runs of words is the same words in another spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Respelled {
    /// How many of them.
    pub(super) words: u32,
    /// How many of the signs of code that differ in them: there they say something.
    pub(super) signs: u32,
    /// What is left of either run: other words.
    pub(super) left: [Range<usize>; 2],
}

/// How many words become how many. One that becomes one comes first.
const STEPS: [[usize; 2]; 5] = [[1, 1], [2, 1], [1, 2], [3, 1], [1, 3]];

/// Compares from both ends what gave way to what.
pub(super) fn respelled(old: &[&str], new: &[&str]) -> Respelled {
    let mut found = Respelled { words: 0, signs: 0, left: [0..old.len(), 0..new.len()] };
    while let Some(step) = found.step(old, new, true) {
        found.take(step, old, new, true);
    }
    while let Some(step) = found.step(old, new, false) {
        found.take(step, old, new, false);
    }
    found
}

impl Respelled {
    /// The next words at the start, or at the end, that are the same.
    fn step(&self, old: &[&str], new: &[&str], at_start: bool) -> Option<[usize; 2]> {
        STEPS.into_iter().find(|step| {
            let [one, two] = self.words(*step, old, new, at_start);
            let is_there = one.len() == step[0] && two.len() == step[1];
            is_there && !is_mark(one, two) && squeezed(one).eq(squeezed(two))
        })
    }

    fn words<'w, 't>(
        &self,
        step: [usize; 2],
        old: &'w [&'t str],
        new: &'w [&'t str],
        at_start: bool,
    ) -> [&'w [&'t str]; 2] {
        [(old, &self.left[0], step[0]), (new, &self.left[1], step[1])].map(|(all, left, count)| {
            let count = count.min(left.len());
            if at_start { &all[left.start..left.start + count] } else { &all[left.end - count..left.end] }
        })
    }

    fn take(&mut self, step: [usize; 2], old: &[&str], new: &[&str], at_start: bool) {
        let [one, two] = self.words(step, old, new, at_start);
        let says = step == [1, 1] && signs_of_code(one[0]) != signs_of_code(two[0]);
        (self.signs, self.words) = (self.signs + u32::from(says), self.words + 1);
        for (left, count) in self.left.iter_mut().zip(step) {
            *left = if at_start { left.start + count..left.end } else { left.start..left.end - count };
        }
    }
}

/// The letters and digits of words one after another, small, with the signs that make another number of it, and signs
/// that are pictures.
fn squeezed<'t>(words: &[&'t str]) -> impl Iterator<Item = char> {
    let words: Vec<&'t str> = words.to_vec();
    let chars = words.into_iter().flat_map(|word| word.char_indices().map(move |(at, char)| (word, at, char)));
    chars.filter(|(word, at, char)| says(word, *at, *char)).flat_map(|(.., char)| char.to_lowercase())
}

fn says(word: &str, at: usize, char: char) -> bool {
    let digit = |char: Option<char>| char.is_some_and(|char| char.is_ascii_digit());
    let before = || word[..at].chars().next_back();
    let after = || word[at + char.len_utf8()..].chars().next();
    match char {
        _ if char.is_alphanumeric() => true,
        '.' | ',' | ':' => digit(before()) && digit(after()),
        '-' => digit(after()) && before().is_none_or(|char| char.is_ascii_digit()),
        '%' | '$' => true,
        _ => !char.is_ascii() && !is_punctuation(char),
    }
}

/// Quotation marks, dashes and stops beyond ASCII.
fn is_punctuation(char: char) -> bool {
    matches!(char, '\u{a0}'..='\u{a2}' | '§' | '«' | '»' | '·' | '¿' | '¶' | '\u{ad}' | '\u{2000}'..='\u{206f}'
        | '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}')
}

/// Whether words of nothing but signs gave way to others that say something: operators of code.
fn is_mark(one: &[&str], two: &[&str]) -> bool {
    let is_operator = |words: &[&str]| words.iter().any(|word| is_operator(word));
    let is_bare = |words: &[&str]| squeezed(words).next().is_none();
    is_bare(one) && is_bare(two) && (is_operator(one) || is_operator(two))
}

/// Whether a word says something by its signs: code, an operator, an option.
pub(super) fn is_code(word: &str) -> bool {
    is_operator(word) || !signs_of_code(word).is_empty()
}

/// Whether a word is an operator: `=`, `->`, `<=`. Longer rows of one sign are rulers.
fn is_operator(word: &str) -> bool {
    word.len() <= 3
        && !word.is_empty()
        && word.bytes().all(|byte| b"=<>+-!&^~%".contains(&byte))
        && !word.trim_matches('-').is_empty()
}

/// The signs of a word that is code, or of an option; none of others.
fn signs_of_code(word: &str) -> Vec<char> {
    let option = word.trim_start_matches(['`', '\'', '"', '(', '[']);
    let dashes = option.len() - option.trim_start_matches('-').len();
    let is_option = dashes > 0 && option[dashes..].starts_with(|char: char| char.is_ascii_alphabetic());
    if is_option {
        return vec!['-'; dashes];
    }
    let is_edge = |char: char| matches!(char, '.' | ',' | ';' | ':' | '!' | '?' | '`' | '*');
    let inner = word.trim_matches(|char: char| !char.is_alphanumeric());
    let is_code = !word.contains("://") && inner.contains(|char: char| "()[]{}=<>_\\|&^~".contains(char));
    if !is_code {
        return Vec::new();
    }
    word.trim_matches(is_edge).chars().filter(|char| !char.is_alphanumeric() && *char != '`').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(old: &str, new: &str) -> Respelled {
        let [old, new] = [old, new].map(|text| text.split_whitespace().collect::<Vec<_>>());
        respelled(&old, &new)
    }

    #[test]
    fn apart_or_together_and_with_other_signs_it_is_the_same_word() {
        for (old, new) in [
            ("Endpoint Slice", "EndpointSlice"),
            ("in tact", "intact"),
            ("onboard", "on board"),
            ("(ie.", "(i.e."),
            ("CDROM's", "CDROMs"),
            ("port ,der", "port, der"),
            ("“at home”", "\"at home\""),
            ("[5]:", "[5]"),
            ("=======", "========="),
        ] {
            let found = between(old, new);
            assert!(found.left.iter().all(|left| left.is_empty()) && found.signs == 0, "{old}: {found:?}");
        }
    }

    #[test]
    fn other_words_and_figures_are_left() {
        for (old, new) in [("2,5", "2.5"), ("1.5", "15"), ("-5", "5"), ("✓", "✗"), ("5%", "5"), ("=", "=="), ("a", "")]
        {
            let found = between(old, new);
            assert!(found.left.iter().any(|left| !left.is_empty()), "{old}: {found:?}");
        }
        assert_eq!(between("A big, old house", "a new house").left, [1..3, 1..2]);
    }

    #[test]
    fn signs_of_code_say_something() {
        for (old, new) in [("--k", "-k"), ("TypeVar('T2)", "TypeVar('T2')"), ("tuple()[:2]", "tuple()[:2])")] {
            assert_eq!(between(old, new).signs, 1, "{old}");
        }
        for (old, new) in [("`abi3`", "``abi3``"), ("word)", "word"), ("directly.You", "directly. You")] {
            assert_eq!(between(old, new).signs, 0, "{old}");
        }
    }
}
