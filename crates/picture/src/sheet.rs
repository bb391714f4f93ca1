//! What all charts share: title, caption, legend, axes with ticks and grid, from top to bottom of one sheet.

use crate::{
    canvas::{Anchor, Canvas, Point, Stroke},
    picture::Picture,
    scale::Tick,
    style::{GRID, INK, PAPER, SOFT_INK, Style},
    text::{self, BODY, FONT_STACK, Face, STRONG, TITLE},
};

/// At a column width of 16 cm the body text prints at 8 points.
pub(crate) const WIDTH: f64 = 720.0;
/// Half a page, for a square plot.
pub(crate) const NARROW: f64 = 480.0;
pub(crate) const PLOT_HEIGHT: f64 = 340.0;
const MARGIN: f64 = 14.0;
const TICK_LENGTH: f64 = 5.0;
/// From the foot of the plot to the label of the x axis.
const BELOW: f64 = 42.0;
const SAMPLE_WIDTH: f64 = 26.0;
/// No tick text may take more than this from the plot.
const MAX_TICK_TEXT: f64 = 210.0;

/// One side of the plot.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) label: String,
    pub(crate) ticks: Vec<Tick>,
    pub(crate) grid: bool,
}

/// What a name in the legend stands for.
#[derive(Clone, Debug)]
pub(crate) enum Sample {
    Line(Style),
    Marker(Style),
    /// A box filled with a colour or pattern.
    Box(String),
}

/// The area the data are drawn in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plot {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Plot {
    /// The pixel of a place along both axes.
    pub(crate) fn at(&self, x: f64, y: f64) -> Point {
        (self.left + x * self.width, self.top + (1.0 - y) * self.height)
    }

    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// A sheet being filled from the top.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) canvas: Canvas,
    title: String,
    pub(crate) width: f64,
    /// Everything above is taken.
    pub(crate) y: f64,
}

impl Sheet {
    /// Title and, smaller, the caption with what must be said about the data.
    pub(crate) fn new(width: f64, title: &str, caption: &str, notes: &[String]) -> Sheet {
        let mut sheet = Sheet { canvas: Canvas::default(), title: text::clean(title), width, y: MARGIN / 2.0 };
        sheet.paragraph(title, TITLE, INK, 2);
        sheet.y += 2.0;
        sheet.paragraph(caption, BODY, SOFT_INK, 4);
        sheet.paragraph(&notes.join(" "), BODY, SOFT_INK, 2);
        sheet.y += 8.0;
        sheet
    }

    fn paragraph(&mut self, words: &str, face: Face, colour: &str, max_lines: usize) {
        for line in text::wrapped(words, face, self.width - 2.0 * MARGIN, max_lines) {
            self.y += face.size * 1.3;
            self.canvas.text((MARGIN, self.y), Anchor::Start, face, colour, &line);
        }
    }

    /// Names with their samples, in rows.
    pub(crate) fn legend(&mut self, entries: &[(String, Sample)]) {
        let (mut x, room) = (MARGIN, self.width - 2.0 * MARGIN);
        for (row, (name, sample)) in entries.iter().enumerate() {
            let name = text::elided(name, BODY, room - SAMPLE_WIDTH - 8.0);
            let wide = SAMPLE_WIDTH + 6.0 + text::width(&name, BODY) + 18.0;
            if row == 0 || x + wide > self.width - MARGIN + 18.0 {
                (x, self.y) = (MARGIN, self.y + 17.0);
            }
            self.sample(sample, (x, self.y - 4.0));
            self.canvas.text((x + SAMPLE_WIDTH + 6.0, self.y), Anchor::Start, BODY, INK, &name);
            x += wide;
        }
        self.y += if entries.is_empty() { 0.0 } else { 6.0 };
    }

    fn sample(&mut self, sample: &Sample, (x, y): Point) {
        match sample {
            Sample::Line(style) => style.sample(&mut self.canvas, (x, y), SAMPLE_WIDTH),
            Sample::Marker(style) => style.mark(&mut self.canvas, (x + SAMPLE_WIDTH / 2.0, y)),
            Sample::Box(fill) => {
                let edge = Stroke::solid(INK, 0.8);
                self.canvas.rectangle((x + 4.0, y - 6.0), SAMPLE_WIDTH - 8.0, 12.0, fill, Some(&edge));
            }
        }
    }

