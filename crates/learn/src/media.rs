//! What is behind a URL, before asking: the media type, whether it carries links, and how many bytes.
//!
//! Every learner here sees the same ([`Sight`]), is told the same afterwards ([`MediaAnswer`]), and answers the same
//! questions ([`Model`]).

mod aside;
mod explained;
mod extension;
mod features;
mod field;
mod folded;
mod folding;
mod guess;
mod kind;
mod marks;
mod model;
mod names;
mod ours;
mod parts;
mod shares;
mod shipped;
pub mod statistical;
mod stored;
pub mod stream;
mod tags;
mod train;
mod url;
mod weights;

pub use explained::{ExplainedUrl, FeatureWeight, NamedChance, UrlPattern};
pub use guess::Guess;
pub use kind::Kind;
pub use model::{MediaAnswer, Model, Sight};
pub use ours::{Media, MediaReason};
pub use parts::Parts;
pub use statistical::Statistical;
pub use stored::StoredError;
pub use stream::{Stream, patterns_of};
pub use train::train;
