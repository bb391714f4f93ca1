//! The measures by name, so that a table has a column for each without knowing any.

mod age;
mod blur;
mod freshness;
mod kept;

pub(crate) use age::Age;
pub(crate) use blur::{Blur, mean, missed};
pub(crate) use freshness::Freshness;
pub(crate) use kept::Kept;

use crate::Score;

/// How to read and print one number of a [`Score`].
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Also the name of its field in a serialised score.
    pub name: &'static str,
    pub unit: &'static str,
    /// In one sentence.
    pub meaning: &'static str,
    pub more_is_better: bool,
    pub read: fn(&Score) -> f64,
}

/// The unit of measures between 0 and 1.
pub const SHARE: &str = "share";

/// In the order of their columns.
pub const REGISTRY: &[Measure] =
    &[kept::COMPLETENESS, kept::WEIGHTED_COMPLETENESS, freshness::FRESHNESS, age::MEAN_AGE, kept::USEFUL, blur::BLUR];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Seen, Truth, judge, trial};
    use proptest::prelude::*;
    use tintype_vocab::{Span, Time};

    const FROM: Time = Time::from_secs(4_000);
    const TO: Time = Time::from_secs(20_000);

    /// The random truths last milliseconds; blur is without a trace of rounding only if they last longer.
    fn stretched(truth: &Truth) -> Truth {
        let stretch = |time: Time| Time::from_millis(time.as_millis().saturating_mul(1_000_000));
        let mut long = Truth::default();
        for page in 0..truth.pages() {
            long.push_page(truth.page(page).iter().map(|version| crate::Version {
                from: stretch(version.from),
                until: stretch(version.until),
                ..*version
            }));
        }
        long
    }

    /// Visits at every moment a page becomes something else, shifted by each of `shifts`.
    fn visits_at_changes(truth: &Truth, shifts: &[i64]) -> Vec<Seen> {
        let mut visits = Vec::new();
        for page in 0..truth.pages() {
            let alive = |version: &crate::Version| [version.from, version.until];
            let changes = truth.page(page).iter().flat_map(alive);
            let shifted = |change| shifts.iter().map(move |&shift| change + Span::from_millis(shift));
            visits.extend(changes.flat_map(shifted).map(|at| Seen { at, page: page as u32 }));
        }
        visits.sort_by_key(|visit| visit.at);
        visits
    }

    /// Nothing missed, at any cost.
    fn thorough(truth: &Truth) -> Vec<Seen> {
        visits_at_changes(truth, &[-1, 0])
    }

    /// Nothing wasted.
    fn thrifty(truth: &Truth) -> Vec<Seen> {
        let mut visits = visits_at_changes(truth, &[0]);
        visits.dedup();
        visits.retain(|visit| truth.alive(visit.page as usize, visit.at).is_some() && visit.at > FROM);
        visits
    }

    fn in_bounds(measure: &Measure, score: &Score) -> bool {
        let most = if measure.unit == SHARE { 1.0 } else { f64::MAX };
        (0.0..=most).contains(&(measure.read)(score))
    }

    proptest! {
        #[test]
        fn every_measure_keeps_its_bounds(truth in trial::truths(4, 6), plan in trial::visits(4, 12)) {
            let plan: Vec<Seen> = plan.into_iter().filter(|visit| (visit.page as usize) < truth.pages()).collect();
            let score = judge(&truth, trial::at(4), trial::at(20), &plan);
            for measure in REGISTRY {
                prop_assert!(in_bounds(measure, &score), "{}: {score:?}", measure.name);
            }
        }

        #[test]
        fn perfect_visits_have_perfect_values(truth in trial::truths(4, 6)) {
            let truth = stretched(&truth);
            let plans = [thorough(&truth), thrifty(&truth)];
            let scores = plans.map(|plan| judge(&truth, FROM, TO, &plan));
            prop_assume!(scores[0].versions > 0);
            for measure in REGISTRY {
                let perfect = f64::from(u8::from(measure.more_is_better));
                let near = scores.iter().any(|score| ((measure.read)(score) - perfect).abs() < 1e-5);
                prop_assert!(near, "{}: {scores:?}", measure.name);
            }
        }

        #[test]
        fn the_field_of_a_score_has_the_name_of_the_measure(truth in trial::truths(3, 4), plan in trial::visits(1, 4)) {
            let score = judge(&truth, trial::at(4), trial::at(20), &plan);
            let fields = serde_json::to_value(score).unwrap();
            for measure in REGISTRY {
                prop_assert_eq!(fields[measure.name].as_f64(), Some((measure.read)(&score)), "{}", measure.name);
            }
        }
    }
}