    /// Room for a plot with its axes; `right` is kept free beside it.
    pub(crate) fn plot(&mut self, x: &Side, y: &Side, height: f64, right: f64) -> Plot {
        let widest = y.ticks.iter().map(|tick| text::width(&tick.text, BODY)).fold(0.0, f64::max).min(MAX_TICK_TEXT);
        let left = MARGIN + BODY.size * 1.5 + widest + TICK_LENGTH + 5.0;
        let top = self.y + 10.0;
        let plot = Plot { left, top, width: self.width - MARGIN - right - left, height };
        self.grid(x, y, &plot);
        self.left_axis(y, &plot);
        self.bottom_axis(x, &plot);
        plot
    }

    fn grid(&mut self, x: &Side, y: &Side, plot: &Plot) {
        let across = y.ticks.iter().filter(|_| y.grid).map(|tick| (plot.at(0.0, tick.at), plot.at(1.0, tick.at)));
        let upward = x.ticks.iter().filter(|_| x.grid).map(|tick| (plot.at(tick.at, 0.0), plot.at(tick.at, 1.0)));
        for (from, to) in across.chain(upward) {
            self.canvas.line(from, to, &Stroke::solid(GRID, 1.0));
        }
    }

    fn left_axis(&mut self, side: &Side, plot: &Plot) {
        for tick in &side.ticks {
            let (x, y) = plot.at(0.0, tick.at);
            self.canvas.line((x - TICK_LENGTH, y), (x, y), &axis());
            let words = text::elided(&tick.text, BODY, MAX_TICK_TEXT);
            self.canvas.text((x - TICK_LENGTH - 4.0, y + 4.4), Anchor::End, BODY, INK, &words);
        }
        self.canvas.line((plot.left, plot.top), (plot.left, plot.bottom()), &axis());
        let words = text::elided(&side.label, STRONG, plot.height + BELOW);
        // What is longer than the axis may reach down beside the ticks, never up into the legend.
        let middle = plot.top + text::width(&words, STRONG).max(plot.height) / 2.0;
        self.canvas.upward_text((MARGIN + BODY.size * 0.8, middle), STRONG, INK, &words);
    }

    fn bottom_axis(&mut self, side: &Side, plot: &Plot) {
        let mut two_lines = false;
        for tick in &side.ticks {
            let (x, y) = plot.at(tick.at, 0.0);
            self.canvas.line((x, y), (x, y + TICK_LENGTH), &axis());
            self.tick_text(x, y + TICK_LENGTH + 14.0, &tick.text);
            if let Some(below) = &tick.below {
                two_lines = true;
                self.tick_text(x, y + TICK_LENGTH + 30.0, below);
            }
        }
        self.canvas.line((plot.left, plot.bottom()), (plot.right(), plot.bottom()), &axis());
        self.y = plot.bottom() + if two_lines { BELOW + 16.0 } else { BELOW };
        let words = text::elided(&side.label, STRONG, self.width - 2.0 * MARGIN);
        let half = text::width(&words, STRONG) / 2.0;
        let centre =
            (plot.left + plot.width / 2.0).clamp(MARGIN + half, (self.width - MARGIN - half).max(MARGIN + half));
        self.canvas.text((centre, self.y), Anchor::Middle, STRONG, INK, &words);
    }

    /// Centred on its tick but never over the edge of the sheet.
    fn tick_text(&mut self, x: f64, y: f64, words: &str) {
        let half = text::width(words, BODY) / 2.0;
        self.canvas.text((x.min(self.width - 2.0 - half), y), Anchor::Middle, BODY, INK, words);
    }

    /// The whole as one document.
    pub(crate) fn finish(self) -> Picture {
        let (width, height) = (self.width, (self.y + MARGIN).ceil());
        let title = text::escaped(&self.title);
        let body = self.canvas.into_body();
        Picture::new(format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" font-family="{FONT_STACK}">
<title>{title}</title>
<rect width="{width}" height="{height}" fill="{PAPER}"/>
{body}</svg>
"#
        ))
    }
}

fn axis() -> Stroke {
    Stroke::solid(INK, 1.0)
}
