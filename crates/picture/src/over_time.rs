//! Lines over the calendar: the x axis is UTC, from seconds to centuries.

use crate::{axis::Axis, lines::Lines, picture::Picture, series::Series};

/// Several named lines over time; the points of [`Series`] are (unix milliseconds, value), as [`Series::over_time`] makes
/// them.
#[derive(Clone, Debug, PartialEq)]
pub struct OverTime {
    pub title: String,
    /// What a reader needs to trust the picture; may be empty.
    pub caption: String,
    /// What the instants are, such as `Time of visit`; their unit is always UTC.
    pub time: String,
    pub y: Axis,
    pub series: Vec<Series>,
}

impl OverTime {
    pub fn draw(&self) -> Picture {
        let lines = Lines {
            title: self.title.clone(),
            caption: self.caption.clone(),
            x: Axis::time(self.time.clone()),
            y: self.y.clone(),
            series: self.series.clone(),
        };
        lines.draw()
    }
}
