//! NEAR-Miner, phase 2: rules from bitmaps.

#[cfg(test)]
mod tests;

use super::{Bitmaps, DirectoryId, DirectoryShape, Pattern, Rule, Thresholds, bitmaps::Window, chain::Chain};
use std::ops::Range;

/// More rules or patterns of a site nobody reads; mining stops there, and keeps those of directories nearer the root.
pub const RULES_MAX: usize = 1 << 18;

/// The rules whose head begins with one directory, from these transitions: none of them subsumed by a pattern or by
/// another rule (Definition 10, Lemma 1), and all that are not, but for those within the tail of another with the same
/// beginning (strategy 3), which would never be used. `Specific_Rule_Gen` of Algorithm 3, with its γ-loop.
pub fn mine(
    shape: &DirectoryShape,
    bitmaps: &Bitmaps,
    within: Range<usize>,
    start: DirectoryId,
    thresholds: &Thresholds,
) -> Vec<Rule> {
    let found = Miner::new(shape, bitmaps, within, thresholds).rules(start, RULES_MAX);
    found.map_or_else(Vec::new, |(_, rules)| rules)
}

/// The rules that begin anywhere (Algorithm 3, `Rule_Gen`), by the directory they begin with. Each directory is looked
/// at once for each of its ancestors.
pub fn mine_all(shape: &DirectoryShape, bitmaps: &Bitmaps, within: Range<usize>, thresholds: &Thresholds) -> Vec<Rule> {
    let mut miner = Miner::new(shape, bitmaps, within, thresholds);
    let mut rules = Vec::new();
    for start in (0..shape.directories() as u32).map(DirectoryId) {
        if rules.len() == RULES_MAX {
            break;
        }
        rules.extend(miner.rules(start, RULES_MAX - rules.len()).into_iter().flat_map(|(_, rules)| rules));
    }
    rules
}

/// The patterns that begin with one directory and are extended wherever they can be, as heads of rules are
/// (strategy 2); each beginning of one is one too.
pub fn patterns(
    shape: &DirectoryShape,
    bitmaps: &Bitmaps,
    within: Range<usize>,
    start: DirectoryId,
    thresholds: &Thresholds,
) -> Vec<Pattern> {
    let mut miner = Miner::new(shape, bitmaps, within, thresholds);
    let mut patterns = Vec::new();
    if miner.begin(start) {
        patterns.push(miner.chain.pattern());
        miner.walk(start, |chain, _, met| {
            if matches!(met, Met::Extends) && patterns.len() < RULES_MAX {
                patterns.push(chain.pattern());
            }
            true
        });
    }
    patterns
}

/// What a child is to the current pattern.
pub(super) enum Met {
    /// One more of it.
    Extends,
    /// Not often enough together with it.
    Beside { together: u32 },
}

/// A walk over a subtree with the current pattern.
pub(super) struct Miner<'a> {
    shape: &'a DirectoryShape,
    thresholds: &'a Thresholds,
    chain: Chain<'a>,
}

impl<'a> Miner<'a> {
    pub(super) fn new(
        shape: &'a DirectoryShape,
        bitmaps: &'a Bitmaps,
        within: Range<usize>,
        thresholds: &'a Thresholds,
    ) -> Miner<'a> {
        Miner { shape, thresholds, chain: Chain::new(Window::new(bitmaps, within)) }
    }

    /// The rules that begin with a directory, and the γ that yields them: the first that yields any.
    pub(super) fn rules(&mut self, start: DirectoryId, at_most: usize) -> Option<(f64, Vec<Rule>)> {
        let mut schedule = self.thresholds.correlations().into_iter();
        let first = schedule.next().filter(|_| self.begin(start))?;
        let (strongest, rules) = self.gather(start, first, at_most);
        if !rules.is_empty() {
            return Some((first, rules));
        }
        // A walk that yields nothing goes everywhere: what it met decides which γ is the first to yield anything.
        let next = schedule.find(|wanted| self.thresholds.is_negative_enough(strongest, *wanted))?;
        self.begin(start);
        Some((next, self.gather(start, next, at_most).1))
    }

    /// Begins a pattern; whether it is one.
    fn begin(&mut self, start: DirectoryId) -> bool {
        self.chain.truncate(0);
        self.chain.push(start);
        self.chain.is_pattern(self.thresholds)
    }

    /// The rules for one γ, after the most negative correlation met among confident ones.
    fn gather(&mut self, start: DirectoryId, wanted: f64, at_most: usize) -> (f64, Vec<Rule>) {
        let (thresholds, mut strongest, mut rules) = (self.thresholds, 0.0f64, Vec::new());
        self.walk(start, |chain, child, met| {
            let Met::Beside { together } = met else { return true };
            let bond = chain.against(child, together).filter(|bond| bond.confidence >= thresholds.confidence_min);
            strongest = bond.map_or(strongest, |bond| strongest.min(bond.correlation));
            match bond.filter(|bond| thresholds.is_negative_enough(bond.correlation, wanted)) {
                Some(bond) if rules.len() < at_most => rules.push(chain.rule(bond)),
                Some(_) => {}
                None => return !thresholds.literal.no_descent,
            }
            false
        });
        (strongest, rules)
    }

    /// Goes through everything below a directory, depth first. A child extends the pattern wherever it can (strategy
    /// 2); `visit` is told, and says whether to go on below it. Frames in place of recursion: depth is the site's
    /// choice.
    fn walk(&mut self, start: DirectoryId, mut visit: impl FnMut(&Chain, DirectoryId, Met) -> bool) {
        let mut frames = vec![(self.shape.children(start), self.chain.len())];
        while let Some((children, length)) = frames.last_mut() {
            let Some(child) = children.next() else {
                frames.pop();
                continue;
            };
            self.chain.truncate(*length);
            let together = self.chain.together(child);
            let met = if self.chain.is_frequent(together, self.thresholds) {
                self.chain.push(child);
                *length += usize::from(self.thresholds.literal.leaking_siblings);
                Met::Extends
            } else {
                Met::Beside { together }
            };
            if visit(&self.chain, child, met) {
                frames.push((self.shape.children(child), self.chain.len()));
            }
        }
    }
}
