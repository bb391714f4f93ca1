//! What skipping loses beside what it is expected to lose, learned from past captures, so that an interval can be told
//! that holds nine times in ten.
//!
//! Every past capture is one trial: so many changes were expected in what would have been left alone, so many were there.
//! Two things are learned from them, by trying many values of each against all trials: how many times as many as expected
//! there are, and how unevenly they come, be it that some captures lose more than others or that changes come in clumps.

use crate::distribution::ln_gamma;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Changes that may be lost of those there are, unless somebody says otherwise.
pub const LOSS_SHARE: f64 = 0.05;
/// Trials that are kept, the latest.
const TRIALS_MAX: usize = 64;
/// How often the loss is to be within the interval.
const COVERED: f64 = 0.9;
/// Times as many as expected: what is tried, as logarithms to base 2, and how far from none anybody would think.
const RATIOS: std::ops::RangeInclusive<i32> = -4..=6;
const RATIO_STEP: f64 = 0.5;
const RATIO_SPREAD: f64 = 0.5;
/// Captures in which everything was edited at once and nobody noticed, and how many times as much they lose. They must not
/// decide what all others are thought to be like.
const OUTLIERS: f64 = 0.03;
const OUTLIER_TIMES: f64 = 10.0;
const OUTLIER_SHAPE: f64 = 0.3;
/// What is hardly believed is not reckoned with.
const WEIGHT_MIN: f64 = 1e-4;
/// Counts are told apart up to about so many; above, in larger steps.
const COUNTS: f64 = 400.0;
/// A tail that is left out.
const TAIL: f64 = 1e-3;

/// Of so many pages that are to be left alone so many are looked at all the same, by lot.
pub fn drawn_of(pages: usize) -> usize {
    ((pages as f64).sqrt() / 2.0) as usize
}

/// What was expected to be lost in one capture, and what was.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Trial {
    expected: f32,
    lost: u32,
}

/// The trials of a site.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LossRecord {
    trials: VecDeque<Trial>,
}

impl LossRecord {
    pub(super) fn add(&mut self, expected: f64, lost: u64) {
        if self.trials.len() == TRIALS_MAX {
            self.trials.pop_front();
        }
        self.trials.push_back(Trial { expected: expected as f32, lost: u32::try_from(lost).unwrap_or(u32::MAX) });
    }

    /// How many there are.
    pub fn trials(&self) -> usize {
        self.trials.len()
    }

    pub(super) fn is_sound(&self) -> bool {
        self.trials.len() <= TRIALS_MAX
            && self.trials.iter().all(|trial| trial.expected.is_finite() && trial.expected >= 0.0)
    }

    /// What they teach.
    pub fn belief(&self) -> LossBelief {
        let mut manners: Vec<(f64, Manner)> = Manner::all().collect();
        for (likely, manner) in &mut manners {
            *likely += self.trials.iter().map(|trial| manner.ln_chance_of(trial)).sum::<f64>();
        }
        let most = manners.iter().map(|(likely, _)| *likely).fold(f64::MIN, f64::max);
        manners.iter_mut().for_each(|(likely, _)| *likely = (*likely - most).exp());
        let all: f64 = manners.iter().map(|(weight, _)| weight).sum();
        manners.iter_mut().for_each(|(weight, _)| *weight /= all);
        manners.retain(|(weight, _)| *weight >= WEIGHT_MIN);
        LossBelief { manners }
    }
}

/// How losses relate to what is expected.
#[derive(Clone, Copy, Debug)]
struct Manner {
    /// So many times as many as expected.
    ratio: f64,
    spread: Spread,
}

#[derive(Clone, Copy, Debug)]
enum Spread {
    /// Each by itself.
    Even,
    /// Captures differ, as if only so many of them made up the mean.
    Captures(f64),
    /// They come in clumps of about so many.
    Clumps(f64),
}

const SPREADS: [Spread; 11] = [
    Spread::Even,
    Spread::Captures(5.0),
    Spread::Captures(2.0),
    Spread::Captures(0.8),
    Spread::Captures(0.3),
    Spread::Captures(0.1),
    Spread::Clumps(1.5),
    Spread::Clumps(2.5),
    Spread::Clumps(5.0),
    Spread::Clumps(12.0),
    Spread::Clumps(30.0),
];
/// The shape of a negative binomial that cannot be told from Poisson.
const EVEN_SHAPE: f64 = 1e6;

impl Manner {
    /// All that are tried, with the logarithm of how likely they are before anything was seen.
    fn all() -> impl Iterator<Item = (f64, Manner)> {
        let ratios = RATIOS.map(|step| {
            let binary = f64::from(step) * RATIO_STEP;
            (-(binary / RATIO_SPREAD).powi(2) / 2.0, binary.exp2())
        });
        ratios.flat_map(|(likely, ratio)| SPREADS.map(|spread| (likely, Manner { ratio, spread })))
    }

    /// The logarithm of the chance of a count.
    fn ln_chance(&self, count: f64, expected: f64) -> f64 {
        let mean = (self.ratio * expected).max(1e-9);
        let shape = match self.spread {
            Spread::Even => EVEN_SHAPE,
            Spread::Captures(shape) => shape,
            Spread::Clumps(size) => mean / (size - 1.0),
        };
        let usual = ln_negative_binomial(count, shape, mean) + (1.0 - OUTLIERS).ln();
        let outlier = ln_negative_binomial(count, OUTLIER_SHAPE, OUTLIER_TIMES * (mean + 1.0)) + OUTLIERS.ln();
        let most = usual.max(outlier);
        most + ((usual - most).exp() + (outlier - most).exp()).ln()
    }

