//! Everything a tournament found out as files: pictures to look at, tables to compute with.

mod charts;
mod tables;

use super::{capture::Capture, results::TournamentResults};
use crate::Folder;

/// Puts all files into a directory.
pub(super) fn fill(
    folder: &mut Folder,
    results: &TournamentResults,
    capture: &Capture,
    command: &str,
) -> anyhow::Result<()> {
    let pictures = [
        ("completeness-by-budget".to_owned(), charts::completeness_by_budget(results)),
        ("freshness-over-time".to_owned(), charts::freshness_over_time(results)),
        ("policies".to_owned(), charts::policies(results)),
        (format!("capture-{}", capture.policy), charts::organ_pipes(results, capture)),
    ];
    for (name, picture) in &pictures {
        folder.picture(name, picture)?;
    }
    folder.put("results.csv", tables::results(results).as_bytes())?;
    folder.put("budgets.csv", tables::budgets(results).as_bytes())?;
    folder.put("results.md", tables::markdown(results, command).as_bytes())
}

/// What is in it.
pub(super) fn line(folder: &Folder) -> String {
    format!(
        "Wrote {} (SVG and PNG), results.csv, budgets.csv and results.md to {}",
        folder.written.join(", "),
        folder.path().display()
    )
}
