//! A contingency table: of pages from which so many changes were expected, in directories so busy, with twins that
//! changed or not, how many had changed.

use serde::{Deserialize, Serialize};

/// Cells along each side.
const EXPECTED: usize = 12;
const BUSY: usize = 12;
/// Logarithms: where the sides begin, and how far apart their cells are.
const EXPECTED_FROM: f64 = -6.9;
const EXPECTED_STEP: f64 = 0.7;
const BUSY_FROM: f64 = -3.0;
const BUSY_STEP: f64 = 0.55;
/// Pages that what is to be expected by the model alone counts for.
const MODEL_PAGES: f64 = 10.0;

/// Pages of the same name that this capture looked at.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Twins {
    looked_at: u32,
    changed: u32,
}

impl Twins {
    pub(super) fn add(&mut self, changed: bool) {
        self.looked_at += 1;
        self.changed += u32::from(changed);
    }

    fn cell(self) -> usize {
        match self {
            Twins { looked_at: 0, .. } => 0,
            Twins { changed: 0, .. } => 1,
            _ => 2,
        }
    }
}

/// Pages of all captures together, in parts: too many for four bytes, where one more would not count in the end, and in
/// whole numbers, as those that are read back must be those that were kept.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Cell {
    pages: u64,
    changed: u64,
}

/// Parts of a page, by which it counts for the cells around it.
const PARTS: f64 = (1 << 20) as f64;

impl Cell {
    fn add(&mut self, weight: f64, changed: bool) {
        let parts = (weight * PARTS).round() as u64;
        self.pages = self.pages.saturating_add(parts);
        self.changed = self.changed.saturating_add(if changed { parts } else { 0 });
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Table {
    cells: Vec<Cell>,
    /// The same by what was expected alone.
    rows: Vec<Cell>,
    captures: u64,
}

impl Default for Table {
    fn default() -> Table {
        Table { cells: vec![Cell::default(); 3 * EXPECTED * BUSY], rows: vec![Cell::default(); EXPECTED], captures: 0 }
    }
}

impl Table {
    /// The share that had changed of pages like this one, smoothed towards what a Poisson process would do. Pages of a
    /// capture change together, so however many they are, one capture more might have been another than those seen: it
    /// counts as one in which pages changed as they do in directories of all kinds.
    pub(super) fn chance(&self, expected: f64, busy: f64, twins: Twins) -> f64 {
        let model = -(-expected * busy).exp_m1();
        let share = |cell: &Cell, usual: f64| {
            let (pages, changed) = (cell.pages as f64 / PARTS, cell.changed as f64 / PARTS);
            let more = pages / self.captures.max(1) as f64;
            (changed + MODEL_PAGES * model + more * usual) / (pages + MODEL_PAGES + more)
        };
        let usual = |row: usize| self.rows.get(row).map_or(model, |cell| share(cell, model));
        let chance = |at: usize| self.cells.get(at).map_or(model, |cell| share(cell, usual(at / BUSY % EXPECTED)));
        around(expected, busy, twins).map(|(at, weight)| weight * chance(at)).sum()
    }

    /// Whether it has the cells it should have, and no more changes in them than pages.
    pub(super) fn is_sound(&self) -> bool {
        let counted = |cell: &Cell| cell.changed <= cell.pages;
        self.cells.len() == 3 * EXPECTED * BUSY
            && self.rows.len() == EXPECTED
            && self.cells.iter().chain(&self.rows).all(counted)
    }

    pub(super) fn captures(&self) -> u64 {
        self.captures
    }

    /// Another capture is counted.
    pub(super) fn begin(&mut self) {
        self.captures = self.captures.saturating_add(1);
    }

    pub(super) fn count(&mut self, expected: f64, busy: f64, twins: Twins, changed: bool) {
        for (at, weight) in around(expected, busy, twins) {
            if let Some(cell) = self.cells.get_mut(at) {
                cell.add(weight, changed);
                self.rows[at / BUSY % EXPECTED].add(weight, changed);
            }
        }
    }
}

/// The four cells around a point, and what each counts for.
fn around(expected: f64, busy: f64, twins: Twins) -> impl Iterator<Item = (usize, f64)> {
    let (row, down) = place(expected, EXPECTED_FROM, EXPECTED_STEP, EXPECTED);
    let (column, right) = place(busy, BUSY_FROM, BUSY_STEP, BUSY);
    let corners = [
        (0, 0, (1.0 - down) * (1.0 - right)),
        (0, 1, (1.0 - down) * right),
        (1, 0, down * (1.0 - right)),
        (1, 1, down * right),
    ];
    let first = (twins.cell() * EXPECTED + row) * BUSY + column;
    corners.into_iter().map(move |(below, beside, weight)| (first + below * BUSY + beside, weight))
}

/// The cell before a value on a logarithmic side, and how far it is on the way to the next.
fn place(value: f64, from: f64, step: f64, cells: usize) -> (usize, f64) {
    let at = ((value.max(f64::MIN_POSITIVE).ln() - from) / step).clamp(0.0, cells as f64 - 1.001);
    (at as usize, at.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A share of pages that stay as they are must not grow because there are too many of them.
    #[test]
    fn one_page_more_of_very_many_counts() {
        let mut cell = Cell { pages: 1 << 60, changed: 0 };
        cell.add(0.25, false);
        assert_eq!(cell.pages - (1 << 60), 1 << 18);
    }
}
