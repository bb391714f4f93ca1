//! The rules: features that make a type likely.

use super::{
    Label,
    features::{FeatureKind, Features},
    knowledge::{Knowledge, Map, Seen},
};

/// A rule decides if it makes its type more likely than this.
pub const DECIDES_ABOVE: f32 = 0.5;
/// Rules of one kind of feature for one type.
const CACHE_MAX: usize = 5_000;
/// How many occurrences the prior is worth (the paper's m, without a value there).
const PRIOR_WORTH: f64 = 5.0;

/// How likely a type is, given a feature: both seen together, of so many times the feature was seen.
pub fn confidence(together: u32, feature: u32) -> f64 {
    f64::from(together) / f64::from(feature.max(1))
}

/// The true Bayesian estimate w = v / (v + m) R + m / (v + m) C of a feature that was seen v times and then had
/// confidence R; C is what is assumed of features nobody has seen, and worth m occurrences.
pub fn estimate(occurrences: f64, prior_worth: f64, confidence: f64, prior: f64) -> f64 {
    (occurrences * confidence + prior_worth * prior) / (occurrences + prior_worth)
}

/// The first kind of feature of which one is likely enough, and the likeliest of that kind.
pub fn decide<K: Copy, V: IntoIterator<Item = f64>>(kinds: impl IntoIterator<Item = (K, V)>) -> Option<(K, f64)> {
    let likeliest = |(kind, values): (K, V)| (kind, values.into_iter().fold(0.0, f64::max));
    kinds.into_iter().map(likeliest).find(|(_, value)| *value > f64::from(DECIDES_ABOVE))
}

/// What a feature makes likely. Since it must be half at least, that is one content type and one media type at most.
#[derive(Clone, Copy, Debug, Default)]
struct Rule {
    content: Option<(Label, f32)>,
    media: Option<(Label, f32)>,
}

impl Rule {
    fn place(&mut self, label: Label) -> &mut Option<(Label, f32)> {
        if label.is_content() { &mut self.content } else { &mut self.media }
    }

    fn value(&self, label: Label) -> f32 {
        let rule = if label.is_content() { self.content } else { self.media };
        rule.filter(|(of, _)| *of == label).map_or(0.0, |(_, value)| value)
    }
}

/// All rules in use.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    kinds: [Map<u64, Rule>; FeatureKind::ALL.len()],
}

impl Rules {
    pub(super) fn choose(knowledge: &Knowledge, threshold: f32) -> Rules {
        Rules { kinds: FeatureKind::ALL.map(|kind| choose(knowledge, kind, threshold)) }
    }

    pub(super) fn decide(&self, features: &Features, label: Label) -> Option<(FeatureKind, f32)> {
        let values = |kind: FeatureKind| {
            let rules = &self.kinds[kind as usize];
            features.get(kind).filter_map(move |feature| Some(f64::from(rules.get(&feature)?.value(label))))
        };
        let decided = decide(FeatureKind::ALL.map(|kind| (kind, values(kind))));
        decided.map(|(kind, value)| (kind, value as f32))
    }

    pub(super) fn len(&self, kind: FeatureKind) -> usize {
        self.kinds[kind as usize].len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.kinds.iter().map(Map::allocation_size).sum()
    }
}

/// The rules of one kind: those that are sure enough, and of each type those of most importance.
fn choose(knowledge: &Knowledge, kind: FeatureKind, threshold: f32) -> Map<u64, Rule> {
    let mut candidates: Vec<(Label, f32, u64)> = Vec::new();
    for Seen { feature, label, alone, with } in knowledge.seen(kind) {
        let confidence = confidence(with, alone);
        if confidence >= f64::from(threshold) {
            let prior = f64::from(knowledge.prior(label));
            candidates.push((label, estimate(f64::from(alone), PRIOR_WORTH, confidence, prior) as f32, feature));
        }
    }
    candidates
        .sort_unstable_by(|one, other| one.0.cmp(&other.0).then(other.1.total_cmp(&one.1)).then(one.2.cmp(&other.2)));
    let mut rules: Map<u64, Rule> = Map::default();
    for of_one_type in candidates.chunk_by(|one, other| one.0 == other.0) {
        for (label, value, feature) in of_one_type.iter().take(CACHE_MAX) {
            let place = rules.entry(*feature).or_default().place(*label);
            if place.is_none_or(|(_, held)| held < *value) {
                *place = Some((*label, *value));
            }
        }
    }
    rules
}
