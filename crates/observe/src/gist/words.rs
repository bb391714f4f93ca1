//! The words of a text with their hashes. Every page of a capture is read for them, so eight bytes are looked at at a time.

/// A byte each.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x80 * ONES;
/// What capitals lack.
const LOWER: u64 = 0x20 * ONES;
/// Bytes that are looked at as one mask.
const CHUNK: usize = 64;
/// Words up to this length are hashed at once: nearly all are.
const SHORT: usize = 16;
/// Odd numbers with as many ones as zeros, as rapidhash has them.
const SECRETS: [u64; 2] = [0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9];

/// Hands over runs of letters and digits, each with a hash that knows no capitals; what is not ASCII counts as letters, in
/// whatever charset.
pub(super) fn each_word<'t>(text: &'t [u8], mut each: impl FnMut(&'t [u8], u64)) {
    let mut begun = None;
    for (nth, chunk) in text.chunks(CHUNK).enumerate() {
        let inside = word_bytes(chunk);
        let mut edges = inside ^ (inside << 1 | u64::from(begun.is_some()));
        while edges != 0 {
            let at = nth * CHUNK + edges.trailing_zeros() as usize;
            match begun.take() {
                None => begun = Some(at),
                Some(start) => each(&text[start..at], hash_at(text, start, at)),
            }
            edges &= edges - 1;
        }
    }
    if let Some(start) = begun {
        each(&text[start..], hash_at(text, start, text.len()));
    }
}

/// A bit for every byte of a chunk that is part of a word.
#[inline]
fn word_bytes(chunk: &[u8]) -> u64 {
    let (eights, rest) = chunk.as_chunks::<8>();
    let bits = |mask, (nth, eight): (usize, &[u8; 8])| mask | word_bits(u64::from_le_bytes(*eight)) << (8 * nth);
    let mask = eights.iter().enumerate().fold(0, bits);
    if rest.is_empty() {
        return mask;
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    bits(mask, (eights.len(), &last))
}

/// The same for eight bytes.
#[inline]
fn word_bits(bytes: u64) -> u64 {
    let ascii = bytes & !HIGH_BITS;
    let high = (between(ascii | LOWER, b'a', b'z') | between(ascii, b'0', b'9') | bytes) & HIGH_BITS;
    // Brings the bits together: that of byte n comes to lie at 56 + n.
    (high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Sets the high bit of every byte that is one of these; bytes must be ASCII.
#[inline]
fn between(bytes: u64, first: u8, last: u8) -> u64 {
    let at_least = |least: u8| bytes + ONES * u64::from(0x80 - least);
    at_least(first) & !at_least(last + 1)
}

/// The hash of the word between two places.
#[inline]
fn hash_at(text: &[u8], start: usize, end: usize) -> u64 {
    let len = end - start;
    let long = || rapidhash::v3::rapidhash_v3(&text[start..end].to_ascii_lowercase());
    let bytes = match text.get(start..start + SHORT) {
        _ if len > SHORT => return long(),
        Some(bytes) => u128::from_le_bytes(bytes.try_into().expect("as many as were asked for")),
        None => text[start..end].iter().rev().fold(0, |bytes, byte| bytes << 8 | u128::from(*byte)),
    };
    let bytes = bytes & u128::MAX >> (8 * (SHORT - len));
    let (low, high) = (lower(bytes as u64) ^ SECRETS[0], lower((bytes >> 64) as u64) ^ SECRETS[1]);
    let product = u128::from(low) * u128::from(high ^ (len as u64) << 56);
    product as u64 ^ (product >> 64) as u64
}

/// Letters without capitals. Of ASCII only letters and digits are in words, and digits have the bit.
#[inline]
fn lower(bytes: u64) -> u64 {
    bytes | LOWER & !((bytes & HIGH_BITS) >> 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &[u8]) -> Vec<(&[u8], u64)> {
        let mut words = Vec::new();
        each_word(text, |word, hash| words.push((word, hash)));
        words
    }

    fn plainly(text: &[u8]) -> Vec<&[u8]> {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        text.split(|byte| !is_part(byte)).filter(|word| !word.is_empty()).collect()
    }

    #[test]
    fn every_byte_is_taken_for_what_it_is() {
        for byte in 0..=u8::MAX {
            let text = [b' ', byte, b'-'];
            assert_eq!(words(&text).len(), plainly(&text).len(), "{byte}");
        }
    }

    proptest! {
        #[test]
        fn words_are_found_wherever_they_lie(text in prop::collection::vec(any::<u8>(), 0..200), ascii in any::<bool>()) {
            let text: Vec<u8> = text.iter().map(|byte| if ascii { byte & 0x7f } else { *byte }).collect();
            let found: Vec<&[u8]> = words(&text).iter().map(|(word, _)| *word).collect();
            prop_assert_eq!(found, plainly(&text));
        }

        #[test]
        fn a_word_has_one_hash_whatever_is_around_it(word in "[a-zA-Z0-9ä-ü]{1,40}", other in "[a-z0-9ä-ü]{1,40}", at in 0usize..80) {
            let around = format!("{}{word}{}", " ".repeat(at), " -x".repeat(at));
            let hash = words(word.as_bytes())[0].1;
            prop_assert_eq!(words(around.as_bytes())[0].1, hash);
            prop_assert_eq!(words(word.to_ascii_lowercase().as_bytes())[0].1, hash);
            prop_assert_eq!(words(other.as_bytes())[0].1 == hash, other == word.to_ascii_lowercase());
        }
    }
}
