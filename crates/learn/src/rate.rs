//! How often a page changes.

use tintype_vocab::{LinkKind, Span};

/// What past captures know about one page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Past {
    /// Comparisons made: visits that could be compared with an earlier one.
    pub comparisons: u64,
    /// How many of them found a new version.
    pub changes: u64,
    /// From the first visit to the last.
    pub observed: Span,
}

/// Changes per day from regular comparisons, with Cho and Garcia-Molina's correction for changes that hide
/// behind one another (bias-reduced: finite even if every comparison found a change). `None` without any comparison.
pub fn per_day(past: &Past) -> Option<f64> {
    let comparisons = past.comparisons as f64;
    let interval_days = past.observed.as_days_f64() / comparisons;
    if past.comparisons == 0 || interval_days <= 0.0 {
        return None;
    }
    let unchanged = comparisons - past.changes as f64;
    Some(-((unchanged + 0.5) / (comparisons + 0.5)).ln() / interval_days)
}

/// A guess for a page never seen: what a page is made of changes seldom, pages near the entrance often.
pub fn prior_per_day(kind: LinkKind, depth: u16) -> f64 {
    match kind {
        LinkKind::Embed => 0.005,
        LinkKind::Feed | LinkKind::Sitemap => 0.5,
        LinkKind::Anchor | LinkKind::Redirect | LinkKind::Listed => 0.5 / f64::from(1 + depth.min(50)).powi(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_b13_bias_reduced_estimator() {
        let past = Past { comparisons: 10, changes: 3, observed: Span::from_days(10) };
        assert!((per_day(&past).unwrap() - 0.336_472_236_621).abs() < 1e-9);
    }

    #[test]
    fn a_page_that_always_changed_has_a_finite_rate_and_one_that_never_did_has_none() {
        let days = Span::from_days(5);
        assert!(per_day(&Past { comparisons: 5, changes: 5, observed: days }).unwrap().is_finite());
        assert_eq!(per_day(&Past { comparisons: 5, changes: 0, observed: days }), Some(-0.0));
        assert_eq!(per_day(&Past { comparisons: 0, changes: 0, observed: days }), None);
    }

    #[test]
    fn the_entrance_is_thought_to_change_more_often_than_the_cellar() {
        assert!(prior_per_day(LinkKind::Anchor, 0) > prior_per_day(LinkKind::Anchor, 3));
        assert!(prior_per_day(LinkKind::Anchor, 3) > prior_per_day(LinkKind::Embed, 0));
    }
}
