//! One file per command; this is the list.

mod capture;
mod changes;
mod demo;
mod explain;
mod import;
mod keep;
mod lab;
mod learn;
mod repair;
pub(crate) mod report;
mod status;
mod verify;

pub(crate) use capture::{Network, Wanted};
use clap::{Args, Parser, Subcommand};
use std::{path::PathBuf, process::ExitCode};
use tintype_archive::{Collection, OpenOptions};
use tintype_live::clock;

/// A self-tuning web archive: captures sites politely into standard archives (WARC, CDXJ), loses nothing when killed,
/// and asks again only for what may have changed.
#[derive(Debug, Parser)]
#[command(name = "tintype", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Options),
    Capture(capture::Options),
    Keep(keep::Options),
    Status(status::Options),
    Explain(explain::Options),
    Changes(changes::Options),
    Report(report::Options),
    Verify(verify::Options),
    Repair(repair::Options),
    Import(import::Options),
    Learn(learn::Options),
    Lab(lab::Options),
}

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// The collection's directory
    #[arg(short = 'C', long = "collection", value_name = "DIR", default_value = "collection", global = true)]
    pub(crate) collection: PathBuf,
    /// Print one JSON object for machines instead of text for people
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// Opens the collection for writing and says what had to be mended first.
fn open(common: &Common, create: bool) -> anyhow::Result<Collection> {
    let command = std::env::args().collect::<Vec<_>>().join(" ");
    let collection = Collection::open(&common.collection, OpenOptions { create, command, now: clock::now() })?;
    for repair in collection.repairs() {
        eprintln!("repaired: {repair}");
    }
    Ok(collection)
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        Command::Demo(options) => demo::run(&options),
        Command::Capture(options) => capture::run(&options),
        Command::Keep(options) => keep::run(&options),
        Command::Status(options) => status::run(&options),
        Command::Explain(options) => explain::run(&options),
        Command::Changes(options) => changes::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Verify(options) => verify::run(&options),
        Command::Repair(options) => repair::run(&options),
        Command::Import(options) => import::run(&options),
        Command::Learn(options) => learn::run(&options),
        Command::Lab(options) => lab::run(&options),
    }
}
