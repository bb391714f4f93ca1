//! A sum of uncertain numbers, and the interval that holds it nine times in ten.

use crate::certificate::Activity;

/// Standard errors below the mean that one in twenty lies under.
const LOW: f64 = 1.645;

/// How many deviations up nineteen in twenty lie: what comes to be unseen comes in bursts that visits had not shown. Chosen on
/// recorded sites, each left out in turn; docs/keeping.md has the choices, and what they do on the one left out.
pub(super) const HIGH_OF_VERSIONS: f64 = 3.0;
pub(super) const HIGH_OF_AGES: f64 = 2.0;

/// A mean with the interval that holds it nine times in ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BelievedRange {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

impl BelievedRange {
    pub(super) fn plus(self, sure: f64) -> BelievedRange {
        BelievedRange { mean: self.mean + sure, low: self.low + sure, high: self.high + sure }
    }

    /// The sum of this and of what is known independently of it.
    pub(super) fn and(self, other: BelievedRange) -> BelievedRange {
        let mean = self.mean + other.mean;
        let low = (self.mean - self.low).hypot(other.mean - other.low);
        let high = (self.high - self.mean).hypot(other.high - other.mean);
        BelievedRange { mean, low: mean - low, high: mean + high }
    }

    pub(super) fn per(self, parts: f64) -> BelievedRange {
        BelievedRange { mean: self.mean / parts, low: self.low / parts, high: self.high / parts }
    }
}

/// A sum of what pages are believed to have done, each by itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uncertain {
    mean: f64,
    variance: f64,
}

impl Uncertain {
    /// What one page did: its mean, and the variance of that because its rate is not known.
    pub(super) fn add(&mut self, (mean, variance): (f64, f64)) {
        self.mean += mean;
        self.variance += variance;
    }

    /// The sum, times what the site does as a whole, and as chance has it where so many changes come together and nineteen
    /// in twenty lie so many deviations up.
    pub(super) fn range(&self, activity: &Activity, together: f64, high: f64) -> BelievedRange {
        let mean = self.mean * activity.factor;
        if mean <= 0.0 {
            return BelievedRange { mean: 0.0, low: 0.0, high: 0.0 };
        }
        let own = self.variance / (self.mean * self.mean);
        let spread = activity.spread + together * (own + 1.0 / mean);
        let high = gamma(mean, spread, high);
        // Where next to nothing is expected, nearly all of the chance lies below the mean, or the formula ends.
        BelievedRange { mean, low: gamma(mean, spread, -LOW).min(mean), high: high.max(mean) }
    }
}

/// The value of a Gamma variable, its variance being such a part of its mean squared, that lies where a normal one lies so
/// many standard deviations off (Wilson and Hilferty).
fn gamma(mean: f64, spread: f64, deviations: f64) -> f64 {
    let part = spread / 9.0;
    mean * (1.0 - part + deviations * part.sqrt()).max(0.0).powi(3)
}
