//! Which parts of a site could have been skipped: full captures of a recorded past at equal distances, and what becomes
//! of each when a policy that learned from those before it leaves pages out.
//!
//! Read [`Windows`] first: which versions teach and which are tested; then [`Passage`], which judges one test.

mod passage;
#[cfg(test)]
mod trial;
mod versions;
mod windows;

pub use passage::{Births, Judged, Mean, Passage, Passed};
pub use versions::Versions;
pub use windows::{TooShort, Wanted, Windows};
