//! Teaches the forecaster of changes from recorded histories, and judges it on those it was not taught from.

mod judge;
mod results;
mod rows;
mod survey;

pub use results::ForecastResults;

use crate::{LabProgress, SiteSource, usage};
use anyhow::Context;
use judge::Foretold;
use results::LeftOut;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use tintype_learn::forecast::{Forest, Lessons, grow};
use tintype_plan::policy;

/// Trees of a forest.
const TREES: usize = 90;
/// Lessons of one history at most.
const LESSONS_MAX: usize = 24_000;
/// Where the chance by a page's own past is among the clues.
const OWN_CHANCE: &str = "chance of a change by its own past";
const UNSEEN: &str = "never seen";

/// What is learned from, and left out.
#[derive(Clone, Debug)]
pub struct ForecastConfig {
    /// A directory of histories.
    pub histories: PathBuf,
    /// Histories to judge on, each by what the others teach; all if none is named and nothing is kept.
    pub leave_out: Vec<String>,
    /// A file for what all of them teach that are not left out.
    pub keep: Option<PathBuf>,
    /// A folder for lessons, so that they need not be made again.
    pub rows: Option<PathBuf>,
}

/// What every history teaches.
struct School {
    histories: Vec<(String, PathBuf)>,
    lessons: Vec<Lessons>,
}

impl School {
    /// Of all histories in a directory but those that are not wanted.
    fn open(
        directory: &Path,
        but: &[String],
        rows: Option<&Path>,
        progress: &dyn LabProgress,
    ) -> anyhow::Result<School> {
        let mut histories = rows::histories(directory)?;
        histories.retain(|(name, _)| !but.contains(name));
        if histories.is_empty() {
            let problem = format!("{} holds no history to learn from", directory.display());
            return Err(usage(problem, "name a directory of directories with events.csv.gz in them"));
        }
        let lessons = histories.iter().map(|(name, path)| rows::lessons(name, path, rows, progress));
        Ok(School { lessons: lessons.collect::<anyhow::Result<_>>()?, histories })
    }

    /// What all histories but one teach, every one weighing the same.
    fn teach(&self, but: Option<&str>) -> Forest {
        let taught = || self.histories.iter().zip(&self.lessons).filter(|((name, _), _)| Some(name.as_str()) != but);
        let mut all = Lessons::default();
        for (_, lessons) in taught() {
            let every = lessons.len().div_ceil(LESSONS_MAX).max(1);
            let chosen = (0..lessons.len()).step_by(every);
            let weight: f32 = chosen.clone().map(|nth| lessons.weights[nth]).sum();
            for nth in chosen {
                all.push(lessons.clues[nth], lessons.changed[nth], 1e4 * lessons.weights[nth] / weight);
            }
        }
        let names: Vec<&str> = taught().map(|((name, _), _)| name.as_str()).collect();
        grow(&all, TREES, &label(&names))
    }
}

/// What it was taught by, in words.
fn label(names: &[&str]) -> String {
    match names {
        [one] => format!("1 history: {one}"),
        several => format!("{} histories: {}", several.len(), several.join(", ")),
    }
}

/// What the histories beside one teach of it, and their names.
pub(crate) fn taught_without(
    history: &Path,
    rows: Option<&Path>,
    progress: &dyn LabProgress,
) -> anyhow::Result<(Forest, Vec<String>)> {
    let whole = history.canonicalize().with_context(|| format!("cannot find {}", history.display()))?;
    let beside = whole.parent().context("a history lies in a directory")?;
    let name = crate::open::name_of(&whole);
    let school = School::open(beside, std::slice::from_ref(&name), rows, progress)?;
    Ok((school.teach(None), school.histories.into_iter().map(|(name, _)| name).collect()))
}

/// Teaches, judges what was left out, and keeps what is to be kept.
pub fn run(config: &ForecastConfig, progress: &dyn LabProgress) -> anyhow::Result<ForecastResults> {
    let rows = config.rows.as_deref();
    let school = School::open(&config.histories, &[], rows, progress)?;
    if let Some(unknown) = config.leave_out.iter().find(|name| school.histories.iter().all(|(known, _)| known != *name))
    {
        let known: Vec<&str> = school.histories.iter().map(|(name, _)| name.as_str()).collect();
        return Err(usage(format!("no history is called {unknown}"), format!("choose among {}", known.join(", "))));
    }
    let all = config.leave_out.is_empty() && config.keep.is_none();
    let judged = school.histories.iter().zip(&school.lessons);
    let judged = judged.filter(|((name, _), _)| all || config.leave_out.contains(name));
    let mut left_out = Vec::new();
    for ((name, path), lessons) in judged {
        progress.now(name);
        let forest = Arc::new(school.teach(Some(name)));
        left_out.push(judge(name, path, lessons, &forest)?);
    }
    let mut kept = None;
    if let Some(path) = &config.keep {
        let without = match config.leave_out.as_slice() {
            [] => None,
            [one] => Some(one.as_str()),
            _ => return Err(usage("one forest leaves out one history", "name one with --leave-out, or none")),
        };
        let forest = school.teach(without);
        let bytes = forest.to_bytes();
        fs::write(path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
        kept = Some((forest.trained_on().to_owned(), bytes.len()));
    }
    Ok(ForecastResults { left_out, kept })
}

/// How well a forest foretells a site it was not taught from: at moments of games that it had no part in, and, adapted, at
/// the visits it chose itself.
fn judge(name: &str, path: &Path, lessons: &Lessons, forest: &Arc<Forest>) -> anyhow::Result<LeftOut> {
    let clue = |name: &str| tintype_learn::forecast::NAMES.iter().position(|other| *other == name);
    let (own, unseen) = (clue(OWN_CHANCE).context("a clue")?, clue(UNSEEN).context("a clue")?);
    let seen = || lessons.clues.iter().zip(&lessons.changed).filter(|(clues, _)| clues[unseen] == 0.0);
    let chance = |log_odds: f32| 1.0 / (1.0 + f64::from(-log_odds).exp());
    let forest_says: Vec<_> = seen().map(|(clues, changed)| (chance(forest.log_odds(clues)), *changed)).collect();
    let past_says: Vec<_> = seen().map(|(clues, changed)| (f64::from(clues[own]), *changed)).collect();
    let mut site = SiteSource::recorded(path, None).open("http://history.invalid")?;
    let chosen = survey::surveyed(&mut site, |site| {
        let per_day = site.per_day;
        site.watch(policy::taught(forest.clone()), forest, per_day)
    })?;
    let chosen: Vec<_> =
        chosen.iter().filter(|(moment, _)| moment.was_chosen).map(|(moment, new)| (moment.foretold, *new)).collect();
    Ok(LeftOut {
        name: name.to_owned(),
        trained_on: forest.trained_on().to_owned(),
        forest: Foretold::of(&forest_says),
        own_past: Foretold::of(&past_says),
        chosen: Foretold::of(&chosen),
    })
}
