//! `tintype lab forecast`: what many sites teach of when pages change, judged on a site that was left out.

use super::{progress::Bar, show_and_write};
use clap::Args;
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::forecast::{self, ForecastConfig};

/// How well changes of one site are foretold by what others teach
///
/// Plays every history below a directory, remembers what was known of pages at moments of the games and whether a visit
/// would have brought a new version, and grows a forest of decision trees from that. Each history is judged by what all the
/// others teach. AUC: the chance that a page with a new version was given more than one without; beside it the same by the
/// page's own past alone. Calibration error: how far the chances of chosen visits, corrected on line, are off what came.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab forecast --histories histories --rows rows --json\n  tintype lab forecast --histories histories --leave-out terms\n  tintype lab forecast --histories histories --keep shipped.bin"
)]
pub(crate) struct Options {
    /// A directory of histories (directories with events.csv.gz)
    #[arg(long, value_name = "DIR")]
    histories: PathBuf,
    /// Histories to judge on; all, if none is named and nothing is kept
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    leave_out: Vec<String>,
    /// Keeps in FILE what is learned from all that is not left out: the forest that ships is made so
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Keeps what each history teaches in DIR, so that it need not be found out again
    #[arg(long, value_name = "DIR")]
    rows: Option<PathBuf>,
    /// Draws what was foretold against what was found (SVG and PNG) and writes tables (CSV and Markdown) into DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines instead of a table for people
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let config = ForecastConfig {
        histories: options.histories.clone(),
        leave_out: options.leave_out.clone(),
        keep: options.keep.clone(),
        rows: options.rows.clone(),
    };
    let results = forecast::run(&config, &Bar::spinner())?;
    show_and_write(&results, options.json, options.out.as_deref())
}
