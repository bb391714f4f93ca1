//! The learners that can be judged.

use super::{
    extension::Extensions,
    labelled::{Labelled, Names},
};
use clap::ValueEnum;
use std::fmt;
use tintype_learn::media::{Answer, Media, Model, Sight, Statistical, Stream, train};
use tintype_quality::classification::CLASSES;

/// A learner by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command::lab) enum Name {
    /// Ours: many small signs of a URL, weighed; the default
    Tintype,
    /// The classifier of the 2009 paper
    Statistical,
    /// Frequent patterns of a stream, in a fixed amount of memory
    Stream,
    /// The ending of the name alone; learns nothing
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

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_possible_value().expect("no name is hidden").get_name())
    }
}

/// A model that can be tried out without being spoiled.
pub(in crate::command::lab) trait Learner: Model {
    fn again(&self) -> Box<dyn Learner>;

    /// The chances of content types under these names.
    fn chances(&self, url: &str, names: Names) -> [f32; CLASSES] {
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
    fn chances(&self, url: &str, names: Names) -> [f32; CLASSES] {
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

impl Name {
    /// One that knows nothing: what ships with us has seen URLs that are judged here.
    pub(in crate::command::lab) fn blank(self) -> Box<dyn Learner> {
        match self {
            Name::Tintype => Box::new(Media::blank()),
            Name::Statistical => Box::new(Statistical::new(THRESHOLD)),
            Name::Stream => Box::new(Stream::new(BUDGET)),
            Name::Extension => Box::new(Extensions),
        }
    }
}

impl Name {
    /// One that has learned from all rows: ours as it is trained to be shipped, the others from each row once and in
    /// order, as a crawler would. The label says what they are.
    pub(in crate::command::lab) fn trained(self, rows: &[Labelled<'_>], label: &str) -> Box<dyn Learner> {
        if self == Name::Tintype {
            let examples: Vec<_> = rows.iter().map(|row| (Sight::of(row.url), Answer::of(row.sent))).collect();
            return Box::new(train(&examples, label, RUN_SEED));
        }
        let mut model = self.blank();
        learn(&mut *model, rows);
        model
    }
}

/// Learns every row once, in order.
pub(in crate::command::lab) fn learn(model: &mut dyn Learner, rows: &[Labelled<'_>]) {
    for row in rows {
        let answer = Answer::of(model.name(row));
        model.learn(&Sight::of(row.url), &answer);
    }
    model.conclude();
}
