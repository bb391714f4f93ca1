//! `tintype lab`: experiments on webs whose every change is known. One file per experiment; this is the list.

mod blocks;
mod calibrate;
mod folder;
mod open;
mod paper;
mod serve;
mod sharc;
mod table;
mod tournament;
mod trouble;

use clap::{Args, Subcommand};
use std::process::ExitCode;
use tintype_vocab::Time;

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
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.experiment {
        Experiment::Tournament(options) => tournament::run(options),
        Experiment::Serve(options) => serve::run(options),
        Experiment::Calibrate(options) => calibrate::run(options),
        Experiment::Sharc(options) => sharc::run(options),
        Experiment::Paper(options) => paper::run(options),
        Experiment::Blocks(options) => blocks::run(options),
    }
}

/// Unix seconds or RFC 3339.
fn parse_time(text: &str) -> Result<Time, String> {
    match text.parse::<i64>() {
        Ok(seconds) => Ok(Time::from_secs(seconds)),
        Err(_) => Time::parse_rfc3339(text).map_err(|_| "write unix seconds or 2026-11-15T21:55:03Z".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_or_dates() {
        let noon = Time::from_secs(1_620_043_200);
        assert_eq!([parse_time("1620043200"), parse_time("2021-05-03T12:00:00Z")], [Ok(noon), Ok(noon)]);
        assert!(parse_time("yesterday").is_err());
    }
}
