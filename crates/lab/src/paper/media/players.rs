//! Who is asked whether a URL is of a content type: the paper's classifier, the miner it announced, and ours.

use super::NAMES;
use crate::{
    media::labelled::Labelled,
    media::models::{Learner, ModelName, learn},
};
use tintype_learn::media::{
    Model, Sight, Statistical,
    statistical::{STRICT_THRESHOLD, THRESHOLD},
};
use tintype_quality::CONTENT_TYPES;
use tintype_vocab::{ContentType, MediaRange};

pub(super) const THRESHOLDS: [f32; 2] = [THRESHOLD, STRICT_THRESHOLD];
/// In the order of [`blank`].
pub(super) const PLAYERS: [&str; 3] = ["statistical", "stream", "tintype"];

/// One that can be asked at either threshold.
pub(super) enum Player {
    /// The threshold is that of its rules: two classifiers.
    Rules(Box<[Statistical; 2]>),
    /// The threshold is that of the chance.
    Chances(ModelName, Box<dyn Learner>),
}

pub(super) fn blank() -> [Player; 3] {
    let chances = |name: ModelName| Player::Chances(name, name.blank());
    [Player::Rules(Box::new(THRESHOLDS.map(Statistical::new))), chances(ModelName::Stream), chances(ModelName::Tintype)]
}

impl Player {
    /// A round: of all that is known, what lies from `new` on is news. Ours goes through all of it again, as it does to be
    /// shipped; the others see every URL once.
    pub(super) fn learn(&mut self, known: &[Labelled<'_>], new: usize) {
        match self {
            Player::Rules(rules) => rules.iter_mut().for_each(|rules| learn(rules, &known[new..])),
            Player::Chances(ModelName::Tintype, model) => *model = ModelName::Tintype.trained(known, ""),
            Player::Chances(_, model) => learn(&mut **model, &known[new..]),
        }
    }

    /// What it says a URL is, at both thresholds. It may be nothing, or several.
    pub(super) fn says(&self, url: &str) -> [[bool; CONTENT_TYPES]; 2] {
        match self {
            Player::Rules(rules) => rules.each_ref().map(|rules| {
                let is = |class: ContentType| rules.chance(&Sight::of(url), &MediaRange::All(class)) > 0.0;
                ContentType::ALL.map(is)
            }),
            Player::Chances(_, model) => {
                let chances = model.chances(url, NAMES);
                THRESHOLDS.map(|threshold| chances.map(|chance| chance > threshold))
            }
        }
    }
}
