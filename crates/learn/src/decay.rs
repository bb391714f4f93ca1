//! How fast a copy of a source rots: from crawls to a forecast of copy precision and copy recall.

mod auto_regression;
mod crawl;

pub use auto_regression::{AutoRegression, Mode, decay, interpolate, quality};
pub use crawl::Crawl;
