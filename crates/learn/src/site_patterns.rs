//! When the pages of a site change, from what was seen of them.
//!
//! Visits come in order of time from a [`VisitSource`], which is read twice: the first reading ([`survey`]) finds out how often
//! each page changes, which clock the site lives by and whether its changes come in bursts; the second ([`learned`]) then
//! counts changes by that clock. Memory is bounded whatever the source holds: a few dozen bytes for each of at most
//! [`PAGES_MAX`] pages, and less than 800 more for those that ever changed. Read [`SitePatterns`] first.

mod importance;
mod learned;
mod survey;
mod visit;

pub use importance::{ImportanceSeries, ImportantDay};
pub use learned::{ChangeForecast, Habit, Noticed, SitePatterns};
pub use survey::PageLife;
pub use visit::{VisitRecord, VisitResult, VisitSource};

/// Pages of one site that are looked at; the visits of others are passed over, and counted.
pub const PAGES_MAX: usize = 200_000;
