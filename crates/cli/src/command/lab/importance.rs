//! `tintype lab importance`: how well change importance tells what matters, on deltas that people labelled.

use super::{progress::Bar, show_and_write};
use crate::out::{self, say};
use clap::Args;
use serde_json::json;
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::importance::{self, ImportanceConfig};

/// How well importance separates changes that matter from those that do not
///
/// Reads labelled pairs of consecutive versions (columns history,path,before,after,stratum,matters_to,again,reason) and
/// the histories they are from, walks each history as an archive does, and reports the area under the ROC curve: the
/// chance that a change that matters to a citizen or an editor scores higher than one that matters to nobody. 95 %
/// intervals by drawing the pairs anew. Beside it what is told by default, and how far two readings agree.
///
/// AUC citizen: without the pairs that matter to editors only. held out: how many pairs a threshold sorts rightly that was
/// chosen on the other histories.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab importance --labels docs/labels/deltas.csv --histories ../shared/histories\n  tintype lab importance --out importance"
)]
pub(crate) struct Options {
    /// The labelled pairs
    #[arg(long, value_name = "FILE", default_value = "docs/labels/deltas.csv")]
    labels: PathBuf,
    /// The directory that holds the histories the labels name
    #[arg(long, value_name = "DIR", default_value = "../shared/histories")]
    histories: PathBuf,
    /// Draws the ROC curves (SVG and PNG) and writes tables (CSV and Markdown) into DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines instead of a table for people
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let config = ImportanceConfig { labels: options.labels.clone(), histories: options.histories.clone() };
    let results = importance::run(&config, &Bar::histories())?;
    if let Some(results) = results {
        return show_and_write(&results, options.json, options.out.as_deref());
    }
    let line = format!("skipped: no histories at {}", options.histories.display());
    match options.json {
        true => out::json(&json!({ "skipped": line })),
        false => say!("{line}"),
    }
    Ok(ExitCode::SUCCESS)
}
