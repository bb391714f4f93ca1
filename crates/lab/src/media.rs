//! How well media types are told from URLs alone, and how fast.

mod extension;
mod judge;
pub(crate) mod labelled;
pub(crate) mod models;
mod results;
pub(crate) mod speed;

pub use models::ModelName;
pub use results::MediaResults;

use crate::{LabProgress, usage};
use anyhow::Context;
use judge::{Judgement, Online, domains};
use labelled::{Labelled, Names, Rows, Text};
use models::Learner;
use speed::Speed;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tintype_vocab::amount;

/// What is learned from and judged on.
#[derive(Clone, Debug)]
pub struct MediaConfig {
    /// Tables of labelled URLs.
    pub train: PathBuf,
    pub test: PathBuf,
    /// Whether media types are taken by the names that were sent, synonyms and all.
    pub raw: bool,
    pub model: ModelName,
    /// Answers of every judged domain that are told before the rest of it is judged.
    pub online: usize,
    /// A file for what was learned.
    pub keep: Option<PathBuf>,
}

/// Trains one model, and judges it beside the others.
pub fn run(config: &MediaConfig, progress: &dyn LabProgress) -> anyhow::Result<MediaResults> {
    let names = if config.raw { Names::Sent } else { Names::Folded };
    let [train, test] = [&config.train, &config.test].map(|path| Text::read(path));
    let (train, test) = (train?, test?);
    let train = rows(&train, &config.train, names, progress)?;
    let test = rows(&test, &config.test, names, progress)?;
    let trained = config.model.trained(&train, &label(&train, &config.train));
    if let Some(path) = &config.keep {
        keep(&*trained, config.model, path, progress)?;
    }
    Ok(judge(config, names, &*trained, &train, &test))
}

/// What was learned from, in a line.
fn label(train: &[Labelled<'_>], path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{} labelled URLs of {} domains ({name})", train.len(), domains(train, &[]).0)
}

fn keep(trained: &dyn Learner, model: ModelName, path: &Path, progress: &dyn LabProgress) -> anyhow::Result<()> {
    let Some(bytes) = trained.kept() else {
        return Err(usage(format!("what {model} learns cannot be kept"), "leave --keep away, or take --model tintype"));
    };
    fs::write(path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
    let size = amount::bytes(bytes.len() as u64);
    progress.note(&format!("Kept what was learned in {} ({size})", path.display()));
    Ok(())
}

/// The rows of a table; says how many lines are none.
pub(crate) fn rows<'a>(
    text: &'a Text,
    path: &Path,
    names: Names,
    progress: &dyn LabProgress,
) -> anyhow::Result<Vec<Labelled<'a>>> {
    let Rows { rows, odd } = text.rows(names);
    if let Some(sentence) = odd.sentence(path) {
        progress.note(&sentence);
    }
    match rows.is_empty() {
        true => Err(usage(
            format!("{} holds no labelled URL", path.display()),
            "give it lines of url, media type and source, split by tabs",
        )),
        false => Ok(rows),
    }
}

fn judge(
    config: &MediaConfig,
    names: Names,
    trained: &dyn Learner,
    train: &[Labelled<'_>],
    test: &[Labelled<'_>],
) -> MediaResults {
    let blank = config.model.blank();
    let others = ModelName::ALL.iter().filter(|name| **name != config.model);
    let beside = others.map(|name| (*name, Judgement::of(&*name.trained(train, ""), test, names))).collect();
    let (domains, domains_seen) = domains(test, train);
    MediaResults {
        model: config.model,
        raw: config.raw,
        trained_on: train.len(),
        domains,
        domains_seen,
        judgement: Judgement::of(trained, test, names),
        told: config.online,
        online: Online::of(trained, test, names, config.online),
        speed: Speed::of(&*blank, trained, train, test),
        bytes: trained.bytes(),
        beside,
    }
}
