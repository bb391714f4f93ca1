//! Fingerprints of what a text says, however it is spaced.

use rapidhash::v3::rapidhash_v3;

/// The words of one text in the making. The memory is used again for the next.
#[derive(Debug)]
pub(crate) struct Wording {
    /// The words so far, each with a space before it.
    text: Vec<u8>,
    max: usize,
}

impl Wording {
    /// For texts of at most `max` bytes, white space counted as one byte.
    pub(crate) fn new(max: usize) -> Wording {
        Wording { text: Vec::new(), max }
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
        self.text.push(b' ');
        // One byte beyond the limit says as much as all of them.
        self.text.extend_from_slice(&words[..words.len().min(self.max + 1)]);
    }

    fn is_too_long(&self) -> bool {
        self.text.len() > self.max + 1
    }

    /// What the words so far come to, 0 if there are none or too many; the next text starts afresh.
    pub(crate) fn finish(&mut self) -> u32 {
        let readable = !self.text.is_empty() && !self.is_too_long();
        let fingerprint = if readable { (rapidhash_v3(&self.text) as u32).max(1) } else { 0 };
        self.text.clear();
        fingerprint
    }
}

/// Whether single spaces are all the white space there is. Branchless, because nearly every text has to pass here.
fn is_collapsed(text: &[u8]) -> bool {
    let odd = |byte: u8| byte < b' ';
    let double = |(one, next): (&u8, &u8)| (*one == b' ') & (*next == b' ');
    let pairs = text.iter().zip(text.iter().skip(1));
    !text.iter().fold(false, |any, byte| any | odd(*byte)) && !pairs.fold(false, |any, pair| any | double(pair))
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
        let mut wording = Wording::new(20);
        pieces.iter().for_each(|piece| wording.add(piece.as_bytes()));
        wording.finish()
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
