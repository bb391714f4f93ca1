//! How often a page changes, as believed: a mean and how sure it is.

use crate::Span;
use serde::{Deserialize, Serialize};

/// A belief about changes per day: a Gamma distribution, because then what is asked of it most, the chance that nothing
/// changes for a while, is one power.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangeRate {
    /// The mean.
    pub per_day: f32,
    /// As much as this many changes had been watched: small is unsure, infinite is known for certain.
    #[serde(with = "certainty")]
    pub shape: f32,
}

/// A page of which nothing is known: once a month, or never, or every hour.
impl Default for ChangeRate {
    fn default() -> ChangeRate {
        ChangeRate { per_day: 1.0 / 30.0, shape: 0.3 }
    }
}

impl ChangeRate {
    /// A rate that somebody who knows has told.
    pub fn known(per_day: f64) -> ChangeRate {
        ChangeRate { per_day: per_day as f32, shape: f32::INFINITY }
    }

    /// From a mean and a variance.
    pub fn of_moments(per_day: f64, variance: f64) -> ChangeRate {
        let shape = if variance > 0.0 { per_day * per_day / variance } else { f64::INFINITY };
        ChangeRate { per_day: per_day as f32, shape: shape as f32 }
    }

    /// The chance that nothing changes for that long.
    pub fn still_chance(self, span: Span) -> f64 {
        self.still_chance_days(span.as_days_f64())
    }

    /// The same for a length in days.
    pub fn still_chance_days(self, days: f64) -> f64 {
        let expected = f64::from(self.per_day) * days;
        let shape = f64::from(self.shape);
        if shape.is_infinite() { (-expected).exp() } else { (-shape * (expected / shape).ln_1p()).exp() }
    }

    /// To three digits: nothing that is believed is known better, and every visit writes it down twice.
    pub fn rounded(self) -> ChangeRate {
        let round = |number: f32| format!("{number:.2e}").parse().unwrap_or(number);
        ChangeRate { per_day: round(self.per_day), shape: round(self.shape) }
    }

    /// How far off the mean may be, squared.
    pub fn variance(self) -> f64 {
        f64::from(self.per_day).powi(2) / f64::from(self.shape)
    }
}

/// JSON has no infinity: what is certain is written as null.
mod certainty {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(shape: &f32, to: S) -> Result<S::Ok, S::Error> {
        if shape.is_finite() { to.serialize_some(shape) } else { to.serialize_none() }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
        Ok(Option::<f32>::deserialize(from)?.unwrap_or(f32::INFINITY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_less_is_known_the_more_likely_nothing_happens_for_long() {
        let days = Span::from_days(3);
        let sure = ChangeRate::known(1.0).still_chance(days);
        assert!((sure - (-3f64).exp()).abs() < 1e-12);
        let nearly = ChangeRate { per_day: 1.0, shape: 1e6 }.still_chance(days);
        assert!((nearly - sure).abs() < 1e-5);
        let unsure = ChangeRate { per_day: 1.0, shape: 0.5 }.still_chance(days);
        assert!((unsure - 7f64.powf(-0.5)).abs() < 1e-9);
    }

    #[test]
    fn moments_come_back() {
        let rate = ChangeRate::of_moments(2.0, 8.0);
        assert_eq!((rate.per_day, rate.shape), (2.0, 0.5));
        assert!((rate.variance() - 8.0).abs() < 1e-9);
        assert_eq!(ChangeRate::of_moments(2.0, 0.0), ChangeRate::known(2.0));
    }

    #[test]
    fn rounding_leaves_three_digits() {
        let rate = ChangeRate { per_day: 0.244_848_73, shape: 0.012_141_059 }.rounded();
        assert_eq!(rate, ChangeRate { per_day: 0.245, shape: 0.0121 });
        assert_eq!(serde_json::to_string(&rate).unwrap(), r#"{"per_day":0.245,"shape":0.0121}"#);
        for rate in [ChangeRate::known(7.0), ChangeRate { per_day: 1e-30, shape: 1.5e20 }, rate] {
            assert_eq!(rate.rounded(), rate);
        }
        assert_eq!(ChangeRate::known(0.0).rounded().per_day, 0.0);
    }

    #[test]
    fn certainty_survives_json() {
        for rate in [ChangeRate::known(0.25), ChangeRate::default()] {
            let text = serde_json::to_string(&rate).unwrap();
            assert_eq!(serde_json::from_str::<ChangeRate>(&text).unwrap(), rate, "{text}");
        }
    }
}
