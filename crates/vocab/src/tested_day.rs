//! What forecasts of changes came to in a day.

use crate::Time;
use serde::{Deserialize, Serialize};

/// Forecasts that visits of one day tested.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestedDay {
    /// When the day began, in UTC.
    pub day: Time,
    /// Changes that were foretold, as chances added up, and those that were found.
    pub foretold: f32,
    pub found: u32,
    /// By how much more would have been foretold if all pages changed more often by a part.
    pub per_factor: f32,
}
