//! Lives in one pass and bounded memory: how many ended, and how many were lost sight of, at which age.

use super::Watched;
use hashbrown::HashMap;
use tintype_vocab::Span;

/// Ages that are told apart; beyond them the last binary digits of all ages are given up.
const AGES_MAX: usize = 1 << 16;
/// Binary digits of an age in milliseconds that are kept, one after the other. With the last of these there are fewer than
/// [`AGES_MAX`] ages, and each is known to a two-thousandth.
const DIGITS: [u32; 7] = [63, 24, 20, 16, 14, 12, 11];

/// Sufficient statistics of survival: likelihoods of censored and truncated lives are sums over ages, and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Lives {
    tallies: HashMap<i64, Tally>,
    /// How many of [`DIGITS`] were given up.
    coarsened: usize,
    count: u64,
    ended: u64,
    from_birth: u64,
    watched_millis: i128,
    completed_millis: i128,
}

/// What happened at one age.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) ended: u64,
    /// Longer than this, but nobody knows how long.
    pub(super) lost: u64,
    /// First watched just before.
    pub(super) entered: u64,
}

impl Lives {
    /// Whether it is a life that can be: watching took some time, and the age is not negative.
    pub fn see(&mut self, life: Watched) -> bool {
        let Watched { from, to, ended } = life;
        if from < Span::ZERO || to <= from {
            return false;
        }
        let exit = self.tally(to.as_millis());
        if ended {
            exit.ended += 1
        } else {
            exit.lost += 1
        }
        if from == Span::ZERO {
            self.from_birth += 1;
        } else {
            // From the next instant on it could be seen to end.
            self.tally(from.as_millis() + 1).entered += 1;
        }
        self.count += 1;
        self.watched_millis += i128::from(to.as_millis() - from.as_millis());
        if ended {
            self.ended += 1;
            self.completed_millis += i128::from(to.as_millis());
        }
        true
    }

    /// Lives of another part of the same source.
    pub fn merge(&mut self, other: &Lives) {
        self.coarsen(other.coarsened.max(self.coarsened));
        for (age, tally) in &other.tallies {
            self.tally(*age).add(tally);
        }
        self.count += other.count;
        self.ended += other.ended;
        self.from_birth += other.from_birth;
        self.watched_millis += other.watched_millis;
        self.completed_millis += other.completed_millis;
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// Lives of which the end was seen.
    pub fn ended(&self) -> u64 {
        self.ended
    }

    /// Of all lives together.
    pub fn watched_days(&self) -> f64 {
        days(self.watched_millis)
    }

    /// Ends per day of watching: what is most likely if age does not matter.
    ///
    /// The paper's inverse of the mean life is this where nothing was censored.
    pub fn rate_per_day(&self) -> Option<f64> {
        (self.ended > 0).then(|| self.ended as f64 / self.watched_days())
    }

    /// Of the lives that ended: shorter than lives are, as long as others go on.
    pub fn mean_of_completed_days(&self) -> Option<f64> {
        (self.ended > 0).then(|| days(self.completed_millis) / self.ended as f64)
    }

    /// Lives that were watched from their beginning.
    pub(super) fn watched_from_birth(&self) -> u64 {
        self.from_birth
    }

    /// What happened at which age in days, youngest first.
    pub(super) fn by_age(&self) -> Vec<(f64, Tally)> {
        let mut tallies: Vec<(i64, Tally)> = self.tallies.iter().map(|(age, tally)| (*age, *tally)).collect();
        tallies.sort_unstable_by_key(|(age, _)| *age);
        tallies.into_iter().map(|(age, tally)| (days(age.into()), tally)).collect()
    }

    fn tally(&mut self, age: i64) -> &mut Tally {
        if self.tallies.len() >= AGES_MAX && !self.tallies.contains_key(&rounded(age, DIGITS[self.coarsened])) {
            self.coarsen((self.coarsened + 1).min(DIGITS.len() - 1));
        }
        self.tallies.entry(rounded(age, DIGITS[self.coarsened])).or_default()
    }

    fn coarsen(&mut self, coarsened: usize) {
        if coarsened > self.coarsened {
            self.coarsened = coarsened;
            for (age, tally) in std::mem::take(&mut self.tallies) {
                self.tallies.entry(rounded(age, DIGITS[coarsened])).or_default().add(&tally);
            }
        }
    }
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.ended += other.ended;
        self.lost += other.lost;
        self.entered += other.entered;
    }
}

