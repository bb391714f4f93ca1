//! Which URLs were found already, in some three to twelve bytes each, however many wait on the disk.
//!
//! Bloom filters one after another, each four times as large as the one before. One URL in some thirty thousand is taken for
//! one that was seen, and not asked for unless a server leads there.

use serde::{Deserialize, Serialize};

/// Bits per URL, and how many of them are set for one.
const BITS: u64 = 24;
const HASHES: u64 = 8;
const FIRST: u64 = 1 << 14;
const GROWTH: u64 = 4;
/// Bytes in a block that is kept: a filter is kept in pieces.
const PIECE: usize = 1 << 20;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Filter {
    /// How many URLs it has room for, and has.
    room: u64,
    held: u64,
    #[serde(skip)]
    words: Vec<u64>,
}

impl Filter {
    fn new(room: u64) -> Filter {
        Filter { room, held: 0, words: vec![0; (room * BITS).div_ceil(64) as usize] }
    }

    /// The bits of a URL.
    fn bits(&self, hash: u64) -> impl Iterator<Item = (usize, u64)> + use<> {
        let (step, all) = (hash.rotate_left(29) | 1, self.words.len() as u64 * 64);
        (0..HASHES).map(move |nth| {
            // The high half of a product is as even as a remainder, and quicker.
            let mixed = hash.wrapping_add(step.wrapping_mul(nth)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let bit = ((u128::from(mixed) * u128::from(all)) >> 64) as u64;
            ((bit / 64) as usize, 1 << (bit % 64))
        })
    }

    fn contains(&self, hash: u64) -> bool {
        self.bits(hash).all(|(word, bit)| self.words[word] & bit != 0)
    }

    fn insert(&mut self, hash: u64) {
        self.held += 1;
        for (word, bit) in self.bits(hash) {
            self.words[word] |= bit;
        }
    }
}

/// The URLs that were found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    filters: Vec<Filter>,
}

impl Seen {
    /// Takes a URL in; whether it is new.
    pub(crate) fn insert(&mut self, url: &str) -> bool {
        let hash = rapidhash::v3::rapidhash_v3(url.as_bytes());
        if self.filters.iter().any(|filter| filter.contains(hash)) {
            return false;
        }
        let room = self.filters.last().map_or(FIRST, |last| last.room);
        match self.filters.last_mut() {
            Some(last) if last.held < last.room => last.insert(hash),
            _ => {
                let room = if self.filters.is_empty() { room } else { room * GROWTH };
                let mut filter = Filter::new(room);
                filter.insert(hash);
                self.filters.push(filter);
            }
        }
        true
    }

    /// Piece by piece: first what there is, then the bits.
    pub(crate) fn save(&self, each: &mut dyn FnMut(Vec<u8>)) {
        each(tintype_learn::stored::to_bytes(&self.filters));
        for filter in &self.filters {
            for piece in filter.words.chunks(PIECE / 8) {
                each(piece.iter().flat_map(|word| word.to_le_bytes()).collect());
            }
        }
    }

    pub(crate) fn load(next: &mut dyn FnMut() -> Option<Vec<u8>>) -> Option<Seen> {
        let mut filters: Vec<Filter> = tintype_learn::stored::from_bytes(&next()?)?;
        for filter in &mut filters {
            let words = (filter.room.checked_mul(BITS)?.div_ceil(64)) as usize;
            while filter.words.len() < words {
                let piece = next()?;
                let (whole, rest) = piece.as_chunks::<8>();
                (rest.is_empty() && !whole.is_empty()).then_some(())?;
                filter.words.extend(whole.iter().map(|word| u64::from_le_bytes(*word)));
            }
            (filter.words.len() == words).then_some(())?;
        }
        Some(Seen { filters })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_is_known_and_hardly_anything_else() {
        let mut seen = Seen::default();
        let url = |nth: u32| format!("http://e{}.com/page/{nth}", nth % 300);
        let missed = (0..200_000).filter(|nth| !seen.insert(&url(*nth))).count();
        assert!(missed < 20, "{missed} of 200,000 were taken for others");
        assert!((0..200_000).all(|nth| !seen.insert(&url(nth))));
        let bytes: usize = seen.filters.iter().map(|filter| filter.words.len() * 8).sum();
        assert!(bytes < 6 * 200_000, "{bytes}");
    }

    #[test]
    fn what_is_kept_is_what_was_there() {
        let mut seen = Seen::default();
        (0..50_000).for_each(|nth| _ = seen.insert(&format!("http://e.com/{nth}")));
        let mut pieces = Vec::new();
        seen.save(&mut |piece| pieces.push(piece));
        let mut all = pieces.clone().into_iter();
        let mut back = Seen::load(&mut || all.next()).unwrap();
        assert!((0..50_000).all(|nth| !back.insert(&format!("http://e.com/{nth}"))));
        let mut short = pieces.into_iter().skip(1);
        assert!(Seen::load(&mut || short.next()).is_none());
    }
}
