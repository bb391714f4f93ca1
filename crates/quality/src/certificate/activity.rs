//! How lively a site turns out to be during a capture, against what is believed of its pages one by one.
//!
//! Pages do not change independently: editors come to work, whole sections are edited at once, and a belief that errs
//! errs for many pages alike. So all change rates of a capture are thought of as multiplied by one number nobody knows
//! beforehand: the site's activity. Earlier captures say where it lies ([`Activity::after`]).

use super::quantile::ln_gamma;
use crate::capture::Moments;
use serde::{Deserialize, Serialize};

/// Nothing has been learned yet: what is guessed of pages never seen is wrong for all of them together.
const GUESSED: f64 = 3.0;
/// How much of that is left of the error after each capture.
const LEFT: f64 = 0.4;
/// How much less a capture says than the one after it.
const FADING: f64 = 0.95;
/// Captures looked back at; those before have faded.
pub const REMEMBERED: usize = 24;

/// Logarithms of the long-run factor: prior middle and deviation.
const FACTOR: (f64, f64) = (0.0, 0.7);
/// Logarithms of the variance from capture to capture: prior middle and deviation.
const SPREAD: (f64, f64) = (-2.0, 1.4);
/// Points of the grid on both sides of the middle, and deviations reached by the last.
const STEPS: i32 = 12;
const REACH: f64 = 3.0;

/// Pages of a site that has not been seen before which differ at every request (tokens, counters, advertisements): their share
/// is Beta distributed, one in twenty in the mean, on most sites next to none and on one in twenty more than a sixth. No data
/// stand behind it; what pages turn out to be is in their rates from the second capture on.
const DIFFERENT: (f64, f64) = (0.5, 9.5);

/// Where the normal distribution has its sixteenths' middles, on one side.
const SIXTEENTHS: [f64; 8] = [0.0784, 0.2372, 0.4023, 0.5791, 0.7764, 1.0100, 1.3180, 1.8627];
/// Days as likely as each other.
pub(super) const DAYS: usize = 2 * SIXTEENTHS.len();

/// What is believed of the activity before a capture: a mean, and a variance as a share of the mean squared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Activity {
    pub factor: f64,
    pub spread: f64,
    /// From how many earlier captures.
    pub captures: u32,
}

/// A first capture.
impl Default for Activity {
    fn default() -> Activity {
        Activity::after(&[])
    }
}

/// What one capture says about it: pages looked at twice, and how many of them had changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Experience {
    pub changed: u64,
    /// By the rates believed before, with a factor of one.
    pub expected: f64,
    /// By how much more if all rates were larger by a part: pages that surely change add nothing.
    pub per_factor: f64,
}

impl Activity {
    /// What to believe after captures of the site, in order of time.
    ///
    /// Each of them saw a number of changed pages with the mean that the long-run factor says, spread by chance and by
    /// the activity of the day (negative binomial). Factor and spread are weighed on a grid.
    pub fn after(captures: &[Experience]) -> Activity {
        let skipped = captures.len().saturating_sub(REMEMBERED);
        let axis = |(middle, deviation): (f64, f64)| {
            let step = move |nth: i32| REACH * f64::from(nth) / f64::from(STEPS);
            (-STEPS..=STEPS).map(move |nth| ((middle + deviation * step(nth)).exp(), -step(nth).powi(2) / 2.0))
        };
        let mut posterior = Vec::new();
        for (factor, prior) in axis(FACTOR) {
            for (spread, other) in axis(SPREAD) {
                let seen = captures.iter().enumerate().skip(skipped).map(|(nth, capture)| {
                    let age = (captures.len() - 1 - nth) as i32;
                    FADING.powi(age) * capture.ln_chance(factor, spread + guessed(nth))
                });
                posterior.push((factor, spread, prior + other + seen.sum::<f64>()));
            }
        }
        let most = posterior.iter().map(|point| point.2).fold(f64::NEG_INFINITY, f64::max);
        let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
        for (factor, spread, ln_weight) in posterior {
            let weight = (ln_weight - most).exp();
            mass += weight;
            first += weight * factor;
            second += weight * factor * factor * (1.0 + spread);
        }
        let factor = first / mass;
        let spread = second / mass / (factor * factor) - 1.0 + guessed(captures.len());
        Activity { factor, spread, captures: captures.len() as u32 }
    }

    /// The factor after what a capture showed: the belief before it as a Gamma distribution, and the changes that were not
    /// sure to come as its evidence.
    pub(super) fn seen(&self, experience: &Experience) -> f64 {
        let changed = (experience.changed as f64 - (experience.expected - experience.per_factor)).max(0.0);
        let shape = 1.0 / self.spread;
        let seen = (shape + changed) / (shape / self.factor + experience.per_factor.max(0.0));
        if seen.is_finite() { seen } else { self.factor }
    }

    /// How many of so many pages differ at every request, where nothing is known of them.
    pub(super) fn different_every_time(&self, pages: f64) -> Moments {
        if self.captures > 0 || pages <= 0.0 {
            return Moments::default();
        }
        let (few, many) = DIFFERENT;
        let share = few / (few + many);
        let together = 1.0 + (pages - 1.0).max(0.0) / (few + many + 1.0);
        Moments { mean: pages * share, variance: pages * share * (1.0 - share) * together }
    }
}

