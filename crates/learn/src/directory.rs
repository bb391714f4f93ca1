//! Which directories of a site change together, and which stay still while those around them change.
//!
//! A [`Tree`] is fed versions of a site, path by path, and says what each transition changed ([`Delta`]); [`Bitmaps`]
//! keep one bit of that per directory and transition. [`Activity`] says how likely a page is to have changed once others
//! were looked at, and [`Memory`] folds all of it from captures. Read [`Shape`] first: the numbers all of them speak of.

mod activity;
mod bitmaps;
mod delta;
mod memory;
mod order;
mod segments;
mod shape;
mod tight;
mod tree;

pub use activity::{Activity, Found, Round};
pub use bitmaps::Bitmaps;
pub use delta::{Change, Delta, Weighing};
pub use memory::{DEGREE_OF_CHANGE_MIN, Memory};
pub use segments::{DEPTH_MAX, segments};
pub use shape::{DirectoryId, PATH_BYTES_MAX, PageNumber, Shape};
pub use tree::{Tree, Unseen};
