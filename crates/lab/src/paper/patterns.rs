//! Ben Saad and Gançarski, “Archiving the web using page changes patterns: a case study”, IJDL 2012.

mod goals;
mod periods;
mod play;
mod recorded;
mod strategies;
mod sweep;

use super::{PaperConfig, part::Part};
use crate::LabProgress;
use play::Setting;
use tintype_world::patterns::ChangeModel;

pub(super) const TITLE: &str = "Archiving the web using page changes patterns (IJDL 2012), again";

/// The paper's own strategies.
const OWN: [&str; 3] = ["importance-pattern", "importance", "pattern"];
/// Those it is held against.
const OTHERS: [&str; 4] = ["relevance", "frequency", "coherence", "sharc"];
/// Importance-Pattern for a measure in which pages weigh the same.
const EVEN: &str = "importance-pattern-even";
/// Not in the paper, and no more than baselines to us.
const BASELINES: [&str; 4] = [EVEN, "uniform", "proportional", "change-chance"];
/// Ours: what an archive is kept with, and the paper's idea with its urgency put right.
const OURS: &str = "tintype";
const LIVE_VALUE: &str = "live-value";

pub(super) const PAGES: u32 = 300;
pub(super) const SEEDS: u64 = 5;
const DAYS: u32 = 14;

pub(super) fn parts(config: &PaperConfig, progress: &dyn LabProgress) -> anyhow::Result<Vec<Part>> {
    let setting = Setting {
        pages: config.pages.unwrap_or(PAGES) as usize,
        seeds: config.seeds.unwrap_or(SEEDS),
        run_seed: config.run_seed,
        days: f64::from(config.days.unwrap_or(DAYS)),
        model: ChangeModel::Hourly,
        is_taught: true,
    };
    progress.now("Figure 11");
    let mut parts = periods::parts(&setting)?;
    let (strategies, simulated) = strategies::parts(&setting, progress)?;
    parts.extend(strategies);
    let (recorded, played) = recorded::parts(config, progress)?;
    parts.extend(recorded);
    parts.push(goals::part(&simulated, &played));
    Ok(parts)
}

/// How a model is called in files and in words.
fn model_words(model: ChangeModel) -> (&'static str, &'static str) {
    match model {
        ChangeModel::Hourly => ("hourly", "one change an hour"),
        ChangeModel::Anytime => ("anytime", "changes at any moment"),
    }
}
