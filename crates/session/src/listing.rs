//! Listings: sources whose objects are kept as a copy. What is known of one, how its pages are read, how some of its
//! objects are asked for instead, and what its crawls came to.

mod held;
mod history;
mod names;
mod observer;
mod place;
mod probe;
mod state;
mod subset;
mod terms;

pub use held::{CrawlNews, HeldObject, HeldObjects};
pub use history::{CrawlHistory, CrawlRecord, INTERVAL, Quality};
pub use names::{imported_attributes, imported_sources};
pub use observer::{ListingObserver, ListingReport};
pub use probe::{draw, site_of as probe_site};
pub use state::{SourceState, retry_after};
pub use subset::{BadSubset, Subset, SubsetOf};
pub use terms::Terms;
