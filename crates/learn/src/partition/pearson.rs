//! The paper's test: life spans counted by stretches of age against what the groups' rates expect there (8).

use super::Category;
use crate::life::Watched;

/// Life spans are counted by these ages, and beyond the last; without any nothing is counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stretches {
    /// Ascending, in days.
    ends: Vec<f64>,
}

impl Stretches {
    /// As many stretches with as many ends each as there can be, up to an age that all lives were watched to, and one beyond
    /// it for those that went on.
    pub fn of(lives: impl IntoIterator<Item = Watched>, until_days: f64, count: usize) -> Stretches {
        let mut ages: Vec<f64> = lives
            .into_iter()
            .filter(|life| life.ended)
            .map(|life| life.to.as_days_f64())
            .filter(|age| *age <= until_days)
            .collect();
        ages.sort_by(f64::total_cmp);
        let cut = |nth: usize| {
            let place = (ages.len() - 1) as f64 * nth as f64 / (count - 1) as f64;
            let (before, after) = (ages[place as usize], ages[(place as usize + 1).min(ages.len() - 1)]);
            before + place.fract() * (after - before)
        };
        let mut ends: Vec<f64> = if ages.is_empty() || count < 2 { vec![] } else { (1..count - 1).map(cut).collect() };
        ends.push(until_days);
        Stretches { ends }
    }
}

/// Lives of one category by stretch.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spans {
    ends: Vec<f64>,
    ended: Vec<u64>,
}

impl Spans {
    pub(super) fn see(&mut self, life: Watched, stretches: &Stretches) {
        if self.ends.is_empty() {
            self.ends.clone_from(&stretches.ends);
            self.ended = vec![0; self.ends.len()];
        }
        let age = life.to.as_days_f64();
        let stretch = self.ends.partition_point(|end| *end < age);
        if let Some(ended) = self.ended.get_mut(stretch).filter(|_| life.ended) {
            *ended += 1;
        }
    }

    pub(super) fn add(&mut self, other: &Spans) {
        if self.ends.is_empty() {
            self.clone_from(other);
        } else {
            self.ended.iter_mut().zip(&other.ended).for_each(|(sum, ended)| *sum += ended);
        }
    }
}

/// T: counts of all groups together against what their rates expect; nothing where life spans were not counted.
pub(super) fn statistic(groups: &[Category]) -> f64 {
    let stretches = groups.first().map_or(0, |group| group.spans.ends.len());
    if stretches == 0 {
        return 0.0;
    }
    let mut observed = vec![0.0; stretches + 1];
    let mut expected = vec![0.0; stretches + 1];
    for Category { evidence, spans, .. } in groups {
        let (lives, rate) = (evidence.lives as f64, evidence.rate_per_day());
        let mut beyond = 1.0;
        for (stretch, end) in spans.ends.iter().enumerate() {
            let left = (-rate * end).exp();
            observed[stretch] += spans.ended[stretch] as f64;
            expected[stretch] += lives * (beyond - left);
            beyond = left;
        }
        observed[stretches] += lives - spans.ended.iter().sum::<u64>() as f64;
        expected[stretches] += lives * beyond;
    }
    let terms = observed.iter().zip(&expected).filter(|(_, expected)| **expected > 0.0);
    terms.map(|(observed, expected)| (observed - expected).powi(2) / expected).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::{PartitionEvidence, trial::Trial};
    use tintype_vocab::Span;

    fn life(days: i64, ended: bool) -> Watched {
        Watched { from: Span::ZERO, to: Span::from_days(days), ended }
    }

    fn category(lives: &[Watched], stretches: &Stretches) -> Category {
        let mut category = Category::default();
        for life in lives {
            category.evidence.see(*life);
            category.spans.see(*life, stretches);
        }
        category
    }

    #[test]
    fn counts_are_held_against_what_the_rate_expects() {
        let stretches = Stretches { ends: vec![2.0, 4.0] };
        let found = category(&[life(1, true), life(2, true), life(3, true), life(4, false)], &stretches);
        let PartitionEvidence { ended, days, .. } = found.evidence;
        assert_eq!((ended, days), (3, 10.0));
        let left = |days: f64| (-0.3 * days).exp();
        let expected = [4.0 * (1.0 - left(2.0)), 4.0 * (left(2.0) - left(4.0)), 4.0 * left(4.0)];
        let by_hand: f64 =
            [2.0, 1.0, 1.0].iter().zip(expected).map(|(seen, expected)| (seen - expected).powi(2) / expected).sum();
        assert!((statistic(&[found]) - by_hand).abs() < 1e-12);
    }

    #[test]
    fn stretches_have_as_many_ends_each() {
        let lives: Vec<Watched> = (1..=100).map(|days| life(days, true)).collect();
        let stretches = Stretches::of(lives.iter().copied(), 100.0, 5);
        let found = category(&lives, &stretches);
        assert_eq!(found.spans.ended, [25, 25, 25, 25]);
        assert_eq!(statistic(&[Category::default()]), 0.0);
    }

    #[test]
    fn exponential_lives_are_not_far_from_what_is_expected() {
        let lives: Vec<Watched> =
            Trial::new(6).lives(&[("a", 0.05)], 2000, 1.0).into_iter().map(|(_, life)| life).collect();
        let stretches = Stretches::of(lives.iter().copied(), 30.0, 10);
        // Chi-square with about eight degrees of freedom.
        let statistic = statistic(&[category(&lives, &stretches)]);
        assert!(statistic < 30.0, "{statistic}");
    }
}
