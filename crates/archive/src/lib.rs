//! The archive on disk.

mod exchange;
mod spool;

pub use exchange::{Exchange, Truncated};
pub use spool::Spool;
