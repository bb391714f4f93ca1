//! How often pages change by how old they are: many are edited for hours and then never again.

use serde::{Deserialize, Serialize};
use tintype_vocab::Span;

/// Ages that are told apart, each four times as long as the one before, and pages of which nobody knows their age.
const AGES: usize = 8;
/// Imaginary days behind the rate of every age, and changes behind surprises.
const STRENGTH_DAYS: f32 = 1.0;
const STRENGTH: f32 = 0.3;
/// Visits after which doubt begins to go: of 10, 30, 100 and 300 the best geometric mean of five recorded histories, each left out.
const STEADY: f32 = 100.0;
/// What is left of old visits with every new one.
const KEPT: f32 = 0.998;

/// What visits to pages of each age found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Ages {
    found: [f32; AGES + 1],
    expected: [f32; AGES + 1],
    days: [f32; AGES + 1],
    visits: [f32; AGES + 1],
}

/// The first age ends after an hour.
fn number(age: Option<Span>) -> usize {
    age.map_or(AGES, |age| {
        let hours = (age.as_days_f64() * 24.0).max(1e-3);
        (hours.log2() / 2.0).ceil().clamp(0.0, (AGES - 1) as f64) as usize
    })
}

impl Ages {
    /// A visit after so many days that was expected to find a change by so much.
    pub(super) fn observe(&mut self, age: Option<Span>, days: f64, expected: f32, changed: bool) {
        let at = number(age);
        for (sum, one) in [
            (&mut self.found, f32::from(u8::from(changed))),
            (&mut self.expected, expected),
            (&mut self.days, days as f32),
            (&mut self.visits, 1.0),
        ] {
            sum[at] = KEPT * sum[at] + one;
        }
    }

    /// Changes a day of pages of an age.
    pub(super) fn per_day(&self, age: Option<Span>) -> f64 {
        let at = number(age);
        let (found, days) = (self.found.iter().sum::<f32>(), self.days.iter().sum::<f32>());
        let usual = (found + 0.05) / (days + STRENGTH_DAYS);
        f64::from((self.found[at] + STRENGTH_DAYS * usual) / (self.days[at] + STRENGTH_DAYS))
    }

    /// The logarithm of how much more was found on pages of an age than their own past had let expect.
    pub(super) fn surprise(&self, age: Option<Span>) -> f32 {
        let at = number(age);
        ((self.found[at] + STRENGTH) / (self.expected[at] + STRENGTH)).ln()
    }

    /// How little is known of pages of an age: 1 before any visit, half as much after three hundred.
    pub(super) fn doubt(&self, age: Option<Span>) -> f32 {
        (1.0 + self.visits[number(age)] / STEADY).sqrt().recip()
    }

    /// Adds what another log says.
    pub(super) fn add(&mut self, other: &Ages) {
        let sums = [
            (&mut self.found, &other.found),
            (&mut self.expected, &other.expected),
            (&mut self.days, &other.days),
            (&mut self.visits, &other.visits),
        ];
        for (mine, theirs) in sums {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
    }

    pub(super) fn is_sound(&self) -> bool {
        let all = self.found.iter().chain(&self.expected).chain(&self.days).chain(&self.visits);
        all.into_iter().all(|number| (0.0..1e12).contains(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_young_are_told_from_the_old() {
        let mut ages = Ages::default();
        let (young, old) = (Some(Span::from_secs(7200)), Some(Span::from_days(40)));
        for _ in 0..200 {
            ages.observe(young, 0.05, 0.1, true);
            ages.observe(old, 5.0, 0.1, false);
        }
        assert!(ages.per_day(young) > 5.0 && ages.per_day(old) < 0.1, "{} {}", ages.per_day(young), ages.per_day(old));
        assert!(ages.doubt(young) < 0.7 && ages.doubt(None) == 1.0);
        assert!(ages.surprise(young) > 1.0 && ages.surprise(old) < -1.0 && ages.surprise(None).abs() < 1e-6);
    }
}
