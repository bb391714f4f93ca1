//! A model as bytes: kept by a collection, shipped with the program.
//!
//! Weights are kept as they are rounded for predictions, so that a model that was kept predicts what it predicted before.
//! Rows that say nothing are left out. What is read may come from anywhere: it is checked, and bounded by its length.

use super::{
    aside::{Aside, Shift},
    kind::Kind,
    ours::Media,
    shares::{Bucket, Count, Shares},
    weights::{Row, SLOTS, Weights},
};
use crate::stored::{self, Bytes};
use std::fmt;

const MAGIC: &[u8; 8] = b"ttmedia\0";
/// Which features, slots and rounding a kept model speaks of. Any change to them needs another number: who keeps an older
/// model learns it anew from the logs.
const VERSION: u32 = 3;
/// Longest label of a training set.
const LABEL_MAX: usize = 1000;

/// Why bytes are no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredError {
    /// Made by another version of the program.
    OtherVersion,
    /// Cut short, or no model at all.
    Damaged,
}

impl fmt::Display for StoredError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StoredError::OtherVersion => "the model of media types was kept by another version",
            StoredError::Damaged => "the model of media types is damaged",
        })
    }
}

impl std::error::Error for StoredError {}

impl Media {
    /// All it knows. A model read back from these bytes predicts the same.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.stored(0.0)
    }

    /// The same without rows that learned less than this: a small model that predicts nearly the same.
    pub fn to_bytes_above(&self, learned_min: f32) -> Vec<u8> {
        self.stored(learned_min)
    }

    fn stored(&self, learned_min: f32) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        let label: String = self.trained_on.chars().take(LABEL_MAX / 4).collect();
        number(&mut out, label.len());
        out.extend_from_slice(label.as_bytes());
        store_shares(&mut out, &self.shares, learned_min == 0.0);
        store_aside(&mut out, &self.aside);
        store_weights(&mut out, &self.weights, learned_min);
        out
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Media, StoredError> {
        let mut from = From(bytes);
        if from.take(MAGIC.len()) != Some(MAGIC) {
            return Err(StoredError::Damaged);
        }
        if from.take(4) != Some(&VERSION.to_le_bytes()) {
            return Err(StoredError::OtherVersion);
        }
        from.media().ok_or(StoredError::Damaged)
    }
}

/// A row of weights as it is, and its place.
type ExactRow = (u32, [f32; Row::LEN]);

/// For who goes on with the run that learned it: what is kept rounds weights, and rounded ones would learn on to others.
impl Media {
    pub(crate) fn to_exact_bytes(&self) -> Vec<u8> {
        let row = |slot: usize| (slot as u32, self.weights.row(slot as u32).0);
        let rows = (0..SLOTS).map(row).filter(|(_, row)| *row != Row::default().0);
        stored::to_bytes(&(Bytes(self.to_bytes()), rows.collect::<Vec<ExactRow>>()))
    }

    pub(crate) fn from_exact_bytes(bytes: &[u8]) -> Option<Media> {
        let (Bytes(rounded), rows): (Bytes, Vec<ExactRow>) = stored::from_bytes(bytes)?;
        let mut media = Media::from_bytes(&rounded).ok()?;
        for (slot, row) in rows {
            let slot = Some(slot as usize).filter(|slot| *slot < SLOTS)?;
            media.weights.set(slot, Row(row));
        }
        Some(media)
    }
}

/// A number in as many bytes as it needs, seven bits in each.
fn number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// What is known of the directories of single domains is of no use to others.
fn store_shares(out: &mut Vec<u8>, shares: &Shares, with_directories: bool) {
    number(out, shares.names.len());
    for (id, name) in shares.names.iter() {
        number(out, name.len());
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(&shares.totals[usize::from(id.0)].1.to_le_bytes());
    }
    store_buckets(out, &shares.buckets);
    store_buckets(out, if with_directories { &shares.directories } else { &[] });
}

