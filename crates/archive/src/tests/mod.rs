//! Tests of the room as a whole: a small site, captured, killed, reopened.

mod audit;
mod changes;
mod checkpoints;
mod crashes;
mod crashing_disk;
mod defects;
mod evidence;
mod foreign_files;
mod holdings;
mod importance;
mod imports;
mod objects;
mod packed;
mod recapture;
mod rig;
mod round_trip;
mod search;
mod sharing;
mod spellings;
mod strangers;
mod truncation;
