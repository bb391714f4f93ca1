//! A named line of points, and its part in the picture.

use tintype_vocab::Time;

/// How loudly a series speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesRole {
    /// One of many.
    Plain,
    /// What the picture is about: thick and in front.
    Emphasised,
    /// What the others are held against, such as an oracle: dashed and black.
    Reference,
}

/// A named line. Points may come in any order; a NaN value is a gap in the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// Confidence band: x, lower and upper value. Empty if there is none.
    pub band: Vec<(f64, f64, f64)>,
    pub role: SeriesRole,
}

impl Series {
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series { name: name.into(), points: points.into_iter().collect(), band: Vec::new(), role: SeriesRole::Plain }
    }

    /// The values of an [`OverTime`](crate::OverTime) chart.
    pub fn over_time(name: impl Into<String>, points: impl IntoIterator<Item = (Time, f64)>) -> Series {
        Series::new(name, points.into_iter().map(|(at, value)| (at.as_millis() as f64, value)))
    }

    pub fn with_band(self, band: impl IntoIterator<Item = (f64, f64, f64)>) -> Series {
        Series { band: band.into_iter().collect(), ..self }
    }

    pub fn emphasised(self) -> Series {
        Series { role: SeriesRole::Emphasised, ..self }
    }

    pub fn reference(self) -> Series {
        Series { role: SeriesRole::Reference, ..self }
    }
}
