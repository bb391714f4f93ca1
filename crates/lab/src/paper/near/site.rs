//! The sites, and what WARM makes of them: rules from some versions, held against a later one.

use crate::{open::SiteSource, parallel::side_by_side, usage};
use std::path::PathBuf;
use tintype_learn::directory::{
    DirectoryId, Literal, Rule, Subsumed, Thresholds, mine, mine_subsumed, skipped, skipped_as_printed,
};
use tintype_quality::{Bypass, Estimate, estimate};
use tintype_vocab::{Span, Time};
use tintype_world::{
    History,
    near::{Births, Setting, SkipExperiment, Wanted, Windows},
    sections::{Relation, sections},
    synthetic::SyntheticConfig,
};

/// As in the paper: versions to learn from, and runs of every experiment, each one version later.
pub(super) const TRAINING: usize = 20;
pub(super) const RUNS: usize = 10;
/// What Figures 5(a) and 5(b) go up to.
const TRAINING_MAX: usize = 30;
const DISTANCE_MAX: usize = 10;
/// Versions that every experiment needs.
const WANTED: Wanted = Wanted { every: None, train: TRAINING_MAX, test: RUNS + DISTANCE_MAX - 1 };
const VERSIONS: usize = TRAINING_MAX + RUNS + DISTANCE_MAX - 1;
/// New pages are found by looking into their directory.
pub(super) const BIRTHS: Births = Births::LookedInto;

/// One of the four ratios of Table 2.
pub(super) struct Ratio {
    pub(super) name: &'static str,
    pub(super) words: &'static str,
    pub(super) read: fn(&Bypass) -> f64,
}

pub(super) const RATIOS: [Ratio; 4] = [
    Ratio { name: "BR", words: "bypass ratio", read: Bypass::bypass_ratio },
    Ratio { name: "OP", words: "overall precision", read: Bypass::overall_precision },
    Ratio { name: "OR", words: "overall recall", read: Bypass::overall_recall },
    Ratio { name: "CR", words: "change recall", read: Bypass::change_recall },
];

/// Everything that happened to a site, between two moments.
pub(super) struct Past {
    pub(super) history: History,
    /// Importance of the change behind every row; none where all are alike.
    pub(super) weights: Vec<f32>,
    pub(super) origin: String,
    pub(super) from: Time,
    pub(super) to: Time,
}

/// Pasts of one kind under one name: one that was recorded, or several that were thrown.
pub(super) struct Pasts {
    pub(super) name: String,
    pub(super) is_recorded: bool,
    pub(super) pasts: Vec<Past>,
}

pub(super) fn recorded(directories: &[PathBuf]) -> anyhow::Result<Vec<Pasts>> {
    let read = |nth: u64| {
        let mut site = SiteSource::recorded(&directories[nth as usize], None).open("http://history.invalid")?;
        let weights = match site.contents.as_deref_mut() {
            Some(contents) => tintype_world::weights(&site.history, contents, &site.origin)?,
            None => Vec::new(),
        };
        let past = Past { history: site.history, weights, origin: site.origin, from: site.from, to: site.to };
        Ok(Pasts { name: site.name, is_recorded: true, pasts: vec![past] })
    };
    side_by_side(directories.len() as u64, read)
}

pub(super) fn made_up(pages: usize, seeds: u64, run_seed: u64) -> Vec<Pasts> {
    let past = |relation: Relation, nth: u64| {
        let days = 7 * VERSIONS as i64;
        let wish = SyntheticConfig {
            seed: run_seed.wrapping_add(nth),
            pages,
            days: days as f64,
            ..SyntheticConfig::default()
        };
        let (history, to) = (sections(&wish, relation), wish.from + Span::from_days(days));
        Past { history, weights: Vec::new(), origin: wish.origin, from: wish.from, to }
    };
    let pasts = |relation: Relation| (0..seeds).map(|nth| past(relation, nth)).collect();
    let named = |relation: Relation| {
        let name = relation.to_string();
        Pasts { name, is_recorded: false, pasts: pasts(relation) }
    };
    Relation::ALL.into_iter().map(named).collect()
}

