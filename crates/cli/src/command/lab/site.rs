//! Arguments that name a site whose every change is known.

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser},
};
use std::path::PathBuf;
use tintype_lab::{DAYS_MAX, PAGES_MAX, SiteSource};
use tintype_world::synthetic;

/// Options that name a site.
#[derive(Debug, Args)]
pub(super) struct SiteArgs {
    /// A recorded history (events.csv.gz, and history.warc.gz for the bodies), or a collection
    #[arg(long, value_name = "DIR", required_unless_present = "world", conflicts_with = "world")]
    history: Option<PathBuf>,
    /// Which site of a collection that holds several
    #[arg(long, value_name = "HOST", conflicts_with = "world")]
    site: Option<String>,
    /// A made-up site instead of a recorded one
    #[arg(long, value_name = "NAME", value_parser = worlds())]
    world: Option<String>,
    /// Pages of a made-up site
    #[arg(long, value_name = "N", default_value_t = 1000, conflicts_with = "history")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=PAGES_MAX))]
    pages: u32,
    /// Days a made-up site lives
    #[arg(long, value_name = "N", default_value_t = 56.0, conflicts_with = "history", value_parser = parse_days)]
    days: f64,
    /// The number behind all dice: the same seed throws the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}

fn worlds() -> PossibleValuesParser {
    let worlds = synthetic::REGISTRY.iter();
    worlds.map(|world| PossibleValue::new(world.name).help(world.summary)).collect::<Vec<_>>().into()
}

fn parse_days(text: &str) -> Result<f64, String> {
    let days = text.parse::<f64>().ok().filter(|days| *days > 0.0 && *days <= DAYS_MAX);
    days.ok_or_else(|| format!("write a number of days up to {DAYS_MAX}"))
}

impl SiteArgs {
    pub(super) fn source(&self) -> SiteSource {
        match (&self.history, &self.world) {
            (Some(directory), _) => SiteSource::recorded(directory, self.site.as_deref()),
            (None, Some(world)) => {
                let (pages, days, seed) = (self.pages as usize, self.days, self.seed);
                SiteSource::MadeUp { world: world.clone(), pages, days, seed }
            }
            (None, None) => unreachable!("one of them is required"),
        }
    }
}
