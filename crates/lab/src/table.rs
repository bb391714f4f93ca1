//! A table of results, for a terminal, a document or a program.

use serde_json::{Value, json};
use std::fmt::Write;
use tintype_quality::Estimate;

/// Rows of cells under titles; the first column holds names.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    titles: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// People read digits that mean something, programs all of them.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Text(String),
    Number(f64, usize),
    /// With its 95 % interval; three fields for programs.
    Estimate(Estimate, usize),
    Empty,
}

impl Cell {
    pub(super) fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// A number that may not be known.
    pub(super) fn maybe(value: Option<f64>, digits: usize) -> Cell {
        value.map_or(Cell::Empty, |value| Cell::Number(value, digits))
    }

    fn for_people(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number(value, digits) => format!("{value:.digits$}"),
            Cell::Estimate(Estimate { mean, ci95: Some([low, high]) }, digits) => {
                format!("{mean:.digits$} ± {:.digits$}", (high - low) / 2.0)
            }
            Cell::Estimate(Estimate { mean, ci95: None }, digits) => format!("{mean:.digits$}"),
            Cell::Empty => String::new(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Number(value, _) => json!(value),
            Cell::Estimate(estimate, _) => json!(estimate),
            Cell::Empty => Value::Null,
        }
    }

    fn fields(&self, estimates: bool) -> String {
        match self {
            Cell::Text(text) if text.contains([',', '"', '\n']) => format!("\"{}\"", text.replace('"', "\"\"")),
            Cell::Text(text) => text.clone(),
            Cell::Number(value, _) => format!("{value}{}", if estimates { ",," } else { "" }),
            Cell::Estimate(Estimate { mean, ci95 }, _) => {
                ci95.map_or_else(|| format!("{mean},,"), |[low, high]| format!("{mean},{low},{high}"))
            }
            Cell::Empty => if estimates { ",," } else { "" }.to_owned(),
        }
    }
}

impl Table {
    pub(super) fn new(titles: impl IntoIterator<Item = impl Into<String>>) -> Table {
        Table { titles: titles.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    pub(super) fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.titles.len(), "a cell under every title");
        self.rows.push(row);
    }

    /// Columns line up, names to the left.
    pub(super) fn text(&self) -> String {
        let lines = self.lines();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.titles.len()).map(width).collect();
        let mut out = String::new();
        for line in &lines {
            let mut padded = String::new();
            for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
                let _ = if column == 0 { write!(padded, "{cell:width$}") } else { write!(padded, "  {cell:>width$}") };
            }
            let _ = writeln!(out, "{}", padded.trim_end());
        }
        out
    }

    pub(super) fn markdown(&self) -> String {
        let mut lines = self.lines().into_iter().map(|line| format!("| {} |\n", line.join(" | ")));
        let head = lines.next().unwrap_or_default();
        let rule = format!("|---|{}\n", "---:|".repeat(self.titles.len().saturating_sub(1)));
        [head, rule].into_iter().chain(lines).collect()
    }

    /// An estimate has three fields: its value and both ends of the interval.
    pub(super) fn csv(&self) -> String {
        let estimates: Vec<bool> = (0..self.titles.len()).map(|column| self.has_estimates(column)).collect();
        let title = |(title, estimates): (&String, &bool)| {
            let name = field_name(title);
            if *estimates { format!("{name},{name}_low,{name}_high") } else { name }
        };
        let mut out = self.titles.iter().zip(&estimates).map(title).collect::<Vec<_>>().join(",") + "\n";
        for row in &self.rows {
            let fields = row.iter().zip(&estimates).map(|(cell, estimates)| cell.fields(*estimates));
            let _ = writeln!(out, "{}", fields.collect::<Vec<_>>().join(","));
        }
        out
    }

    /// A list of objects, one per row, by the names of the columns; an estimate is its value and its interval.
    pub(super) fn json(&self) -> Value {
        let row = |row: &Vec<Cell>| {
            let fields = self.titles.iter().map(|title| field_name(title)).zip(row.iter().map(Cell::json));
            Value::Object(fields.collect())
        };
        self.rows.iter().map(row).collect()
    }

    fn has_estimates(&self, column: usize) -> bool {
        self.rows.iter().any(|row| matches!(row[column], Cell::Estimate(..)))
    }

    fn lines(&self) -> Vec<Vec<String>> {
        let rows = self.rows.iter().map(|row| row.iter().map(Cell::for_people).collect());
        std::iter::once(self.titles.clone()).chain(rows).collect()
    }
}

/// `blur ÷ offline` is `blur_of_offline`.
fn field_name(title: &str) -> String {
    let words = title.replace('÷', "of").to_lowercase();
    let words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(["policy", "blur ÷ offline"]);
        let estimate = Estimate { mean: 1.25, ci95: Some([1.0, 1.5]) };
        table.push(vec![Cell::text("a, b"), Cell::Estimate(estimate, 2)]);
        table.push(vec![Cell::text("c"), Cell::Empty]);
        table
    }

    #[test]
    fn people_and_programs_read_the_same_table() {
        assert_eq!(table().text(), "policy  blur ÷ offline\na, b       1.25 ± 0.25\nc\n");
        assert_eq!(table().markdown(), "| policy | blur ÷ offline |\n|---|---:|\n| a, b | 1.25 ± 0.25 |\n| c |  |\n");
        let csv = "policy,blur_of_offline,blur_of_offline_low,blur_of_offline_high\n\"a, b\",1.25,1,1.5\nc,,,\n";
        assert_eq!(table().csv(), csv);
        let first = json!({"policy": "a, b", "blur_of_offline": {"mean": 1.25, "ci95": [1.0, 1.5]}});
        assert_eq!(table().json(), json!([first, {"policy": "c", "blur_of_offline": null}]));
    }
}
