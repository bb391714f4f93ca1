//! A URL in a form that is quick to take apart: in lower case with every digit a nought, and with a bit for every place
//! where a word begins or a sign stands.

use super::marks::marks;

/// Bytes of a URL that are looked at.
pub(super) const BYTES_MAX: usize = 512;
/// So many bytes can be read from any place.
const PAD: usize = 16;
/// Words of bits, one more than needed so that nobody has to look where they end.
const WORDS: usize = BYTES_MAX / 64 + 1;

/// A bit for every byte.
pub(super) type Bits = [u64; WORDS];

/// The text and where things stand in it. Places are those of the URL.
#[derive(Debug)]
pub(super) struct Folded {
    text: [u8; BYTES_MAX + PAD],
    pub(super) len: usize,
    pub(super) letter: Bits,
    /// Where words begin: a letter behind none, or a capital behind a small letter.
    start: Bits,
    pub(super) digit: Bits,
    pub(super) slash: Bits,
    pub(super) dot: Bits,
    pub(super) question: Bits,
    pub(super) hash_sign: Bits,
    pub(super) ampersand: Bits,
    pub(super) equals: Bits,
}

/// A stretch of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Span {
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.from >= self.to
    }

    #[inline]
    pub(super) fn len(self) -> usize {
        self.to.saturating_sub(self.from)
    }
}

/// The first place from `from` on whose bit is set; `to` if there is none before it.
#[inline]
pub(super) fn next(bits: &Bits, from: usize, to: usize) -> usize {
    let mut word = from / 64;
    let mut left = bits[word] & u64::MAX << (from % 64);
    while left == 0 {
        word += 1;
        if word * 64 >= to {
            return to;
        }
        left = bits[word];
    }
    (word * 64 + left.trailing_zeros() as usize).min(to)
}

impl Folded {
    pub(super) fn of(url: &str) -> Folded {
        let url = &url.as_bytes()[..url.len().min(BYTES_MAX)];
        let mut folded = Folded {
            text: [0; BYTES_MAX + PAD],
            len: url.len(),
            letter: [0; WORDS],
            start: [0; WORDS],
            digit: [0; WORDS],
            slash: [0; WORDS],
            dot: [0; WORDS],
            question: [0; WORDS],
            hash_sign: [0; WORDS],
            ampersand: [0; WORDS],
            equals: [0; WORDS],
        };
        let mut capital = [0; WORDS];
        for (at, chunk) in url.chunks(16).enumerate() {
            let mut bytes = [0; 16];
            bytes[..chunk.len()].copy_from_slice(chunk);
            let marks = marks(&bytes);
            folded.text[at * 16..at * 16 + 16].copy_from_slice(&marks.text);
            let (word, shift) = (at / 4, at % 4 * 16);
            let into = |bits: &mut Bits, sixteen: u16| bits[word] |= u64::from(sixteen) << shift;
            into(&mut folded.letter, marks.letter);
            into(&mut capital, marks.capital);
            into(&mut folded.digit, marks.digit);
            into(&mut folded.slash, marks.slash);
            into(&mut folded.dot, marks.dot);
            into(&mut folded.question, marks.question);
            into(&mut folded.hash_sign, marks.hash);
            into(&mut folded.ampersand, marks.ampersand);
            into(&mut folded.equals, marks.equals);
        }
        folded.begin_words(&capital);
        folded
    }

    fn begin_words(&mut self, capital: &Bits) {
        let (mut letter_before, mut small_before) = (0, 0);
        for (word, capital) in capital.iter().enumerate().take(self.len / 64 + 1) {
            let letter = self.letter[word];
            let small = letter & !capital;
            let behind_letter = letter << 1 | letter_before;
            let behind_small = small << 1 | small_before;
            self.start[word] = letter & !behind_letter | capital & behind_small;
            (letter_before, small_before) = (letter >> 63, small >> 63);
        }
    }

    #[cfg(test)]
    fn text(&self, span: Span) -> &[u8] {
        &self.text[span.from..span.to.max(span.from)]
    }

