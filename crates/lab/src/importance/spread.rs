//! Whether importance tells more news from less: its spread over all changes of a history, and whether it grows with what came.

use crate::{
    ranks::rank_correlation,
    table::{Cell, Table},
};
use std::collections::HashSet;
use tintype_observe::page::{Element, Segmented};

/// What is as important as can be, to the three digits that people are shown.
const FULL: f64 = 0.9995;

/// Every change of a history: how important it is, and how many pieces of text came that the page did not show before.
#[derive(Debug)]
pub(super) struct Spread {
    pub(super) history: String,
    changes: Vec<[f64; 2]>,
}

impl Spread {
    pub(super) fn of(history: &str) -> Spread {
        Spread { history: history.to_owned(), changes: Vec::new() }
    }

    pub(super) fn add(&mut self, before: &Segmented, after: &Segmented, importance: f64) {
        let texts = |page: &Segmented| -> HashSet<String> {
            let shown = page.layout.blocks().filter(|block| block.shape().role.is_shown());
            shown.map(|block| block.of(Element::Text).trim().to_owned()).filter(|text| !text.is_empty()).collect()
        };
        let came = texts(after).difference(&texts(before)).count();
        self.changes.push([importance, came as f64]);
    }

    pub(super) fn table(all: &[Spread]) -> Table {
        let titles = ["history", "changes", "at 1.000", "greatest", "median", "rank correlation with what came"];
        let mut table = Table::new(titles);
        for spread in all {
            let mut sorted: Vec<f64> = spread.changes.iter().map(|change| change[0]).collect();
            sorted.sort_unstable_by(f64::total_cmp);
            let Some(greatest) = sorted.last() else { continue };
            let full = sorted.iter().filter(|importance| **importance >= FULL).count() as f64 / sorted.len() as f64;
            let number = |value: f64| Cell::Number(value, 3);
            table.push(vec![
                Cell::text(&spread.history),
                Cell::Number(sorted.len() as f64, 0),
                number(full),
                number(*greatest),
                number(sorted[sorted.len() / 2]),
                number(rank_correlation(&spread.changes)),
            ]);
        }
        table
    }
}
