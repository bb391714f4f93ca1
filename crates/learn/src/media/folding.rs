//! Media types as a learner: what answers say of what is behind URLs.

use super::{Media, MediaAnswer, Model, Sight};
use crate::learner::{Context, Effect, Learner, PageSlot, Subject, same};
use tintype_vocab::{ContentType, Observation, Time};

impl Learner for Media {
    fn name(&self) -> &'static str {
        "media"
    }

    fn blank(&self) -> Box<dyn Learner> {
        Box::new(Media::blank())
    }

    fn observe(&mut self, page: &Subject<'_>, seen: &Observation, _: &Context<'_>) -> Effect {
        if let Some(answer) = MediaAnswer::told_by(seen) {
            self.learn(&Sight { url: &seen.url, mention: page.mention }, &answer);
        }
        Effect::default()
    }

    fn merge(&mut self, other: &dyn Learner, _: &[PageSlot]) {
        if let Some(other) = same(other) {
            Media::merge(self, other);
        }
    }

    fn save(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn bytes(&self) -> usize {
        Model::bytes(self)
    }

    fn believes(&self, page: &Subject<'_>, _: Time) -> Vec<(&'static str, f64)> {
        let chances = self.guess(&Sight { url: page.url, mention: page.mention }).content_types();
        ContentType::ALL
            .iter()
            .zip(chances)
            .map(|(content_type, chance)| (content_type.name(), chance.into()))
            .collect()
    }
}
