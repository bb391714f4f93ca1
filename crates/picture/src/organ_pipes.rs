//! The organ pipes of a capture: one bar per page in order of download, as high as the page's change rate. A good
//! strategy fetches the rarely changing first and last, so that the pipes rise to the middle of the capture.

use crate::{
    axis::Axis,
    canvas::Stroke,
    picture::Picture,
    scale::{Ends, Scale},
    sheet::{PLOT_HEIGHT, Plot, Sample, Sheet, Side, WIDTH},
    style::{BLUE, INK},
};

const WIDEST: f64 = 18.0;
const NARROWEST: f64 = 2.0;
/// Narrower bars are too small for an outline and a pattern: their lightness alone tells them apart.
const PATTERN_FROM: f64 = 5.0;
/// A page that never changes is still a page.
const STUB: f64 = 2.5;

/// Diagonal lines for blurred, dots for unknown: they survive a black-and-white printer.
const PATTERNS: &str = r##"<defs>
<pattern id="blurred" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="#f6c26b"/><rect width="2" height="5" fill="#d55e00"/></pattern>
<pattern id="unknown" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="4" height="4" fill="#ffffff"/><circle cx="2" cy="2" r="0.9" fill="#808080"/></pattern>
</defs>"##;

/// What the capture can say about a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipeVerdict {
    Sharp,
    Blurred,
    Unknown,
}

/// One page of a capture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pipe {
    /// When it was downloaded, in the unit of the x axis.
    pub downloaded: f64,
    /// In the unit of the y axis.
    pub change_rate: f64,
    pub verdict: PipeVerdict,
}

/// Pages of one capture over the time of their download.
#[derive(Clone, Debug, PartialEq)]
pub struct OrganPipes {
    pub title: String,
    /// What a reader needs to trust the picture; may be empty.
    pub caption: String,
    pub downloaded: Axis,
    pub change_rate: Axis,
    pub pipes: Vec<Pipe>,
    /// From a visit to a revisit, as high as the page's pipe.
    pub spans: Vec<PipeSpan>,
    /// The moment that visits and revisits are taken around.
    pub moment: Option<f64>,
}

/// The time from a visit to a revisit of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PipeSpan {
    pub from: f64,
    pub to: f64,
    pub change_rate: f64,
}

impl OrganPipes {
    pub fn draw(&self) -> Picture {
        let times = self.pipes.iter().map(|pipe| pipe.downloaded);
        let times = times.chain(self.spans.iter().map(|span| span.to)).chain(self.moment);
        let x = Scale::fit(&self.downloaded, times, Ends::Tight);
        let y = self.rate_scale();
        let shown: Vec<&Pipe> =
            self.pipes.iter().filter(|pipe| x.shows(pipe.downloaded) && pipe.change_rate.is_finite()).collect();
        let mut sheet = Sheet::new(WIDTH, &self.title, &self.caption, &notes(self.pipes.len() - shown.len()));
        sheet.canvas.raw(PATTERNS);
        sheet.legend(&legend(&shown));
        let x_side = Side { label: self.downloaded.label(), ticks: x.ticks(6), grid: false };
        let y_side = Side { label: self.change_rate.label(), ticks: y.ticks(6), grid: true };
        let plot = sheet.plot(&x_side, &y_side, PLOT_HEIGHT, 6.0);
        self.draw_spans(&mut sheet, &plot, &x, &y);
        draw_pipes(&mut sheet, &plot, &shown, &x, &y);
        if let Some(moment) = self.moment.filter(|moment| x.shows(*moment)) {
            let at = |height| plot.at(x.place(moment), height);
            sheet.canvas.line(at(0.0), at(1.0), &Stroke { dash: "5 4", ..Stroke::solid(INK, 1.2) });
        }
        sheet.finish()
    }

    /// Thin lines behind the pipes, so that both can be read.
    fn draw_spans(&self, sheet: &mut Sheet, plot: &Plot, x: &Scale, y: &Scale) {
        let shows = |span: &&PipeSpan| x.shows(span.from) && x.shows(span.to) && y.shows(span.change_rate);
        for span in self.spans.iter().filter(shows) {
            let at = |time: f64| plot.at(x.place(time), y.place(span.change_rate));
            sheet.canvas.line(at(span.from), at(span.to), &Stroke::solid(BLUE, 0.8));
            sheet.canvas.circle(at(span.to), 1.8, BLUE, &Stroke::solid(BLUE, 0.5));
        }
    }

