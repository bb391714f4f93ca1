//! Crawling when a copy is foretold to be worse than promised.

use super::SourcePolicy;
use tintype_learn::decay::Crawl;
use tintype_vocab::Span;

/// Foretells how good a copy will be.
pub trait Foresight {
    /// A crawl was made: the copy is new.
    fn see(&mut self, crawl: &Crawl);

    /// The quality expected one step after the last crawl, two steps, and so on.
    fn qualities(&self, steps: usize) -> Vec<f64>;

    /// Where the quality will lie in nine of ten cases, so many steps after the last crawl. Nothing from those who do not
    /// know how much they know.
    fn interval(&self, _steps: usize) -> Option<(f64, f64)> {
        None
    }
}

/// Crawls at the first step at which less than the target is foretold. It believes what is foretold, and breaks every
/// second promise: that is what it is here to show.
#[derive(Clone, Debug)]
pub struct AtTarget<F> {
    pub foresight: F,
    pub target: f64,
}

impl<F: Foresight> SourcePolicy for AtTarget<F> {
    fn see(&mut self, crawl: &Crawl) {
        self.foresight.see(crawl);
    }

    fn next(&mut self, _: Span, at_most: u32) -> u32 {
        let foretold = self.foresight.qualities(at_most as usize);
        let below = foretold.iter().position(|quality| *quality < self.target);
        below.map_or(at_most, |wait| wait as u32 + 1).max(1)
    }
}

/// Qualities left by decays, one after the other.
pub(super) fn qualities(decays: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let sums = decays.into_iter().scan(0.0, |sum: &mut f64, decay| {
        *sum += decay;
        Some(sum.exp())
    });
    sums.collect()
}
