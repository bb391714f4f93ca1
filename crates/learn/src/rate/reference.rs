//! Estimators of the literature that know nothing but one page's own record: what a belief is measured against.

/// Halvings of the interval that holds the answer: down to the last digit.
const HALVINGS: usize = 200;

/// The most likely changes per day, given comparisons of any length in days and whether each found a change: where
/// Σ I/(e^{λI} − 1) over the changed equals Σ I over the unchanged. None without a comparison; infinite if every one
/// found a change.
pub fn most_likely(comparisons: &[(f64, bool)]) -> Option<f64> {
    let unchanged: f64 = comparisons.iter().filter(|(_, changed)| !changed).map(|(days, _)| days).sum();
    let changed = || comparisons.iter().filter(|(_, changed)| *changed).map(|(days, _)| *days);
    let days = unchanged + changed().sum::<f64>();
    match (days > 0.0, changed().count(), unchanged > 0.0) {
        (false, ..) => None,
        (true, 0, _) => Some(0.0),
        (true, _, false) => Some(f64::INFINITY),
        // I/(e^{λI} − 1) < 1/λ, so the answer is no larger than the count over the unchanged days.
        (true, count, true) => {
            let mut bounds = (0.0, count as f64 / unchanged);
            for _ in 0..HALVINGS {
                let middle = (bounds.0 + bounds.1) / 2.0;
                let owed: f64 = changed().map(|days| days / (middle * days).exp_m1()).sum();
                if owed > unchanged { bounds.0 = middle } else { bounds.1 = middle }
            }
            Some((bounds.0 + bounds.1) / 2.0)
        }
    }
}

/// Changes per day where each visit also tells how many days ago the last change was: the latest changes, over the days
/// that were seen to be without one. Each visit is the days since the visit before and those since the change, if there
/// was one in between.
pub fn of_last_modified(visits: &[(f64, Option<f64>)]) -> Option<f64> {
    let changes = visits.iter().filter(|(_, since)| since.is_some()).count();
    let still: f64 = visits.iter().map(|(interval, since)| since.map_or(*interval, |since| since.min(*interval))).sum();
    (still > 0.0).then(|| changes as f64 / still)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn golden_b14_irregular_intervals() {
        let changed = [2.0, 4.0, 1.0].map(|days| (days, true));
        let unchanged = [1.0, 3.0, 5.0, 2.0].map(|days| (days, false));
        let rate = most_likely(&[&changed[..], &unchanged[..]].concat()).unwrap();
        assert!((rate - 0.212_283_072_447).abs() < 1e-9, "{rate}");
    }

    #[test]
    fn golden_b15_last_modified() {
        let rate = of_last_modified(&[(4.0, Some(1.5)), (4.0, None), (4.0, Some(0.5))]).unwrap();
        assert!((rate - 0.333_333_333_333).abs() < 1e-9, "{rate}");
        assert_eq!(of_last_modified(&[]), None);
    }

    #[test]
    fn a_page_that_never_or_always_changed_has_the_rate_that_says_so() {
        assert_eq!(most_likely(&[]), None);
        assert_eq!(most_likely(&[(3.0, false)]), Some(0.0));
        assert_eq!(most_likely(&[(3.0, true)]), Some(f64::INFINITY));
    }

    proptest! {
        #[test]
        fn no_other_rate_is_more_likely(
            comparisons in prop::collection::vec((0.1f64..50.0, any::<bool>()), 1..20), factor in 0.2f64..5.0,
        ) {
            let rate = most_likely(&comparisons).unwrap();
            prop_assume!(rate > 0.0 && rate.is_finite());
            let likely = |rate: f64| comparisons.iter().map(|(days, changed)| {
                if *changed { (-(-rate * days).exp_m1()).ln() } else { -rate * days }
            }).sum::<f64>();
            prop_assert!(likely(rate) >= likely(rate * factor) - 1e-9);
        }
    }
}
