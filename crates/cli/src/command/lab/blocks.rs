//! `tintype lab blocks`: whether pages divided by their markup and by their looks agree.

use super::{progress::Bar, show};
use clap::Args;
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::blocks::{self, BlocksConfig};

/// Hold blocks found in the markup of pages against those a browser shows
///
/// Draws a sample of a history's pages in a headless Chromium that has no network (what a page needs is answered from the
/// history, or fails), divides each by its looks (VIPS) and by its markup, and says how often both agree: on which words
/// stand together, on which matter, and on how important changes are. Needs a tintype built with --features render.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab blocks --history openbsd\n  tintype lab blocks --history calfire --sample 200 --out blocks"
)]
pub(crate) struct Options {
    /// A recorded history with bodies (events.csv.gz and history.warc.gz), or a collection
    #[arg(long, value_name = "DIR")]
    history: PathBuf,
    /// Which site of a collection that holds several
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
    /// How many pages to draw
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    sample: u32,
    /// The number behind all dice: the same seed throws the same
    #[arg(long, value_name = "S", default_value_t = 1)]
    run_seed: u64,
    /// Write the table, and a picture of one page with both divisions drawn over it, into this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines instead of text for people
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let config = BlocksConfig {
        history: options.history.clone(),
        site: options.site.clone(),
        sample: options.sample as usize,
        run_seed: options.run_seed,
        out: options.out.clone(),
    };
    let results = blocks::run(&config, &Bar::hidden().without_notes(options.json))?;
    show(&*results, options.json)
}
