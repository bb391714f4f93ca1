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
        if text.is_ascii() {
            return self.add_ascii(text.as_bytes());
        }
        let end = text.floor_char_boundary(self.room());
        let mut word = Word::default();
        for char in text[..end].chars() {
            match char.to_lowercase().next() {
                Some(lower) if char.is_alphanumeric() => word.take(u32::from(lower), !char.is_numeric()),
                _ => self.push(&mut word),
            }
        }
        self.push(&mut word);
        self.len += end;
    }

    /// The same for text that is all ASCII, as nearly always.
    pub(crate) fn add_ascii(&mut self, text: &[u8]) {
        let text = &text[..text.len().min(self.room())];
        let mut word = Word::default();
        for byte in text {
            match byte {
                b'a'..=b'z' => word.take(u32::from(*byte), true),
                b'A'..=b'Z' => word.take(u32::from(byte | 0x20), true),
                b'0'..=b'9' => word.take(u32::from(*byte), false),
                _ => self.push(&mut word),
            }
        }
        self.push(&mut word);
        self.len += text.len();
    }

    /// Bytes that may still be looked at.
    fn room(&self) -> usize {
        CLICKED_MAX - self.len
    }

    fn push(&mut self, word: &mut Word) {
        let word = std::mem::take(word);
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
    #[inline]
    fn take(&mut self, lower: u32, is_letter: bool) {
        self.hash = (self.hash.rotate_left(5) ^ u64::from(lower)).wrapping_mul(FACTOR);
        self.has_letters |= is_letter;
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