fn store_buckets(out: &mut Vec<u8>, buckets: &[Bucket]) {
    let buckets: Vec<_> = buckets.iter().enumerate().filter(|(_, bucket)| bucket.owner != 0).collect();
    number(out, buckets.len());
    let mut before = 0;
    for (at, bucket) in buckets {
        number(out, at - before);
        before = at;
        out.extend_from_slice(&bucket.owner.to_le_bytes());
        for Count { name, seen } in bucket.counts {
            number(out, usize::from(seen));
            if seen > 0 {
                number(out, usize::from(name));
            }
        }
    }
}

fn store_aside(out: &mut Vec<u8>, aside: &Aside) {
    aside.kinds.iter().flatten().for_each(|count| out.extend_from_slice(&count.to_le_bytes()));
    let shifts: Vec<_> = aside.shifts.iter().enumerate().filter(|(_, shift)| shift.seen > 0.0).collect();
    number(out, shifts.len());
    let mut before = 0;
    for (at, shift) in shifts {
        number(out, at - before);
        [shift.links, shift.log_bytes, shift.seen].iter().for_each(|part| out.extend_from_slice(&part.to_le_bytes()));
        before = at;
    }
}

fn store_weights(out: &mut Vec<u8>, weights: &Weights, learned_min: f32) {
    let kept = |slot: &usize| weights.row(*slot as u32).learned() > learned_min && weights.says(*slot);
    let slots: Vec<_> = (0..SLOTS).filter(kept).collect();
    number(out, slots.len());
    let mut before = 0;
    for slot in slots {
        number(out, slot - before);
        before = slot;
        out.push(coarse(weights.row(slot as u32).learned()));
        let steps = weights.steps(slot);
        let mask = steps.iter().enumerate().fold(0u16, |mask, (at, step)| mask | u16::from(*step != 0) << at);
        out.extend_from_slice(&mask.to_le_bytes());
        out.extend(steps.iter().filter(|step| **step != 0).map(|step| *step as u8));
    }
}

/// What a row has learned, on a scale of eighths of a doubling.
fn coarse(learned: f32) -> u8 {
    (8.0 * (1.0 + learned).log2()).round().clamp(1.0, 255.0) as u8
}

fn fine(coarse: u8) -> f32 {
    (f32::from(coarse) / 8.0).exp2() - 1.0
}

/// What is left to read.
struct From<'a>(&'a [u8]);

