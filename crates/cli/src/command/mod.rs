//! One file per command; this is the list.

mod capture;
mod captures;
mod changes;
mod completions;
mod demo;
mod diff;
mod explain;
mod export;
mod get;
mod import;
mod keep;
mod lab;
mod learn;
mod man;
mod objects;
mod repair;
pub(crate) mod report;
mod search;
mod serve;
mod sites;
mod status;
mod verify;

use crate::{out::mention, plain::printable};
pub(crate) use capture::{AcrossResult, Wanted};
pub(crate) use changes::{advertisements, archive_address};
use clap::{Args, Parser, Subcommand};
pub(crate) use lab::shell_quoted;
pub(crate) use sites::{change_settings, setting_names, site_names};
use std::{path::PathBuf, process::ExitCode};
use tintype_archive::{Collection, OpenOptions};
use tintype_live::clock;

/// What `--version` says; `-V` says the number alone.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit   ",
    env!("TINTYPE_COMMIT"),
    "\ntarget   ",
    env!("TINTYPE_TARGET"),
    "\nprofile  ",
    env!("TINTYPE_PROFILE"),
    "\nfeatures ",
    env!("TINTYPE_FEATURES"),
);

/// A self-tuning web archive: captures sites politely into standard archives (WARC, CDXJ), loses nothing when killed,
/// and asks again only for what may have changed.
#[derive(Debug, Parser)]
#[command(name = "tintype", version, long_version = LONG_VERSION, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Options),
    Capture(capture::Options),
    Keep(keep::Options),
    Sites(sites::Options),
    Status(status::Options),
    Captures(captures::Options),
    Get(get::Options),
    Search(search::Options),
    Serve(serve::Options),
    Explain(explain::Options),
    Objects(objects::Options),
    Changes(changes::Options),
    Diff(diff::Options),
    Report(report::Options),
    Verify(verify::Options),
    Repair(repair::Options),
    Import(import::Options),
    Export(export::Options),
    Learn(learn::Options),
    Lab(lab::Options),
    Completions(completions::Options),
    Man(man::Options),
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
    let command = capture::without_secrets(std::env::args());
    let collection = Collection::open(&common.collection, OpenOptions { create, command, now: clock::now() })?;
    for repair in collection.repairs() {
        mention!("{}: {}", repair.label(), printable(&repair.to_string()));
    }
    Ok(collection)
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        Command::Demo(options) => demo::run(&options),
        Command::Capture(options) => capture::run(&options),
        Command::Keep(options) => keep::run(&options),
        Command::Sites(options) => sites::run(&options),
        Command::Status(options) => status::run(&options),
        Command::Captures(options) => captures::run(&options),
        Command::Get(options) => get::run(&options),
        Command::Search(options) => search::run(&options),
        Command::Serve(options) => serve::run(&options),
        Command::Explain(options) => explain::run(&options),
        Command::Objects(options) => objects::run(&options),
        Command::Changes(options) => changes::run(&options),
        Command::Diff(options) => diff::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Verify(options) => verify::run(&options),
        Command::Repair(options) => repair::run(&options),
        Command::Import(options) => import::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Learn(options) => learn::run(&options),
        Command::Lab(options) => lab::run(&options),
        Command::Completions(options) => completions::run(&options),
        Command::Man(options) => man::run(&options),
    }
}
