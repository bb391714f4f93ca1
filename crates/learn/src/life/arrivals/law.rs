//! Laws of whole numbers, each as likely as it gets.

use super::Gamma;
use crate::{distribution::ln_gamma, life::climb::highest};
use serde::Serialize;

/// Shapes, scales and sizes that are thought of, as logarithms.
const LN_MAX: f64 = 16.0;

/// How counts come about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// Each object by itself.
    Poisson { mean: f64 },
    /// In bursts: a Poisson count whose mean is itself a Gamma of shape `size`.
    NegativeBinomial { mean: f64, size: f64 },
    /// An amount, rounded.
    Gamma(Gamma),
    /// Nothing at all with some chance, an amount rounded to at least one otherwise.
    ZeroInflatedGamma { empty_share: f64, gamma: Gamma },
}

/// A law and how likely it makes the counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ArrivalFit {
    pub law: Law,
    pub ln_likelihood: f64,
}

impl ArrivalFit {
    /// Akaike's criterion: the smaller the better.
    pub fn aic(&self) -> f64 {
        2.0 * self.law.parameters() - 2.0 * self.ln_likelihood
    }
}

impl Law {
    pub fn name(&self) -> &'static str {
        match self {
            Law::Poisson { .. } => "poisson",
            Law::NegativeBinomial { .. } => "negative-binomial",
            Law::Gamma(_) => "gamma",
            Law::ZeroInflatedGamma { .. } => "zero-inflated-gamma",
        }
    }

    fn parameters(&self) -> f64 {
        match self {
            Law::Poisson { .. } => 1.0,
            Law::NegativeBinomial { .. } | Law::Gamma(_) => 2.0,
            Law::ZeroInflatedGamma { .. } => 3.0,
        }
    }

    /// The logarithm of the chance of a count.
    pub fn ln_chance(&self, count: u32) -> f64 {
        let x = f64::from(count);
        match *self {
            Law::Poisson { mean } => x * mean.ln() - mean - ln_gamma(x + 1.0),
            Law::NegativeBinomial { mean, size } => {
                let choose = ln_gamma(x + size) - ln_gamma(size) - ln_gamma(x + 1.0);
                choose - size * (mean / size).ln_1p() - x * (size / mean).ln_1p()
            }
            Law::Gamma(gamma) => rounded(&gamma, count).ln(),
            Law::ZeroInflatedGamma { empty_share, .. } if count == 0 => empty_share.ln(),
            Law::ZeroInflatedGamma { empty_share, gamma } => {
                (-empty_share).ln_1p() + (rounded(&gamma, count) / gamma.between(0.5, f64::INFINITY)).ln()
            }
        }
    }
}

/// The share of amounts that are rounded to a count.
fn rounded(gamma: &Gamma, count: u32) -> f64 {
    let x = f64::from(count);
    gamma.between(if count == 0 { 0.0 } else { x - 0.5 }, x + 0.5).max(f64::MIN_POSITIVE)
}

/// All laws fitted to counts in order of size, the best first.
pub(super) fn fits(sorted: &[u32], mean: f64, variance: f64) -> Vec<ArrivalFit> {
    let counts = Counts::of(sorted);
    let amounts = |counts: &Counts| {
        let (shape, scale) = (mean * mean / variance.max(1e-9), variance.max(1e-9) / mean);
        counts.climb([shape.ln(), scale.ln()], |shape, scale| Law::Gamma(Gamma { shape, scale }))
    };
    let mut fits = vec![counts.fit(Law::Poisson { mean })];
    // The mean of the counts is the most likely one, whatever the size.
    let excess = (variance - mean).max(mean * 1e-6);
    fits.push(counts.climb([(mean * mean / excess).ln(), 0.0], |size, _| Law::NegativeBinomial { mean, size }));
    fits.push(amounts(&counts));
    let empty = sorted.partition_point(|count| *count == 0);
    let some = Gamma::fit(&sorted[empty..]).filter(|_| empty > 0);
    fits.extend(some.map(|gamma| {
        let empty_share = empty as f64 / sorted.len() as f64;
        counts.climb([gamma.shape.ln(), gamma.scale.ln()], |shape, scale| Law::ZeroInflatedGamma {
            empty_share,
            gamma: Gamma { shape, scale },
        })
    }));
    fits.retain(|fit| fit.ln_likelihood.is_finite());
    fits.sort_by(|one, other| one.aic().total_cmp(&other.aic()));
    fits
}

/// Counts and how often each was seen.
struct Counts(Vec<(u32, f64)>);

impl Counts {
    fn of(sorted: &[u32]) -> Counts {
        Counts(sorted.chunk_by(|one, other| one == other).map(|same| (same[0], same.len() as f64)).collect())
    }

    fn fit(&self, law: Law) -> ArrivalFit {
        let ln_likelihood = self.0.iter().map(|(count, often)| often * law.ln_chance(*count)).sum();
        ArrivalFit { law, ln_likelihood }
    }

    /// The most likely law of two positive numbers, from the logarithms of a first guess.
    fn climb(&self, start: [f64; 2], law: impl Fn(f64, f64) -> Law) -> ArrivalFit {
        let height = |at: [f64; 2]| match at.iter().all(|number| number.abs() < LN_MAX) {
            true => self.fit(law(at[0].exp(), at[1].exp())).ln_likelihood,
            false => f64::NEG_INFINITY,
        };
        let ([one, other], _) = highest(start.map(|number| number.clamp(1.0 - LN_MAX, LN_MAX - 1.0)), 0.5, height);
        self.fit(law(one.exp(), other.exp()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_of_all_counts_add_up_to_one() {
        let gamma = Gamma { shape: 2.5, scale: 3.0 };
        for law in [
            Law::Poisson { mean: 6.0 },
            Law::NegativeBinomial { mean: 6.0, size: 0.7 },
            Law::Gamma(gamma),
            Law::ZeroInflatedGamma { empty_share: 0.3, gamma },
        ] {
            let sum: f64 = (0..400).map(|count| law.ln_chance(count).exp()).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{law:?}: {sum}");
        }
    }

    #[test]
    fn a_large_negative_binomial_is_a_poisson() {
        let (large, poisson) = (Law::NegativeBinomial { mean: 4.0, size: 1e6 }, Law::Poisson { mean: 4.0 });
        assert!((large.ln_chance(7) - poisson.ln_chance(7)).abs() < 1e-4);
    }
}
