//! Lines: several named series over a common axis, with bands and a reference.

use crate::{
    axis::Axis,
    canvas::{Anchor, Point, Stroke},
    end_labels,
    picture::Picture,
    scale::{Ends, Scale},
    series::{Series, SeriesRole},
    sheet::{PLOT_HEIGHT, Plot, Sample, Sheet, Side, WIDTH},
    style::{INK, SOFT_INK, Style, styles},
    text::{self, BODY, Face, STRONG},
    thin,
};

/// More lines than these no picture can tell apart.
const MAX_SERIES: usize = 40;
/// A line that ends in this last part of the x axis is named at its end.
const NAMED_FROM: f64 = 0.85;
const LABEL_GAP: f64 = 15.5;
const LABEL_SAMPLE: f64 = 22.0;
const LEADER: f64 = 16.0;
/// Names farther from their lines have no leaders: a fan of them hides more than the order of the names tells.
const MAX_SHIFT: f64 = 60.0;
const MAX_LABEL: f64 = 170.0;
/// A line of more points has markers only here and there.
const MARKED_POINTS: usize = 16;
const DENSE_POINTS: usize = 500;

/// Several named lines of (x, y).
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    pub title: String,
    /// What a reader needs to trust the picture; may be empty.
    pub caption: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
}

/// A series with its places on the plot.
struct Drawn<'a> {
    series: &'a Series,
    style: Style,
    /// Places of 0..=1, split where the line has a gap.
    pieces: Vec<Vec<Point>>,
}

impl Lines {
    pub fn draw(&self) -> Picture {
        let series = &self.series[..self.series.len().min(MAX_SERIES)];
        let (x, y) = (self.x_scale(series), self.y_scale(series));
        let drawn = drawn(series, &x, &y);
        let (named, listed): (Vec<&Drawn>, Vec<&Drawn>) = split_names(&drawn);
        let mut sheet = Sheet::new(WIDTH, &self.title, &self.caption, &self.notes(series, &x, &y));
        sheet
            .legend(&listed.iter().map(|d| (d.series.name.clone(), Sample::Line(d.style.clone()))).collect::<Vec<_>>());
        let x_side = Side { label: self.x.label(), ticks: x.ticks(6), grid: false };
        let y_side = Side { label: self.y.label(), ticks: y.ticks(6), grid: true };
        let plot = sheet.plot(&x_side, &y_side, PLOT_HEIGHT, label_room(&named));
        for one in in_front_last(&drawn) {
            draw_band(&mut sheet, &plot, one, &x, &y);
        }
        for one in in_front_last(&drawn) {
            draw_line(&mut sheet, &plot, one);
        }
        draw_names(&mut sheet, &plot, &named);
        sheet.finish()
    }

    fn x_scale(&self, series: &[Series]) -> Scale {
        let values = series.iter().flat_map(|one| one.points.iter().filter(|point| !point.1.is_nan()));
        Scale::fit(&self.x, values.map(|point| point.0), Ends::Tight)
    }

    fn y_scale(&self, series: &[Series]) -> Scale {
        let values = series.iter().flat_map(|one| {
            let edges = one.band.iter().flat_map(|(_, low, high)| [*low, *high]);
            one.points.iter().map(|point| point.1).chain(edges)
        });
        Scale::fit(&self.y, values, Ends::Round)
    }

    fn notes(&self, series: &[Series], x: &Scale, y: &Scale) -> Vec<String> {
        let hidden = |point: &&(f64, f64)| !(point.1.is_nan() || x.shows(point.0) && y.shows(point.1));
        let hidden = series.iter().flat_map(|one| &one.points).filter(hidden).count();
        let further = self.series.len() - series.len();
        [(hidden, "values cannot be shown on these axes."), (further, "further series are not drawn.")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect()
    }
}

fn drawn<'a>(series: &'a [Series], x: &Scale, y: &Scale) -> Vec<Drawn<'a>> {
    let roles: Vec<SeriesRole> = series.iter().map(|one| one.role).collect();
    let with_style = series.iter().zip(styles(&roles));
    with_style.map(|(series, style)| Drawn { series, style, pieces: pieces(series, x, y) }).collect()
}

fn pieces(series: &Series, x: &Scale, y: &Scale) -> Vec<Vec<Point>> {
    let mut points: Vec<Point> = series.points.iter().copied().filter(|point| x.shows(point.0)).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let runs = points.split(|point| !y.shows(point.1)).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().map(|(at, value)| (x.place(*at), y.place(*value))).collect()).collect()
}

/// Those named at their end, from top to bottom, and those named in the legend.
fn split_names<'a, 'b>(drawn: &'a [Drawn<'b>]) -> (Vec<&'a Drawn<'b>>, Vec<&'a Drawn<'b>>) {
    let (mut named, mut listed): (Vec<_>, Vec<_>) =
        drawn.iter().partition(|one| end(one).is_some_and(|(x, _)| x >= NAMED_FROM));
    if named.len() as f64 * LABEL_GAP > PLOT_HEIGHT {
        listed = drawn.iter().collect();
        named.clear();
    }
    named.sort_by(|a, b| end(b).map(|p| p.1).unwrap_or(0.0).total_cmp(&end(a).map(|p| p.1).unwrap_or(0.0)));
    (named, listed)
}

