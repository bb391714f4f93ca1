//! Observations to beliefs.
//!
//! Pure folds: a learner never asks for anything, it is fed. Read [`rate`] first: how often a page changes.

pub mod rate;