impl<'a> From<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<usize> {
        let mut number = 0usize;
        for shift in (0..35).step_by(7) {
            let byte = self.take(1)?[0];
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number of at most this.
    fn up_to(&mut self, most: usize) -> Option<usize> {
        self.number().filter(|number| *number <= most)
    }

    fn float(&mut self) -> Option<f32> {
        let bytes = self.take(4)?.try_into().ok()?;
        Some(f32::from_le_bytes(bytes)).filter(|float| float.is_finite())
    }

    fn text(&mut self, most: usize) -> Option<&'a str> {
        let len = self.up_to(most)?;
        std::str::from_utf8(self.take(len)?).ok()
    }

    fn media(&mut self) -> Option<Media> {
        let trained_on = self.text(LABEL_MAX)?.to_owned();
        let shares = self.shares()?;
        let aside = self.aside()?;
        let weights = self.weights()?;
        self.0.is_empty().then_some(Media { weights, aside, shares, trained_on })
    }

    fn shares(&mut self) -> Option<Shares> {
        let mut shares = Shares::blank();
        let names = self.up_to(self.0.len())?;
        for nth in 0..names {
            let name = self.text(LABEL_MAX)?;
            let seen = self.float()?;
            let id = shares.name(name).filter(|id| usize::from(id.0) == nth)?;
            shares.totals[usize::from(id.0)].1 = seen;
        }
        self.buckets(&mut shares.buckets, names)?;
        self.buckets(&mut shares.directories, names)?;
        Some(shares)
    }

    fn buckets(&mut self, table: &mut [Bucket], names: usize) -> Option<()> {
        let buckets = self.up_to(self.0.len())?;
        let mut at = 0;
        for _ in 0..buckets {
            at += self.number()?;
            let bucket = table.get_mut(at)?;
            bucket.owner = u32::from_le_bytes(self.take(4)?.try_into().ok()?);
            for count in &mut bucket.counts {
                count.seen = self.up_to(u16::MAX.into())? as u16;
                if count.seen > 0 {
                    count.name = self.up_to(names.checked_sub(1)?)? as u16;
                }
            }
        }
        Some(())
    }

    fn aside(&mut self) -> Option<Aside> {
        let mut aside = Aside::blank();
        for count in aside.kinds.iter_mut().flatten() {
            *count = self.float()?;
        }
        let shifts = self.up_to(self.0.len())?;
        let mut at = 0;
        for _ in 0..shifts {
            at += self.number()?;
            *aside.shifts.get_mut(at)? = Shift { links: self.float()?, log_bytes: self.float()?, seen: self.float()? };
        }
        Some(aside)
    }

    fn weights(&mut self) -> Option<Weights> {
        let mut weights = Weights::blank();
        let rows = self.up_to(self.0.len())?;
        let mut slot = 0;
        for _ in 0..rows {
            slot += self.number()?;
            let learned = fine(self.take(1)?[0]);
            let mask = u16::from_le_bytes(self.take(2)?.try_into().ok()?);
            let mut steps = [0; Kind::COUNT + 1];
            for (_, step) in steps.iter_mut().enumerate().filter(|(at, _)| mask >> at & 1 == 1) {
                *step = self.take(1)?[0] as i8;
            }
            (slot < SLOTS).then(|| weights.set(slot, Row::of_steps(steps, learned)))?;
        }
        Some(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::{MediaAnswer, Sight};
    use proptest::prelude::*;

    fn taught() -> Media {
        let mut media = Media::blank();
        for number in 0..200 {
            let url = format!("http://e.example/img/{number}.jpg");
            media.learn(
                &Sight::of(&url),
                &MediaAnswer { media_type: "image/jpeg", bytes: Some(900), links: Some(false) },
            );
            let url = format!("http://e.example/page/{number}");
            media.learn(
                &Sight::of(&url),
                &MediaAnswer { media_type: "text/html", bytes: Some(9000), links: Some(true) },
            );
        }
        media
    }

    #[test]
    fn what_was_kept_predicts_what_it_predicted() {
        let media = taught();
        let bytes = media.to_bytes();
        let back = Media::from_bytes(&bytes).unwrap();
        for url in ["http://e.example/img/7.jpg", "http://e.example/page/3", "http://o.example/x.php?a=1"] {
            let (one, other) = (media.guess(&Sight::of(url)), back.guess(&Sight::of(url)));
            assert_eq!(one.content_types(), other.content_types());
            assert_eq!((one.links(), one.bytes(), one.names(3)), (other.links(), other.bytes(), other.names(3)));
        }
        assert_eq!(back.to_bytes(), bytes, "keeping twice is keeping once");
    }

    #[test]
    fn damage_and_other_versions_are_told_apart() {
        let bytes = taught().to_bytes();
        let mut other = bytes.clone();
        other[8] ^= 1;
        assert_eq!(Media::from_bytes(&other).err(), Some(StoredError::OtherVersion));
        assert_eq!(Media::from_bytes(b"").err(), Some(StoredError::Damaged));
        for cut in [5, 20, bytes.len() / 2, bytes.len() - 1] {
            assert!(Media::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn hostile_bytes_are_only_damaged(flips in proptest::collection::vec((0usize..1 << 20, any::<u8>()), 1..20)) {
            static BYTES: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| taught().to_bytes());
            let mut bytes = BYTES.clone();
            let len = bytes.len();
            for (at, byte) in flips {
                bytes[at % len] = byte;
            }
            if let Ok(media) = Media::from_bytes(&bytes) {
                media.guess(&Sight::of("http://e.example/img/7.jpg")).content_types();
            }
        }
    }
}
