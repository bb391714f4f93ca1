//! Fields whose word is another one every time.

use super::keep_most;
use crate::page::{Element, Field, Layout, element::items, stamp, steady};
use rapidhash::v3::rapidhash_v3;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tintype_vocab::Span;

/// Fields known; those with the least evidence make room.
const FIELDS_MAX: usize = 2_048;
/// Versions so far apart tell half as much by differing as those back to back: what changes between two fetches
/// changes by itself, what changes in a day may have been written.
const HALF: Span = Span::from_secs(600);
/// Differences, as between fetches back to back, before a field is called volatile.
const DIFFERED_MIN: f32 = 1.5;
/// A date that differs while nothing else does tells as much as this, however long ago the other version was.
const ALONE: f32 = 0.5;
/// A field is volatile if it differs more often.
const SHARE: f32 = 0.8;
/// Evidence that differs by less is the same where room is made.
const GRAIN: f32 = 1024.0;
/// Of 64 bits; sixteen bits for every field.
const SIEVE_WORDS: usize = FIELDS_MAX / 4;
/// Letters of a word's shape that are looked at.
const SHAPE_MAX: usize = 16;

/// How often a field differed and how often it did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Counts(f32, f32);

impl Counts {
    fn add(&mut self, differed: f32, same: f32) {
        // Old evidence fades where there is much of it: sites change their ways.
        let fade = if self.0 + self.1 > EVIDENCE_MAX { 0.5 } else { 1.0 };
        *self = Counts(self.0 * fade + differed, self.1 * fade + same);
    }
}

/// Evidence of more is halved.
const EVIDENCE_MAX: f32 = 64.0;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Fields(BTreeMap<u64, Counts>);

impl Fields {
    /// Compares the fields of two versions. Only fields that differed once are kept, so most words cost nothing.
    /// `olds` says, for each block of the new one, which of the old one it was.
    ///
    /// A field that several places have differs only if it does in all of them: one counter among the figures of a
    /// table does not make counters of the others.
    pub(super) fn learn(&mut self, old: &Layout, new: &Layout, olds: &[Option<u32>], apart: Span) {
        let sieve = Sieve::of(self.0.keys());
        let mut differs: BTreeMap<u64, bool> = BTreeMap::new();
        let mut dates: BTreeSet<u64> = BTreeSet::new();
        for (at, from) in olds.iter().enumerate() {
            let Some(from) = from else { continue };
            let (before, after) = (old.block(*from as usize), new.block(at));
            for element in [Element::Text, Element::Link] {
                let lists = [before.of(element), after.of(element)];
                if lists[0] != lists[1] {
                    compare(lists, element, |key, differ| *differs.entry(key).or_insert(true) &= differ);
                    if element == Element::Text {
                        dates_of(lists[1], &mut dates);
                    }
                } else if !self.0.is_empty() {
                    each(lists[0], element, |key, _| {
                        if sieve.may_have(key) {
                            differs.insert(key, false);
                        }
                    });
                }
            }
        }
        let structure = old.len() == new.len() && olds.iter().all(Option::is_some);
        let alone = structure && differs.iter().all(|(key, differs)| !differs || dates.contains(key));
        let weight = (HALF.as_secs_f64() / (HALF.as_secs_f64() + apart.as_secs_f64().max(0.0))) as f32;
        for (key, differs) in differs {
            if differs {
                let weight = if alone && dates.contains(&key) { weight.max(ALONE) } else { weight };
                self.0.entry(key).or_default().add(weight, 0.0);
            } else if let Some(counts) = self.0.get_mut(&key) {
                counts.add(0.0, 1.0);
            }
        }
        self.make_room();
    }

    pub(super) fn is_volatile(&self, key: u64) -> bool {
        self.0
            .get(&key)
            .is_some_and(|Counts(differed, same)| *differed >= DIFFERED_MIN && differed / (differed + same) > SHARE)
    }

    pub(super) fn merge(&mut self, other: &Fields) {
        for (key, Counts(differed, same)) in &other.0 {
            self.0.entry(*key).or_default().add(*differed, *same);
        }
        self.make_room();
    }

    fn make_room(&mut self) {
        if self.0.len() > FIELDS_MAX {
            keep_most(&mut self.0, FIELDS_MAX / 2, |counts| (counts.0 * GRAIN) as u32);
        }
    }
}

