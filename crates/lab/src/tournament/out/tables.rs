//! Tables: CSV for programs, Markdown for documents.

use crate::{
    tournament::results::{Row, Spent, TournamentResults},
    tournament::table,
};
use std::fmt::Write;
use tintype_quality::{Estimate, measure::REGISTRY};

/// One line per policy: every measure of the run asked for, then its mean and 95 % interval if there were several runs.
pub(super) fn results(results: &TournamentResults) -> String {
    let mut out = "policy,runs,visits,bytes,of_best,weighted_of_best".to_owned();
    for measure in REGISTRY {
        let _ = write!(out, ",{0},{0}_mean,{0}_low,{0}_high", measure.name);
    }
    for row in &results.asked.rows {
        let (runs, visits) = (row.scores.len(), row.score().visits);
        let (of_best, weighted) = (results.of_best(row), results.weighted_of_best(row));
        let _ = write!(out, "\n{},{runs},{visits},{},{of_best},{weighted}", row.policy, row.bytes);
        for measure in REGISTRY {
            let estimate = row.over_runs(measure.read);
            let mean = estimate.ci95.map_or_else(String::new, |_| estimate.mean.to_string());
            let _ = write!(out, ",{},{mean},{}", (measure.read)(row.score()), interval(&estimate));
        }
    }
    out + "\n"
}

/// One line per policy and budget, the best possible among them: mean completeness over runs and its 95 % interval.
pub(super) fn budgets(results: &TournamentResults) -> String {
    let mut out = "policy,visits_per_day,completeness,low,high\n".to_owned();
    let mut line = |name: &str, spent: &Spent, estimate: &Estimate| {
        let _ = writeln!(out, "{name},{},{},{}", spent.per_day, estimate.mean, interval(estimate));
    };
    for spent in results.budgets() {
        line("best-possible", spent, &spent.best_over_runs());
        for row in &spent.rows {
            line(row.policy, spent, &completeness(row));
        }
    }
    out
}

pub(super) fn completeness(row: &Row) -> Estimate {
    row.over_runs(|score| score.completeness)
}

/// Two fields, empty if there is no interval.
fn interval(estimate: &Estimate) -> String {
    estimate.ci95.map_or_else(|| ",".to_owned(), |[low, high]| format!("{low},{high}"))
}

/// A document that says how it was made.
pub(super) fn markdown(results: &TournamentResults, command: &str) -> String {
    format!(
        "# Tournament on {}\n\n{}, pages {}, run seed {}.\n\nMade by `{command}`\n\n{}",
        results.name,
        table::heading(results),
        results.found(),
        results.game.run_seed,
        table::markdown(results),
    )
}
