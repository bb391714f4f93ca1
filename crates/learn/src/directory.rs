//! Which directories of a site change together, and which stay still while those around them change.
//!
//! A [`DirectoryTree`] is fed versions of a site, path by path, and says what each transition changed ([`DirectoryDelta`]); [`Bitmaps`]
//! keep one bit of that per directory and transition. From these [`mine()`] learns rules ("these changed, that did not"),
//! and [`skipped`] says what to skip by them. [`DirectoryActivity`] says how likely a page is to have changed once others
//! were looked at, and [`Memory`] folds all of it from captures. Read [`DirectoryShape`] first: the numbers all of them speak of.

mod activity;
mod bitmaps;
#[cfg(test)]
mod brute;
mod chain;
mod chronicle;
mod delta;
mod loss;
mod memory;
mod mine;
mod order;
mod rule;
mod segments;
mod shape;
mod subsumed;
mod summary;
mod thresholds;
mod tight;
mod tree;
mod warm;
mod words;

pub use activity::{DirectoryActivity, FoundPage, Round, UNLIKELY};
pub use bitmaps::Bitmaps;
pub use chronicle::{Chapter, liveliest};
pub use delta::{DirectoryChange, DirectoryDelta, Weighing};
pub use loss::{LOSS_SHARE, LossBelief, LossRecord, drawn_of};
pub use memory::{DEGREE_OF_CHANGE_MIN, Memory, place};
pub use mine::{RULES_MAX, mine, mine_all, patterns};
pub use rule::{Pattern, Rule, confidence, correlation};
pub use segments::{DEPTH_MAX, segments};
pub use shape::{DirectoryId, DirectoryShape, PATH_BYTES_MAX, PageNumber};
pub use subsumed::{Subsumed, mine_subsumed};
pub use summary::{ComparedVersions, DirectorySummary, ExpectedChange, RuleSummary, UnchangedDirectory};
pub use thresholds::{Literal, Strength, Thresholds};
pub use tree::{DirectoryTree, Unseen};
pub use warm::{skipped, skipped_as_printed};
