//! A URL in a form that is quick to take apart: lower case, numbers folded, every byte with its class.

/// Bytes of a URL that are looked at.
pub(super) const BYTES_MAX: usize = 512;
/// So many bytes can be read from any place.
const PAD: usize = 8;

/// What a byte is to who looks for words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    Other,
    Letter,
    /// A letter that begins a word: a capital behind a small one.
    Capital,
    Number,
}

const fn classes() -> [(u8, Class); 256] {
    let mut table = [(0, Class::Other); 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = match b {
            b'0'..=b'9' => (b'0', Class::Number),
            b'a'..=b'z' => (b, Class::Letter),
            b'A'..=b'Z' => (b.to_ascii_lowercase(), Class::Capital),
            _ => (b, Class::Other),
        };
        byte += 1;
    }
    table
}

static CLASSES: [(u8, Class); 256] = classes();

/// Text and classes, of the same length.
#[derive(Debug)]
pub(super) struct Folded {
    text: [u8; BYTES_MAX + PAD],
    class: [Class; BYTES_MAX],
    len: usize,
}

/// A stretch of a folded text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Span {
    pub(super) fn is_empty(self) -> bool {
        self.from == self.to
    }

    pub(super) fn len(self) -> usize {
        self.to - self.from
    }
}

impl Folded {
    pub(super) fn new() -> Folded {
        Folded { text: [0; BYTES_MAX + PAD], class: [Class::Other; BYTES_MAX], len: 0 }
    }

    /// Folds more text, as much as there is room for. A run of digits becomes one nought, but in what may be an extension:
    /// `mp3` is not `mp4`.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Span {
        let from = self.len;
        let bytes = &bytes[..bytes.len().min(BYTES_MAX - from)];
        let (mut len, mut last, mut dot) = (from, Class::Other, None);
        for raw in bytes {
            let (mut byte, mut class) = CLASSES[usize::from(*raw)];
            if class == Class::Number {
                if last == Class::Number {
                    continue;
                }
                if dot.is_some_and(|dot| matches!(len - dot, 2..=4)) {
                    byte = *raw;
                }
            }
            if byte == b'.' {
                dot = Some(len);
            }
            let small_before = last == Class::Letter;
            last = class;
            if class == Class::Capital && !small_before {
                class = Class::Letter;
            }
            self.text[len] = byte;
            self.class[len] = class;
            len += 1;
        }
        self.len = len;
        Span { from, to: len }
    }

    pub(super) fn text(&self, span: Span) -> &[u8] {
        &self.text[span.from..span.to]
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        self.text[at]
    }

    pub(super) fn class(&self, at: usize) -> Class {
        self.class[at]
    }

    /// Four bytes from a place on.
    pub(super) fn four(&self, at: usize) -> u64 {
        u64::from(u32::from_le_bytes([self.text[at], self.text[at + 1], self.text[at + 2], self.text[at + 3]]))
    }

    fn eight(&self, at: usize) -> u64 {
        let bytes = self.text[at..at + PAD].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes)
    }

    /// A number for a stretch of text: equal texts have equal ones.
    pub(super) fn hash(&self, span: Span) -> u64 {
        let mut hash = span.len() as u64;
        let mut at = span.from;
        while at + PAD < span.to {
            hash = mix(hash, self.eight(at));
            at += PAD;
        }
        let rest = span.to - at;
        let kept = if rest == 0 { 0 } else { u64::MAX >> (64 - 8 * rest) };
        mix(hash, self.eight(at) & kept)
    }

    /// The words in a stretch: runs of letters, cut where a capital follows a small letter.
    pub(super) fn words(&self, span: Span) -> impl Iterator<Item = Span> + '_ {
        let mut at = span.from;
        std::iter::from_fn(move || {
            while at < span.to && !matches!(self.class[at], Class::Letter | Class::Capital) {
                at += 1;
            }
            let from = at;
            if from == span.to {
                return None;
            }
            at += 1;
            while at < span.to && self.class[at] == Class::Letter {
                at += 1;
            }
            Some(Span { from, to: at })
        })
    }

    /// The pieces of a stretch between separators; empty ones too.
    pub(super) fn split(&self, span: Span, separates: fn(u8) -> bool) -> impl Iterator<Item = Span> + '_ {
        let mut from = Some(span.from);
        std::iter::from_fn(move || {
            let start = from?;
            let end = (start..span.to).find(|at| separates(self.text[*at]));
            from = end.map(|end| end + 1);
            Some(Span { from: start, to: end.unwrap_or(span.to) })
        })
    }

    /// A number for the shape of a stretch: letters, digits and signs in their order, however many of each.
    pub(super) fn shape(&self, span: Span, begin: u64) -> u64 {
        let mut last = 0;
        (span.from..span.to).fold(begin, |shape, at| {
            let sign = match self.class[at] {
                Class::Letter | Class::Capital => 1,
                Class::Number => 2,
                Class::Other => u64::from(self.text[at]) + 3,
            };
            let shape = if sign == last { shape } else { (shape ^ sign).wrapping_mul(0x0000_0100_0000_01b3) };
            last = sign;
            shape
        })
    }
}

/// Two numbers into one that depends on all bits of both.
pub(super) fn mix(one: u64, other: u64) -> u64 {
    let product = u128::from(one ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        let mut folded = Folded::new();
        let span = folded.push(text.as_bytes());
        folded.words(span).map(|word| String::from_utf8_lossy(folded.text(word)).into_owned()).collect()
    }

    #[test]
    fn words_are_runs_of_letters_cut_at_capitals() {
        assert_eq!(words("getAdImage_2x-HTMLPage"), ["get", "ad", "image", "x", "htmlpage"]);
        assert!(words("0123 %%%").is_empty());
    }

    #[test]
    fn numbers_are_one_nought() {
        let mut folded = Folded::new();
        let span = folded.push(b"A12b3/45");
        assert_eq!(folded.text(span), b"a0b0/0");
    }

    proptest! {
        #[test]
        fn any_bytes_fold_and_equal_ones_hash_alike(bytes in proptest::collection::vec(any::<u8>(), 0..3000)) {
            let (mut one, mut other) = (Folded::new(), Folded::new());
            other.push(b"xyz");
            let (a, b) = (one.push(&bytes), other.push(&bytes));
            prop_assert!(a.to <= BYTES_MAX && b.to <= BYTES_MAX);
            if a.len() == b.len() {
                prop_assert_eq!(one.hash(a), other.hash(b));
                prop_assert_eq!(one.shape(a, 7), other.shape(b, 7));
            }
            let pieces: usize = one.split(a, |byte| byte == b'/').map(|piece| piece.len() + 1).sum();
            prop_assert_eq!(pieces, a.len() + 1);
        }
    }
}
