//! Which directories of a site change together, and which stay still while those around them change.
//!
//! A [`Shape`] numbers the directories and pages of a site.

mod order;
mod segments;
mod shape;
mod tight;

pub use segments::{DEPTH_MAX, segments};
pub use shape::{DirectoryId, PATH_BYTES_MAX, PageNumber, Shape};
