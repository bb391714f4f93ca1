//! Observations to beliefs.
//!
//! Pure folds: a learner never asks for anything, it is fed. Read [`grid`] first: what is believed of how
//! often a page changes.

mod address;
pub mod burst;
pub mod cohort;
pub mod decay;
pub mod directory;
pub mod distribution;
pub mod first_guess;
pub mod grid;
pub mod hint;
pub mod ledger;
pub mod life;
pub mod media;
pub mod partition;
pub mod pattern;
pub mod rate;
