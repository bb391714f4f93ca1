//! `tintype lab`: experiments on webs whose every change is known. One file per experiment; this is the list.

mod blocks;
mod calibrate;
pub(super) mod decay;
pub(crate) mod folder;
mod importance;
mod media;
mod near;
mod open;
mod paper;
mod serve;
mod sharc;
mod table;
mod tournament;
mod trouble;

use crate::amount::parse_time;
use clap::{Args, Subcommand};
use std::process::ExitCode;

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
    Serve(serve::Options),
    Calibrate(calibrate::Options),
    Sharc(sharc::Options),
    Paper(paper::Options),
    Blocks(blocks::Options),
    Importance(importance::Options),
    Near(near::Options),
    Decay(decay::Options),
    Media(media::Options),
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.experiment {
        Experiment::Tournament(options) => tournament::run(options),
        Experiment::Serve(options) => serve::run(options),
        Experiment::Calibrate(options) => calibrate::run(options),
        Experiment::Sharc(options) => sharc::run(options),
        Experiment::Paper(options) => paper::run(options),
        Experiment::Blocks(options) => blocks::run(options),
        Experiment::Importance(options) => importance::run(options),
        Experiment::Near(options) => near::run(options),
        Experiment::Decay(options) => decay::run(options),
        Experiment::Media(options) => media::run(options),
    }
}
