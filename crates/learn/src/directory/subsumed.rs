//! Rules that NEAR-Miner leaves out on purpose, for the experiments that show what they would do.

#[cfg(test)]
mod tests;

use super::{
    Bitmaps, DirectoryId, DirectoryShape, Rule, Thresholds,
    bitmaps::Window,
    chain::Chain,
    mine::{Miner, RULES_MAX},
};
use std::ops::Range;

/// By what a rule is subsumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subsumed {
    /// By a rule with the same head whose tail contains its own (Definition 8): Figure 5(e). Not by a pattern as well.
    Tail,
    /// By a pattern that goes on, on the way to its tail, where its head does not (Definition 9): Figure 5(f). Not by a
    /// rule as well, and only heads of one directory: where a longer one begins, WARM never uses the shorter.
    Head,
}

/// The subsumed rules that begin with one directory, in place of those that [`super::mine`] finds. If no γ is given,
/// tails go by the γ of the rules that subsume them, heads by the first that yields any.
pub fn mine_subsumed(
    shape: &DirectoryShape,
    bitmaps: &Bitmaps,
    within: Range<usize>,
    start: DirectoryId,
    thresholds: &Thresholds,
    by: Subsumed,
) -> Vec<Rule> {
    let mut search =
        Search { shape, thresholds, chain: Chain::new(Window::new(bitmaps, within.clone())), rules: Vec::new() };
    match by {
        Subsumed::Tail => {
            let mined = Miner::new(shape, bitmaps, within, thresholds).rules(start, RULES_MAX);
            let (wanted, mined) = mined.unwrap_or_default();
            mined.iter().for_each(|rule| search.within_tail(rule, wanted));
        }
        Subsumed::Head => {
            for wanted in thresholds.correlations() {
                search.past_patterns(start, wanted);
                if !search.rules.is_empty() {
                    break;
                }
            }
        }
    }
    search.rules
}

/// What a directory is to a head that does not grow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Met {
    Extends,
    Rule,
    Neither,
}

struct Search<'a> {
    shape: &'a DirectoryShape,
    thresholds: &'a Thresholds,
    chain: Chain<'a>,
    rules: Vec<Rule>,
}

impl Search<'_> {
    fn within_tail(&mut self, rule: &Rule, wanted: f64) {
        self.begin(&rule.head);
        self.walk(rule.tail, true, wanted, |met, _| (met != Met::Extends).then_some(true));
    }

    fn past_patterns(&mut self, start: DirectoryId, wanted: f64) {
        self.begin(&[start]);
        if self.chain.is_pattern(self.thresholds) {
            self.walk(start, false, wanted, |met, is_past| {
                (met != Met::Rule).then_some(is_past || met == Met::Extends)
            });
        }
    }

    fn begin(&mut self, head: &[DirectoryId]) {
        self.chain.truncate(0);
        head.iter().for_each(|directory| self.chain.push(*directory));
    }

    /// Goes through everything below a directory and takes the rules met where they are subsumed; `below` says whether
    /// what lies below a directory is, given whether it is itself, or that nobody shall look.
    fn walk(&mut self, top: DirectoryId, is_subsumed: bool, wanted: f64, below: impl Fn(Met, bool) -> Option<bool>) {
        let mut frames = vec![(self.shape.children(top), is_subsumed)];
        while let Some((children, is_subsumed)) = frames.last_mut() {
            let is_subsumed = *is_subsumed;
            let Some(child) = children.next() else {
                frames.pop();
                continue;
            };
            let (met, rule) = self.meet(child, wanted);
            if is_subsumed && self.rules.len() < RULES_MAX {
                self.rules.extend(rule);
            }
            if let Some(is_subsumed) = below(met, is_subsumed) {
                frames.push((self.shape.children(child), is_subsumed));
            }
        }
    }

    fn meet(&self, directory: DirectoryId, wanted: f64) -> (Met, Option<Rule>) {
        let together = self.chain.together(directory);
        if self.chain.is_frequent(together, self.thresholds) {
            return (Met::Extends, None);
        }
        let bond = self.chain.against(directory, together).filter(|bond| {
            bond.confidence >= self.thresholds.confidence_min
                && self.thresholds.is_negative_enough(bond.correlation, wanted)
        });
        (bond.map_or(Met::Neither, |_| Met::Rule), bond.map(|bond| self.chain.rule(bond)))
    }
}
