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
#[derive(Clone, Copy, Debug, Default)]
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

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Cell {
    pages: f32,
    changed: f32,
}

impl Cell {
    fn add(&mut self, weight: f32, changed: bool) {
        self.pages += weight;
        self.changed += if changed { weight } else { 0.0 };
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Table {
    cells: Vec<Cell>,
    /// The same by what was expected alone.
    rows: Vec<Cell>,
    captures: f64,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            cells: vec![Cell::default(); 3 * EXPECTED * BUSY],
            rows: vec![Cell::default(); EXPECTED],
            captures: 0.0,
        }
    }
}

impl Table {
    /// The share that had changed of pages like this one, smoothed towards what a Poisson process would do. Pages of a
    /// capture change together, so however many they are, one capture more might have been another than those seen: it
    /// counts as one in which pages changed as they do in directories of all kinds.
    pub(super) fn chance(&self, expected: f64, busy: f64, twins: Twins) -> f64 {
        let model = -(-expected * busy).exp_m1();
        let share = |cell: &Cell, usual: f64| {
            let more = f64::from(cell.pages) / self.captures.max(1.0);
            let changed = f64::from(cell.changed) + MODEL_PAGES * model + more * usual;
            changed / (f64::from(cell.pages) + MODEL_PAGES + more)
        };
        let usual = |row: usize| self.rows.get(row).map_or(model, |cell| share(cell, model));
        let chance = |at: usize| self.cells.get(at).map_or(model, |cell| share(cell, usual(at / BUSY % EXPECTED)));
        around(expected, busy, twins).map(|(at, weight)| weight * chance(at)).sum()
    }

    /// Another capture is counted.
    pub(super) fn begin(&mut self) {
        self.captures += 1.0;
    }

    pub(super) fn count(&mut self, expected: f64, busy: f64, twins: Twins, changed: bool) {
        for (at, weight) in around(expected, busy, twins) {
            if let Some(cell) = self.cells.get_mut(at) {
                cell.add(weight as f32, changed);
                self.rows[at / BUSY % EXPECTED].add(weight as f32, changed);
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
