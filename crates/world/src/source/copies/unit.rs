//! Days or hours, whichever a source is told in.

use tintype_vocab::Span;

/// A unit of time for people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    pub name: &'static str,
    days: f64,
}

impl Unit {
    /// The unit for a source that is looked at so often.
    pub fn of(step: Span) -> Unit {
        match step {
            step if step < Span::from_secs(600) => Unit { name: "minutes", days: 1.0 / 1440.0 },
            step if step < Span::from_secs(43_200) => Unit { name: "hours", days: 1.0 / 24.0 },
            _ => Unit { name: "days", days: 1.0 },
        }
    }

    pub fn of_days(self, days: f64) -> f64 {
        days / self.days
    }
}
