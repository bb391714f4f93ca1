//! `tintype lab paper`: the experiments of a paper again, with its claims checked against what comes out.

use super::{command, progress::Bar};
use crate::out::say;
use clap::{Args, ValueEnum};
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::{
    Folder, ResultFiles, Results,
    paper::{self, Paper, PaperConfig},
};

/// Re-run the experiments of a paper: tables, plots, and whether its claims hold
///
/// Writes every figure and table as CSV, Markdown, SVG and PNG, and index.md, which says of each claim of the paper
/// whether it was confirmed or refuted. The verdicts are computed from the numbers.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Which paper: sharc (Denev et al., VLDB 2009), patterns (Ben Saad and Gançarski, IJDL 2012),
    /// near (Chen, Bhowmick and Nejdl, VLDB 2009), decay (quality-aware repositories), media (Umbrich, Karnstedt and Harth,
    /// KDML 2009)
    #[arg(value_enum)]
    paper: Which,
    /// Where everything is written
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// A recorded history for the figures that need a real site; may be said several times. Without one, near makes up
    /// sites of which the relations between directories are known; media plays on its last state besides the made-up webs
    #[arg(long, value_name = "DIR")]
    history: Vec<PathBuf>,
    /// A recorded source for decay, a directory with objects.csv.gz and snapshots.csv.gz; may be said several times.
    /// Without one, decay makes up sources of which everything is known
    #[arg(long, value_name = "DIR")]
    objects: Vec<PathBuf>,
    /// Labelled URLs for media, a table with the columns url, media_type, source as for lab media. Without it, the URLs of
    /// made-up webs are taken
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// Labelled URLs of other domains for media, to be judged on besides
    #[arg(long, value_name = "FILE", requires = "train")]
    test: Option<PathBuf>,
    /// Pages of the made-up sites, or objects of the made-up sources; 1024 for sharc, 300 for patterns, 400 for near, 1000
    /// for decay, 10000 for media if nothing is said. At most 1100, except for media
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=20_000))]
    pages: Option<u32>,
    /// Sites to throw, for 95 % intervals; 30 for sharc, 5 for patterns, near and media if nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// Days the made-up sites of patterns are played, after as many in which patterns are learned, or the made-up sources
    /// of decay are watched; 14 for patterns, 240 for decay if nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=365))]
    days: Option<u32>,
    /// The number behind all dice
    #[arg(long, value_name = "N", default_value_t = 0)]
    run_seed: u64,
    /// Print one JSON object for machines instead of verdicts for people
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Which {
    Sharc,
    Patterns,
    Near,
    Decay,
    Media,
}

impl Options {
    fn config(&self) -> PaperConfig {
        PaperConfig {
            paper: match self.paper {
                Which::Sharc => Paper::Sharc,
                Which::Patterns => Paper::Patterns,
                Which::Near => Paper::Near,
                Which::Decay => Paper::Decay,
                Which::Media => Paper::Media,
            },
            histories: self.history.clone(),
            objects: self.objects.clone(),
            train: self.train.clone(),
            test: self.test.clone(),
            pages: self.pages,
            seeds: self.seeds,
            days: self.days,
            run_seed: self.run_seed,
        }
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let config = options.config();
    config.check()?;
    // Before hours are spent on what could not be written.
    let mut folder = Folder::make(&options.out)?;
    let results = paper::run(&config, &Bar::spinner())?;
    results.fill(&mut folder, &command())?;
    match options.json {
        true => say!("{}", results.json()),
        false => say!(
            "{}
{}, and index.md",
            results.text(),
            folder.line()
        ),
    }
    Ok(ExitCode::SUCCESS)
}
