//! What an axis measures and in which unit. There is no way to make one without saying both.

use crate::scale::Kind;

/// A labelled axis. A pure number has a unit too: say of what it is a share or a count.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    quantity: String,
    unit: String,
    pub(crate) kind: Kind,
    pub(crate) including: Option<(f64, f64)>,
}

impl Axis {
    /// Equal lengths are equal differences.
    pub fn linear(quantity: impl Into<String>, unit: impl Into<String>) -> Axis {
        Axis { quantity: quantity.into(), unit: unit.into(), kind: Kind::Linear, including: None }
    }

    /// Equal lengths are equal ratios; values that are not positive cannot be shown on it.
    pub fn logarithmic(quantity: impl Into<String>, unit: impl Into<String>) -> Axis {
        Axis { kind: Kind::Logarithmic, ..Axis::linear(quantity, unit) }
    }

    /// The calendar: values are unix milliseconds, and the unit is UTC.
    pub(crate) fn time(quantity: impl Into<String>) -> Axis {
        Axis { kind: Kind::Time, ..Axis::linear(quantity, "UTC") }
    }

    /// Shows at least these two values, whatever the data: `including(0.0, 1.0)` for a share.
    pub fn including(self, low: f64, high: f64) -> Axis {
        Axis { including: Some((low, high)), ..self }
    }

    /// `Completeness (share of versions)`.
    pub(crate) fn label(&self) -> String {
        format!("{} ({})", self.quantity, self.unit)
    }
}
