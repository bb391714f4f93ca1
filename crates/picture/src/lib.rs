//! Charts for papers and dashboards: numbers in, SVG text and PNG bytes of the very same picture out.
//! Legible in print, in black and white and to the colour-blind; no axis can be made without quantity and unit.
//! It knows nothing of pages, policies or measures, reads no clock and writes no file.
//! Odd numbers never fail: a NaN is a gap, what cannot be shown is left out and the caption says so.
//! Read [`Lines`] first, then [`Axis`] and [`Series`]; [`Picture`] is what every chart draws.

mod axis;
mod bars;
mod calendar;
mod canvas;
mod end_labels;
mod heat_map;
mod lines;
mod number;
mod organ_pipes;
mod over_time;
mod picture;
mod scale;
mod scatter;
mod series;
mod sheet;
mod style;
mod text;
mod thin;

pub use axis::Axis;
pub use bars::{Bar, Bars};
pub use heat_map::{HeatMap, Row};
pub use lines::Lines;
pub use organ_pipes::{OrganPipes, Pipe, PipeSpan, PipeVerdict};
pub use over_time::OverTime;
pub use picture::Picture;
pub use scatter::{Cloud, Scatter};
pub use series::{Series, SeriesRole};
