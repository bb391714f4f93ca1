//! Figure 5(d): the best threshold of the degree of change, site by site.

use super::site::{RATIOS, Site, Trial};
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use tintype_picture::{Axis, Lines, Series};

/// The paper's range first, then further than it went.
const DEGREES: [f64; 10] = [0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3];
/// So many of them are the paper's.
const PAPERS: usize = 5;

/// One site over all thresholds.
struct Row {
    name: String,
    /// BR and CR.
    at: Vec<[f64; 2]>,
}

impl Row {
    fn new(site: &Site<'_>, trial: &Trial) -> anyhow::Result<Row> {
        let measure = |degree: &f64| {
            let mut trial = *trial;
            trial.setting.degree_of_change_min = *degree;
            let measured = site.measure(&trial)?;
            Ok([0, 3].map(|nth: usize| measured.of(RATIOS[nth].read).mean))
        };
        let at = DEGREES.iter().map(measure).collect::<anyhow::Result<_>>()?;
        Ok(Row { name: site.name.clone(), at })
    }

    fn skips(&self) -> bool {
        self.best(self.at.len()).is_some()
    }

    /// The threshold with the highest bypass ratio, the lowest of those; nothing if nothing is ever skipped.
    fn best(&self, among: usize) -> Option<usize> {
        let better = |best: Option<usize>, nth: usize| match best {
            Some(best) if self.at[nth][0] <= self.at[best][0] => Some(best),
            None if self.at[nth][0] == 0.0 => None,
            _ => Some(nth),
        };
        (0..among).fold(None, better)
    }
}

pub(super) fn part(sites: &[Site<'_>], trial: &Trial) -> anyhow::Result<Part> {
    let rows = sites.iter().map(|site| Row::new(site, trial)).collect::<anyhow::Result<Vec<_>>>()?;
    let chart = Lines {
        title: "Bypass ratio by threshold of the degree of change".to_owned(),
        caption: caption(&rows),
        x: Axis::logarithmic("Degree of change", "least that counts"),
        y: Axis::linear("Bypass ratio", "share of the pages").including(0.0, 0.0),
        series: rows.iter().filter(|row| row.skips()).map(series).collect(),
    };
    Ok(Part {
        name: "figure-5d".to_owned(),
        title: "Figure 5(d): the best threshold depends on the site".to_owned(),
        text: format!("{} Here the least degree of change that counts varies.", trial.words()),
        table: Some(table(&rows)),
        picture: Some(chart.draw()),
        claims: vec![claim(&rows)],
    })
}

fn series(row: &Row) -> Series {
    Series::new(&row.name, DEGREES.iter().zip(&row.at).map(|(degree, at)| (*degree, at[0])))
}

/// Lines along the bottom would only hide each other.
fn caption(rows: &[Row]) -> String {
    let never: Vec<&str> = rows.iter().filter(|row| !row.skips()).map(|row| row.name.as_str()).collect();
    let never = if never.is_empty() { String::new() } else { format!(" Never skipped: {}.", never.join(", ")) };
    format!("The paper looks at 0.01 to 0.05; the best of a site is its highest point.{never}")
}

fn table(rows: &[Row]) -> Table {
    let columns = rows.iter().flat_map(|row| [format!("BR of {}", row.name), format!("CR of {}", row.name)]);
    let mut table = Table::new(std::iter::once("degree of change".to_owned()).chain(columns));
    for (nth, degree) in DEGREES.iter().enumerate() {
        let cells = rows.iter().flat_map(|row| row.at[nth].map(|value| Cell::Number(value, 3)));
        table.push(std::iter::once(Cell::text(degree.to_string())).chain(cells).collect());
    }
    table
}

fn claim(rows: &[Row]) -> Claim {
    let best: Vec<Option<usize>> = rows.iter().map(|row| row.best(PAPERS)).collect();
    let mut found: Vec<usize> = best.iter().flatten().copied().collect();
    found.sort_unstable();
    found.dedup();
    let words = rows.iter().zip(&best).map(|(row, best)| match best {
        Some(nth) => format!("{} at {} (BR {:.3})", row.name, DEGREES[*nth], row.at[*nth][0]),
        None => format!("{} nowhere (nothing is skipped)", row.name),
    });
    let words: Vec<String> = words.collect();
    Claim::new("between 0.01 and 0.05 the best threshold depends on the site", found.len() > 1, words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_threshold_is_the_lowest_of_the_highest() {
        let row = |bypass: [f64; 4]| Row { name: String::new(), at: bypass.map(|bypass| [bypass, 1.0]).to_vec() };
        assert_eq!(row([0.0, 0.2, 0.2, 0.1]).best(4), Some(1));
        assert_eq!(row([0.0, 0.2, 0.2, 0.3]).best(3), Some(1));
        assert_eq!(row([0.0; 4]).best(4), None);
    }
}
