//! How much less pages change that are left alone.
//!
//! A policy visits the pages that it expects to change, and knows more of them than their visits say. So what is believed of
//! a page by its visits is too much for one that it leaves alone, and the longer it does the more. By how much, visits show
//! in the end: of those after a gap of such a length, how many were to find a change, and how many did?

/// Lengths of gaps that are told apart, each four times the one before; the first ends at half an hour.
const LENGTHS: usize = 12;
const FIRST_DAYS: f64 = 1.0 / 48.0;
/// Visits that say something of a length.
const VISITS_ENOUGH: usize = 10;

/// Visits by the length of the gap they ended: the changes that were to be expected in it, and whether there were any.
#[derive(Clone, Debug, Default)]
pub(super) struct GapsSeen {
    by_length: [Vec<(f64, bool)>; LENGTHS],
}

/// By the length of a gap, the factor with which changes expected in it are as many as visits found.
#[derive(Clone, Debug)]
pub(super) struct LeftAlone([f64; LENGTHS]);

fn length(days: f64) -> usize {
    ((days / FIRST_DAYS).max(1.0).log2() / 2.0).ceil().min(LENGTHS as f64 - 1.0) as usize
}

impl GapsSeen {
    pub(super) fn add(&mut self, days: f64, expected: f64, changed: bool) {
        self.by_length[length(days)].push((expected, changed));
    }

    /// Where too few visits speak of a length, what is known of the next shorter one holds. Pages that are left alone do not
    /// change more than others: more is found only where a visit came because something had told of a change.
    pub(super) fn factors(&self) -> LeftAlone {
        let mut factors = [1.0; LENGTHS];
        let mut shorter = 1.0;
        for (factor, seen) in factors.iter_mut().zip(&self.by_length) {
            if seen.len() >= VISITS_ENOUGH {
                shorter = balance(seen);
            }
            *factor = shorter;
        }
        LeftAlone(factors)
    }
}

impl LeftAlone {
    pub(super) fn factor(&self, days: f64) -> f64 {
        self.0[length(days)]
    }
}

/// The factor up to one that makes as many visits find a change as did, one among them that nobody made.
fn balance(seen: &[(f64, bool)]) -> f64 {
    let found = 1.0 + seen.iter().filter(|(_, changed)| *changed).count() as f64;
    let foretold = |factor: f64| {
        let chances = seen.iter().map(|(expected, _)| -(-factor * expected).exp_m1());
        chances.sum::<f64>() + factor
    };
    let (mut low, mut high) = (0.0, 1.0);
    if foretold(high) <= found {
        return high;
    }
    for _ in 0..20 {
        let middle = (low + high) / 2.0;
        if foretold(middle) > found { high = middle } else { low = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_were_left_alone_and_stood_still_are_expected_to() {
        let mut seen = GapsSeen::default();
        (0..40).for_each(|nth| seen.add(30.0, 2.0, nth < 4));
        (0..40).for_each(|nth| seen.add(1.0, 2.0, nth < 36));
        let factors = seen.factors();
        assert!((0.04..0.1).contains(&factors.factor(30.0)), "{factors:?}");
        assert_eq!(factors.factor(1.0), 1.0);
        assert_eq!(factors.factor(500.0), factors.factor(30.0), "nothing is known of it");
    }
}
