//! The observation log: append-only files of JSON lines, in each the captures of a site one after the other; ground truth
//! beside the segments.
//!
//! A line is an object with one key that says what it is (`head`, `decide`, `observe`, `same`, `lost`, `missing`, `objects`, `end`) and a checksum, so
//! that a torn or zero-filled tail is recognised. Where many are written at once they become one ([`packed`]). [`entry`] has the
//! lines, [`links`] how links are kept short.

pub(crate) mod brief;
pub(crate) mod entry;
pub(crate) mod head;
pub(crate) mod held_links;
pub(crate) mod line;
pub(crate) mod links;
mod packed;
pub(crate) mod range;
pub(crate) mod reader;
mod spelled;
pub(crate) mod writer;

pub use entry::{Before, Kept, MissingRecord, Original, Place};
pub use head::{CaptureHead, CaptureKind};
pub use reader::Entries;
