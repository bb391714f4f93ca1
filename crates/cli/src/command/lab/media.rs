//! `tintype lab media`: how well media types are told from URLs alone, and how fast.

mod extension;
mod judge;
pub(super) mod labelled;
pub(super) mod models;
mod results;
pub(super) mod speed;

use super::folder::{Folder, command};
use crate::failure::usage;
use anyhow::Context;
use clap::{Args, ValueEnum};
use judge::{Judgement, Online, domains};
use labelled::{Labelled, Names, Rows, Text};
use models::{Learner, Name};
use results::Results;
use speed::Speed;
use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// How well, and how fast, a model tells what is behind URLs it has not seen
///
/// Reads tables of labelled URLs (columns url, media_type, source, split by tabs, no head; gzip or not), learns from one
/// and is judged on the other, by content type: application, audio, image, text, video. Synonyms are folded first
/// (text/javascript is application/javascript, fonts are applications) unless --raw says to take names as they were sent.
///
/// Hard URLs: the extension is missing, unknown (php, asp) or names another content type. Calibration error: how far the
/// chance of the likeliest content type is from the share of times it was right, in 15 equal steps. Online: every domain
/// judged is told its first answers, then judged on the rest. Speeds are of one core, with everything it takes.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab media --train train.tsv.gz --test dev.tsv.gz\n  tintype lab media --train train.tsv.gz --test dev.tsv.gz --model statistical --json\n  tintype lab media --train train.tsv.gz --test dev.tsv.gz --raw --online 50 --out media"
)]
pub(crate) struct Options {
    /// The URLs to learn from
    #[arg(long, value_name = "FILE")]
    train: PathBuf,
    /// The URLs to be judged on
    #[arg(long, value_name = "FILE")]
    test: PathBuf,
    /// Take media types by the names that were sent, synonyms and all
    #[arg(long)]
    raw: bool,
    /// Who learns
    #[arg(long, value_name = "MODEL", value_enum, default_value_t = Name::Tintype)]
    model: Name,
    /// Answers of every judged domain that are told before the rest of it is judged
    #[arg(long, value_name = "N", default_value_t = 20)]
    online: usize,
    /// Keeps what was learned in FILE, without what was learned from hardly anything: the model that ships is made so
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Draws how sure it was against how often it was right (SVG and PNG) and writes tables (CSV and Markdown) into DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines instead of tables for people
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let names = if options.raw { Names::Sent } else { Names::Folded };
    let [train, test] = [&options.train, &options.test].map(|path| Text::read(path));
    let (train, test) = (train?, test?);
    let train = rows(&train, &options.train, names)?;
    let test = rows(&test, &options.test, names)?;
    let trained = options.model.trained(&train, &label(&train, &options.train));
    if let Some(path) = &options.keep {
        keep(&*trained, options.model, path)?;
    }
    let results = judge(options, names, &*trained, &train, &test);
    match options.json {
        true => println!("{}", results.json()),
        false => print!("{}", results.text()),
    }
    if let Some(directory) = &options.out {
        let mut folder = Folder::make(directory)?;
        results.write(&mut folder, &command())?;
        eprintln!("{}", folder.line());
    }
    Ok(ExitCode::SUCCESS)
}

/// What was learned from, in a line.
fn label(train: &[Labelled<'_>], path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{} labelled URLs of {} domains ({name})", train.len(), domains(train, &[]).0)
}

fn keep(trained: &dyn Learner, model: Name, path: &Path) -> anyhow::Result<()> {
    let Some(bytes) = trained.kept() else {
        return Err(usage(format!("what {model} learns cannot be kept"), "leave --keep away, or take --model tintype"));
    };
    fs::write(path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
    eprintln!("Kept what was learned in {} ({})", path.display(), crate::amount::bytes(bytes.len() as u64));
    Ok(())
}

/// The rows of a table; says how many lines are none.
pub(super) fn rows<'a>(text: &'a Text, path: &Path, names: Names) -> anyhow::Result<Vec<Labelled<'a>>> {
    let Rows { rows, odd } = text.rows(names);
    if let Some(sentence) = odd.sentence(path) {
        eprintln!("{sentence}");
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
    options: &Options,
    names: Names,
    trained: &dyn Learner,
    train: &[Labelled<'_>],
    test: &[Labelled<'_>],
) -> Results {
    let blank = options.model.blank();
    let others = Name::value_variants().iter().filter(|name| **name != options.model);
    let beside = others.map(|name| (*name, Judgement::of(&*name.trained(train, ""), test, names))).collect();
    let (domains, domains_seen) = domains(test, train);
    Results {
        model: options.model,
        raw: options.raw,
        trained_on: train.len(),
        domains,
        domains_seen,
        judgement: Judgement::of(trained, test, names),
        told: options.online,
        online: Online::of(trained, test, names, options.online),
        speed: Speed::of(&*blank, trained, train, test),
        bytes: trained.bytes(),
        beside,
    }
}
