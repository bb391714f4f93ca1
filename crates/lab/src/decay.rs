//! How fast the copy of a listing goes stale, and how few crawls keep it as good as promised.

mod more;
mod results;
mod series;
mod source;
mod table;

pub use series::DecaySeries;
pub use source::{ObjectSource, OpenedSource};

use crate::{LabProgress, Results, usage};
use more::More;
use results::DecayMeasures;
use serde_json::Value;
use tintype_vocab::{CopyMeasure, Span};
use tintype_world::source::{CrawlExperiment, CrawlGrid, Subset, Trial};

/// What is kept, and how well.
#[derive(Clone, Debug)]
pub struct DecayConfig {
    pub source: ObjectSource,
    /// Only objects with these attributes.
    pub subset: Option<Subset>,
    /// How good the copy should be.
    pub targets: Vec<f64>,
    /// For which share of the time it may be worse.
    pub broken_share_max: f64,
    /// From one possible crawl to the next; as between usual looks if nothing is said.
    pub step: Option<Span>,
    /// Steps of training.
    pub train: Option<usize>,
    /// Steps of the cycles whose ends are foretold.
    pub cycle: Option<usize>,
    /// Whether to keep groups of objects by schedules of their own: by this attribute, or by all that matter.
    pub partition: Option<Option<String>>,
    /// Whether to ask for some objects before a crawl of all.
    pub sampling: bool,
}

/// Steps of training, if no other number is asked for and the source was watched for long enough.
const TRAINING_STEPS: i64 = 40;
const TRAINING: Span = Span::from_days(10);
/// The longest wait, in cycles.
const CYCLES_TO_WAIT: usize = 6;
/// Fewer steps teach nothing.
const STEPS_MIN: usize = 20;

/// Everything that was found out about one source.
#[derive(Debug)]
pub struct DecayResults {
    measures: DecayMeasures,
    more: More,
}

/// The same with one source after the other, whatever source the config names.
pub fn run_all(
    sources: &[ObjectSource],
    config: &DecayConfig,
    progress: &dyn LabProgress,
) -> anyhow::Result<DecaySeries> {
    let of = |source: &ObjectSource| run(&DecayConfig { source: source.clone(), ..config.clone() }, progress);
    Ok(DecaySeries { sources: sources.iter().map(of).collect::<anyhow::Result<_>>()? })
}

/// Tries every model and every policy on one source.
pub fn run(config: &DecayConfig, progress: &dyn LabProgress) -> anyhow::Result<DecayResults> {
    let opened = config.source.open(config.subset.as_ref())?;
    let findings = opened.source.findings().sentences();
    findings.iter().for_each(|finding| progress.note(finding));
    let step = config.step.unwrap_or_else(|| opened.source.usual_step());
    let grid = opened.source.grid(step).map_err(|error| usage(error, "choose a longer --step, such as --step 1d"))?;
    let training = training(config, &grid, &opened)?;
    let judged = grid.steps() - training;
    if let Some(cycle) = config.cycle.filter(|cycle| cycle + 2 > judged) {
        let problem = format!("no cycle of {cycle} steps fits into the {judged} that are judged");
        return Err(usage(problem, format!("choose --cycle {} or less", (judged / 2).max(1))));
    }
    let experiments = CopyMeasure::ALL.map(|measure| {
        let usual = || grid.usual_cycle(measure).min((judged / 2).max(1));
        let cycle = config.cycle.unwrap_or_else(usual);
        let trial = Trial { training, wait_max: (CYCLES_TO_WAIT * cycle).min(grid.steps()) as u32 };
        CrawlExperiment { grid: &grid, trial, measure, cycle }
    });
    let more = More::of(config, &opened.source, &experiments)?;
    let measures = DecayMeasures::of(&opened, &experiments, &config.targets, config.broken_share_max, findings);
    Ok(DecayResults { measures, more })
}

impl DecayResults {
    fn value(&self) -> Value {
        self.more.beside(self.measures.json())
    }
}

impl Results for DecayResults {
    fn json(&self) -> String {
        self.value().to_string()
    }

    fn text(&self) -> String {
        table::text(&self.measures) + &self.more.text()
    }
}

/// By one measure, in cycles of so many steps or as many as it takes a copy to be four fifths right.
pub(crate) fn experiment(
    grid: &CrawlGrid,
    training: usize,
    measure: CopyMeasure,
    cycle: Option<usize>,
) -> CrawlExperiment<'_> {
    let cycle = cycle.unwrap_or_else(|| grid.usual_cycle(measure));
    let trial = Trial { training, wait_max: (CYCLES_TO_WAIT * cycle) as u32 };
    CrawlExperiment { grid, trial, measure, cycle }
}

/// As many steps as the paper trains with, or ten days; half of what was watched is left to be judged.
pub(crate) fn usual_training(grid: &CrawlGrid) -> Option<usize> {
    let ten_days = TRAINING.as_millis() / grid.step().as_millis().max(1);
    let usual = TRAINING_STEPS.max(ten_days) as usize;
    (grid.steps() >= STEPS_MIN).then(|| usual.min(grid.steps() / 2))
}

fn training(config: &DecayConfig, grid: &CrawlGrid, opened: &OpenedSource) -> anyhow::Result<usize> {
    let steps = grid.steps();
    let usual = usual_training(grid).ok_or_else(|| too_short(&opened.name, grid))?;
    let wanted = config.train.unwrap_or(usual);
    if wanted + 2 > steps {
        let problem = format!("{wanted} steps of training leave nothing of {steps} to be judged");
        return Err(usage(problem, format!("choose --train {} or less", steps / 2)));
    }
    Ok(wanted)
}

/// That a source was not watched for long enough.
pub(crate) fn too_short(name: &str, grid: &CrawlGrid) -> anyhow::Error {
    let (steps, step) = (grid.steps(), grid.step());
    let problem = format!("{name} was watched for {steps} steps of {step}, and {STEPS_MIN} are needed");
    usage(problem, "choose a shorter --step, or a source that was watched for longer")
}
