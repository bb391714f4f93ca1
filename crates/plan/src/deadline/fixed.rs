//! Crawling at equal distances.

use super::SourcePolicy;
use tintype_learn::decay::Crawl;
use tintype_vocab::Span;

/// Every so many steps, whatever happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed {
    pub every: u32,
}

impl SourcePolicy for Fixed {
    fn see(&mut self, _: &Crawl) {}

    fn next(&mut self, _: Span, at_most: u32) -> u32 {
        self.every.clamp(1, at_most.max(1))
    }
}