/// A site cut into versions.
pub(super) struct Site<'h> {
    pub(super) name: String,
    /// In words: how far versions are apart.
    pub(super) every: String,
    experiments: Vec<SkipExperiment<'h>>,
}

/// How WARM is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    /// Versions the rules are mined from.
    pub(super) training: usize,
    /// Versions from the last of them to the tested one.
    pub(super) distance: usize,
    pub(super) setting: Setting,
    /// Instead of the rules that nothing subsumes.
    pub(super) subsumed: Option<Subsumed>,
    /// Where Algorithm 3 is followed by the letter...
    pub(super) mining: Literal,
    /// ...and Algorithm 4.
    pub(super) skips_as_printed: bool,
}

impl Default for Trial {
    fn default() -> Trial {
        Trial {
            training: TRAINING,
            distance: 1,
            setting: Setting::default(),
            subsumed: None,
            mining: Literal::default(),
            skips_as_printed: false,
        }
    }
}

impl Trial {
    /// The setting, in words.
    pub(super) fn words(&self) -> String {
        let Setting { degree_of_change_min, frequency_of_change_min, correlation_max, confidence_min, .. } =
            self.setting;
        let correlation =
            correlation_max.map_or_else(|| "lowered from 0.5 as needed".to_owned(), |max| format!("= {max}"));
        format!(
            "Rules that begin with the root, mined from {} versions (α = {degree_of_change_min}, β = \
             {frequency_of_change_min}, θ = {confidence_min}, γ {correlation}), are held against the next \
             version; mean of {RUNS} runs, each one version later. New pages are found if their directory was looked into.",
            self.training,
        )
    }

    fn rules(&self, experiment: &SkipExperiment<'_>, run: usize) -> Vec<Rule> {
        let bitmaps = experiment.bitmaps(self.setting.degree_of_change_min, self.setting.weighing);
        let thresholds = Thresholds { literal: self.mining, ..self.setting.thresholds() };
        let end = experiment.windows.train + run;
        // One transition fewer than there are versions.
        let (shape, within) = (&experiment.shape, end - self.training..end - 1);
        match self.subsumed {
            None => mine(shape, &bitmaps, within, DirectoryId::ROOT, &thresholds),
            Some(by) => mine_subsumed(shape, &bitmaps, within, DirectoryId::ROOT, &thresholds, by),
        }
    }

    fn run(&self, experiment: &SkipExperiment<'_>, run: usize) -> Run {
        let rules = self.rules(experiment, run);
        let walk = if self.skips_as_printed { skipped_as_printed } else { skipped };
        let skipped = walk(&experiment.shape, &rules, DirectoryId::ROOT).into_iter().map(|(directory, _)| directory);
        let judged = experiment.without(run + self.distance - 1, skipped);
        Run { bypass: judged.bypass, rules: rules.len() }
    }
}

/// One test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    bypass: Bypass,
    rules: usize,
}

/// All runs on every past of a site.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    by_past: Vec<Vec<Run>>,
}

impl Measured {
    /// The mean over runs, with an interval over pasts, or over runs where there is one past only.
    pub(super) fn of(&self, read: impl Fn(&Bypass) -> f64) -> Estimate {
        estimate(&self.values(read))
    }

    fn values(&self, read: impl Fn(&Bypass) -> f64) -> Vec<f64> {
        let values = |runs: &Vec<Run>| runs.iter().map(|run| read(&run.bypass)).collect::<Vec<f64>>();
        match self.by_past.as_slice() {
            [only] => values(only),
            several => several.iter().map(|runs| estimate(&values(runs)).mean).collect(),
        }
    }

    /// Whether there is anything to judge.
    pub(super) fn skips(&self) -> bool {
        self.by_past.iter().flatten().any(|run| run.bypass.skipped > 0)
    }

