//! What several fuzz targets share: dressing bytes up as a segment, and what must hold for every look at a body.
//!
//! A fuzzer cannot guess a CRC, so compressed segments are made from its bytes instead of waiting for it to find one.

mod asking;
mod looking;
mod place;
mod segment;

pub use asking::{ask_collection, ask_holdings};
pub use looking::{all_links_hold, look_as};
pub use place::place;
pub use segment::{gzip, segment};
