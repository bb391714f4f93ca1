//! What several fuzz targets share: dressing bytes up as a segment, and what must hold for every look at a body.
//!
//! A fuzzer cannot guess a CRC, so compressed segments are made from its bytes instead of waiting for it to find one.

mod looking;
mod segment;

pub use looking::{all_links_hold, look_as};
pub use segment::{gzip, segment};
