//! What chooses the crawls of a source.

use tintype_learn::decay::Crawl;
use tintype_vocab::Span;

/// Chooses the crawls of one source. It sees what they find and nothing else.
pub trait SourcePolicy {
    /// A crawl was made.
    fn see(&mut self, crawl: &Crawl);

    /// How many steps to wait after the crawl seen last; from 1 to `at_most`.
    fn next(&mut self, step: Span, at_most: u32) -> u32;
}
