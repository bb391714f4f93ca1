//! Fingerprints of what a text says, however it is spaced.

use rapidhash::v3::rapidhash_v3;

/// As long as most texts are; room for them is made at once.
const USUAL: usize = 512;

/// The words of one text in the making. The memory is used again for the next.
#[derive(Debug)]
pub(crate) struct Wording {
    /// The words so far, with a space between two.
    text: Vec<u8>,
    max: usize,
}

impl Wording {
    /// For texts of at most `max` bytes, white space counted as one byte.
    pub(crate) fn new(max: usize) -> Wording {
        Wording { text: Vec::with_capacity(USUAL), max }
    }

    /// The fingerprint of a text in these pieces.
    pub(crate) fn of(&mut self, pieces: &[&[u8]]) -> u32 {
        match pieces {
            // Most blocks are one piece, which need not be copied.
            [piece] if piece.len() <= self.max && is_collapsed(piece) => fingerprint(piece),
            _ => {
                pieces.iter().for_each(|piece| self.add(piece));
                self.finish()
            }
        }
    }

    /// Adds words. A piece always starts a new one.
    pub(crate) fn add(&mut self, piece: &[u8]) {
        let piece = piece.trim_ascii();
        if piece.is_empty() || self.is_too_long() {
            return;
        }
        if is_collapsed(piece) {
            self.push(piece);
        } else {
            piece.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).for_each(|word| self.push(word));
        }
    }

    fn push(&mut self, words: &[u8]) {
        if !self.text.is_empty() {
            self.text.push(b' ');
        }
        // One byte beyond the limit says as much as all of them.
        self.text.extend_from_slice(&words[..words.len().min(self.max + 1)]);
    }

    fn is_too_long(&self) -> bool {
        self.text.len() > self.max
    }

    /// What the words so far come to, 0 if there are none or too many; the next text starts afresh.
    pub(crate) fn finish(&mut self) -> u32 {
        let fingerprint = if self.is_too_long() { 0 } else { fingerprint(&self.text) };
        self.text.clear();
        fingerprint
    }
}

fn fingerprint(text: &[u8]) -> u32 {
    if text.is_empty() { 0 } else { (rapidhash_v3(text) as u32).max(1) }
}

/// Whether single spaces inside are all the white space there is.
fn is_collapsed(text: &[u8]) -> bool {
    let (Some(first), Some(last)) = (text.first(), text.last()) else { return true };
    *first > b' ' && *last > b' ' && !has_odd_space(text)
}

/// Bytes looked at together. Nearly every text of a page passes here, so this is written to become vector code.
const LANES: usize = 16;

/// Whether a byte is a control character, or a space and the one after it is as well.
fn has_odd_space(text: &[u8]) -> bool {
    let odd = |at: usize, len: usize| {
        let pairs = text[at..at + len].iter().zip(&text[at + 1..at + 1 + len]);
        pairs.fold(0, |any, (one, next)| any | u8::from(*one < b' ') | u8::from((*one == b' ') & (*next == b' '))) != 0
    };
    let len = text.len() - 1;
    match len.checked_sub(LANES) {
        None => odd(0, len),
        // The last lanes overlap those before them.
        Some(last) => (0..last).step_by(LANES).any(|at| odd(at, LANES)) || odd(last, LANES),
    }
}

/// The fingerprint of something that has several, whatever their order.
pub(crate) fn together(one: u32, other: u32) -> u32 {
    match one.wrapping_add(other) {
        0 => one.max(other),
        sum => sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(pieces: &[&str]) -> u32 {
        let pieces: Vec<&[u8]> = pieces.iter().map(|piece| piece.as_bytes()).collect();
        Wording::new(20).of(&pieces)
    }

    #[test]
    fn words_count_and_spacing_does_not() {
        let plain = fingerprint(&["one two 3"]);
        assert_ne!(plain, 0);
        for pieces in [&["one", "two 3"][..], &["one\n\ttwo  3 "], &[" ", "one two", "", "3"], &["one two\r\n3"]] {
            assert_eq!(fingerprint(pieces), plain, "{pieces:?}");
        }
        for pieces in [&["one two 4"][..], &["onetwo 3"], &["one two"], &["two one 3"], &["One two 3"]] {
            assert_ne!(fingerprint(pieces), plain, "{pieces:?}");
        }
    }

    #[test]
    fn nothing_and_too_much_have_no_fingerprint() {
        assert_eq!(fingerprint(&[]), 0);
        assert_eq!(fingerprint(&[" \n"]), 0);
        assert_ne!(fingerprint(&["twenty bytes of words"[..20].trim()]), 0);
        assert_eq!(fingerprint(&["twenty-one bytes long"]), 0);
        assert_eq!(fingerprint(&["ten bytes.", "and twelve.."]), 0);
    }

    #[test]
    fn odd_space_is_found_wherever_it_is() {
        for len in 1..70 {
            let text = vec![b'x'; len];
            assert!(is_collapsed(&text));
            for at in 0..len {
                for odd in ["\n", "  ", "\t"] {
                    let mut text = text.clone();
                    text.splice(at..at + 1, odd.bytes());
                    assert!(!is_collapsed(&text), "{odd:?} at {at} of {len}");
                }
                let mut text = text.clone();
                text[at] = b' ';
                assert_eq!(is_collapsed(&text), at != 0 && at != len - 1);
            }
        }
    }

    #[test]
    fn a_used_wording_is_as_good_as_new() {
        let mut wording = Wording::new(20);
        wording.add(&[b'x'; 100]);
        assert!(wording.text.len() < 100);
        assert_eq!(wording.finish(), 0);
        wording.add(b"one two 3");
        assert_eq!(wording.finish(), fingerprint(&["one two 3"]));
    }

    #[test]
    fn several_fingerprints_are_one_in_any_order() {
        assert_eq!(together(0, 5), 5);
        assert_eq!(together(3, 5), together(5, 3));
        assert_ne!(together(5, 5u32.wrapping_neg()), 0);
    }
}
