//! `tintype lab near`: which parts of a site could have been skipped.

use super::{progress::Bar, show_and_write, site::SiteArgs};
use crate::amount::{parse_share, parse_span, parse_time};
use clap::{Args, ValueEnum};
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::near::{self, NearConfig};
use tintype_vocab::{Span, Time};
use tintype_world::near::{Births, Setting, Wanted};

/// Which parts of a site could have been skipped, and what that would have cost
///
/// Cuts a site whose every change is known into full captures at equal distances. Each test learns from the captures
/// before it, skips what it thinks has not changed, and is held against what had. WARM skips the directories that rules
/// speak of ("when these directories changed, that one did not"); skip leaves out what is not worth its price by the
/// chances learned from earlier captures and during this one; the oracle is told everything. Those ending in -directories
/// may leave out whole directories only, as WARM.
///
/// BR, bypass ratio: share of the site's pages not asked for. CR, change recall: share of the pages inserted, deleted or
/// modified that were noticed. OP and OR, overall precision and recall: share of the archive's pages that are still at
/// the site, and of the site's pages that are in the archive.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab near --history openbsd\n  tintype lab near --history calfire --every 1d --train 30 --test 60 --out skipping\n  tintype lab near --history scoop --closed-loop --loss 0.02\n  tintype lab near --history collection --every 12h --alpha 0.02 --beta 0.2 --theta 0.8 --json"
)]
pub(crate) struct Options {
    #[command(flatten)]
    site: SiteArgs,
    /// From one capture to the next, such as 7d or 12h; by default a week, or as long as leaves enough of them
    #[arg(long, value_name = "SPAN", value_parser = parse_span)]
    every: Option<Span>,
    /// Captures each test learns from
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    train: u32,
    /// Captures that are tested, each learning from those right before it
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    test: u32,
    /// When the first capture is taken (unix seconds or RFC 3339); by default where the recording begins
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    from: Option<Time>,
    /// WARM: a directory has changed if this share of it has
    #[arg(long, value_name = "SHARE", default_value_t = Setting::default().degree_of_change_min, value_parser = parse_share)]
    alpha: f64,
    /// WARM: directories change together if they did in this share of the captures
    #[arg(long, value_name = "SHARE", default_value_t = Setting::default().frequency_of_change_min, value_parser = parse_share)]
    beta: f64,
    /// WARM: how strongly a rule's directories must be against each other, as the size of a negative correlation; by
    /// default 0.5, or as much less as leaves a rule, but more than 0.3
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    gamma: Option<f64>,
    /// WARM: how often a rule must have been right
    #[arg(long, value_name = "SHARE", default_value_t = Setting::default().confidence_min, value_parser = parse_share)]
    theta: f64,
    /// The share of the changes that skip may lose; 0.05 if nothing is said
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    loss: Option<f64>,
    /// Also let skip learn from nothing but what it visited itself, and hold what it said it would lose against what it lost
    #[arg(long)]
    closed_loop: bool,
    /// How new pages are found: in directories that were looked into, or all of them, as sitemaps and feeds name them
    #[arg(long, value_enum, default_value_t = Discovery::LookedInto)]
    discovery: Discovery,
    /// Draws the curves (SVG and PNG) and writes tables (CSV and Markdown) into DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines, with every point of every curve, instead of tables for people
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Discovery {
    LookedInto,
    Announced,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let config = NearConfig {
        source: options.site.source(),
        wanted: Wanted { every: options.every, train: options.train as usize, test: options.test as usize },
        from: options.from,
        setting: Setting {
            degree_of_change_min: options.alpha,
            frequency_of_change_min: options.beta,
            correlation_max: options.gamma,
            confidence_min: options.theta,
            ..Setting::default()
        },
        loss: options.loss,
        closed_loop: options.closed_loop,
        births: match options.discovery {
            Discovery::LookedInto => Births::LookedInto,
            Discovery::Announced => Births::Announced,
        },
    };
    show_and_write(&near::run(&config, &Bar::hidden())?, options.json, options.out.as_deref())
}