    #[inline]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.text[at]
    }

    /// Four bytes from a place on.
    #[inline]
    pub(super) fn four(&self, at: usize) -> u64 {
        self.eight(at) & 0xffff_ffff
    }

    #[inline]
    fn eight(&self, at: usize) -> u64 {
        let bytes = self.text[at..at + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes)
    }

    /// A number for a stretch of text: equal texts have equal ones.
    #[inline]
    pub(super) fn hash(&self, span: Span) -> u64 {
        let mut hash = span.len() as u64;
        let mut at = span.from;
        while at + 8 < span.to {
            hash = mix(hash, self.eight(at));
            at += 8;
        }
        let rest = span.to.saturating_sub(at);
        let kept = if rest == 0 { 0 } else { u64::MAX >> (64 - 8 * rest) };
        mix(hash, self.eight(at) & kept)
    }

    /// The words in a stretch: runs of letters, cut where a capital follows a small letter.
    #[inline]
    pub(super) fn words(&self, span: Span) -> impl Iterator<Item = Span> + '_ {
        // What is left of a word that a stretch cuts is one too.
        let cut = span.from < span.to && self.is(&self.letter, span.from);
        let mut from = if cut { span.from } else { next(&self.start, span.from, span.to) };
        std::iter::from_fn(move || {
            if from >= span.to {
                return None;
            }
            let word = Span { from, to: self.word_end(from, span.to) };
            from = next(&self.start, word.to, span.to);
            Some(word)
        })
    }

    #[inline]
    fn is(&self, bits: &Bits, at: usize) -> bool {
        bits[at / 64] >> (at % 64) & 1 == 1
    }

    #[inline]
    fn word_end(&self, from: usize, to: usize) -> usize {
        let mut word = (from + 1) / 64;
        let mut ends = (!self.letter[word] | self.start[word]) & u64::MAX << ((from + 1) % 64);
        while ends == 0 {
            word += 1;
            if word * 64 >= to {
                return to;
            }
            ends = !self.letter[word] | self.start[word];
        }
        (word * 64 + ends.trailing_zeros() as usize).min(to)
    }

    /// The pieces of a stretch between signs; empty ones too.
    #[inline]
    pub(super) fn split<'a>(&self, span: Span, signs: &'a Bits) -> impl Iterator<Item = Span> + use<'a> {
        let mut from = Some(span.from);
        std::iter::from_fn(move || {
            let start = from?;
            let end = next(signs, start, span.to);
            from = (end < span.to).then_some(end + 1);
            Some(Span { from: start, to: end })
        })
    }

    /// Whether a stretch is letters and digits only.
    #[inline]
    pub(super) fn is_plain(&self, span: Span) -> bool {
        for at in span.from..span.to {
            if !self.is(&self.letter, at) && !self.is(&self.digit, at) {
                return false;
            }
        }
        true
    }

    /// A number for the shape of a stretch: letters, digits and signs in their order, however many of each.
    pub(super) fn shape(&self, span: Span, begin: u64) -> u64 {
        let mut last = 0;
        (span.from..span.to).fold(begin, |shape, at| {
            let sign = match self.text[at] {
                b'a'..=b'z' => 1,
                b'0' => 2,
                other => u64::from(other) + 3,
            };
            let shape = if sign == last { shape } else { (shape ^ sign).wrapping_mul(0x0000_0100_0000_01b3) };
            last = sign;
            shape
        })
    }
}

/// Two numbers into one that depends on all bits of both.
#[inline]
pub(super) fn mix(one: u64, other: u64) -> u64 {
    let product = u128::from(one ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        let folded = Folded::of(text);
        let span = Span { from: 0, to: folded.len };
        folded.words(span).map(|word| String::from_utf8_lossy(folded.text(word)).into_owned()).collect()
    }

    #[test]
    fn words_are_runs_of_letters_cut_at_capitals() {
        assert_eq!(words("getAdImage_2x-HTMLPage"), ["get", "ad", "image", "x", "htmlpage"]);
        assert!(words("0123 %%%").is_empty() && words("").is_empty());
        let long = format!("{}Bc", "a".repeat(63));
        assert_eq!(words(&long), [&"a".repeat(63), "bc"]);
    }

    /// The same, byte by byte.
    fn plainly(text: &str) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut last = ' ';
        for char in text.chars() {
            if char.is_ascii_alphabetic() {
                let begins = !last.is_ascii_alphabetic() || char.is_ascii_uppercase() && last.is_ascii_lowercase();
                if begins {
                    words.push(String::new());
                }
                words.last_mut().unwrap().push(char.to_ascii_lowercase());
            }
            last = char;
        }
        words
    }

    proptest! {
        #[test]
        fn words_are_what_one_finds_byte_by_byte(text in "[a-zA-Z0-9/._é-]{0,200}") {
            prop_assert_eq!(words(&text), plainly(&text));
        }

        #[test]
        fn any_text_folds_and_comes_apart(text in any::<String>(), tail in "[ -~]{0,900}") {
            let folded = Folded::of(&format!("{text}{tail}"));
            let all = Span { from: 0, to: folded.len };
            let pieces: usize = folded.split(all, &folded.slash).map(|piece| piece.len() + 1).sum();
            prop_assert_eq!(pieces, all.len() + 1);
            prop_assert!(folded.words(all).all(|word| !word.is_empty() && word.to <= folded.len));
            folded.hash(all);
            folded.shape(all, 1);
        }

        #[test]
        fn equal_texts_have_equal_numbers_wherever_they_stand(text in "[a-z/.?]{0,60}", before in "[a-z]{0,70}") {
            let (one, other) = (Folded::of(&text), Folded::of(&format!("{before}{text}")));
            let (here, there) = (Span { from: 0, to: text.len() }, Span { from: before.len(), to: other.len });
            prop_assert_eq!(one.hash(here), other.hash(there));
            prop_assert_eq!(one.shape(here, 7), other.shape(there, 7));
        }
    }
}
