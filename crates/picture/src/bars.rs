//! Horizontal bars: one value per name, with its 95 % interval and a reference to hold it against.

use crate::{
    axis::Axis,
    canvas::{Anchor, Stroke},
    number,
    picture::Picture,
    scale::{Ends, Scale, Tick},
    sheet::{Plot, Sheet, Side, WIDTH},
    style::{BLUE, INK, SKY},
    text::{self, BODY, STRONG},
};

const MAX_BARS: usize = 100;
const ROW: f64 = 24.0;
const THICKNESS: f64 = 15.0;
const CAP: f64 = 4.0;
const NO_VALUE: &str = "no value";

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub name: String,
    pub value: f64,
    /// Lower and upper end of the 95 % interval, if the value has one.
    pub interval: Option<(f64, f64)>,
    /// What the picture is about: darker, with a bold value.
    pub emphasised: bool,
}

/// Bars from top to bottom in the order given.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    pub title: String,
    /// What a reader needs to trust the picture; may be empty.
    pub caption: String,
    /// What the names are, such as `Policy`.
    pub names: String,
    pub value: Axis,
    pub bars: Vec<Bar>,
    /// A line across all bars with its name, such as an oracle.
    pub reference: Option<(String, f64)>,
}

impl Bars {
    pub fn draw(&self) -> Picture {
        let bars = &self.bars[..self.bars.len().min(MAX_BARS)];
        let scale = self.scale(bars);
        let mut sheet = Sheet::new(WIDTH, &self.title, &self.caption, &self.notes(bars));
        let reference = self.reference.as_ref().filter(|(_, value)| scale.shows(*value));
        sheet.y += if reference.is_some() { 16.0 } else { 0.0 };
        let x = Side { label: self.value.label(), ticks: scale.ticks(6), grid: true };
        let y = Side { label: self.names.clone(), ticks: rows(bars), grid: false };
        let largest = bars.iter().map(|bar| bar.value.abs()).filter(|value| value.is_finite()).fold(0.0, f64::max);
        let values: Vec<String> = bars.iter().map(|bar| value_text(bar, &scale, largest)).collect();
        let widest = values.iter().map(|words| text::width(words, STRONG)).fold(0.0, f64::max);
        let plot = sheet.plot(&x, &y, ROW * bars.len().max(2) as f64, widest + 10.0);
        for (bar, row) in bars.iter().zip(&y.ticks) {
            draw_bar(&mut sheet, &plot, &scale, bar, row.at);
        }
        let foot = (plot.at(scale.foot(), 0.0), plot.at(scale.foot(), 1.0));
        sheet.canvas.line(foot.0, foot.1, &Stroke::solid(INK, 1.0));
        if let Some((name, value)) = reference {
            draw_reference(&mut sheet, &plot, &scale, name, *value, largest);
        }
        for ((bar, row), words) in bars.iter().zip(&y.ticks).zip(&values) {
            let (x, y) = plot.at(reach(bar, &scale), row.at);
            let face = if bar.emphasised { STRONG } else { BODY };
            sheet.canvas.text_on_lines((x + 7.0, y + 4.4), Anchor::Start, face, INK, words);
        }
        sheet.finish()
    }

    fn scale(&self, bars: &[Bar]) -> Scale {
        let ends = bars.iter().flat_map(|bar| {
            let (low, high) = bar.interval.unwrap_or((bar.value, bar.value));
            [bar.value, low, high]
        });
        let reference = self.reference.iter().map(|(_, value)| *value);
        // A bar's length means something only if it begins at zero.
        Scale::fit(&self.value, ends.chain(reference).chain([0.0]), Ends::Round)
    }

    fn notes(&self, bars: &[Bar]) -> Vec<String> {
        let further = self.bars.len() - bars.len();
        if further > 0 { vec![format!("{further} further bars are not drawn.")] } else { Vec::new() }
    }
}

fn rows(bars: &[Bar]) -> Vec<Tick> {
    let count = bars.len().max(2) as f64;
    let at = |index: usize| 1.0 - (index as f64 + 0.5) / count;
    bars.iter()
        .enumerate()
        .map(|(index, bar)| Tick { at: at(index), text: text::clean(&bar.name), below: None })
        .collect()
}

fn value_text(bar: &Bar, scale: &Scale, largest: f64) -> String {
    if scale.shows(bar.value) { number::beside(bar.value, largest) } else { NO_VALUE.to_owned() }
}

/// The place of the rightmost thing drawn for a bar.
fn reach(bar: &Bar, scale: &Scale) -> f64 {
    let ends = [bar.value, bar.interval.map_or(bar.value, |(_, high)| high)];
    let shown = ends.into_iter().filter(|value| scale.shows(*value)).map(|value| scale.place(value));
    shown.fold(scale.foot(), f64::max)
}

fn draw_bar(sheet: &mut Sheet, plot: &Plot, scale: &Scale, bar: &Bar, at: f64) {
    if !scale.shows(bar.value) {
        return;
    }
    let ((foot, y), (end, _)) = (plot.at(scale.foot(), at), plot.at(scale.place(bar.value), at));
    let fill = if bar.emphasised { BLUE } else { SKY };
    let corner = (foot.min(end), y - THICKNESS / 2.0);
    sheet.canvas.rectangle(corner, (end - foot).abs(), THICKNESS, fill, Some(&Stroke::solid(INK, 0.6)));
    let Some((low, high)) = bar.interval.filter(|(low, high)| scale.shows(*low) && scale.shows(*high)) else { return };
    let ((left, _), (right, _)) = (plot.at(scale.place(low), at), plot.at(scale.place(high), at));
    let whisker = Stroke::solid("#000000", 1.3);
    sheet.canvas.line((left, y), (right, y), &whisker);
    for x in [left, right] {
        sheet.canvas.line((x, y - CAP), (x, y + CAP), &whisker);
    }
}

fn draw_reference(sheet: &mut Sheet, plot: &Plot, scale: &Scale, name: &str, value: f64, largest: f64) {
    let (x, top) = plot.at(scale.place(value), 1.0);
    let stroke = Stroke { colour: "#000000".to_owned(), width: 1.6, dash: "6 4" };
    sheet.canvas.line((x, top - 4.0), (x, plot.bottom()), &stroke);
    let number = number::beside(value, largest.max(value.abs()));
    let words = text::elided(&format!("{} {number}", text::clean(name)), STRONG, WIDTH / 2.0);
    let half = text::width(&words, STRONG) / 2.0;
    let place = (x.clamp(half + 4.0, WIDTH - half - 4.0), top - 8.0);
    sheet.canvas.text(place, Anchor::Middle, STRONG, "#000000", &words);
}
