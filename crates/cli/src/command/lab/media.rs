//! `tintype lab media`: how well media types are told from URLs alone, and how fast.

use super::{command, progress::Bar, show};
use crate::out::mention;
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::{
    ResultFiles,
    media::{self, MediaConfig, ModelName},
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
    #[arg(long, value_name = "MODEL", default_value = "tintype", value_parser = models())]
    model: ModelName,
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

fn models() -> impl TypedValueParser<Value = ModelName> {
    let names = ModelName::ALL.map(|model| PossibleValue::new(model.name()).help(model.summary()));
    PossibleValuesParser::new(names)
        .map(|typed| ModelName::ALL.into_iter().find(|model| model.name() == typed).expect("only these can be typed"))
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let config = MediaConfig {
        train: options.train.clone(),
        test: options.test.clone(),
        raw: options.raw,
        model: options.model,
        online: options.online,
        keep: options.keep.clone(),
    };
    let results = media::run(&config, &Bar::hidden())?;
    let code = show(&results, options.json)?;
    if let Some(directory) = &options.out {
        mention!("{}", results.write(directory, &command())?);
    }
    Ok(code)
}