/// Factors as likely as each other that stand for all there may be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Days {
    pub(super) factors: [f64; DAYS],
    /// By how much more the factors spread that they stand for.
    pub(super) stretch: f64,
}

impl Days {
    /// Of a Gamma distribution, as the cube of a normal variable (Wilson and Hilferty).
    pub(super) fn of(activity: &Activity) -> Days {
        let part = activity.spread / 9.0;
        let sides = SIXTEENTHS.iter().flat_map(|&normal| [-normal, normal]);
        let mut factors = [0.0; DAYS];
        factors.iter_mut().zip(sides).for_each(|(factor, normal)| {
            *factor = (1.0 - part + normal * part.sqrt()).max(0.0).powi(3);
        });
        let mean = |of: &[f64; DAYS]| of.iter().sum::<f64>() / DAYS as f64;
        let scale = activity.factor / mean(&factors);
        factors.iter_mut().for_each(|factor| *factor *= scale);
        let variance = mean(&factors.map(|factor| (factor - activity.factor).powi(2)));
        let stretch = activity.spread * activity.factor.powi(2) / variance.max(f64::MIN_POSITIVE);
        Days { factors, stretch }
    }
}

fn guessed(captures_before: usize) -> f64 {
    GUESSED * LEFT.powi(captures_before.min(100) as i32)
}

impl Experience {
    /// The logarithm of the chance of what was seen, but for what does not depend on the arguments.
    fn ln_chance(&self, factor: f64, spread: f64) -> f64 {
        let mean = factor * self.per_factor;
        if mean <= 0.0 {
            return 0.0;
        }
        let surely = self.expected - self.per_factor;
        let changed = (self.changed as f64 - surely).max(0.0);
        let size = 1.0 / spread;
        let of_mean = changed * (mean / size).ln() - (changed + size) * (mean / size).ln_1p();
        let chance = ln_gamma(changed + size) - ln_gamma(size) + of_mean;
        // Numbers no capture has say nothing.
        if chance.is_finite() { chance } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captures(changed: &[u64], expected: f64) -> Vec<Experience> {
        changed.iter().map(|&changed| Experience { changed, expected, per_factor: expected }).collect()
    }

    #[test]
    fn a_site_that_does_as_believed_is_trusted_more_and_more() {
        let after = |count: usize| Activity::after(&captures(&[9, 11, 10, 12, 8, 10, 9, 11][..count], 10.0));
        let (none, few, many) = (after(0), after(3), after(8));
        assert!(none.spread > 3.0 && few.spread < 1.0 && many.spread < few.spread, "{none:?} {few:?} {many:?}");
        assert!((many.factor - 1.0).abs() < 0.15 && many.spread < 0.25, "{many:?}");
    }

    #[test]
    fn a_site_livelier_than_believed_and_one_that_changes_all_at_once_are_told_apart() {
        let livelier = Activity::after(&captures(&[30; 8], 10.0));
        assert!(livelier.factor > 2.2 && livelier.spread < 0.3, "{livelier:?}");
        let at_once = Activity::after(&captures(&[0, 0, 40, 0, 0, 0, 40, 0], 10.0));
        assert!(at_once.factor < 1.6 && at_once.spread > 2.0, "{at_once:?}");
    }

    #[test]
    fn captures_that_looked_once_and_pages_that_surely_change_say_nothing() {
        let mute = Experience { changed: 3, expected: 3.0, per_factor: 0.0 };
        let (looked, unseen) = (Activity::after(&[mute; 5]), Activity::after(&[]));
        assert!((looked.factor - unseen.factor).abs() < 1e-9 && looked.spread < unseen.spread);
        let always = Experience { changed: 13, expected: 13.0, per_factor: 10.0 };
        let alike = Activity::after(&[always; 6]);
        let without = Activity::after(&captures(&[10; 6], 10.0));
        assert!((alike.factor - without.factor).abs() < 1e-9, "{alike:?} {without:?}");
    }

    #[test]
    fn sixteen_days_stand_for_all() {
        for spread in [1e-6, 0.1, 1.0, 4.0] {
            let days = Days::of(&Activity { factor: 2.0, spread, captures: 3 });
            let mean = days.factors.iter().sum::<f64>() / DAYS as f64;
            let variance = days.factors.iter().map(|factor| (factor - 2.0).powi(2)).sum::<f64>() / DAYS as f64;
            assert!((mean - 2.0).abs() < 1e-9 && (variance * days.stretch / (4.0 * spread) - 1.0).abs() < 1e-6);
            assert!(days.stretch > 0.9 && days.stretch < 2.0, "{spread}: {days:?}");
        }
    }

    #[test]
    fn nonsense_makes_no_nonsense() {
        for odd in [f64::MAX, 1e300, 1e-300, -5.0, 0.0] {
            let learned = Activity::after(&[Experience { changed: u64::MAX, expected: odd, per_factor: odd }]);
            assert!(learned.factor.is_finite() && learned.spread > 0.0, "{odd}: {learned:?}");
        }
    }
}
