//! Denev, Mazeika, Spaniol and Weikum, “SHARC: Framework for Quality-Conscious Web Archiving”, VLDB 2009.

mod durations;
mod observation;
mod ours;
mod pipes;
mod table_4;
mod worst_case;
mod wrong_rates;

use super::{PaperConfig, part::Part};
use crate::{
    LabProgress,
    sharc::play::{self, Sample},
    sharc::player::{self, Player},
    sharc::setting::SharcSetting,
    table::{Cell, Table},
};
use tintype_picture::Series;
use tintype_quality::{Estimate, estimate};

pub(super) const TITLE: &str = "SHARC: Framework for Quality-Conscious Web Archiving (VLDB 2009), again";

/// The paper's strategies, each page once.
const ONCE: [&str; 7] = [
    "sharc-offline",
    "sharc-online",
    "breadth-first",
    "depth-first",
    "hottest-first",
    "coldest-first",
    "olston-pandey",
];
/// The paper's strategies with revisits.
const TWICE: [&str; 7] = [
    "sharc-revisits",
    "sharc-threshold",
    "breadth-first --revisit",
    "depth-first --revisit",
    "hottest-first --revisit",
    "coldest-first --revisit",
    "olston-pandey --revisit",
];
/// Ours beside them.
const OURS_ONCE: &str = "sharp";
const OURS_TWICE: &str = "both-goals";

pub(super) fn parts(config: &PaperConfig, progress: &dyn LabProgress) -> anyhow::Result<Vec<Part>> {
    let mut setting = SharcSetting { run_seed: config.run_seed, ..SharcSetting::default() };
    setting.pages = config.pages.map_or(setting.pages, |pages| pages as usize);
    setting.seeds = config.seeds.unwrap_or(setting.seeds);
    let now = |what: &str| progress.now(what);
    now("Figure 4");
    let mut parts = pipes::parts(&setting)?;
    now("Figure 6");
    parts.extend(worst_case::parts());
    now("Figure 9");
    parts.extend(durations::parts(&config.histories)?);
    now("Figure 10");
    parts.extend(observation::parts(&setting)?);
    now("Table 4");
    parts.push(table_4::part(&setting)?);
    now("Figure 11");
    parts.extend(wrong_rates::parts(&setting)?);
    now("ours against SHARC");
    parts.extend(ours::parts(&setting)?);
    Ok(parts)
}

/// What some policies came to on the sites of a setting.
struct Played {
    players: Vec<Player>,
    /// By site and player.
    samples: Vec<Vec<Sample>>,
}

impl Played {
    fn new(setting: &SharcSetting, names: &[&str]) -> anyhow::Result<Played> {
        let players = player::named(names);
        Ok(Played { samples: play::sampled(setting, &players)?, players })
    }

    /// # Panics
    /// If nobody of that name has played.
    fn of(&self, name: &str, read: impl Fn(&Sample) -> f64) -> Estimate {
        let nth = self.players.iter().position(|player| player.name == name).expect("who is asked for has played");
        estimate(&self.samples.iter().map(|site| read(&site[nth])).collect::<Vec<f64>>())
    }

    fn exact_blur(&self, name: &str) -> f64 {
        self.of(name, |sample| sample.realised_blur).mean
    }
}

/// Exact blur of several policies as something varies: the shape of Figures 10 and 11.
struct Sweep<'a> {
    names: &'a [&'a str],
    /// What varied and what came of it.
    at: Vec<(f64, Played)>,
}

impl Sweep<'_> {
    fn table(&self, varied: &str) -> Table {
        let mut table = Table::new(std::iter::once(varied).chain(self.names.iter().copied()));
        for (value, played) in &self.at {
            let blur = |name: &&str| Cell::Estimate(played.of(name, |sample| sample.realised_blur), 1);
            table.push(std::iter::once(Cell::text(value.to_string())).chain(self.names.iter().map(blur)).collect());
        }
        table
    }

    /// One line per policy, ours thick, `reference` dashed; bands are 95 % intervals.
    fn series(&self, ours: &str, reference: &str) -> Vec<Series> {
        let line = |name: &&str| {
            let estimates = self.at.iter().map(|(x, played)| (*x, played.of(name, |sample| sample.realised_blur)));
            let estimates: Vec<(f64, Estimate)> = estimates.collect();
            let band = estimates.iter().filter_map(|(x, estimate)| estimate.ci95.map(|[low, high]| (*x, low, high)));
            let series = Series::new(*name, estimates.iter().map(|(x, estimate)| (*x, estimate.mean))).with_band(band);
            match *name {
                name if name == ours => series.emphasised(),
                name if name == reference => series.reference(),
                _ => series,
            }
        };
        self.names.iter().map(line).collect()
    }
}

/// Whoever has the least of something, and how much: for verdicts in words.
fn least<'a>(names: &[&'a str], value: impl Fn(&str) -> f64) -> (&'a str, f64) {
    let valued = names.iter().map(|name| (*name, value(name)));
    valued.min_by(|a, b| a.1.total_cmp(&b.1)).expect("somebody takes part")
}
