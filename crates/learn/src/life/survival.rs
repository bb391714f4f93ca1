//! How long an object stays: four families of life spans, all of them a curve stretched along the logarithm of age.

use crate::distribution::{ln_normal_tail, normal_quantile};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// The shape of the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// The old leave as the young do.
    Exponential,
    /// Leaving grows more or less likely with age, as a power of it.
    Weibull,
    /// Leaving grows likelier, then less likely.
    LogNormal,
    /// The same with a longer tail.
    LogLogistic,
}

impl Family {
    pub const ALL: [Family; 4] = [Family::Exponential, Family::Weibull, Family::LogNormal, Family::LogLogistic];

    pub fn name(self) -> &'static str {
        match self {
            Family::Exponential => "exponential",
            Family::Weibull => "weibull",
            Family::LogNormal => "log-normal",
            Family::LogLogistic => "log-logistic",
        }
    }

    /// Numbers that were fitted.
    pub fn parameters(self) -> u32 {
        if self == Family::Exponential { 1 } else { 2 }
    }

    /// The logarithm of the share beyond a place on the curve before it is stretched.
    pub(super) fn ln_beyond(self, z: f64) -> f64 {
        match self {
            Family::Exponential | Family::Weibull => -z.exp(),
            Family::LogNormal => ln_normal_tail(z),
            Family::LogLogistic => -ln_1p_exp(z),
        }
    }

    /// The logarithm of the density there.
    pub(super) fn ln_density(self, z: f64) -> f64 {
        match self {
            Family::Exponential | Family::Weibull => z - z.exp(),
            Family::LogNormal => -z * z / 2.0 - (2.0 * PI).ln() / 2.0,
            Family::LogLogistic => z - 2.0 * ln_1p_exp(z),
        }
    }

    /// The place beyond which all but this share lie.
    fn quantile(self, share: f64) -> f64 {
        match self {
            Family::Exponential | Family::Weibull => (-(-share).ln_1p()).ln(),
            Family::LogNormal => normal_quantile(share),
            Family::LogLogistic => (share / (1.0 - share)).ln(),
        }
    }
}

/// ln(1 + eᶻ), also where eᶻ is no number.
fn ln_1p_exp(z: f64) -> f64 {
    z.max(0.0) + (-z.abs()).exp().ln_1p()
}

/// How long an object stays: the logarithm of the days is `location` + `spread` × the family's own variable.
///
/// For Weibull (and exponential) lives S(t) = exp(−(a t)ˢ) the paper's a is [`Survival::rate_per_day`] and s is 1 / `spread`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survival {
    pub family: Family,
    pub location: f64,
    pub spread: f64,
    /// How well location and the logarithm of spread are known: their variances and covariance.
    pub covariance: [[f64; 2]; 2],
}

impl Survival {
    /// A rate that is known for certain.
    pub fn exponential(rate_per_day: f64) -> Survival {
        Survival { family: Family::Exponential, location: -rate_per_day.ln(), spread: 1.0, covariance: [[0.0; 2]; 2] }
    }

    /// a: one over the age that 1/e of exponential or Weibull lives exceed.
    pub fn rate_per_day(&self) -> f64 {
        (-self.location).exp()
    }

    /// The share of lives longer than that.
    pub fn survival(&self, age_days: f64) -> f64 {
        self.ln_survival(age_days).exp()
    }

    /// The chance that an object of that age is still there so many days later.
    pub fn stays(&self, age_days: f64, more_days: f64) -> f64 {
        if more_days <= 0.0 {
            return 1.0;
        }
        let chance = (self.ln_survival(age_days.max(0.0) + more_days) - self.ln_survival(age_days)).exp();
        // Older than anything the curve knows of: nothing is known, and nothing promised.
        if chance.is_nan() { 0.0 } else { chance.min(1.0) }
    }

    /// Chance of leaving, per day, at that age.
    pub fn hazard_per_day(&self, age_days: f64) -> f64 {
        let z = self.place(age_days);
        (self.family.ln_density(z) - self.family.ln_beyond(z)).exp() / (self.spread * age_days)
    }

    /// The age in days that this share of lives does not exceed.
    pub fn quantile(&self, share: f64) -> f64 {
        (self.location + self.spread * self.family.quantile(share)).exp()
    }

    fn ln_survival(&self, age_days: f64) -> f64 {
        if age_days <= 0.0 { 0.0 } else { self.family.ln_beyond(self.place(age_days)) }
    }

    fn place(&self, age_days: f64) -> f64 {
        (age_days.ln() - self.location) / self.spread
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn survivals() -> impl Strategy<Value = Survival> {
        (prop::sample::select(&Family::ALL[..]), -2.0f64..6.0, 0.2f64..3.0).prop_map(|(family, location, spread)| {
            let spread = if family == Family::Exponential { 1.0 } else { spread };
            Survival { family, location, spread, covariance: [[0.0; 2]; 2] }
        })
    }

    #[test]
    fn the_paper_s_curves_are_those_it_prints() {
        let exponential = Survival::exponential(0.058);
        assert!((exponential.survival(10.0) - 0.559_898_366_565).abs() < 1e-9);
        let weibull = Survival { family: Family::Weibull, spread: 0.5, ..exponential };
        assert!((weibull.survival(10.0) - (-(0.58_f64).powi(2)).exp()).abs() < 1e-12);
        assert!((weibull.hazard_per_day(10.0) - 2.0 * 0.058 * 0.58).abs() < 1e-12);
    }

    #[test]
    fn only_exponential_lives_have_no_age() {
        let exponential = Survival::exponential(0.1);
        assert!((exponential.stays(50.0, 3.0) - exponential.stays(0.0, 3.0)).abs() < 1e-12);
        let old_go = Survival { family: Family::Weibull, spread: 0.25, ..exponential };
        assert!(old_go.stays(12.0, 3.0) < old_go.stays(1.0, 3.0));
        assert_eq!(old_go.stays(1e300, 1.0), 0.0, "older than anything");
    }

    proptest! {
        #[test]
        fn half_of_all_lives_outlast_the_half_life(survival in survivals(), share in 0.01f64..0.99) {
            prop_assert!((survival.survival(survival.quantile(share)) - (1.0 - share)).abs() < 1e-9);
        }

        #[test]
        fn the_hazard_is_the_fall_of_survival(survival in survivals(), share in 0.05f64..0.95) {
            let age = survival.quantile(share);
            let step = age * 1e-5;
            let fall = 1.0 - survival.stays(age, step);
            prop_assert!((fall / step / survival.hazard_per_day(age) - 1.0).abs() < 1e-3);
        }
    }
}
