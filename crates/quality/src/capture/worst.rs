//! How much a schedule loses that is right but for a few visits (section 6 of the SHARC paper).

use super::penalty;

/// The change of Σ λω when the hottest `misplaced` pages are visited in the outermost slots and all others keep the best
/// order: equation (17), corrected to end with the last page, and for any rates instead of equal pairs. In order of rate,
/// one visit each `slot` apart. Divided by the length of the capture it is blur.
///
/// # Panics
/// If rates are out of order, or more pages are misplaced than there are.
pub fn hot_outside_increase(rates: &[f64], misplaced: usize, slot: f64) -> f64 {
    Slots::new(rates, slot).increase(misplaced, 0)
}

/// The most that Σ λω can change by misplacing as many pages.
///
/// Theorem 6.2 says that (17) is, but hot pages outside are not always the worst: with rates 0 0 1 1 1 1 a cold pair in the
/// middle costs half as much again. The worst is to split the misplaced between the hottest, outside, and the coldest, in
/// the middle. O(misplaced · pages).
///
/// # Panics
/// As [`hot_outside_increase`].
pub fn worst_increase(rates: &[f64], misplaced: usize, slot: f64) -> f64 {
    let slots = Slots::new(rates, slot);
    (0..=misplaced).map(|hot| slots.increase(hot, misplaced - hot)).fold(f64::NEG_INFINITY, f64::max)
}

struct Slots<'a> {
    /// Ascending.
    rates: &'a [f64],
    /// Of the slots from the outermost inwards, so that the best order is that of the rates.
    penalties: Vec<f64>,
}

impl Slots<'_> {
    fn new(rates: &[f64], slot: f64) -> Slots<'_> {
        assert!(rates.is_sorted(), "rates come in order");
        let last = rates.len().saturating_sub(1) as f64 * slot;
        let penalties = (0..rates.len()).map(|rank| penalty(&[(rank / 2) as f64 * slot], 0.0, last)).collect();
        Slots { rates, penalties }
    }

    /// With the `hot` hottest pages outside, the `cold` coldest in the middle, the others in order between them.
    fn increase(&self, hot: usize, cold: usize) -> f64 {
        let kept = self.rates.len().checked_sub(hot + cold).expect("only pages there are can be misplaced");
        let (coldest, others) = self.rates.split_at(cold);
        let (others, hottest) = others.split_at(kept);
        let misplaced = hottest.iter().rev().chain(others).chain(coldest.iter().rev());
        let differ = misplaced.zip(self.rates).map(|(now, best)| now - best);
        differ.zip(&self.penalties).map(|(rate, penalty)| rate * penalty).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::close;
    use proptest::{collection::vec, prelude::*};

    /// Tries every order of which enough pages are in the order of their rates, slot by slot from outside.
    ///
    /// `chain[page]` is the length of the longest orderly chain so far that ends with the page, 0 if it has no slot yet.
    fn slowly(slots: &Slots<'_>, chain: &mut Vec<usize>, taken: usize, orderly: usize) -> f64 {
        if taken == slots.rates.len() {
            return if chain.iter().max().is_none_or(|longest| *longest >= orderly) { 0.0 } else { f64::NEG_INFINITY };
        }
        let mut most = f64::NEG_INFINITY;
        for page in 0..slots.rates.len() {
            if chain[page] == 0 {
                chain[page] = 1 + chain[..page].iter().max().copied().unwrap_or(0);
                let here = (slots.rates[page] - slots.rates[taken]) * slots.penalties[taken];
                most = most.max(here + slowly(slots, chain, taken + 1, orderly));
                chain[page] = 0;
            }
        }
        most
    }

    /// Most of them cold or most of them hot, in order.
    fn skewed() -> impl Strategy<Value = Vec<f64>> {
        (vec(0.0_f64..1.0, 1..8), any::<bool>()).prop_map(|(mut rates, hot)| {
            rates.iter_mut().for_each(|rate| *rate = if hot { 1.0 - rate.powi(4) } else { rate.powi(4) });
            rates.sort_by(f64::total_cmp);
            rates
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn no_other_misplacement_is_worse(rates in skewed(), misplaced in 0_usize..8) {
            let misplaced = misplaced.min(rates.len());
            let slots = Slots::new(&rates, 1.5);
            let tried = slowly(&slots, &mut vec![0; rates.len()], 0, rates.len() - misplaced);
            prop_assert!(close(worst_increase(&rates, misplaced, 1.5), tried));
            prop_assert!(hot_outside_increase(&rates, misplaced, 1.5) <= tried + 1e-9);
        }
    }

    #[test]
    fn example_6_1() {
        let rates = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 5.0];
        assert!(close(hot_outside_increase(&rates, 4, 1.0), 176.0));
        assert!(close(worst_increase(&rates, 4, 1.0), 176.0));
    }

    #[test]
    fn cold_pages_in_the_middle_can_be_worse_than_hot_ones_outside() {
        let rates = [0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        assert!(close(hot_outside_increase(&rates, 2, 1.0), 8.0));
        assert!(close(worst_increase(&rates, 2, 1.0), 12.0));
    }

    #[test]
    fn nothing_misplaced_costs_nothing() {
        assert_eq!((worst_increase(&[], 0, 1.0), worst_increase(&[1.0, 2.0], 0, 1.0)), (0.0, 0.0));
    }
}
