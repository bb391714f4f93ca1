//! Observations to beliefs.
//!
//! Pure folds: a learner never asks for anything, it is fed. Read [`learner`] first, what every learner is, and
//! [`knowledge`], all that is believed of a site; then [`grid`]: what is believed of how often a page changes.

mod address;
pub mod burst;
pub mod changes;
pub mod cohort;
pub mod decay;
pub mod directory;
pub mod distribution;
mod few;
pub mod first_guess;
pub mod forecast;
pub mod grid;
pub mod hint;
pub mod hours;
pub mod knowledge;
pub mod lastmod;
pub mod learner;
pub mod learners;
pub mod ledger;
pub mod life;
pub mod media;
pub mod partition;
pub mod pattern;
pub mod rate;
pub mod rates;
pub mod rendering;
pub mod site_patterns;
pub mod stored;
pub mod worth;
