//! The measures of an archive.
//!
//! Pure folds over observations and truths; nothing is fetched, stored or believed here. Read [`Tally`] first: what
//! one capture brought home.

mod tally;
mod truth;

pub use tally::Tally;
pub use truth::{Truth, Version};
