//! Histories that somebody recorded: tables of events, segments with the bodies behind them, collections of our own.
//!
//! Everything read here may be hostile: rows, records and documents are bounded, and what cannot have happened is
//! refused with the line or the record it stands in. Read [`read_events`] first.

mod collection;
mod events;
mod malformed;
pub(crate) mod rows;
mod segment;
mod unzip;
mod visits;
mod window;

pub use collection::{Archived, Unplayable, of_collection};
pub use events::{PATH_BYTES_MAX, read_events};
pub use malformed::{Fault, Malformed};
pub use rows::ROW_BYTES_MAX;
pub use segment::{BadSegment, Flaw, Segment};
pub use unzip::unzipped;
pub use visits::HistoryVisits;
pub use window::window;
pub(crate) use {events::time_of, malformed::shown};

#[cfg(test)]
mod tests;