    /// Pipes stand on zero where the axis has one.
    fn rate_scale(&self) -> Scale {
        Scale::fit(&self.change_rate, self.pipes.iter().map(|pipe| pipe.change_rate).chain([0.0]), Ends::Round)
    }
}

fn notes(hidden: usize) -> Vec<String> {
    if hidden > 0 { vec![format!("{hidden} pages without a finite time and rate are not shown.")] } else { Vec::new() }
}

fn legend(shown: &[&Pipe]) -> Vec<(String, Sample)> {
    [(PipeVerdict::Sharp, "sharp"), (PipeVerdict::Blurred, "blurred"), (PipeVerdict::Unknown, "unknown")]
        .map(|(verdict, name)| (shown.iter().filter(|pipe| pipe.verdict == verdict).count(), verdict, name))
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, verdict, name)| (format!("{name} ({count})"), Sample::Box(pattern(verdict).to_owned())))
        .collect()
}

fn pattern(verdict: PipeVerdict) -> &'static str {
    match verdict {
        PipeVerdict::Sharp => BLUE,
        PipeVerdict::Blurred => "url(#blurred)",
        PipeVerdict::Unknown => "url(#unknown)",
    }
}

/// Dark, middling and light, for bars too narrow for a pattern.
fn shade(verdict: PipeVerdict) -> &'static str {
    match verdict {
        PipeVerdict::Sharp => BLUE,
        PipeVerdict::Blurred => "#ee9336",
        PipeVerdict::Unknown => "#c4c4c4",
    }
}

/// One bar per page; where pages lie closer than bars can, the highest of them stands for its neighbours.
fn draw_pipes(sheet: &mut Sheet, plot: &Plot, shown: &[&Pipe], x: &Scale, y: &Scale) {
    let mut order: Vec<&Pipe> = shown.to_vec();
    order.sort_by(|a, b| a.downloaded.total_cmp(&b.downloaded));
    let width = pipe_width(plot, &order, x);
    // Half a bar of air at both ends keeps the first and last inside the plot.
    let left = |pipe: &Pipe| x.place(pipe.downloaded) * (plot.width - width);
    let column = |pipe: &Pipe| (left(pipe) / width * 2.0).floor() as i64;
    for neighbours in order.chunk_by(|a, b| width <= NARROWEST && column(a) == column(b)) {
        let Some(highest) = neighbours.iter().max_by(|a, b| a.change_rate.total_cmp(&b.change_rate)) else { continue };
        draw_pipe(sheet, plot, plot.left + left(highest), width, highest, y);
    }
}

/// Narrow enough that nine of ten neighbours do not touch.
fn pipe_width(plot: &Plot, order: &[&Pipe], x: &Scale) -> f64 {
    let places: Vec<f64> = order.iter().map(|pipe| x.place(pipe.downloaded) * plot.width).collect();
    let mut gaps: Vec<f64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_by(f64::total_cmp);
    gaps.get(gaps.len() / 10).map_or(WIDEST, |gap| (gap * 0.8).clamp(NARROWEST, WIDEST))
}

fn draw_pipe(sheet: &mut Sheet, plot: &Plot, left: f64, width: f64, pipe: &Pipe, y: &Scale) {
    let (_, foot) = plot.at(0.0, y.foot());
    let top = if y.shows(pipe.change_rate) { plot.at(0.0, y.place(pipe.change_rate)).1 } else { foot };
    let height = (foot - top).abs().max(STUB);
    let corner = (left, foot.min(top).min(foot - if top <= foot { STUB } else { 0.0 }));
    if width >= PATTERN_FROM {
        let edge = Stroke::solid(INK, 0.6);
        sheet.canvas.rectangle(corner, width, height, pattern(pipe.verdict), Some(&edge));
    } else {
        sheet.canvas.rectangle(corner, width, height, shade(pipe.verdict), None);
    }
}
