//! Writes SVG elements. Every coordinate that reaches the file is finite and bounded, every text is escaped.

use crate::text::{Face, clean, escaped};
use std::fmt::Write;

/// A place on the sheet in pixels, y downwards.
pub(crate) type Point = (f64, f64);

/// No coordinate of a picture lies beyond this.
const FARTHEST: f64 = 100_000.0;

/// How a line is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub(crate) colour: String,
    pub(crate) width: f64,
    /// As `stroke-dasharray` wants it; empty is solid.
    pub(crate) dash: &'static str,
}

impl Stroke {
    pub(crate) fn solid(colour: &str, width: f64) -> Stroke {
        Stroke { colour: colour.to_owned(), width, dash: "" }
    }

    fn attributes(&self) -> String {
        let dash = if self.dash.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{}""#, self.dash) };
        format!(r#"stroke="{}" stroke-width="{}"{dash}"#, self.colour, px(self.width))
    }
}

/// Which part of a text stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// The elements written so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canvas {
    body: String,
}

impl Canvas {
    pub(crate) fn line(&mut self, from: Point, to: Point, stroke: &Stroke) {
        let ((x1, y1), (x2, y2)) = (placed(from), placed(to));
        self.push(format_args!(r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {}/>"#, stroke.attributes()));
    }

    pub(crate) fn polyline(&mut self, points: &[Point], stroke: &Stroke) {
        let round = r#"fill="none" stroke-linejoin="round""#;
        self.push(format_args!(r#"<polyline points="{}" {round} {}/>"#, list(points), stroke.attributes()));
    }

    /// `fill` is a colour or the reference of a pattern.
    pub(crate) fn polygon(&mut self, points: &[Point], fill: &str, opacity: f64, outline: Option<&Stroke>) {
        let outline = outline.map(|stroke| format!(" {}", stroke.attributes())).unwrap_or_default();
        let opacity = if opacity < 1.0 { format!(r#" fill-opacity="{}""#, px(opacity)) } else { String::new() };
        self.push(format_args!(r#"<polygon points="{}" fill="{fill}"{opacity}{outline}/>"#, list(points)));
    }

    pub(crate) fn rectangle(&mut self, corner: Point, width: f64, height: f64, fill: &str, outline: Option<&Stroke>) {
        let (x, y) = corner;
        self.polygon(&[(x, y), (x + width, y), (x + width, y + height), (x, y + height)], fill, 1.0, outline);
    }

    pub(crate) fn circle(&mut self, centre: Point, radius: f64, fill: &str, outline: &Stroke) {
        let ((x, y), r) = (placed(centre), px(radius));
        self.push(format_args!(r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" {}/>"#, outline.attributes()));
    }

    pub(crate) fn text(&mut self, at: Point, anchor: Anchor, face: Face, colour: &str, text: &str) {
        self.any_text(at, anchor, face, colour, "", text);
    }

    /// Text with a white edge, for places where lines run behind it.
    pub(crate) fn text_on_lines(&mut self, at: Point, anchor: Anchor, face: Face, colour: &str, text: &str) {
        self.any_text(at, anchor, face, colour, r##" stroke="#ffffff" stroke-width="4" paint-order="stroke""##, text);
    }

    /// Text that reads upwards, centred on its point.
    pub(crate) fn upward_text(&mut self, at: Point, face: Face, colour: &str, text: &str) {
        let (x, y) = placed(at);
        self.any_text(at, Anchor::Middle, face, colour, &format!(r#" transform="rotate(-90 {x} {y})""#), text);
    }

    /// Definitions and other elements that have no method of their own.
    pub(crate) fn raw(&mut self, element: &str) {
        self.push(format_args!("{element}"));
    }

    pub(crate) fn into_body(self) -> String {
        self.body
    }

    fn any_text(&mut self, at: Point, anchor: Anchor, face: Face, colour: &str, more: &str, text: &str) {
        let (x, y) = placed(at);
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let weight = if face.bold { r#" font-weight="bold""# } else { "" };
        let (size, text) = (px(face.size), escaped(&clean(text)));
        self.push(format_args!(
            r#"<text x="{x}" y="{y}"{anchor} font-size="{size}"{weight} fill="{colour}"{more}>{text}</text>"#
        ));
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.body, "{element}");
    }
}

fn list(points: &[Point]) -> String {
    let pairs: Vec<String> = points.iter().map(|point| placed(*point)).map(|(x, y)| format!("{x},{y}")).collect();
    pairs.join(" ")
}

fn placed((x, y): Point) -> (f64, f64) {
    (px(x), px(y))
}

/// Two decimals are finer than any printer at these sizes.
fn px(value: f64) -> f64 {
    if value.is_finite() { (value.clamp(-FARTHEST, FARTHEST) * 100.0).round() / 100.0 } else { 0.0 }
}
