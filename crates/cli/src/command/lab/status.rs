//! `tintype lab status`: what `tintype status` would have said of a kept site, week by week, against the truth.

use super::{progress::Bar, show_and_write, site::SiteArgs, tournament::parse_per_day};
use crate::amount::{parse_span, parse_time};
use clap::Args;
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::status::{self, StatusConfig};
use tintype_vocab::{Span, Time};

/// How far tintype status can be trusted
///
/// Keeps a site whose every change is known as lab tournament does. At the end of every week it works out what tintype
/// status would say of that week from the visits, and holds it against the truth: how often the intervals hold that are to
/// hold nine times in ten, and how wide they are.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab status --history calfire --budget 25/day\n  tintype lab status --world bursty --policies tintype,uniform --budget 60/day --out status"
)]
pub(crate) struct Options {
    #[command(flatten)]
    site: SiteArgs,
    /// Who keeps it
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "tintype,uniform")]
    policies: Vec<String>,
    /// Visits to spend, such as 30/day; a tenth of the pages a day if nothing is said
    #[arg(long, value_name = "N/day", value_parser = parse_per_day)]
    budget: Option<f64>,
    /// Keeping begins here (unix seconds or RFC 3339)
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    from: Option<Time>,
    /// ...and ends here
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    to: Option<Time>,
    /// How long each look back is, as status --since has it
    #[arg(long, value_name = "SPAN", default_value = "7d", value_parser = parse_span)]
    every: Span,
    /// What status says where servers do not tell when versions came to be
    #[arg(long)]
    without_dates: bool,
    /// The number behind the policies' dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    run_seed: u64,
    /// Draws stated against true (SVG and PNG) and writes tables (CSV and Markdown) into DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines instead of a table for people
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let config = StatusConfig {
        source: options.site.source(),
        policies: options.policies.clone(),
        budget_per_day: options.budget,
        from: options.from,
        to: options.to,
        every: options.every,
        without_dates: options.without_dates,
        run_seed: options.run_seed,
    };
    let results = status::run(&config, &Bar::percent())?;
    show_and_write(&results, options.json, options.out.as_deref())
}
