//! Which directories of a site change together, and which stay still while those around them change.
//!
//! A [`Tree`] is fed versions of a site, path by path, and says what each transition changed ([`Delta`]); [`Bitmaps`]
//! keep one bit of that per directory and transition. Read [`Shape`] first: the numbers all of them speak of.

mod bitmaps;
mod delta;
mod order;
mod segments;
mod shape;
mod tight;
mod tree;

pub use bitmaps::Bitmaps;
pub use delta::{Change, Delta, Weighing};
pub use segments::{DEPTH_MAX, segments};
pub use shape::{DirectoryId, PATH_BYTES_MAX, PageNumber, Shape};
pub use tree::{Tree, Unseen};
