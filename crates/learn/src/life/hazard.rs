//! Whether the old leave more often than the young: ends per day, by age.

use super::Lives;
use serde::Serialize;

/// A stretch of ages, and how many lives ended in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stretch {
    pub from_days: f64,
    pub to_days: f64,
    pub ended: u64,
    /// Of all lives together, while they were of such an age.
    pub watched_days: f64,
}

impl Stretch {
    pub fn rate_per_day(&self) -> f64 {
        self.ended as f64 / self.watched_days
    }
}

/// Cut where these shares of all completed lives had ended, so that each stretch has ends to count; stretches without any are
/// left out.
pub fn hazard_by_age(lives: &Lives, shares: &[f64]) -> Vec<Stretch> {
    let by_age = lives.by_age();
    let mut ended = 0;
    let ends: Vec<(f64, u64)> = by_age
        .iter()
        .map(|(age, tally)| {
            ended += tally.ended;
            (*age, ended)
        })
        .collect();
    let cut = |share: &f64| {
        let rank = (share.clamp(0.0, 1.0) * (ended.saturating_sub(1)) as f64).floor() as u64;
        ends.get(ends.partition_point(|(_, ended)| *ended <= rank)).map_or(0.0, |(age, _)| *age)
    };
    let cuts: Vec<f64> = shares.iter().map(cut).collect();
    let stretch = |pair: &[f64]| {
        let (from, to) = (pair[0], pair[1]);
        let within = |age: f64| (age.min(to) - from).max(0.0);
        let mut stretch = Stretch { from_days: from, to_days: to, ended: 0, watched_days: 0.0 };
        for (age, tally) in &by_age {
            stretch.watched_days += within(*age) * ((tally.ended + tally.lost) as f64 - tally.entered as f64);
            stretch.ended += if from < *age && *age <= to { tally.ended } else { 0 };
        }
        stretch
    };
    cuts.windows(2).map(stretch).filter(|stretch| stretch.ended > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::life::Watched;
    use tintype_vocab::Span;

    fn lives_of(watched: &[(i64, i64, bool)]) -> Lives {
        let mut lives = Lives::default();
        for (from, to, ended) in watched {
            assert!(lives.see(Watched { from: Span::from_days(*from), to: Span::from_days(*to), ended: *ended }));
        }
        lives
    }

    #[test]
    fn every_day_watched_counts_at_the_age_it_was_watched_at() {
        let stretches =
            hazard_by_age(&lives_of(&[(0, 2, true), (0, 4, true), (3, 8, true), (0, 5, false)]), &[0.0, 0.5, 1.0]);
        let seen: Vec<(f64, f64, u64, f64)> = stretches
            .iter()
            .map(|s| (s.from_days, s.to_days, s.ended, (s.watched_days * 1000.0).round() / 1000.0))
            .collect();
        // From day 2 to 4: two of the four lives for two days, and the late one for one. From 4 to 8: four days and one.
        assert_eq!(seen, [(2.0, 4.0, 1, 5.0), (4.0, 8.0, 1, 5.0)]);
    }

    #[test]
    fn where_nothing_ended_there_are_no_stretches() {
        assert_eq!(hazard_by_age(&lives_of(&[(0, 2, false)]), &[0.0, 0.5, 1.0]), []);
        assert_eq!(hazard_by_age(&Lives::default(), &[0.0, 1.0]), []);
    }
}
