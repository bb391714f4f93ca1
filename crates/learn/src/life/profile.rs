//! Whether objects come by the day of the week or the hour of the day.

use crate::distribution::chi_square_tail;
use serde::Serialize;
use tintype_vocab::{Span, Time};

/// What comes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cycle {
    /// Monday first.
    Weekday,
    Hour,
}

impl Cycle {
    fn parts(self) -> usize {
        match self {
            Cycle::Weekday => 7,
            Cycle::Hour => 24,
        }
    }

    /// In UTC.
    fn part(self, at: Time) -> usize {
        let (day, hour) = (Span::from_days(1).as_millis(), Span::from_days(1).as_millis() / 24);
        let part = match self {
            // The first of January 1970 was a Thursday.
            Cycle::Weekday => at.as_millis().div_euclid(day) + 3,
            Cycle::Hour => at.as_millis().div_euclid(hour),
        };
        part.rem_euclid(self.parts() as i64) as usize
    }
}

/// Counts by weekday or hour.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Profile {
    /// The mean count of each part; nothing where there was no step.
    pub means: Vec<Option<f64>>,
    /// How much of the variation of the counts' logarithms (of one more) the parts explain: bursts weigh less so.
    pub explained: f64,
    /// The chance that counts which know no weekday or hour differ as much between them (Kruskal and Wallis: by rank, so that
    /// no law of the counts is needed).
    pub chance: f64,
}

impl Profile {
    /// Counts and the time of their step.
    pub fn of(counts: &[(Time, u32)], cycle: Cycle) -> Profile {
        let parts: Vec<usize> = counts.iter().map(|(at, _)| cycle.part(*at)).collect();
        let values: Vec<f64> = counts.iter().map(|(_, count)| f64::from(*count)).collect();
        let logs: Vec<f64> = values.iter().map(|value| value.ln_1p()).collect();
        let (ranks, ties) = ranks(&values);
        let count = counts.len() as f64;
        let groups = Groups::of(&parts, &ranks, cycle);
        // Ranks that are shared vary less than those of numbers that all differ.
        let statistic = groups.explained() * 12.0 / (count * (count + 1.0)) / (1.0 - ties / (count.powi(3) - count));
        let freedom = groups.filled().saturating_sub(1);
        let logs = Groups::of(&parts, &logs, cycle);
        Profile {
            means: Groups::of(&parts, &values, cycle).means(),
            explained: if logs.whole > 0.0 { logs.explained() / logs.whole } else { 0.0 },
            chance: if freedom == 0 || statistic.is_nan() { 1.0 } else { chi_square_tail(statistic, freedom as u32) },
        }
    }
}

/// Sums by part.
struct Groups {
    sums: Vec<(f64, f64)>,
    mean: f64,
    /// Squared distances from the mean.
    whole: f64,
}

impl Groups {
    fn of(parts: &[usize], values: &[f64], cycle: Cycle) -> Groups {
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        let mut sums = vec![(0.0, 0.0); cycle.parts()];
        for (part, value) in parts.iter().zip(values) {
            sums[*part].0 += 1.0;
            sums[*part].1 += value;
        }
        Groups { sums, mean, whole: values.iter().map(|value| (value - mean).powi(2)).sum() }
    }

    fn filled(&self) -> usize {
        self.sums.iter().filter(|(count, _)| *count > 0.0).count()
    }

    fn means(&self) -> Vec<Option<f64>> {
        self.sums.iter().map(|(count, sum)| (*count > 0.0).then(|| sum / count)).collect()
    }

    /// Squared distances of the parts' means from the mean of all.
    fn explained(&self) -> f64 {
        let filled = self.sums.iter().filter(|(count, _)| *count > 0.0);
        filled.map(|(count, sum)| count * (sum / count - self.mean).powi(2)).sum()
    }
}

/// Places in order of size, equal numbers sharing theirs, and how much they share: Σ (t³ − t).
fn ranks(values: &[f64]) -> (Vec<f64>, f64) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let (mut ranks, mut ties, mut before) = (vec![0.0; values.len()], 0.0, 0.0);
    for same in order.chunk_by(|one, other| values[*one] == values[*other]) {
        let size = same.len() as f64;
        same.iter().for_each(|at| ranks[*at] = before + (size + 1.0) / 2.0);
        ties += size.powi(3) - size;
        before += size;
    }
    (ranks, ties)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{
        prelude::RngExt as _,
        test_runner::{RngAlgorithm, TestRng},
    };

    fn daily(days: i64, count: impl FnMut(i64) -> u32) -> Vec<(Time, u32)> {
        let mut count = count;
        (0..days).map(|day| (Time::from_millis(0) + Span::from_days(day), count(day))).collect()
    }

    #[test]
    fn a_source_that_rests_at_weekends_is_seen_to_rest() {
        // Day 0 is a Thursday: days 2 and 3 are the weekend.
        let profile = Profile::of(
            &daily(70, |day| if day % 7 == 2 || day % 7 == 3 { 0 } else { 40 + (day % 5) as u32 }),
            Cycle::Weekday,
        );
        assert_eq!((profile.means[5], profile.means[6]), (Some(0.0), Some(0.0)));
        assert!(profile.means[0].unwrap() > 40.0 && profile.explained > 0.95 && profile.chance < 1e-6, "{profile:?}");
    }

    #[test]
    fn chance_is_taken_for_a_rhythm_as_rarely_as_stated() {
        let mut dice = TestRng::from_seed(RngAlgorithm::ChaCha, &[5; 32]);
        let mut rhythm = || {
            let counts = daily(140, |_| (dice.random::<f64>() * 6.0) as u32);
            Profile::of(&counts, Cycle::Weekday).chance < 0.05
        };
        let seen = (0..400).filter(|_| rhythm()).count();
        assert!((6..=36).contains(&seen), "{seen} of 400 at 5 %");
    }

    #[test]
    fn shared_ranks_are_allowed_for() {
        // Two Thursdays and two Fridays: ranks 1½ and 3½ twice give 2.4, and 0.8 of the variation is left.
        let counts: Vec<(Time, u32)> =
            daily(9, |day| 1 + (day % 7) as u32).into_iter().filter(|(_, count)| *count < 3).collect();
        let profile = Profile::of(&counts, Cycle::Weekday);
        assert!((profile.chance - chi_square_tail(3.0, 1)).abs() < 1e-12, "{profile:?}");
    }

    #[test]
    fn hours_and_days_before_1970_are_counted_alike() {
        assert_eq!(Cycle::Weekday.part(Time::from_millis(-1)), 2);
        assert_eq!((Cycle::Hour.part(Time::from_millis(-1)), Cycle::Hour.part(Time::from_secs(3600))), (23, 1));
    }

    #[test]
    fn nothing_can_be_seen_in_nothing() {
        for counts in [vec![], daily(1, |_| 3), daily(50, |_| 3)] {
            let profile = Profile::of(&counts, Cycle::Hour);
            assert!(profile.chance == 1.0 && profile.explained == 0.0, "{profile:?}");
        }
    }
}