/// Says quickly of most keys that they are not among some others.
struct Sieve(Box<[u64; SIEVE_WORDS]>);

impl Sieve {
    fn of<'k>(keys: impl Iterator<Item = &'k u64>) -> Sieve {
        let mut words = Box::new([0; SIEVE_WORDS]);
        keys.for_each(|key| words[Sieve::word(*key)] |= 1 << (key & 63));
        Sieve(words)
    }

    fn may_have(&self, key: u64) -> bool {
        self.0[Sieve::word(key)] & 1 << (key & 63) != 0
    }

    fn word(key: u64) -> usize {
        (key >> 6) as usize % SIEVE_WORDS
    }
}

/// Tells a field from others: the words before it, whatever figures are in them, and the shape of the word.
pub(super) fn key(field: &Field<'_>) -> u64 {
    Key { before: field.before.map(|word| Print::of(word).before) }.of(Print::of(field.word))
}

/// What a word is in the keys of fields.
#[derive(Clone, Copy)]
struct Print {
    /// In its own.
    own: u64,
    /// In those that follow.
    before: u64,
    /// Tells it from others.
    value: u64,
}

impl Print {
    fn of(word: &str) -> Print {
        let value = hash(word.as_bytes());
        if has_figures(word) {
            let shape = shape(word);
            Print { own: shape, before: shape, value }
        } else {
            Print { own: 0, before: value, value }
        }
    }
}

/// The key of a field in the making.
struct Key {
    before: [u64; 2],
}

impl Key {
    fn of(&self, word: Print) -> u64 {
        self.before[0].rotate_left(11) ^ self.before[1].rotate_left(37) ^ word.own
    }

    /// Tells the key and the value of every word of a text or a URL. No word is hashed for each field it is in.
    fn each<'w>(words: impl Iterator<Item = &'w str>, tell: &mut impl FnMut(u64, u64)) {
        let mut key = Key { before: [Print::of("").before; 2] };
        for word in words.map(Print::of) {
            tell(key.of(word), word.value);
            key.before = [key.before[1], word.before];
        }
    }
}

fn has_figures(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

/// The signs of a word and that there are letters or figures between them.
fn shape(word: &str) -> u64 {
    let mut shape = [0u8; SHAPE_MAX];
    let signs = word.bytes().map(|byte| if byte.is_ascii_punctuation() { byte } else { b'0' });
    let mut len = 0;
    for sign in signs {
        if len < SHAPE_MAX && (len == 0 || shape[len - 1] != sign) {
            shape[len] = sign;
            len += 1;
        }
    }
    hash(&shape[..len])
}

fn hash(bytes: &[u8]) -> u64 {
    rapidhash_v3(bytes)
}

/// Every field of a text, or of the URLs of a list, with what is in it.
fn each(list: &str, element: Element, mut tell: impl FnMut(u64, u64)) {
    match element {
        Element::Text => Key::each(items(list, element), &mut tell),
        Element::Link | Element::Image => {
            items(list, element).for_each(|url| Key::each(steady::url_parts(url), &mut tell));
        }
    }
}

/// Adds the fields that are parts of dates.
fn dates_of(text: &str, dates: &mut BTreeSet<u64>) {
    let words: Vec<&str> = items(text, Element::Text).collect();
    let marks = stamp::dates(&words);
    let mut marks = marks.iter();
    each(text, Element::Text, |key, _| {
        if marks.next().is_some_and(|is_date| *is_date) {
            dates.insert(key);
        }
    });
}

/// Every field that two lists both have, and whether they differ in it, in every place.
fn compare(lists: [&str; 2], element: Element, mut tell: impl FnMut(u64, bool)) {
    let [old, new] = lists.map(|list| {
        let mut found = Vec::new();
        each(list, element, |key, value| found.push((key, value)));
        // Stable: the values of one field stay in their order.
        found.sort_by_key(|(key, _)| *key);
        found
    });
    let mut rest = new.as_slice();
    for values in old.chunk_by(|one, two| one.0 == two.0) {
        rest = &rest[rest.partition_point(|(key, _)| *key < values[0].0)..];
        let (here, after) = rest.split_at(rest.partition_point(|(key, _)| *key == values[0].0));
        if !here.is_empty() {
            let all_differ = here.len() == values.len() && here.iter().zip(values).all(|(one, two)| one != two);
            tell(values[0].0, all_differ);
        }
        rest = after;
    }
}
