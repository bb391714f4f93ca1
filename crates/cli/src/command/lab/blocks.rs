//! `tintype lab blocks`: whether pages divided by their markup and by their looks agree.

#[cfg(feature = "render")]
mod agree;
#[cfg(feature = "render")]
mod facts;
#[cfg(feature = "render")]
mod look;
#[cfg(feature = "render")]
mod overlay;
#[cfg(feature = "render")]
mod site;

use clap::Args;
use std::{path::PathBuf, process::ExitCode};

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

#[cfg(not(feature = "render"))]
pub(crate) fn run(_: &Options) -> anyhow::Result<ExitCode> {
    let problem = "this tintype was built without a browser's help";
    Err(crate::failure::usage(problem, "build one that has it: cargo install --path crates/cli --features render"))
}

#[cfg(feature = "render")]
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    use anyhow::Context;

    let facts = look::facts(options)?;
    match options.json {
        true => println!("{}", serde_json::to_string(&facts).context("results are plain data")?),
        false => print!("{}", facts.text()),
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(all(test, not(feature = "render")))]
mod tests {
    use super::*;

    #[test]
    fn without_a_browser_it_is_said_how_to_get_one() {
        let (history, site, out) = (PathBuf::from("past"), None, None);
        let options = Options { history, site, sample: 1, run_seed: 1, out, json: false };
        let error = run(&options).unwrap_err();
        let usage = error.downcast_ref::<crate::failure::Usage>().unwrap();
        assert!(usage.next.contains("--features render"), "{usage:?}");
    }
}
