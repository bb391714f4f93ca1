//! When a source must be crawled again so that a promise about its copy is kept.
//!
//! Read [`Deadline`] first: it spends the share of time that a promise may be broken, no more and no less. The other
//! policies are what it is held against.

mod allowance;
mod auto_regressive;
mod decays;
mod fixed;
mod foresight;
mod persistence;
mod promise;
mod sampling;
mod tintype;
mod turn;

pub use allowance::Allowance;
pub use auto_regressive::{AutoRegressive, Filling, Learning};
pub use fixed::Fixed;
pub use foresight::{AtTarget, Foresight};
pub use persistence::Persistence;
pub use promise::{BROKEN_SHARE_MAX, Promise};
pub use tintype::{Deadline, NextCrawl, Reason, Tintype};
pub use turn::{Waiting, most_urgent};

use tintype_learn::decay::Crawl;
use tintype_vocab::Span;

/// Chooses the crawls of one source. It sees what they find and nothing else.
pub trait SourcePolicy {
    /// A crawl was made.
    fn see(&mut self, crawl: &Crawl);

    /// How many steps to wait after the crawl seen last; from 1 to `at_most`.
    fn next(&mut self, step: Span, at_most: u32) -> u32;
}
