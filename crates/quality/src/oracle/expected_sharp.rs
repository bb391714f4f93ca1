//! The most sharp pages that can be expected of visits and revisits, one of each per page.

use super::assignment;

/// What can be expected at best, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    pub sharp: f64,
    /// For every page the number of visits between its own and the middle, and of revisits between the middle and its
    /// own: 0 is the innermost pair.
    pub half_length: Vec<usize>,
}

/// The most sharp pages that visits and revisits one slot apart can be expected to prove, rates per slot.
///
/// The pairs around the middle, 1, 3, 5 … slots long, majorise every other pairing of as many slots and the chance of
/// standing still is convex in the length: so a linear assignment of pages to these lengths is exact over all schedules.
/// O(N³).
pub fn expected_sharp(rates: &[f64]) -> Pairs {
    let pages = rates.len();
    let still = |rate: f64, half: usize| (-rate * (2 * half + 1) as f64).exp();
    // Hot pages first: they compete for few lengths, and most cold ones then find theirs free.
    let mut order: Vec<usize> = (0..pages).collect();
    order.sort_by(|a, b| rates[*b].total_cmp(&rates[*a]));
    let cost: Vec<f64> = order.iter().flat_map(|page| (0..pages).map(move |half| -still(rates[*page], half))).collect();
    let chosen = assignment(&cost, pages, pages);
    let mut half_length = vec![0; pages];
    order.iter().zip(&chosen).for_each(|(page, half)| half_length[*page] = *half);
    let sharp = rates.iter().zip(&half_length).map(|(rate, half)| still(*rate, *half)).sum();
    Pairs { sharp, half_length }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden S39.
    #[test]
    fn the_hottest_page_of_the_example_is_given_up() {
        let best = expected_sharp(&[0.0, 0.02, 0.05, 0.1, 0.3, 1.0]);
        assert!((best.sharp - 4.129_918_869_64).abs() < 1e-9, "{}", best.sharp);
        assert_eq!(best.half_length, [5, 3, 2, 1, 0, 4]);
    }

    #[test]
    fn a_site_without_pages_proves_nothing() {
        assert_eq!(expected_sharp(&[]), Pairs { sharp: 0.0, half_length: vec![] });
    }
}
