//! `tintype lab decay`: how fast copies of a source rot, who foretells it, and who keeps a promise with the fewest crawls.

mod more;
mod results;
pub(in crate::command) mod source;
mod table;

use crate::{
    amount::{parse_share, parse_span},
    failure::usage,
};
use clap::Args;
use more::More;
use results::Results;
use source::{Opened, Wanted};
use std::process::ExitCode;
use tintype_plan::deadline::BROKEN_SHARE_MAX;
use tintype_vocab::{CopyMeasure, Span};
use tintype_world::source::{Experiment, Grid, Trial};

/// How fast the copy of a listing rots, and how few crawls keep it as good as promised
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
    after_help = "Examples:\n  tintype lab decay --objects cars\n  tintype lab decay --objects cars --subset 'make=bmw,year>2002' --target 0.8,0.95\n  tintype lab decay --world regime-change --json"
)]
pub(crate) struct Options {
    #[command(flatten)]
    wanted: Wanted,
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

fn parse_target(text: &str) -> Result<f64, String> {
    parse_share(text).ok().filter(|target| (0.01..1.0).contains(target)).ok_or("write a share such as 0.9".to_owned())
}

/// Steps of training, if nobody says and the source was watched for long enough.
const TRAINING_STEPS: i64 = 40;
const TRAINING: Span = Span::from_days(10);
/// Nobody waits for longer than so many cycles.
const CYCLES_TO_WAIT: usize = 6;
/// Fewer steps teach nothing.
const STEPS_MIN: usize = 20;

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let opened = options.wanted.open()?;
    let findings = opened.source.findings().sentences();
    findings.iter().for_each(|finding| eprintln!("{finding}"));
    let step = options.step.unwrap_or_else(|| opened.source.usual_step());
    let grid = opened.source.grid(step).map_err(|error| usage(error, "choose a longer --step, such as --step 1d"))?;
    let training = training(options, &grid, &opened)?;
    let judged = grid.steps() - training;
    if let Some(cycle) = options.cycle.filter(|cycle| *cycle as usize + 2 > judged) {
        let problem = format!("no cycle of {cycle} steps fits into the {judged} that are judged");
        return Err(usage(problem, format!("choose --cycle {} or less", (judged / 2).max(1))));
    }
    let experiments = CopyMeasure::ALL.map(|measure| {
        let usual = || grid.usual_cycle(measure).min((judged / 2).max(1));
        let cycle = options.cycle.map_or_else(usual, |cycle| cycle as usize);
        let trial = Trial { training, wait_max: (CYCLES_TO_WAIT * cycle).min(grid.steps()) as u32 };
        Experiment { grid: &grid, trial, measure, cycle }
    });
    let more = More::of(options, &opened.source, &experiments)?;
    let results = Results::of(&opened, &experiments, &options.target, options.broken, findings);
    if options.json {
        println!("{}", more.beside(results.json()));
    } else {
        print!("{}{}", table::text(&results), more.text());
    }
    Ok(ExitCode::SUCCESS)
}

/// By one measure, in cycles of so many steps or as many as it takes a copy to be four fifths right.
pub(super) fn experiment(grid: &Grid, training: usize, measure: CopyMeasure, cycle: Option<usize>) -> Experiment<'_> {
    let cycle = cycle.unwrap_or_else(|| grid.usual_cycle(measure));
    let trial = Trial { training, wait_max: (CYCLES_TO_WAIT * cycle) as u32 };
    Experiment { grid, trial, measure, cycle }
}

/// As many steps as the paper trains with, or ten days; half of what was watched is left to be judged.
pub(super) fn usual_training(grid: &Grid) -> Option<usize> {
    let ten_days = TRAINING.as_millis() / grid.step().as_millis().max(1);
    let usual = TRAINING_STEPS.max(ten_days) as usize;
    (grid.steps() >= STEPS_MIN).then(|| usual.min(grid.steps() / 2))
}

fn training(options: &Options, grid: &Grid, opened: &Opened) -> anyhow::Result<usize> {
    let steps = grid.steps();
    let usual = usual_training(grid).ok_or_else(|| too_short(&opened.name, grid))?;
    let wanted = options.train.map_or(usual, |steps| steps as usize);
    if wanted + 2 > steps {
        let problem = format!("{wanted} steps of training leave nothing of {steps} to be judged");
        return Err(usage(problem, format!("choose --train {} or less", steps / 2)));
    }
    Ok(wanted)
}

/// That a source was not watched for long enough.
pub(super) fn too_short(name: &str, grid: &Grid) -> anyhow::Error {
    let (steps, step) = (grid.steps(), grid.step());
    let problem = format!("{name} was watched for {steps} steps of {step}, and {STEPS_MIN} are needed");
    usage(problem, "choose a shorter --step, or a source that was watched for longer")
}
