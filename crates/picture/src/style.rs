//! How series are told apart: by colour for most eyes, by marker and dash for all of them and on any printer.

use crate::{
    canvas::{Canvas, Point, Stroke},
    series::SeriesRole,
};

pub(crate) const INK: &str = "#1a1a1a";
pub(crate) const SOFT_INK: &str = "#4d4d4d";
pub(crate) const GRID: &str = "#e3e3e3";
pub(crate) const PAPER: &str = "#ffffff";

/// Okabe and Ito's colours, which the colour-blind tell apart; without yellow, which paper swallows, and without black,
/// which is the reference's.
pub(crate) const BLUE: &str = "#0072b2";
pub(crate) const VERMILLION: &str = "#d55e00";
pub(crate) const GREEN: &str = "#009e73";
pub(crate) const PURPLE: &str = "#cc79a7";
pub(crate) const SKY: &str = "#56b4e9";
pub(crate) const ORANGE: &str = "#e69f00";
const PALETTE: [&str; 6] = [BLUE, VERMILLION, GREEN, PURPLE, SKY, ORANGE];

/// Five dashes and seven markers: with six colours no two of 210 series share all three.
const DASHES: [&str; 5] = ["", "7 3", "2 2.5", "9 3 2 3", "12 3 2 3 2 3"];
const MARKERS: [Marker; 7] =
    [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Cross, Marker::Turned, Marker::Plus];
const REFERENCE_DASH: &str = "6 4";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Cross,
    Turned,
    Plus,
}

/// The look of one series.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Style {
    pub(crate) stroke: Stroke,
    pub(crate) marker: Option<Marker>,
    pub(crate) role: SeriesRole,
}

/// One look per role, in the same order. Emphasised series take the strongest colours; where there are any, the plain
/// ones step back.
pub(crate) fn styles(roles: &[SeriesRole]) -> Vec<Style> {
    let emphasised = roles.iter().filter(|role| **role == SeriesRole::Emphasised).count();
    let (mut strong, mut plain) = (0, emphasised);
    roles
        .iter()
        .map(|role| match role {
            SeriesRole::Reference => reference(),
            SeriesRole::Emphasised => series(post_increment(&mut strong), 2.6, 0.0, *role),
            SeriesRole::Plain if emphasised > 0 => series(post_increment(&mut plain), 1.2, 0.45, *role),
            SeriesRole::Plain => series(post_increment(&mut plain), 1.8, 0.0, *role),
        })
        .collect()
}

fn post_increment(counter: &mut usize) -> usize {
    *counter += 1;
    *counter - 1
}

pub(crate) fn reference() -> Style {
    Style {
        stroke: Stroke { colour: "#000000".to_owned(), width: 1.8, dash: REFERENCE_DASH },
        marker: None,
        role: SeriesRole::Reference,
    }
}

fn series(index: usize, width: f64, paleness: f64, role: SeriesRole) -> Style {
    Style {
        stroke: Stroke {
            colour: paled(PALETTE[index % PALETTE.len()], paleness),
            width,
            dash: DASHES[index % DASHES.len()],
        },
        marker: Some(MARKERS[index % MARKERS.len()]),
        role,
    }
}

/// The colour mixed with grey.
fn paled(colour: &str, share: f64) -> String {
    const GREY: f64 = 168.0;
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(colour.get(at..at + 2).unwrap_or("80"), 16).unwrap_or(128));
        (value + (GREY - value) * share).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", channel(1), channel(3), channel(5))
}

impl Style {
    pub(crate) fn marker_radius(&self) -> f64 {
        if self.role == SeriesRole::Emphasised { 3.9 } else { 3.0 }
    }

    /// One marker of the series, if it has any.
    pub(crate) fn mark(&self, canvas: &mut Canvas, at: Point) {
        if let Some(marker) = self.marker {
            draw_marker(canvas, marker, at, self.marker_radius(), &self.stroke.colour);
        }
    }

    /// The sample that stands beside the name: a piece of line with its marker.
    pub(crate) fn sample(&self, canvas: &mut Canvas, (x, y): Point, width: f64) {
        canvas.line((x, y), (x + width, y), &self.stroke);
        self.mark(canvas, (x + width / 2.0, y));
    }
}

pub(crate) fn draw_marker(canvas: &mut Canvas, marker: Marker, (x, y): Point, radius: f64, colour: &str) {
    let edge = Stroke::solid(PAPER, 0.8);
    let wide = radius * 1.15;
    let bar = Stroke::solid(colour, radius * 0.55);
    match marker {
        Marker::Circle => canvas.circle((x, y), radius, colour, &edge),
        Marker::Square => {
            let half = radius * 0.9;
            canvas.rectangle((x - half, y - half), half * 2.0, half * 2.0, colour, Some(&edge));
        }
        Marker::Triangle => {
            canvas.polygon(&[(x, y - wide), (x + wide, y + radius), (x - wide, y + radius)], colour, 1.0, Some(&edge));
        }
        Marker::Turned => {
            canvas.polygon(&[(x, y + wide), (x + wide, y - radius), (x - wide, y - radius)], colour, 1.0, Some(&edge));
        }
        Marker::Diamond => {
            let far = radius * 1.3;
            canvas.polygon(&[(x, y - far), (x + far, y), (x, y + far), (x - far, y)], colour, 1.0, Some(&edge));
        }
        Marker::Cross => {
            canvas.line((x - radius, y - radius), (x + radius, y + radius), &bar);
            canvas.line((x - radius, y + radius), (x + radius, y - radius), &bar);
        }
        Marker::Plus => {
            canvas.line((x - wide, y), (x + wide, y), &bar);
            canvas.line((x, y - wide), (x, y + wide), &bar);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn sixteen_series_differ_without_their_colours() {
        let styles = styles(&[SeriesRole::Plain; 16]);
        let looks: HashSet<String> = styles.iter().map(|s| format!("{:?} {}", s.marker, s.stroke.dash)).collect();
        assert_eq!(looks.len(), 16);
    }

    #[test]
    fn the_reference_is_black_and_the_emphasised_stand_out() {
        let styles = styles(&[SeriesRole::Plain, SeriesRole::Reference, SeriesRole::Emphasised]);
        assert_eq!((styles[1].stroke.colour.as_str(), styles[1].stroke.dash), ("#000000", REFERENCE_DASH));
        assert_eq!(styles[2].stroke.colour, BLUE);
        assert!(styles[2].stroke.width > 2.0 * styles[0].stroke.width);
    }
}
