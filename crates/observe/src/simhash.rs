//! Near-duplicate fingerprints: Charikar's SimHash over the shingles of a page's main content.
//!
//! Pages that say nearly the same have fingerprints that differ in few bits, so near duplicates are found by comparing
//! numbers. It does not say what changed: `page` does.

use crate::page::{Segmented, main_texts};
use rapidhash::v3::rapidhash_v3;
use serde::{Deserialize, Serialize};

/// Words of one shingle.
const SHINGLE: usize = 3;
/// Bits in which near duplicates differ at most (Manku, Jain, Das Sarma 2007).
pub const NEAR_BITS: u32 = 3;

/// What a page says, in 64 bits: each is the vote of all its shingles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SimHash(pub u64);

impl SimHash {
    /// The fingerprint of the blocks that are likelier read than not; all zeros if there is nothing to read.
    pub fn of(page: &Segmented) -> SimHash {
        let texts = main_texts(page);
        let words: Vec<u64> =
            texts.iter().flat_map(|text| text.split(' ')).map(|word| rapidhash_v3(word.as_bytes())).collect();
        let mut votes = [0i64; 64];
        for shingle in words.windows(SHINGLE.min(words.len()).max(1)) {
            let hash = shingle.iter().fold(0, |hash: u64, word| mixed(hash.rotate_left(23) ^ word));
            votes.iter_mut().enumerate().for_each(|(bit, vote)| *vote += (hash >> bit & 1) as i64 * 2 - 1);
        }
        SimHash(votes.iter().enumerate().fold(0, |hash, (bit, vote)| hash | u64::from(*vote > 0) << bit))
    }

    /// In how many bits two fingerprints differ, 0 to 64.
    pub fn distance(self, other: SimHash) -> u32 {
        (self.0 ^ other.0).count_ones()
    }

    pub fn is_near(self, other: SimHash) -> bool {
        self.distance(other) <= NEAR_BITS
    }
}

/// Spreads every bit over all others.
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits ^ bits >> 29
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::Syntax;

    fn of(html: &str) -> SimHash {
        SimHash::of(&Segmented::of(html, Syntax::Html))
    }

    fn story(seed: u32) -> String {
        let word = |n: u32| format!("w{} ", n.wrapping_mul(seed) % 977);
        let words: String = (1..800).map(word).collect();
        format!("<title>{seed}</title><nav><a href=/>Home</a></nav><main><p>{words}</main>")
    }

    #[test]
    fn near_duplicates_differ_in_few_bits() {
        let page = story(31);
        let edited = page.replacen("w62 ", "other ", 1);
        assert!(page != edited && of(&page).is_near(of(&edited)), "{}", of(&page).distance(of(&edited)));
        assert_eq!(of(&page), of(&page.replace("<main>", "<main><div>").replace("Home", "Start")));
    }

    #[test]
    fn different_pages_differ_in_about_half_of_them() {
        let distance = of(&story(31)).distance(of(&story(57)));
        assert!((20..=44).contains(&distance), "{distance}");
    }

    #[test]
    fn the_shortest_pages_have_a_fingerprint() {
        assert_eq!(of(""), SimHash::default());
        assert_ne!(of("<p>one"), of("<p>two"));
        assert_ne!(of("<p>one two"), of("<p>two one"));
    }
}
