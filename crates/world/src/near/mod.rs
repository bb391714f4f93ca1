//! Which parts of a site could have been skipped: full captures of a recorded past at equal distances, and what becomes
//! of each when a policy that learned from those before it leaves pages out.
//!
//! Read [`Windows`] first: which versions teach and which are tested; then [`SkipExperiment`], which every policy plays, and
//! [`Passage`], which judges one test. [`BypassCurve`] compares policies at equal shares of pages skipped.

mod closed;
mod curve;
mod experiment;
mod passage;
mod ride;
mod side_by_side;
mod skip;
#[cfg(test)]
mod trial;
mod versions;
mod warm;
mod windows;

pub use closed::CLOSED_FROM;
pub use curve::BypassCurve;
pub use experiment::SkipExperiment;
pub use passage::{Births, Judged, Mean, Passage, Passed};
pub use ride::Ridden;
pub use skip::Skip;
pub use versions::{Versions, teach_history};
pub use warm::{Setting, Warm, WarmTest};
pub use windows::{TooShort, Wanted, Windows};