    /// Rules found, on average.
    pub(super) fn rules(&self) -> f64 {
        let rules: Vec<f64> = self.by_past.iter().flatten().map(|run| run.rules as f64).collect();
        rules.iter().sum::<f64>() / rules.len() as f64
    }
}

/// Said where nothing can be judged.
pub(super) const NOTHING_SKIPPED: &str = " Nothing is skipped on any site, so nothing can be said.";

/// The mean over sites that count alike.
pub(super) fn pooled(sites: &[Measured], read: impl Fn(&Bypass) -> f64) -> Estimate {
    let values: Vec<Vec<f64>> = sites.iter().map(|site| site.values(&read)).collect();
    let count = values.iter().map(Vec::len).min().unwrap_or(0);
    let mean = |nth: usize| values.iter().map(|site| site[nth]).sum::<f64>() / values.len() as f64;
    estimate(&(0..count).map(mean).collect::<Vec<f64>>())
}

impl<'h> Site<'h> {
    pub(super) fn new(pasts: &'h Pasts) -> anyhow::Result<Site<'h>> {
        let cut = |past: &'h Past| {
            let windows = Windows::fit(past.from, past.to, WANTED).ok();
            let windows = windows.filter(|windows| windows.versions() >= VERSIONS).ok_or_else(|| {
                let problem = format!("{} is too short: not even {VERSIONS} seconds", pasts.name);
                usage(problem, "leave it out, or take a longer history")
            })?;
            Ok(SkipExperiment::new(&past.history, &past.weights, windows, BIRTHS))
        };
        let experiments = pasts.pasts.iter().map(cut).collect::<anyhow::Result<Vec<_>>>()?;
        let every = experiments.first().map_or(Span::ZERO, |experiment| experiment.windows.every);
        Ok(Site { name: pasts.name.clone(), every: how_often(every), experiments })
    }

    pub(super) fn measure(&self, trial: &Trial) -> anyhow::Result<Measured> {
        let run = |nth: u64| Ok(trial.run(&self.experiments[nth as usize / RUNS], nth as usize % RUNS));
        let runs = side_by_side((self.experiments.len() * RUNS) as u64, run)?;
        Ok(Measured { by_past: runs.chunks(RUNS).map(<[Run]>::to_vec).collect() })
    }
}

fn how_often(every: Span) -> String {
    match every {
        every if every == Span::from_days(7) => "weekly".to_owned(),
        every if every == Span::from_days(1) => "daily".to_owned(),
        every => format!("every {} hours", every.as_secs_f64() / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_hold_where_directories_are_in_anti_phase_and_nowhere_else() {
        let pasts = made_up(200, 1, 0);
        let sites: Vec<Site<'_>> = pasts.iter().map(|pasts| Site::new(pasts).unwrap()).collect();
        let bypass = |name: &str| {
            let site = sites.iter().find(|site| site.name == name).unwrap();
            site.measure(&Trial::default()).unwrap().of(Bypass::bypass_ratio).mean
        };
        assert!(bypass("anti-phase") > 0.05, "{}", bypass("anti-phase"));
        assert!(bypass("still") < 0.01, "{}", bypass("still"));
        assert!(bypass("independent") < bypass("anti-phase"), "{}", bypass("independent"));
    }

    #[test]
    fn means_over_sites_count_every_site_alike() {
        let run =
            |skipped: u64| Run { bypass: Bypass { skipped, fetched: 10 - skipped, ..Bypass::default() }, rules: 1 };
        let of = |skipped: [u64; 2]| Measured { by_past: vec![skipped.map(run).to_vec()] };
        let pooled = pooled(&[of([2, 4]), of([6, 8])], Bypass::bypass_ratio);
        assert!((pooled.mean - 0.5).abs() < 1e-12 && pooled.ci95.is_some(), "{pooled:?}");
    }
}
