//! Everything a tournament found out as files: pictures to look at, tables to compute with.

mod charts;
mod tables;

use super::{capture::Capture, results::Results};
use crate::command::lab::folder::{Folder, command};
use std::path::Path;

/// Writes all files into a directory and says so in a line.
pub(super) fn write(directory: &Path, results: &Results, capture: &Capture) -> anyhow::Result<String> {
    let mut folder = Folder::make(directory)?;
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
    folder.put("results.md", tables::markdown(results, &command()).as_bytes())?;
    Ok(format!(
        "Wrote {} (SVG and PNG), results.csv, budgets.csv and results.md to {}",
        folder.written.join(", "),
        directory.display()
    ))
}
