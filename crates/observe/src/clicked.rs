//! The words a reader clicks on, as numbers.
//!
//! Lower-cased, hashed to sixteen bits, and of many only the first two and the last two: "Download the annual report
//! (PDF)" says what is behind it at its ends. Numbers alone are no words; every copy of a list would have its own.

/// Bytes of one link that are looked at.
pub(crate) const CLICKED_MAX: usize = 256;
/// Odd, and random enough that words of a few letters differ in the upper bits.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The words of a text that somebody clicks on, as a [`Mention`](tintype_vocab::Mention) has them.
pub fn clicked_words(text: &str) -> [u16; 4] {
    let mut clicked = Clicked::default();
    clicked.add(text);
    clicked.words
}

/// The words of one link in the making.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clicked {
    pub(crate) words: [u16; 4],
    count: usize,
    /// Bytes looked at.
    len: usize,
}

impl Clicked {
    /// Adds words. A piece always starts a new one.
    pub(crate) fn add(&mut self, text: &str) {
        let end = text.floor_char_boundary(CLICKED_MAX.saturating_sub(self.len));
        let text = &text[..end];
        self.len += text.len();
        let mut word = Word::default();
        if text.is_ascii() {
            text.bytes().for_each(|byte| {
                word.take(byte.is_ascii_alphanumeric(), byte.is_ascii_digit(), u32::from(byte | 0x20), self)
            });
        } else {
            text.chars().for_each(|char| {
                let mut lower = char.to_lowercase();
                word.take(char.is_alphanumeric(), char.is_numeric(), lower.next().map_or(0, u32::from), self);
            });
        }
        self.push(&word);
    }

    fn push(&mut self, word: &Word) {
        if !word.has_letters {
            return;
        }
        if self.count >= self.words.len() {
            self.words[2] = self.words[3];
        }
        self.words[self.count.min(3)] = ((word.hash >> 48) as u16).max(1);
        self.count += 1;
    }
}

/// A word in the making.
#[derive(Debug, Default)]
struct Word {
    hash: u64,
    has_letters: bool,
}

impl Word {
    /// Goes on with a character, in lower case, or ends.
    #[inline]
    fn take(&mut self, belongs: bool, is_digit: bool, char: u32, words: &mut Clicked) {
        if belongs {
            self.hash = (self.hash.rotate_left(5) ^ u64::from(char)).wrapping_mul(FACTOR);
            self.has_letters |= !is_digit;
        } else if self.hash != 0 {
            words.push(&std::mem::take(self));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn word(text: &str) -> u16 {
        let [word, 0, 0, 0] = clicked_words(text) else { panic!("{text} is not one word") };
        word
    }

    #[test]
    fn case_and_punctuation_do_not_count() {
        for (one, other) in
            [("PDF", "pdf"), ("MP3!", "«mp3»"), ("ÜBER", "über"), ("Видео", "видео"), ("(mp3)", "\u{a0}Mp3")]
        {
            assert_eq!(word(one), word(other), "{one}");
            assert_ne!(word(one), 0);
        }
        assert_ne!(word("pdf"), word("fdp"));
        assert_eq!(clicked_words(" 2 / 2010 — "), [0; 4]);
    }

    #[test]
    fn the_first_two_and_the_last_two_words_are_kept() {
        let words = |text: &str| text.split(' ').map(word).collect::<Vec<_>>();
        assert_eq!(clicked_words("Listen here")[..2], words("listen here"));
        assert_eq!(clicked_words("one two three four")[..], words("one two three four"));
        assert_eq!(clicked_words("Download the annual report of 2010 (PDF, 2.3 MB)")[..], words("download the pdf mb"));
        let mut pieces = Clicked::default();
        ["Down", "load"].iter().for_each(|piece| pieces.add(piece));
        assert_eq!(pieces.words[..2], words("down load"));
    }

    proptest! {
        #[test]
        fn any_text_has_words_that_its_copies_have(text in any::<String>(), again in 1usize..4) {
            let words = clicked_words(&text);
            prop_assert_eq!(clicked_words(&format!(" {text} ")), words);
            let long = format!("{}x", text.repeat(again * CLICKED_MAX));
            let short = &long[..long.floor_char_boundary(CLICKED_MAX)];
            prop_assert_eq!(clicked_words(&long), clicked_words(short));
        }
    }
}
