//! `tintype learn`: what is believed of the pages and sources of a collection. One file per kind of belief; this is the list.

mod decay;
mod media;
mod patterns;
mod rules;

use clap::{Args, Subcommand};
use std::process::ExitCode;

/// Show what was learned about the pages and listings of a collection
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    belief: Belief,
}

#[derive(Debug, Subcommand)]
enum Belief {
    Decay(decay::Options),
    Media(media::Options),
    Patterns(patterns::Options),
    Rules(rules::Options),
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.belief {
        Belief::Decay(options) => decay::run(options),
        Belief::Media(options) => media::run(options),
        Belief::Patterns(options) => patterns::run(options),
        Belief::Rules(options) => rules::run(options),
    }
}
