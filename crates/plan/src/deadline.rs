//! When a source must be crawled again so that a promise about its copy is kept.
//!
//! Read [`Deadline`] first: it spends the share of time that a promise may be broken, no more and no less. The other
//! policies are what it is held against.

mod allowance;
mod auto_regressive;
mod course;
mod decays;
mod fixed;
mod foresight;
mod persistence;
mod promise;
mod sampling;
mod source_policy;
mod tintype;
mod turn;

pub use allowance::Allowance;
pub use auto_regressive::{AutoRegressive, Filling, Learning};
pub use fixed::Fixed;
pub use foresight::{AtTarget, Foresight};
pub use persistence::Persistence;
pub use promise::{BROKEN_SHARE_MAX, Promise};
pub use source_policy::SourcePolicy;
pub use tintype::{CrawlReason, Deadline, NextCrawl, Tintype};
pub use turn::{Waiting, most_urgent};
