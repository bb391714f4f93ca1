//! How often a page changes, by its own record: pooled with a first guess, or alone as the literature has it.

pub(crate) mod gamma;
mod reference;

pub use reference::{most_likely, of_last_modified};

use crate::first_guess::RateSeen;
use gamma::{Gamma, Record};
use tintype_vocab::{ChangeRate, Span};

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

/// No record, however long, makes a belief surer than having watched so many changes: only who is told knows.
const SUREST: f64 = 1e6;

/// A prior may be wrong altogether: a page in a still directory may be a ticker. With this chance nothing was known of
/// it, so that a record which contradicts the prior is believed and not averaged away.
const WRONG: f64 = 0.05;
/// Nothing known: any rate up to several a day is about as likely as any other; changes per day, and the shape.
const IGNORANCE: (f64, f64) = (3.0, 0.1);

/// What to believe of a page of which `prior` was believed before its record was known: the posterior on a grid of
/// rates, as the Gamma with its mean and variance. Who was told the rate is not moved by any record.
pub fn believe(prior: ChangeRate, past: &Past) -> ChangeRate {
    match Record::of(past) {
        Some(record) if prior.shape.is_finite() => {
            let (after, likely) = Gamma::of(prior).weighed(&record);
            let (fresh, likely_afresh) = Gamma::new(IGNORANCE.0, IGNORANCE.1).weighed(&record);
            let wrong = 1.0 / (1.0 + (1.0 - WRONG) / WRONG * (likely - likely_afresh).exp());
            let mean = (1.0 - wrong) * after.mean + wrong * fresh.mean;
            let square = |belief: &gamma::Moments| belief.variance + belief.mean.powi(2);
            let variance = (1.0 - wrong) * square(&after) + wrong * square(&fresh) - mean * mean;
            ChangeRate::of_moments(mean, variance.max(mean.powi(2) / SUREST))
        }
        _ => prior,
    }
}

/// The same after one more thing was seen of the page: in closed form, as a Gamma stays one.
pub fn believe_seen(prior: ChangeRate, seen: &RateSeen) -> ChangeRate {
    if prior.shape.is_infinite() {
        return prior;
    }
    let before = Gamma::of(prior);
    let after = match *seen {
        RateSeen::Interval { days, changed: false } if days > 0.0 => before.unchanged(days),
        RateSeen::Interval { days, changed: true } if days > 0.0 => before.changed_within(days),
        RateSeen::ChangedAgo { days } if days >= 0.0 => before.changed_ago(days),
        RateSeen::Record(past) => return believe(prior, &past),
        RateSeen::Interval { .. } | RateSeen::ChangedAgo { .. } => return prior,
    };
    ChangeRate::of_moments(after.mean, after.variance.max(after.mean.powi(2) / SUREST))
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const UNSURE: ChangeRate = ChangeRate { per_day: 0.1, shape: 0.5 };

    #[test]
    fn without_a_record_one_believes_what_one_believed() {
        let nothing = Past { comparisons: 0, changes: 0, observed: Span::from_days(9) };
        assert_eq!(believe(UNSURE, &nothing), UNSURE);
        let at_once = Past { comparisons: 3, changes: 1, observed: Span::ZERO };
        assert_eq!(believe(UNSURE, &at_once), UNSURE);
        let told = ChangeRate::known(2.0);
        assert_eq!(believe(told, &Past { comparisons: 50, changes: 0, observed: Span::from_days(50) }), told);
    }

    #[test]
    fn a_long_record_silences_the_first_guess_and_is_read_finely() {
        // One change a day, seen once in a day: 1 − 1/e of the comparisons find one.
        let past = Past { comparisons: 10_000, changes: 6321, observed: Span::from_days(10_000) };
        for prior in [UNSURE, ChangeRate { per_day: 20.0, shape: 2.0 }] {
            let belief = believe(prior, &past);
            assert!((belief.per_day - 1.0).abs() < 0.005, "{belief:?}");
            assert!(belief.shape > 2000.0, "{belief:?}");
        }
    }

    #[test]
    fn a_page_never_seen_to_change_is_thought_slower_the_longer_it_was_watched() {
        let after = |days| {
            let past = Past { comparisons: 10, changes: 0, observed: Span::from_days(days) };
            f64::from(believe(UNSURE, &past).per_day)
        };
        // A Gamma stays one: 0.5 changes in 5 days and none in so many more; a little less for all that may be wrong.
        assert!((after(45) - 0.01).abs() < 1e-3, "{}", after(45));
        assert!(after(1000) < after(45));
    }

    proptest! {
        #[test]
        fn any_record_makes_a_belief_and_more_changes_a_faster_one(
            per_day in prop_oneof![Just(0.0f32), Just(f32::NAN), 1e-9f32..1e9], shape in 0.0f32..1e9,
            comparisons in prop_oneof![any::<u64>(), 0u64..1000], changes in any::<u64>(), millis in any::<i64>(),
        ) {
            let prior = ChangeRate { per_day, shape };
            let past = Past { comparisons, changes, observed: Span::from_millis(millis) };
            let belief = believe(prior, &past);
            if Record::of(&past).is_some() {
                prop_assert!(belief.per_day > 0.0 && belief.per_day < 400.0 && belief.shape.is_finite() && belief.shape > 0.0, "{belief:?}");
                let fewer = believe(prior, &Past { changes: changes.min(comparisons) / 2, ..past });
                prop_assert!(fewer.per_day <= belief.per_day * 1.0001, "{fewer:?} {belief:?}");
            }
        }
    }

    #[test]
    fn a_record_that_contradicts_the_prior_is_believed() {
        let still = ChangeRate { per_day: 1e-4, shape: 0.7 };
        let busy = Past { comparisons: 50, changes: 45, observed: Span::from_days(50) };
        let belief = believe(still, &busy);
        assert!((1.5..3.5).contains(&belief.per_day), "{belief:?}");
        let quiet = Past { comparisons: 50, changes: 0, observed: Span::from_days(50) };
        assert!(believe(still, &quiet).per_day < 2e-4, "{:?}", believe(still, &quiet));
    }

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
}
