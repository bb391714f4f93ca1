//! The classifier of Umbrich, Karnstedt and Harth (2009): rules of one feature each, asked in a fixed order.
//!
//! Faithful where the paper is clear, and where it is not as `docs/papers/media.md` says. It answers for one type at a
//! time: is it an image? Answers are counted as they come; the rules are chosen anew in rounds.

mod features;
mod knowledge;
mod rules;

use self::{features::Features, knowledge::Knowledge, rules::Rules};
use super::{MediaAnswer, Model, Parts, Sight, names::Names};
use tintype_vocab::{ContentType, MediaRange};

pub use self::{
    features::FeatureKind,
    rules::{DECIDES_ABOVE, confidence, decide, estimate},
};

/// A feature must make a type at least this likely to become a rule.
pub const THRESHOLD: f32 = 0.5;
/// The paper's second choice: fewer rules, more media precision.
pub const STRICT_THRESHOLD: f32 = 0.7;
/// Rounds end when this part more is known than at the end of the round before.
const ROUND_PART: u64 = 8;

const TYPES: usize = ContentType::ALL.len();

/// Features, what they were seen with, and the rules chosen from that.
#[derive(Clone, Debug)]
pub struct Statistical {
    threshold: f32,
    names: Names,
    knowledge: Knowledge,
    rules: Rules,
    round_ends: u64,
}

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Label(u16);

impl Label {
    fn content(kind: ContentType) -> Label {
        Label(kind as u16)
    }

    fn media(name: super::names::NameId) -> Label {
        Label(TYPES as u16 + name.0)
    }

    fn is_content(self) -> bool {
        usize::from(self.0) < TYPES
    }
}

impl Statistical {
    /// Knows nothing. Below a half, several types could claim one feature: the threshold is at least that.
    pub fn new(threshold: f32) -> Statistical {
        Statistical {
            threshold: threshold.clamp(THRESHOLD, 1.0),
            names: Names::default(),
            knowledge: Knowledge::default(),
            rules: Rules::default(),
            round_ends: 0,
        }
    }

    /// Ends a round: chooses the rules from all that is known. Happens by itself whenever an eighth more is known.
    pub fn update(&mut self) {
        self.rules = Rules::choose(&self.knowledge, self.threshold);
        let known = self.knowledge.answers();
        self.round_ends = known + known / ROUND_PART + 1;
    }

    /// Which kind of feature makes a URL one of this range, and how likely; nothing if it is held to be none.
    pub fn decide(&self, url: &str, wanted: &MediaRange) -> Option<(FeatureKind, f32)> {
        let features = Features::of(&Parts::of(url));
        match wanted {
            MediaRange::All(kind) => self.rules.decide(&features, Label::content(*kind)),
            MediaRange::One(_) => {
                let labels = self.names.within(wanted).map(Label::media);
                let decisions = labels.filter_map(|label| self.rules.decide(&features, label));
                decisions.max_by(|(_, one), (_, other)| one.total_cmp(other))
            }
        }
    }

    /// Rules of a kind of feature.
    pub fn rules(&self, kind: FeatureKind) -> usize {
        self.rules.len(kind)
    }
}

impl Model for Statistical {
    fn learn(&mut self, sight: &Sight<'_>, answer: &MediaAnswer<'_>) {
        let content = ContentType::of(answer.media_type).map(Label::content);
        let media = self.names.intern(answer.media_type).map(Label::media);
        let features = Features::of(&Parts::of(sight.url));
        self.knowledge.learn(&features, [content, media]);
        if self.knowledge.answers() >= self.round_ends {
            self.update();
        }
    }

    /// Every type is decided by itself, so that several may be likely: then they share what there is. Where none is,
    /// half the chance goes to the types by how often they were met, and the other half to none of them: the most
    /// frequent type is the best guess, and no guess decides anything.
    fn content_types(&self, sight: &Sight<'_>) -> [f32; TYPES] {
        let features = Features::of(&Parts::of(sight.url));
        let decided = ContentType::ALL
            .map(|kind| self.rules.decide(&features, Label::content(kind)).map_or(0.0, |(_, chance)| chance));
        let sum: f32 = decided.iter().sum();
        if sum > 0.0 {
            return decided.map(|chance| chance / sum.max(1.0));
        }
        ContentType::ALL.map(|kind| self.knowledge.prior(Label::content(kind)) * DECIDES_ABOVE)
    }

    /// 0 of what the rules do not decide.
    fn chance(&self, sight: &Sight<'_>, wanted: &MediaRange) -> f32 {
        self.decide(sight.url, wanted).map_or(0.0, |(_, chance)| chance)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.names.bytes() + self.knowledge.bytes() + self.rules.bytes()
    }
}

#[cfg(test)]
mod tests;