fn end(one: &Drawn) -> Option<Point> {
    one.pieces.last().and_then(|piece| piece.last()).copied()
}

fn face(style: &Style) -> Face {
    if style.role == SeriesRole::Plain { BODY } else { STRONG }
}

fn label_room(named: &[&Drawn]) -> f64 {
    let widths = named.iter().map(|one| text::width(&label(one), face(&one.style)));
    widths.reduce(f64::max).map_or(6.0, |widest| LEADER + LABEL_SAMPLE + 6.0 + widest)
}

fn label(one: &Drawn) -> String {
    text::elided(&one.series.name, face(&one.style), MAX_LABEL)
}

fn in_front_last<'a, 'b>(drawn: &'a [Drawn<'b>]) -> Vec<&'a Drawn<'b>> {
    let mut order: Vec<&Drawn> = drawn.iter().collect();
    order.sort_by_key(|one| match one.style.role {
        SeriesRole::Plain => 0,
        SeriesRole::Reference => 1,
        SeriesRole::Emphasised => 2,
    });
    order
}

fn draw_band(sheet: &mut Sheet, plot: &Plot, one: &Drawn, x: &Scale, y: &Scale) {
    let mut edges: Vec<(f64, f64, f64)> = one.series.band.clone();
    edges.retain(|(at, low, high)| x.shows(*at) && y.shows(*low) && y.shows(*high));
    edges.sort_by(|a, b| a.0.total_cmp(&b.0));
    let placed = edges.iter().map(|(at, low, high)| {
        let ((px, bottom), (_, top)) = (plot.at(x.place(*at), y.place(*low)), plot.at(x.place(*at), y.place(*high)));
        (px, bottom, top)
    });
    let placed = thin::band(&placed.collect::<Vec<_>>());
    let lower = placed.iter().map(|(x, bottom, _)| (*x, *bottom));
    let outline: Vec<Point> = lower.chain(placed.iter().rev().map(|(x, _, top)| (*x, *top))).collect();
    if placed.len() > 1 {
        sheet.canvas.polygon(&outline, &one.style.stroke.colour, 0.18, None);
    }
}

fn draw_line(sheet: &mut Sheet, plot: &Plot, one: &Drawn) {
    for piece in &one.pieces {
        let pixels: Vec<Point> = piece.iter().map(|(x, y)| plot.at(*x, *y)).collect();
        let kept = thin::line(&pixels);
        sheet.canvas.polyline(&kept, &stroke(&one.style, kept.len()));
        mark_line(sheet, one, &kept);
    }
}

/// A line with about as many points as the plot has pixels is a band of noise: drawn thin and without dashes it stays
/// one that can be seen through.
fn stroke(style: &Style, points: usize) -> Stroke {
    if points < DENSE_POINTS {
        return style.stroke.clone();
    }
    Stroke { width: style.stroke.width * 0.5, dash: "", ..style.stroke.clone() }
}

/// Markers at every point of a short line, at even distances of a long one; a lone point is always seen.
fn mark_line(sheet: &mut Sheet, one: &Drawn, kept: &[Point]) {
    if let ([lone], None) = (kept, one.style.marker) {
        sheet.canvas.circle(*lone, 2.5, &one.style.stroke.colour, &Stroke::solid(&one.style.stroke.colour, 1.0));
    }
    let stride = kept.len().div_ceil(MARKED_POINTS).max(1);
    for point in kept.iter().skip(stride / 2).step_by(stride) {
        one.style.mark(&mut sheet.canvas, *point);
    }
}

fn draw_names(sheet: &mut Sheet, plot: &Plot, named: &[&Drawn]) {
    let ends: Vec<Point> = named.iter().filter_map(|one| end(one)).map(|(x, y)| plot.at(x, y)).collect();
    let wanted: Vec<f64> = ends.iter().map(|point| point.1).collect();
    let places = end_labels::spread(&wanted, LABEL_GAP, plot.top, plot.bottom());
    let near = places.iter().zip(&wanted).all(|(place, wanted)| (place - wanted).abs() <= MAX_SHIFT);
    for ((one, end), y) in named.iter().zip(&ends).zip(places) {
        let x = plot.right() + LEADER;
        if near {
            sheet.canvas.line((end.0 + 4.0, end.1), (x - 2.0, y), &Stroke::solid(&one.style.stroke.colour, 0.8));
        }
        one.style.sample(&mut sheet.canvas, (x, y), LABEL_SAMPLE);
        let ink = if one.style.role == SeriesRole::Plain { SOFT_INK } else { INK };
        let place = (x + LABEL_SAMPLE + 5.0, y + 4.4);
        sheet.canvas.text(place, Anchor::Start, face(&one.style), ink, &label(one));
    }
}