fn days(millis: i128) -> f64 {
    millis as f64 / Span::from_days(1).as_millis() as f64
}

/// The middle of all numbers that begin with the same binary digits.
fn rounded(number: i64, digits: u32) -> i64 {
    let length = i64::BITS - number.leading_zeros();
    let lost = length.saturating_sub(digits);
    if lost == 0 { number } else { number >> lost << lost | 1 << (lost - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn watched(from: i64, to: i64, ended: bool) -> Watched {
        Watched { from: Span::from_millis(from), to: Span::from_millis(to), ended }
    }

    #[test]
    fn golden_q06_the_rate_of_censored_lives_is_ends_by_time_watched() {
        let mut lives = Lives::default();
        for (days, ended) in [(3, true), (5, true), (9, true), (10, false), (10, false)] {
            assert!(lives.see(Watched { from: Span::ZERO, to: Span::from_days(days), ended }));
        }
        assert!((lives.rate_per_day().unwrap() - 0.081_081_081_081_1).abs() < 1e-9);
        assert!((lives.mean_of_completed_days().unwrap() - 17.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn lives_that_cannot_be_are_refused() {
        let mut lives = Lives::default();
        assert!(
            !lives.see(watched(-1, 5, true)) && !lives.see(watched(5, 5, true)) && !lives.see(watched(5, 4, false))
        );
        assert_eq!((lives.count(), lives.rate_per_day(), lives.by_age().len()), (0, None, 0));
    }

    #[test]
    fn memory_stays_bounded_and_ages_nearly_right() {
        let mut lives = Lives::default();
        let age = |number: i64| number * number % 10_000_000_019 + 1;
        (0..200_000).for_each(|number| assert!(lives.see(watched(0, age(number), true))));
        assert!(lives.tallies.len() <= AGES_MAX && lives.coarsened > 0);
        let by_age = lives.by_age();
        assert_eq!(by_age.iter().map(|(_, tally)| tally.ended).sum::<u64>(), 200_000);
        let sum: f64 = by_age.iter().map(|(days, tally)| days * tally.ended as f64).sum();
        assert!((sum / lives.watched_days() - 1.0).abs() < 1e-3);
    }

    #[test]
    fn the_coarsest_ages_are_few_enough() {
        let ages: std::collections::BTreeSet<i64> = (0..63)
            .flat_map(|power| {
                (0..2048).map(move |part| (1_i64 << power).saturating_add((1_i64 << power) / 2048 * part))
            })
            .map(|age| rounded(age, *DIGITS.last().unwrap()))
            .collect();
        assert!(ages.len() < AGES_MAX, "{}", ages.len());
    }

    proptest! {
        #[test]
        fn a_rounded_age_is_near(age in 1i64..i64::MAX, digits in 2u32..63) {
            let near = rounded(age, digits);
            prop_assert!(u128::from(near.abs_diff(age)) << (digits - 1) <= age as u128, "{near}");
            prop_assert_eq!(rounded(near, digits), near);
        }

        #[test]
        fn merged_parts_are_the_whole(
            lives in prop::collection::vec((0i64..1000, 1i64..1000, any::<bool>()), 0..60), cut in 0usize..60,
        ) {
            let all: Vec<Watched> = lives.into_iter().map(|(from, more, ended)| watched(from, from + more, ended)).collect();
            let of = |part: &[Watched]| {
                let mut lives = Lives::default();
                part.iter().for_each(|life| assert!(lives.see(*life)));
                lives
            };
            let (one, other) = all.split_at(cut.min(all.len()));
            let mut merged = of(one);
            merged.merge(&of(other));
            prop_assert_eq!(merged.by_age(), of(&all).by_age());
            prop_assert_eq!(merged.rate_per_day(), of(&all).rate_per_day());
        }
    }
}
