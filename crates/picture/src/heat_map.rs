//! A table of values as colours: when in the week, or which of these with which of those.

use crate::{
    axis::Axis,
    canvas::{Anchor, Stroke},
    picture::Picture,
    scale::{Ends, Scale, Tick},
    sheet::{Plot, Sheet, Side, WIDTH},
    style::{INK, PAPER},
    text::{self, BODY},
};

const MAX_ROWS: usize = 50;
const MAX_COLUMNS: usize = 100;
const ROW: f64 = 26.0;
/// Colours of the key below the map.
const KEY_STEPS: usize = 40;
const KEY_WIDTH: f64 = 200.0;
const KEY_HEIGHT: f64 = 12.0;
/// From the map's label to the key, and from the key to the end of its words.
const KEY_ABOVE: f64 = 12.0;
const KEY_BELOW: f64 = 32.0;
/// From little to much: ever darker, so that a grey printer and every eye order them alike.
const RAMP: [(f64, [f64; 3]); 5] = [
    (0.0, [247.0, 251.0, 255.0]),
    (0.25, [198.0, 219.0, 239.0]),
    (0.5, [107.0, 174.0, 214.0]),
    (0.75, [33.0, 113.0, 181.0]),
    (1.0, [8.0, 48.0, 107.0]),
];
/// A cell without a value is crossed out.
const NOTHING: &str = "#eeeeee";

/// One row of the map, from left to right. A NaN is a cell without a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub name: String,
    pub values: Vec<f64>,
}

impl Row {
    pub fn new(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Row {
        Row { name: name.into(), values: values.into_iter().collect() }
    }
}

/// Rows from top to bottom in the order given.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    pub title: String,
    /// What a reader needs to trust the picture; may be empty.
    pub caption: String,
    /// What the rows are, such as `Day`.
    pub rows_are: String,
    /// What the columns are, such as `Hour (UTC+1)`.
    pub columns_are: String,
    /// Names of columns with their places, counted from 0; those between need none.
    pub columns: Vec<(usize, String)>,
    pub value: Axis,
    pub rows: Vec<Row>,
}

impl HeatMap {
    pub fn draw(&self) -> Picture {
        let rows = &self.rows[..self.rows.len().min(MAX_ROWS)];
        let columns = rows.iter().map(|row| row.values.len()).max().unwrap_or(0).clamp(1, MAX_COLUMNS);
        let scale = Scale::fit(&self.value, rows.iter().flat_map(|row| row.values.iter().copied()), Ends::Tight);
        let mut sheet = Sheet::new(WIDTH, &self.title, &self.caption, &self.notes(columns));
        let x = Side { label: self.columns_are.clone(), ticks: self.column_ticks(columns), grid: false };
        let y = Side { label: self.rows_are.clone(), ticks: row_ticks(rows), grid: false };
        let plot = sheet.plot(&x, &y, ROW * rows.len().max(2) as f64, 4.0);
        for (index, row) in rows.iter().enumerate() {
            draw_row(&mut sheet, &plot, &scale, (index, rows.len()), &row.values, columns);
        }
        self.draw_key(&mut sheet, &plot, &scale);
        sheet.finish()
    }

    fn notes(&self, columns: usize) -> Vec<String> {
        let mut notes = Vec::new();
        let further = self.rows.len().saturating_sub(MAX_ROWS);
        if further > 0 {
            notes.push(format!("{further} further rows are not drawn."));
        }
        if self.rows.iter().any(|row| row.values.len() > columns) {
            notes.push(format!("Only the first {columns} columns are drawn."));
        }
        notes
    }

    fn column_ticks(&self, columns: usize) -> Vec<Tick> {
        let named = self.columns.iter().filter(|(at, _)| *at < columns).take(MAX_COLUMNS);
        let at = |column: usize| (column as f64 + 0.5) / columns as f64;
        named.map(|(column, name)| Tick { at: at(*column), text: text::clean(name), below: None }).collect()
    }

