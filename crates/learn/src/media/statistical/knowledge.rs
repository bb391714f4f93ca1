//! How often features were seen, and with which types.

use super::{
    Label,
    features::{FeatureKind, Features},
};
use hashbrown::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Features of one kind that are known at once. When there are more, the rarest are forgotten.
const FEATURES_MAX: usize = 1 << 20;

/// Features are hashes already.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }
}

pub(super) type Map<K, V> = HashMap<K, V, BuildHasherDefault<AsIs>>;

/// A feature with a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair(u64, Label);

impl Hash for Pair {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0 ^ u64::from(self.1.0) << 48);
    }
}

/// Counts of one kind of feature.
#[derive(Clone, Debug, Default)]
struct Counts {
    alone: Map<u64, u32>,
    with: Map<Pair, u32>,
}

impl Counts {
    fn add(&mut self, feature: u64, labels: [Option<Label>; 2]) {
        increment(self.alone.entry(feature).or_default());
        for label in labels.into_iter().flatten() {
            increment(self.with.entry(Pair(feature, label)).or_default());
        }
        if self.alone.len() > FEATURES_MAX {
            self.forget();
        }
    }

    /// Forgets the rarest features until half are left.
    fn forget(&mut self) {
        let mut rare = 1;
        while self.alone.len() > FEATURES_MAX / 2 {
            self.alone.retain(|_, count| *count > rare);
            rare = rare.saturating_mul(2);
        }
        let Counts { alone, with } = self;
        with.retain(|pair, _| alone.contains_key(&pair.0));
    }

    fn bytes(&self) -> usize {
        self.alone.allocation_size() + self.with.allocation_size()
    }
}

/// A feature, how often it was seen, and how often with a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) feature: u64,
    pub(super) label: Label,
    pub(super) alone: u32,
    pub(super) with: u32,
}

/// All that was counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Knowledge {
    kinds: [Counts; FeatureKind::ALL.len()],
    /// How often each type was met.
    met: Vec<u32>,
    answers: u64,
}

impl Knowledge {
    pub(super) fn learn(&mut self, features: &Features, labels: [Option<Label>; 2]) {
        self.answers += 1;
        for label in labels.into_iter().flatten() {
            let at = usize::from(label.0);
            self.met.resize(self.met.len().max(at + 1), 0);
            increment(&mut self.met[at]);
        }
        for kind in FeatureKind::ALL {
            features.get(kind).for_each(|feature| self.kinds[kind as usize].add(feature, labels));
        }
    }

    pub(super) fn answers(&self) -> u64 {
        self.answers
    }

    /// How likely a type is, with nothing known of the URI.
    pub(super) fn prior(&self, label: Label) -> f32 {
        let met = self.met.get(usize::from(label.0)).copied().unwrap_or(0);
        met as f32 / self.answers.max(1) as f32
    }

    pub(super) fn seen(&self, kind: FeatureKind) -> impl Iterator<Item = Seen> {
        let Counts { alone, with } = &self.kinds[kind as usize];
        with.iter().filter_map(|(Pair(feature, label), count)| {
            let alone = *alone.get(feature)?;
            Some(Seen { feature: *feature, label: *label, alone, with: *count })
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.kinds.iter().map(Counts::bytes).sum::<usize>() + self.met.capacity() * size_of::<u32>()
    }
}

fn increment(count: &mut u32) {
    *count = count.saturating_add(1);
}
