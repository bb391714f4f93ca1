//! Fields whose word is another one every time.

use crate::page::{Element, Field, Layout, element::items, matching, steady};
use rapidhash::v3::rapidhash_v3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tintype_vocab::Span;

/// Fields known; those with the least evidence make room.
const FIELDS_MAX: usize = 2_048;
/// Versions so far apart tell half as much by differing as those back to back: what changes between two fetches
/// changes by itself, what changes in a day may have been written.
const HALF: Span = Span::from_secs(600);
/// Differences, as between fetches back to back, before a field is called volatile.
const DIFFERED_MIN: f32 = 1.5;
/// A field is volatile if it differs more often.
const SHARE: f32 = 0.8;
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
    pub(super) fn learn(&mut self, old: &Layout, new: &Layout, apart: Span) {
        let mut differs: BTreeMap<u64, bool> = BTreeMap::new();
        for (at, from) in matching::identities(old, new).into_iter().enumerate() {
            let Some(from) = from else { continue };
            let (before, after) = (old.block(from as usize), new.block(at));
            for element in [Element::Text, Element::Link] {
                let lists = [before.of(element), after.of(element)];
                if lists[0] != lists[1] {
                    compare(lists, element, |key, differ| *differs.entry(key).or_default() |= differ);
                } else if !self.0.is_empty() {
                    each(lists[0], element, |key, _| {
                        if self.0.contains_key(&key) {
                            differs.entry(key).or_default();
                        }
                    });
                }
            }
        }
        let weight = HALF.as_secs_f64() / (HALF.as_secs_f64() + apart.as_secs_f64().max(0.0));
        for (key, differs) in differs {
            if differs {
                self.0.entry(key).or_default().add(weight as f32, 0.0);
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
            let mut evidence: Vec<f32> = self.0.values().map(|counts| counts.0).collect();
            evidence.sort_unstable_by(f32::total_cmp);
            let least = evidence[evidence.len() - FIELDS_MAX / 2];
            self.0.retain(|_, counts| counts.0 > least);
        }
    }
}

/// Tells a field from others: the words before it, whatever figures are in them, and the shape of the word.
pub(super) fn key(field: &Field<'_>) -> u64 {
    let word = |word: &str| if has_figures(word) { shape(word) } else { hash(word.as_bytes()) };
    let [one, two] = field.before.map(word);
    one.rotate_left(11) ^ two.rotate_left(37) ^ if has_figures(field.word) { shape(field.word) } else { 0 }
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
    let mut fields = |field: Field<'_>| tell(key(&field), hash(field.word.as_bytes()));
    match element {
        Element::Text => steady::fields(items(list, element)).for_each(fields),
        Element::Link | Element::Image => {
            items(list, element).for_each(|url| steady::url_fields(url).for_each(|(_, field)| fields(field)));
        }
    }
}

/// Every field that two lists both have, and whether they differ in it.
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
            tell(values[0].0, here != values);
        }
        rest = after;
    }
}