    /// What the colours mean, below the map.
    fn draw_key(&self, sheet: &mut Sheet, plot: &Plot, scale: &Scale) {
        let (left, top) = (plot.right() - KEY_WIDTH, sheet.y + KEY_ABOVE);
        let step = KEY_WIDTH / KEY_STEPS as f64;
        for index in 0..KEY_STEPS {
            let colour = colour((index as f64 + 0.5) / KEY_STEPS as f64);
            sheet.canvas.rectangle((left + index as f64 * step, top), step + 0.3, KEY_HEIGHT, &colour, None);
        }
        sheet.canvas.rectangle((left, top), KEY_WIDTH, KEY_HEIGHT, "none", Some(&Stroke::solid(INK, 0.6)));
        for tick in scale.ticks(4) {
            let x = left + tick.at * KEY_WIDTH;
            sheet.canvas.line((x, top + KEY_HEIGHT), (x, top + KEY_HEIGHT + 4.0), &Stroke::solid(INK, 1.0));
            sheet.canvas.text((x, top + KEY_HEIGHT + 17.0), Anchor::Middle, BODY, INK, &tick.text);
        }
        let label = text::elided(&self.value.label(), BODY, left - 30.0);
        sheet.canvas.text((left - 10.0, top + KEY_HEIGHT - 1.0), Anchor::End, BODY, INK, &label);
        sheet.y = top + KEY_BELOW;
    }
}

fn row_ticks(rows: &[Row]) -> Vec<Tick> {
    let count = rows.len().max(2) as f64;
    let tick = |(index, row): (usize, &Row)| {
        let at = 1.0 - (index as f64 + 0.5) / count;
        Tick { at, text: text::clean(&row.name), below: None }
    };
    rows.iter().enumerate().map(tick).collect()
}

fn draw_row(
    sheet: &mut Sheet,
    plot: &Plot,
    scale: &Scale,
    (index, rows): (usize, usize),
    values: &[f64],
    columns: usize,
) {
    let (wide, high) = (plot.width / columns as f64, plot.height / rows.max(2) as f64);
    let edge = Stroke::solid(PAPER, 1.0);
    for (column, value) in values.iter().take(columns).enumerate() {
        let corner = (plot.left + column as f64 * wide, plot.top + index as f64 * high);
        let shown = scale.shows(*value);
        let fill = if shown { colour(scale.place(*value)) } else { NOTHING.to_owned() };
        sheet.canvas.rectangle(corner, wide, high, &fill, Some(&edge));
        if !shown {
            let (left, top) = (corner.0 + 3.0, corner.1 + 3.0);
            sheet.canvas.line((left, top), (left + wide - 6.0, top + high - 6.0), &Stroke::solid(INK, 0.5));
        }
    }
}

/// The colour of a place on the scale.
fn colour(place: f64) -> String {
    let place = if place.is_finite() { place.clamp(0.0, 1.0) } else { 0.0 };
    let above = RAMP.iter().position(|(at, _)| *at >= place).unwrap_or(RAMP.len() - 1).max(1);
    let ((low, from), (high, to)) = (RAMP[above - 1], RAMP[above]);
    let share = (place - low) / (high - low);
    let channel = |at: usize| (from[at] + (to[at] - from[at]) * share).round() as u8;
    format!("#{:02x}{:02x}{:02x}", channel(0), channel(1), channel(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_darken_from_end_to_end() {
        let light = |place: f64| {
            let hex = colour(place);
            [1, 3, 5].map(|at| u32::from_str_radix(&hex[at..at + 2], 16).unwrap()).iter().sum::<u32>()
        };
        assert!((0..100).all(|step| light(f64::from(step) / 100.0) > light(f64::from(step + 1) / 100.0)));
        assert_eq!((colour(0.0).as_str(), colour(f64::NAN).as_str()), ("#f7fbff", "#f7fbff"));
    }

    #[test]
    fn every_cell_is_drawn_once_and_what_has_no_value_is_crossed_out() {
        let map = HeatMap {
            title: "When".into(),
            caption: String::new(),
            rows_are: "Day".into(),
            columns_are: "Hour (UTC)".into(),
            columns: vec![(0, "0".into()), (2, "2".into()), (99, "never".into())],
            value: Axis::linear("Changes", "times the mean"),
            rows: vec![Row::new("Monday", [0.5, 1.0, f64::NAN]), Row::new("Tuesday", [1.0, 2.0, 0.0])],
        };
        let svg = map.draw().svg().to_owned();
        let cells = svg.matches(r##"stroke="#ffffff" stroke-width="1""##).count();
        assert_eq!((cells, svg.matches(NOTHING).count()), (6, 1), "{svg}");
        assert!(svg.contains("Monday") && svg.contains("times the mean") && !svg.contains("never"));
    }
}
