//! Weighted completeness of several policies as something varies: the shape of all figures of the paper.

use super::{
    LIVE_VALUE, OURS, OWN,
    play::{Kept, Player},
};
use crate::table::{Cell, Table};
use tintype_picture::Series;
use tintype_plan::policy;
use tintype_quality::{Estimate, estimate};

/// Registered policies by name.
pub(super) fn players(names: &[&'static str]) -> Vec<Player> {
    let player = |name: &&'static str| {
        let name = *name;
        let make = move || policy::make(name).unwrap_or_else(|| panic!("{name} is registered"));
        Player { name: name.to_owned(), make: Box::new(make) }
    };
    names.iter().map(player).collect()
}

/// What came of it.
pub(super) struct Sweep {
    /// Who played.
    pub(super) names: Vec<String>,
    /// What varied, and what each of them kept of every site, or in every run.
    pub(super) at: Vec<(f64, Vec<Vec<Kept>>)>,
}

impl Sweep {
    /// # Panics
    /// If nobody of that name has played.
    pub(super) fn of(&self, at: usize, name: &str, read: impl Fn(&Kept) -> f64) -> Estimate {
        let nth = self.names.iter().position(|known| known == name).expect("who is asked for has played");
        estimate(&self.at[at].1[nth].iter().map(read).collect::<Vec<f64>>())
    }

    pub(super) fn of_best(&self, at: usize, name: &str) -> f64 {
        self.of(at, name, Kept::of_best).mean
    }

    /// The best of all who are not ours.
    ///
    /// # Panics
    /// If there is nobody else.
    pub(super) fn best_other(&self, at: usize) -> (&str, f64) {
        let others = self.names.iter().filter(|name| ![OURS, LIVE_VALUE].contains(&name.as_str()));
        let kept = others.map(|name| (name.as_str(), self.of_best(at, name)));
        kept.max_by(|a, b| a.1.total_cmp(&b.1)).expect("somebody else takes part")
    }

    /// Those of some names, in the order of the names.
    pub(super) fn only(&self, names: &[&str]) -> Sweep {
        let nth = |name: &&str| self.names.iter().position(|known| known == name);
        let chosen: Vec<usize> = names.iter().filter_map(nth).collect();
        let of = |kept: &Vec<Vec<Kept>>| chosen.iter().map(|nth| kept[*nth].clone()).collect();
        let at = self.at.iter().map(|(value, kept)| (*value, of(kept))).collect();
        Sweep { names: chosen.iter().map(|nth| self.names[*nth].clone()).collect(), at }
    }

    /// Shares of the best possible, and the best possible itself.
    pub(super) fn table(&self, what: &str, label: impl Fn(f64) -> String) -> Table {
        let columns = self.at.iter().map(|(value, _)| label(*value));
        let mut table = Table::new(std::iter::once(what.to_owned()).chain(columns));
        for name in &self.names {
            let cells = (0..self.at.len()).map(|at| Cell::Estimate(self.of(at, name, Kept::of_best), 3));
            table.push(std::iter::once(Cell::text(name)).chain(cells).collect());
        }
        let best = |at: usize| Cell::Estimate(self.of(at, &self.names[0], |kept| kept.best), 3);
        let cells = (0..self.at.len()).map(best);
        table.push(std::iter::once(Cell::text("weighted completeness of the best possible")).chain(cells).collect());
        table
    }

    /// One line per policy, ours thick. Bands are 95 % intervals, of the paper's own and of ours: more would hide each other.
    pub(super) fn series(&self, x: impl Fn(f64) -> f64) -> Vec<Series> {
        let line = |name: &String| {
            let at = |at: usize| (x(self.at[at].0), self.of(at, name, Kept::of_best));
            let estimates: Vec<(f64, Estimate)> = (0..self.at.len()).map(at).collect();
            let series = Series::new(name, estimates.iter().map(|(x, estimate)| (*x, estimate.mean)));
            match name.as_str() {
                OURS => series.with_band(band(&estimates)).emphasised(),
                own if own == LIVE_VALUE || OWN.contains(&own) => series.with_band(band(&estimates)),
                _ => series,
            }
        };
        self.names.iter().map(line).collect()
    }
}

/// The 95 % intervals, where there are any.
pub(super) fn band(estimates: &[(f64, Estimate)]) -> impl Iterator<Item = (f64, f64, f64)> {
    estimates.iter().filter_map(|(x, estimate)| estimate.ci95.map(|[low, high]| (*x, low, high)))
}
