//! What some patterns look like.
//!
//! Patterns are counted by hash. Of those that matter a text is kept, in fixed room: where there is none left, the more
//! frequent pattern stays.

use super::{PatternKind, table::place};

/// Bytes of a text. Longer ones are cut.
const TEXT_MAX: usize = 116;
/// Texts that compete for room with one another.
const WAYS: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Text {
    /// 0 where there is none.
    key: u64,
    kind: PatternKind,
    len: u8,
    /// How many bytes of it are the domain.
    domain: u8,
    bytes: [u8; TEXT_MAX],
}

const EMPTY: Text = Text { key: 0, kind: PatternKind::Any, len: 0, domain: 0, bytes: [0; TEXT_MAX] };

/// A pattern with its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shown<'a> {
    pub(super) key: u64,
    pub(super) kind: PatternKind,
    pub(super) text: &'a str,
    /// The domain it holds on; empty if it holds everywhere.
    pub(super) domain: &'a str,
}

impl Text {
    fn of(shown: Shown<'_>) -> Text {
        let cut = &shown.text[..shown.text.floor_char_boundary(TEXT_MAX)];
        let domain = if cut.starts_with(shown.domain) { shown.domain.len() } else { 0 };
        let mut text = Text { key: shown.key, kind: shown.kind, len: cut.len() as u8, domain: domain as u8, ..EMPTY };
        text.bytes[..cut.len()].copy_from_slice(cut.as_bytes());
        text
    }

    fn shown(&self) -> Shown<'_> {
        let text = std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default();
        Shown { key: self.key, kind: self.kind, text, domain: text.get(..usize::from(self.domain)).unwrap_or_default() }
    }
}

/// Texts by hash.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    slots: Vec<Text>,
}

impl Texts {
    /// Bytes of as many as compete.
    pub(super) const SET_BYTES: usize = WAYS * size_of::<Text>();

    pub(super) fn new(sets: usize) -> Texts {
        Texts { slots: vec![EMPTY; sets.max(1) * WAYS] }
    }

    pub(super) fn has(&self, key: u64) -> bool {
        self.slots[self.set(key)].iter().any(|text| text.key == key)
    }

    /// Keeps a text, if there is room or a pattern of less weight to make some.
    pub(super) fn keep(&mut self, shown: Shown<'_>, weight: impl Fn(u64) -> u32) {
        let set = self.set(shown.key);
        let places = &mut self.slots[set];
        if places.iter().any(|text| text.key == shown.key) {
            return;
        }
        let weigh = |text: &Text| if text.key == 0 { 0 } else { weight(text.key).max(1) };
        if let Some(lightest) = places.iter_mut().min_by_key(|text| weigh(text))
            && weigh(lightest) < weight(shown.key)
        {
            *lightest = Text::of(shown);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Shown<'_>> {
        self.slots.iter().filter(|text| text.key != 0).map(Text::shown)
    }

    /// The same in another amount of room.
    pub(super) fn resized(&self, sets: usize, weight: impl Fn(u64) -> u32) -> Texts {
        let mut texts = Texts::new(sets);
        self.iter().for_each(|shown| texts.keep(shown, &weight));
        texts
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Text>()
    }

    fn set(&self, key: u64) -> std::ops::Range<usize> {
        let from = place(key, self.slots.len() / WAYS) * WAYS;
        from..from + WAYS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_patterns_keep_their_texts() {
        let mut texts = Texts::new(1);
        let weight = |key: u64| key as u32;
        for key in (1..=40).rev().chain(1..=40) {
            let text = format!("a.example/{key}{}", "\u{e9}".repeat(80));
            texts.keep(Shown { key, kind: PatternKind::DomainToken, text: &text, domain: "a.example" }, weight);
        }
        let mut held: Vec<u64> = texts.iter().map(|shown| shown.key).collect();
        held.sort_unstable();
        assert_eq!(held, (33..=40).collect::<Vec<_>>());
        assert!(texts.has(40) && !texts.has(1));
        assert!(texts.iter().all(|shown| shown.domain == "a.example" && shown.text.len() <= TEXT_MAX));
        assert_eq!(texts.resized(100, weight).iter().count(), WAYS);
    }
}
