//! The learners that can be judged.

use super::{
    extension::Extensions,
    labelled::{Labelled, Names},
};
use std::fmt;
use tintype_learn::media::{Media, MediaAnswer, Model, Sight, Statistical, Stream, train};
use tintype_quality::CONTENT_TYPES;

/// A learner by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelName {
    Tintype,
    Statistical,
    Stream,
    Extension,
}

/// What the paper's classifier keeps.
const THRESHOLD: f32 = 0.5;
/// Behind the dice of training.
const RUN_SEED: u64 = 1;
/// Rows of weights that learned less are not shipped: half of the bytes, and next to nothing of what is predicted.
const LEARNED_MIN: f32 = 0.2;
/// Bytes of memory for the patterns of a stream.
const BUDGET: usize = 16 << 20;

impl ModelName {
    pub const ALL: [ModelName; 4] =
        [ModelName::Tintype, ModelName::Statistical, ModelName::Stream, ModelName::Extension];

    pub fn name(self) -> &'static str {
        match self {
            ModelName::Tintype => "tintype",
            ModelName::Statistical => "statistical",
            ModelName::Stream => "stream",
            ModelName::Extension => "extension",
        }
    }

    /// What it is, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            ModelName::Tintype => "Ours: many small signs of a URL, weighed; the default",
            ModelName::Statistical => "The classifier of the 2009 paper",
            ModelName::Stream => "Frequent patterns of a stream, in a fixed amount of memory",
            ModelName::Extension => "The ending of the name alone; learns nothing",
        }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A model that can be tried out without being spoiled.
pub(crate) trait Learner: Model {
    fn again(&self) -> Box<dyn Learner>;

    /// The chances of content types under these names.
    fn chances(&self, url: &str, names: Names) -> [f32; CONTENT_TYPES] {
        names.chances(self.content_types(&Sight::of(url)))
    }

    /// The name it learns from a row.
    fn name<'r>(&self, row: &Labelled<'r>) -> &'r str {
        row.media_type
    }

    /// Draws the conclusions that a model draws only now and then.
    fn conclude(&mut self) {}

    /// What it learned as bytes that can be shipped; nothing of who cannot be kept.
    fn kept(&self) -> Option<Vec<u8>> {
        None
    }
}

impl Learner for Media {
    fn again(&self) -> Box<dyn Learner> {
        Box::new(self.clone())
    }

    /// It tells names apart that mean the same, and can put them together again.
    fn chances(&self, url: &str, names: Names) -> [f32; CONTENT_TYPES] {
        let guess = self.guess(&Sight::of(url));
        match names {
            Names::Folded => guess.folded_content_types(),
            Names::Sent => guess.content_types(),
        }
    }

    fn name<'r>(&self, row: &Labelled<'r>) -> &'r str {
        row.sent
    }

    fn kept(&self) -> Option<Vec<u8>> {
        Some(self.to_bytes_above(LEARNED_MIN))
    }
}

impl Learner for Statistical {
    fn again(&self) -> Box<dyn Learner> {
        Box::new(self.clone())
    }

    fn conclude(&mut self) {
        self.update();
    }
}

impl Learner for Stream {
    fn again(&self) -> Box<dyn Learner> {
        Box::new(self.clone())
    }
}

impl Learner for Extensions {
    fn again(&self) -> Box<dyn Learner> {
        Box::new(*self)
    }
}

impl ModelName {
    /// One that knows nothing: what ships with us has seen URLs that are judged here.
    pub(crate) fn blank(self) -> Box<dyn Learner> {
        match self {
            ModelName::Tintype => Box::new(Media::blank()),
            ModelName::Statistical => Box::new(Statistical::new(THRESHOLD)),
            ModelName::Stream => Box::new(Stream::new(BUDGET)),
            ModelName::Extension => Box::new(Extensions),
        }
    }

    /// One that has learned from all rows: ours as it is trained to be shipped, the others from each row once and in
    /// order, as a crawler would. The label says what they are.
    pub(crate) fn trained(self, rows: &[Labelled<'_>], label: &str) -> Box<dyn Learner> {
        if self == ModelName::Tintype {
            let examples: Vec<_> = rows.iter().map(|row| (Sight::of(row.url), MediaAnswer::of(row.sent))).collect();
            return Box::new(train(&examples, label, RUN_SEED));
        }
        let mut model = self.blank();
        learn(&mut *model, rows);
        model
    }
}

/// Learns every row once, in order.
pub(crate) fn learn(model: &mut dyn Learner, rows: &[Labelled<'_>]) {
    for row in rows {
        let answer = MediaAnswer::of(model.name(row));
        model.learn(&Sight::of(row.url), &answer);
    }
    model.conclude();
}
