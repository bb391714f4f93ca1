//! `tintype lab`: experiments on webs whose every change is known. One file of arguments per experiment; this is the
//! list. The experiments are in the room `lab`.

mod blocks;
mod calibrate;
mod decay;
mod forecast;
mod importance;
mod keeping;
mod live;
mod media;
mod near;
mod paper;
mod progress;
mod serve;
mod sharc;
mod site;
mod status;
mod tournament;
mod typed;

use crate::out::{self, mention, say};
use clap::{Args, Subcommand};
pub(super) use live::Live;
pub(super) use serve::reply;
use std::{path::Path, process::ExitCode};
use tintype_lab::{ResultFiles, Results};
use typed::command;
pub(crate) use typed::shell_quoted;

/// Experiment on recorded and made-up sites whose every change is known
///
/// A history is a directory with events.csv.gz (columns time,path,kind,size,sha1,media_type; kind is A, M or D for added,
/// modified, deleted) and, where the bodies are known, history.warc.gz with one response per event. Any collection made
/// by tintype capture is a history too.
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, Subcommand)]
enum Experiment {
    Tournament(tournament::Options),
    Status(status::Options),
    Live(keeping::Options),
    Serve(serve::Options),
    Calibrate(calibrate::Options),
    Sharc(sharc::Options),
    Paper(paper::Options),
    Blocks(blocks::Options),
    Importance(importance::Options),
    Near(near::Options),
    Decay(decay::Options),
    Media(media::Options),
    Forecast(forecast::Options),
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.experiment {
        Experiment::Tournament(options) => tournament::run(options),
        Experiment::Status(options) => status::run(options),
        Experiment::Live(options) => keeping::run(options),
        Experiment::Serve(options) => serve::run(options),
        Experiment::Calibrate(options) => calibrate::run(options),
        Experiment::Sharc(options) => sharc::run(options),
        Experiment::Paper(options) => paper::run(options),
        Experiment::Blocks(options) => blocks::run(options),
        Experiment::Importance(options) => importance::run(options),
        Experiment::Near(options) => near::run(options),
        Experiment::Decay(options) => decay::run(options),
        Experiment::Media(options) => media::run(options),
        Experiment::Forecast(options) => forecast::run(options),
    }
}

/// Prints what was found, for people or for machines.
fn show(results: &dyn Results, json: bool) -> anyhow::Result<ExitCode> {
    match json {
        true => say!("{}", results.json()),
        false => out::text(&results.text()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what was found, then writes it into a directory, and says so where it does not come between machines and their
/// one object.
fn show_and_write(results: &impl ResultFiles, json: bool, out: Option<&Path>) -> anyhow::Result<ExitCode> {
    let code = show(results, json)?;
    if let Some(directory) = out {
        let line = results.write(directory, &command())?;
        if json { mention!("{line}") } else { say!("\n{line}") }
    }
    Ok(code)
}
