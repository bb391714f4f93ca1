//! Parts of a site in which far more has changed than chance allows: somebody edited all of it, and the past knows nothing
//! of that.

use super::super::{DirectoryId, DirectoryShape};
use serde::{Deserialize, Serialize};

/// Pages likelier than this to have changed surprise nobody.
pub const UNLIKELY: f64 = 0.5;
/// Chance is believed in until it is smaller than this.
const CHANCE_MIN: f64 = 0.001;
/// One page alone is no part of a site.
const CHANGED_MIN: f64 = 2.0;
/// Changes added to those seen and to those expected, so that a few pages do not promise too much for the rest.
const RESERVE: f64 = 0.1;
/// Terms of a tail after which the rest is nothing.
const TERMS: u32 = 60;

/// Pages that were unlikely to have changed and were looked at.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Unlikely {
    expected: f64,
    changed: f64,
}

impl Unlikely {
    fn is_surprising(&self) -> bool {
        self.changed >= CHANGED_MIN && at_least(self.changed, self.expected) < CHANCE_MIN
    }

    /// How many times as many as expected.
    fn factor(&self) -> f64 {
        (self.changed + RESERVE) / (self.expected + RESERVE)
    }
}

/// By directory, pages of its own that were unlikely to have changed, and what that says of the rest.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Surprises {
    seen: Vec<Unlikely>,
    /// How many times as likely as usual the rest is to have changed; empty where nothing surprises.
    factors: Vec<f32>,
    is_new: bool,
}

impl Surprises {
    pub(super) fn new(directories: usize) -> Surprises {
        Surprises { seen: vec![Unlikely::default(); directories], factors: Vec::new(), is_new: false }
    }

    pub(super) fn saw(&mut self, directory: DirectoryId, chance: f64, changed: bool) {
        let Some(seen) = self.seen.get_mut(directory.index()).filter(|_| chance < UNLIKELY) else { return };
        seen.expected += chance;
        seen.changed += f64::from(u8::from(changed));
        self.is_new |= changed || !self.factors.is_empty();
    }

    /// From the innermost directories outwards: what one of them explains does not count for those around it.
    pub(super) fn take_stock(&mut self, shape: &DirectoryShape) {
        if !std::mem::take(&mut self.is_new) {
            return;
        }
        let mut sums = self.seen.clone();
        let mut own = vec![0.0_f32; sums.len()];
        for at in (0..sums.len()).rev() {
            if sums[at].is_surprising() {
                own[at] = sums[at].factor() as f32;
            } else if let Some(parent) = shape.parent(DirectoryId(at as u32)) {
                let Unlikely { expected, changed } = sums[at];
                sums[parent.index()].expected += expected;
                sums[parent.index()].changed += changed;
            }
        }
        self.factors.clear();
        if own.iter().all(|factor| *factor <= 1.0) {
            return;
        }
        for (directory, own) in (0..).map(DirectoryId).zip(own) {
            let above = shape.parent(directory).map_or(1.0, |parent| self.factors[parent.index()]);
            self.factors.push(if own > 1.0 { own } else { above });
        }
    }

    pub(super) fn factor(&self, directory: DirectoryId) -> f64 {
        self.factors.get(directory.index()).copied().unwrap_or(1.0).into()
    }

    /// A chance with its odds raised as high as what was seen around says.
    pub(super) fn raised(&self, directory: DirectoryId, chance: f64) -> f64 {
        let factor = self.factor(directory);
        if factor > 1.0 { chance * factor / (1.0 - chance + chance * factor) } else { chance }
    }
}

/// The chance that at least so many come where so many are expected, after Poisson.
fn at_least(count: f64, expected: f64) -> f64 {
    if expected >= count {
        return 1.0;
    }
    let mut term = -expected;
    (1..=count as u32).for_each(|nth| term += expected.ln() - f64::from(nth).ln());
    let mut term = term.exp();
    let mut sum = 0.0;
    for nth in 1..=TERMS {
        sum += term;
        term *= expected / (count + f64::from(nth));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> (DirectoryShape, impl Fn(&str) -> DirectoryId) {
        let mut shape = DirectoryShape::default();
        for path in ["/a/x/1", "/a/y/1", "/b/1"] {
            shape.page(path).unwrap();
        }
        let known = shape.clone();
        (shape, move |path: &str| known.find_directory(path).unwrap())
    }

    #[test]
    fn tails_are_those_of_poisson() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        near(at_least(1.0, 0.1), 1.0 - (-0.1_f64).exp());
        near(at_least(2.0, 0.5), 1.0 - (-0.5_f64).exp() * 1.5);
        near(at_least(2.0, 2.0), 1.0);
        assert_eq!(at_least(2.0, 0.0), 0.0);
    }

    #[test]
    fn a_part_edited_as_a_whole_raises_the_rest_of_it_and_nothing_else() {
        let (shape, at) = shape();
        let mut surprises = Surprises::new(shape.directories());
        for _ in 0..3 {
            surprises.saw(at("/a/x"), 0.01, true);
            surprises.saw(at("/a/y"), 0.01, false);
            surprises.saw(at("/b"), 0.01, false);
        }
        surprises.take_stock(&shape);
        assert!(surprises.raised(at("/a/x"), 0.01) > 0.15, "{surprises:?}");
        for still in ["/a", "/a/y", "/b", "/"] {
            assert_eq!(surprises.raised(at(still), 0.01), 0.01, "{still}: {surprises:?}");
        }
        // What is asked for then and had not changed takes it back.
        (0..400).for_each(|_| surprises.saw(at("/a/x"), 0.01, false));
        surprises.take_stock(&shape);
        assert_eq!(surprises.raised(at("/a/x"), 0.01), 0.01);
    }

    #[test]
    fn changes_spread_over_a_part_are_seen_from_above() {
        let (shape, at) = shape();
        let mut surprises = Surprises::new(shape.directories());
        for directory in ["/a/x", "/a/y"] {
            surprises.saw(at(directory), 0.01, true);
        }
        (0..20).for_each(|_| surprises.saw(at("/b"), 0.01, false));
        surprises.take_stock(&shape);
        assert!(surprises.factor(at("/a/x")) > 10.0 && surprises.factor(at("/a")) > 10.0);
        assert_eq!(surprises.factor(at("/b")), 1.0);
        let mut likely = Surprises::new(shape.directories());
        (0..20).for_each(|_| likely.saw(at("/b"), 0.6, true));
        likely.take_stock(&shape);
        assert_eq!(likely.factor(at("/b")), 1.0, "what was likely is no surprise");
    }
}
