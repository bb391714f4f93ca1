//! How fast a copy of a source rots: from crawls to a forecast of copy precision and copy recall.

mod crawl;

pub use crawl::Crawl;
