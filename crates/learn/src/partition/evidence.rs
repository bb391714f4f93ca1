//! What lives say about a rate, added up.

use crate::life::Watched;
use serde::{Deserialize, Serialize};

/// Lives reduced to what an exponential rate hangs on, and to how much they vary around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PartitionEvidence {
    pub lives: u64,
    pub ended: u64,
    /// Watched, of all together.
    pub days: f64,
    /// Of those that ended, and the squares of all.
    days_of_ended: f64,
    squared_days: f64,
}

impl PartitionEvidence {
    pub fn see(&mut self, life: Watched) {
        let days = life.to.as_days_f64() - life.from.as_days_f64();
        self.add(&PartitionEvidence {
            lives: 1,
            ended: u64::from(life.ended),
            days,
            days_of_ended: if life.ended { days } else { 0.0 },
            squared_days: days * days,
        });
    }

    pub fn add(&mut self, other: &PartitionEvidence) {
        self.lives += other.lives;
        self.ended += other.ended;
        self.days += other.days;
        self.days_of_ended += other.days_of_ended;
        self.squared_days += other.squared_days;
    }

    pub fn rate_per_day(&self) -> f64 {
        if self.days > 0.0 { self.ended as f64 / self.days } else { 0.0 }
    }

    fn ln_likelihood(&self) -> f64 {
        if self.ended == 0 { 0.0 } else { self.ended as f64 * (self.rate_per_day().ln() - 1.0) }
    }

    /// Squared distances of lives from what their rate expects of them: as many as ended, if they are exponential.
    fn misses(&self) -> f64 {
        let rate = self.rate_per_day();
        self.ended as f64 - 2.0 * rate * self.days_of_ended + rate * rate * self.squared_days
    }
}

/// Twice by how much the logarithm of the likelihood rises from rates of these groups to rates of finer ones.
pub fn likelihood_ratio(coarse: &[PartitionEvidence], fine: &[PartitionEvidence]) -> f64 {
    let sum = |groups: &[PartitionEvidence]| groups.iter().map(PartitionEvidence::ln_likelihood).sum::<f64>();
    (2.0 * (sum(fine) - sum(coarse))).max(0.0)
}

/// How much more lives vary than exponential ones: by this a likelihood ratio is too large.
pub(super) fn dispersion(groups: &[PartitionEvidence]) -> f64 {
    let ended: u64 = groups.iter().map(|group| group.ended).sum();
    let misses: f64 = groups.iter().map(PartitionEvidence::misses).sum();
    if ended == 0 { 1.0 } else { (misses / ended as f64).max(1e-3) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::trial::Trial;
    use tintype_vocab::Span;

    fn evidence_of(shape: f64) -> PartitionEvidence {
        let mut evidence = PartitionEvidence::default();
        Trial::new(4).lives(&[("a", 0.1)], 4000, shape).into_iter().for_each(|(_, life)| evidence.see(life));
        evidence
    }

    #[test]
    fn exponential_lives_vary_as_they_should_and_others_do_not() {
        assert!((dispersion(&[evidence_of(1.0)]) - 1.0).abs() < 0.1);
        assert!(dispersion(&[evidence_of(0.5)]) > 1.5 && dispersion(&[evidence_of(3.0)]) < 0.5);
    }

    #[test]
    fn a_refinement_is_never_less_likely() {
        let life = |days: i64| Watched { from: Span::ZERO, to: Span::from_days(days), ended: true };
        let (mut slow, mut fast, mut all) =
            (PartitionEvidence::default(), PartitionEvidence::default(), PartitionEvidence::default());
        [10, 20].into_iter().for_each(|days| slow.see(life(days)));
        [1, 2].into_iter().for_each(|days| fast.see(life(days)));
        [slow, fast].iter().for_each(|part| all.add(part));
        let expected = 2.0 * (2.0 * (2.0_f64 / 30.0).ln() + 2.0 * (2.0_f64 / 3.0).ln() - 4.0 * (4.0_f64 / 33.0).ln());
        assert!((likelihood_ratio(&[all], &[slow, fast]) - expected).abs() < 1e-12);
        assert_eq!(likelihood_ratio(&[all], &[all]), 0.0);
    }
}