    fn ln_chance_of(&self, trial: &Trial) -> f64 {
        self.ln_chance(trial.lost.into(), trial.expected.into())
    }
}

fn ln_negative_binomial(count: f64, shape: f64, mean: f64) -> f64 {
    let all = (shape + mean).ln();
    ln_gamma(count + shape) - ln_gamma(shape) - ln_gamma(count + 1.0)
        + shape * (shape.ln() - all)
        + count * (mean.ln() - all)
}

/// What is believed of losses.
#[derive(Clone, Debug)]
pub struct LossBelief {
    manners: Vec<(f64, Manner)>,
}

impl LossBelief {
    /// How many times as many changes are lost as the chances of the pages add up to.
    pub fn ratio(&self) -> f64 {
        self.manners.iter().map(|(weight, manner)| weight * manner.ratio).sum()
    }

    /// The shortest interval that the loss is in nine times out of ten, where the chances of the pages add up to this.
    pub fn between(&self, expected: f64) -> [u64; 2] {
        if expected <= 0.0 {
            return [0, 0];
        }
        // Chances of one count in every step stand for all of the step.
        let step = (self.ratio() * expected / COUNTS).ceil().max(1.0);
        let chance = |count: f64| -> f64 {
            self.manners.iter().map(|(weight, manner)| weight * manner.ln_chance(count, expected).exp()).sum::<f64>()
                * step
        };
        let (mut chances, mut sum) = (Vec::new(), 0.0);
        while sum < 1.0 - TAIL && chances.len() < 20 * COUNTS as usize {
            let next = chance(chances.len() as f64 * step);
            sum += next;
            chances.push(next);
        }
        let [from, to] = shortest(&chances, COVERED * sum.max(1.0 - TAIL));
        [(from as f64 * step) as u64, (to as f64 * step) as u64]
    }
}

/// The first and the last of the fewest in a row that add up to so much; of several, the likeliest.
fn shortest(chances: &[f64], wanted: f64) -> [usize; 2] {
    let mut best = (usize::MAX, 0.0, [0, chances.len().saturating_sub(1)]);
    let (mut from, mut sum) = (0, 0.0);
    for (to, chance) in chances.iter().enumerate() {
        sum += chance;
        while from < to && sum - chances[from] >= wanted {
            sum -= chances[from];
            from += 1;
        }
        let length = to - from;
        if sum >= wanted && (length < best.0 || length == best.0 && sum > best.1) {
            best = (length, sum, [from, to]);
        }
    }
    best.2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(trials: &[(f64, u64)]) -> LossRecord {
        let mut record = LossRecord::default();
        trials.iter().for_each(|&(expected, lost)| record.add(expected, lost));
        record
    }

    #[test]
    fn the_shortest_interval_is_found() {
        assert_eq!(shortest(&[0.95, 0.05], 0.9), [0, 0]);
        assert_eq!(shortest(&[0.05, 0.3, 0.35, 0.2, 0.1], 0.8), [1, 3]);
        assert_eq!(shortest(&[0.2, 0.2], 0.9), [0, 1], "as much as there is");
    }

    #[test]
    fn without_a_trial_the_chances_are_believed_and_the_interval_is_wide() {
        let belief = LossRecord::default().belief();
        assert!((0.9..1.3).contains(&belief.ratio()), "{}", belief.ratio());
        let [from, to] = belief.between(10.0);
        assert!(from <= 5 && (18..60).contains(&to), "{from} {to}");
        assert_eq!(belief.between(0.0), [0, 0]);
    }

    #[test]
    fn who_always_loses_twice_as_much_is_told_so() {
        let belief = record(&[(5.0, 10); 30]).belief();
        assert!((belief.ratio() - 2.0).abs() < 0.2, "{}", belief.ratio());
        let [from, to] = belief.between(5.0);
        assert!((3..=6).contains(&from) && (14..=18).contains(&to), "{from} {to}");
    }

    #[test]
    fn losses_in_clumps_make_the_interval_wider() {
        let even = record(&[(4.0, 4); 40]).belief().between(4.0);
        let clumps: Vec<_> = (0..40).map(|nth| (4.0, if nth % 4 == 0 { 16 } else { 0 })).collect();
        let uneven = record(&clumps).belief().between(4.0);
        assert!(uneven[0] <= even[0] && uneven[1] > even[1] + 1, "{even:?} {uneven:?}");
    }

    #[test]
    fn one_capture_that_lost_everything_does_not_decide() {
        let mut trials = vec![(0.5, 0); 30];
        trials[10] = (0.5, 400);
        let belief = record(&trials).belief();
        assert!(belief.ratio() < 1.5, "{}", belief.ratio());
        assert!(belief.between(0.5)[1] <= 4, "{:?}", belief.between(0.5));
    }

    #[test]
    fn large_losses_cost_no_more_to_reckon() {
        let [from, to] = record(&[(1e5, 100_000); 30]).belief().between(1e5);
        assert!(from > 50_000 && from < 100_000 && to > 100_000 && to < 200_000, "{from} {to}");
    }

    #[test]
    fn a_few_are_drawn_of_many_and_none_of_next_to_none() {
        assert_eq!([0, 3, 4, 40, 400, 40_000].map(drawn_of), [0, 0, 1, 3, 10, 100]);
    }

    #[test]
    fn the_latest_trials_count() {
        let mut record = LossRecord::default();
        (0..200).for_each(|_| record.add(1.0, 1));
        assert_eq!(record.trials(), TRIALS_MAX);
        assert!(record.is_sound());
        record.add(f64::NAN, 1);
        assert!(!record.is_sound());
    }
}
