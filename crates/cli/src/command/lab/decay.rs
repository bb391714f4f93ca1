//! `tintype lab decay`: how fast copies of a source rot, who foretells it, and who keeps a promise with the fewest crawls.

use super::{progress::Bar, show};
use crate::amount::{parse_share, parse_span};
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser},
};
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::decay::{self, DecayConfig, ObjectSource};
use tintype_plan::deadline::BROKEN_SHARE_MAX;
use tintype_vocab::Span;
use tintype_world::source::{Subset, made_up::REGISTRY};

/// How fast the copy of a listing goes stale, and how few crawls keep it as good as promised
///
/// A source is a directory with objects.csv.gz (columns object_id,first_seen,last_seen,left_censored,right_censored,updates,
/// and any attributes) and snapshots.csv.gz (column time: when somebody looked). All models learn from a crawl at every
/// step of the training; then each foretells how good a copy will be at the end of cycles of equal length, and each policy
/// chooses its own crawls.
///
/// Copy precision: the share of our objects that are still at the source. Copy recall: the share of the source's objects
/// that we hold. Below: the share of steps at which the copy is worse than promised. ρ, mean quality by crawls, rewards
/// not crawling; the fair number is how many crawls it takes to be below for at most 5 % of the time.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab decay --objects cars\n  tintype lab decay --objects cars --subset 'make=bmw,year>2002' --target 0.8,0.95\n  tintype lab decay --objects cars --objects jobs --target 0.8,0.9,0.95\n  tintype lab decay --world regime-change --json"
)]
pub(crate) struct Options {
    #[command(flatten)]
    source: SourceArgs,
    /// How good the copy should be, as one number or several
    #[arg(long, value_name = "SHARE", default_value = "0.9", value_delimiter = ',', value_parser = parse_target)]
    target: Vec<f64>,
    /// For which share of the time it may be worse
    #[arg(long, value_name = "SHARE", default_value_t = BROKEN_SHARE_MAX, value_parser = parse_share)]
    broken: f64,
    /// Time from one possible crawl to the next; by default the usual time from one look to the next
    #[arg(long, value_name = "SPAN", value_parser = parse_span)]
    step: Option<Span>,
    /// Steps of training, each with a crawl; by default forty, or ten days if these are more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(8..=50_000))]
    train: Option<u32>,
    /// Steps of the cycles whose ends are foretold; by default as many as it takes a copy to be four fifths right
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    cycle: Option<u32>,
    /// Also keep groups of objects that decay alike by schedules of their own: by this attribute, or by all that matter
    #[arg(long, value_name = "ATTRIBUTE", num_args = 0..=1)]
    partition: Option<Option<String>>,
    /// Also ask for some objects before a crawl of all, where every object costs a request
    #[arg(long)]
    sampling: bool,
    /// Print one JSON object for machines instead of tables for people
    #[arg(long)]
    json: bool,
}

/// Arguments that name a source.
#[derive(Debug, Args)]
struct SourceArgs {
    /// A directory with objects.csv.gz and snapshots.csv.gz; several times for one table of several sources
    #[arg(long, value_name = "DIR", required_unless_present = "world", conflicts_with = "world")]
    objects: Vec<PathBuf>,
    /// A made-up source instead
    #[arg(long, value_name = "NAME", value_parser = worlds())]
    world: Option<String>,
    /// Only objects with these attributes, such as 'make=bmw,year>2002'
    #[arg(long, value_name = "CONDITIONS")]
    subset: Option<Subset>,
    /// Objects at a time of a made-up source
    #[arg(long, value_name = "N", default_value_t = 1000, conflicts_with = "objects")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    size: u32,
    /// Days a made-up source is watched for
    #[arg(long, value_name = "N", default_value_t = 240, conflicts_with = "objects")]
    #[arg(value_parser = clap::value_parser!(u32).range(20..=3650))]
    days: u32,
    /// The number behind all dice: the same seed throws the same
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "objects")]
    seed: u64,
}

fn worlds() -> PossibleValuesParser {
    REGISTRY.iter().map(|world| PossibleValue::new(world.name).help(world.summary)).collect::<Vec<_>>().into()
}

fn parse_target(text: &str) -> Result<f64, String> {
    parse_share(text).ok().filter(|target| (0.01..1.0).contains(target)).ok_or("write a share such as 0.9".to_owned())
}

impl SourceArgs {
    fn sources(&self) -> Vec<ObjectSource> {
        let made_up = self.world.as_ref().map(|world| {
            let (size, days, seed) = (self.size as usize, self.days, self.seed);
            ObjectSource::MadeUp { world: world.clone(), size, days, seed }
        });
        made_up.into_iter().chain(self.objects.iter().cloned().map(ObjectSource::Recorded)).collect()
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let sources = options.source.sources();
    let config = DecayConfig {
        source: sources[0].clone(),
        subset: options.source.subset.clone(),
        targets: options.target.clone(),
        broken_share_max: options.broken,
        step: options.step,
        train: options.train.map(|steps| steps as usize),
        cycle: options.cycle.map(|steps| steps as usize),
        partition: options.partition.clone(),
        sampling: options.sampling,
    };
    match sources.len() {
        1 => show(&decay::run(&config, &Bar::hidden())?, options.json),
        _ => show(&decay::run_all(&sources, &config, &Bar::hidden())?, options.json),
    }
}
