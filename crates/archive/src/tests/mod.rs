//! Tests of the room as a whole: a small site, captured, killed, reopened.

mod rig;
mod round_trip;
