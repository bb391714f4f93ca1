//! `tintype learn decay`: how fast the copy of a listing goes stale, by what its objects did so far.

use crate::out::{self, mention};
use crate::{
    amount::{parse_share, parse_span},
    command::{Common, keep::tell::why},
    config::Config,
    failure::usage,
    listings,
};
use anyhow::Context;
use clap::Args;
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};
use tintype_archive::Collection;
use tintype_lab::{Folder, Results, SourceReport, SourceReportConfig, decay::OpenedSource};
use tintype_plan::deadline::Promise;
use tintype_session::listing::{CrawlHistory, Terms};
use tintype_vocab::Span;
use tintype_world::source::{Source, Subset};

/// Show how fast the copy of a listing goes stale, and when to look again
///
/// Of the sources that tintype keep crawls or tintype import --objects took in, or of a table of life spans: how good copies
/// of growing ages are, how objects come and how long they stay, with the law that fits best, which of them leave faster
/// than others, what is believed of the next weeks, and the next crawl that keeps a promise.
///
/// Copy precision: the share of our objects that are still at the source. Copy recall: the share of the source's objects
/// that we hold.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype learn decay                                  (every source of the collection)\n  tintype learn decay example.com/cars --where 'make=bmw,year>2002' --target-precision 0.95\n  tintype learn decay --objects DIR --out pictures     (a table of life spans)"
)]
pub(crate) struct Options {
    /// The name of a source; by default every source of the collection
    #[arg(value_name = "SOURCE", conflicts_with = "objects")]
    source: Option<String>,
    #[command(flatten)]
    common: Common,
    /// Read a directory with objects.csv.gz and snapshots.csv.gz instead of a collection
    #[arg(long, value_name = "DIR")]
    objects: Option<PathBuf>,
    /// Only objects with these attributes, such as 'make=bmw,year>2002'
    #[arg(long = "where", value_name = "CONDITIONS")]
    part: Option<Subset>,
    /// The least share of the copy that is still at the source; as the source is kept, or 0.9, if no target is given
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    target_precision: Option<f64>,
    /// The least share of the source that is in the copy; as the source is kept, or 0.9, if no target is given
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    target_recall: Option<f64>,
    /// Time from one possible crawl to the next; by default the usual time from one crawl to the next
    #[arg(long, value_name = "SPAN", value_parser = parse_span)]
    step: Option<Span>,
    /// Draw curves and fits as SVG and PNG into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let subjects = match &options.objects {
        Some(directory) => vec![of_table(options, directory)?],
        None => of_collection(options)?,
    };
    match options.common.json {
        true => out::json(&json!({ "sources": subjects.iter().map(SourceReport::value).collect::<Vec<_>>() })),
        false => subjects.iter().for_each(|subject| out::text(&subject.text())),
    }
    if let Some(directory) = &options.out {
        let mut folder = Folder::make(directory)?;
        for (nth, subject) in subjects.iter().enumerate() {
            for (name, picture) in subject.pictures(nth) {
                folder.picture(&name, &picture)?;
            }
        }
        mention!("drew {} (SVG and PNG) in {}", folder.written.join(", "), directory.display());
    }
    Ok(ExitCode::SUCCESS)
}

fn of_table(options: &Options, directory: &Path) -> anyhow::Result<SourceReport> {
    let OpenedSource { name, source } = OpenedSource::read(directory)?;
    subject(options, name, source, promise(options, Terms::default().promise))
}

fn of_collection(options: &Options) -> anyhow::Result<Vec<SourceReport>> {
    let reading = Collection::read(&options.common.collection)?;
    let config = Config::read(&options.common.collection)?;
    let known = listings::names(&reading, &config)?;
    let wanted = match &options.source {
        Some(name) if known.contains(name) => vec![name.clone()],
        None if !known.is_empty() => known,
        Some(name) => {
            let problem = format!("no source here is called {name}");
            return Err(usage(problem, format!("name one of these: {}", known.join(", "))));
        }
        None => {
            let hint = "begin with tintype keep, tintype import --objects FILE, or give a table: --objects DIR";
            return Err(usage("there is no source here yet", hint));
        }
    };
    let history = |name: &str| listings::history(&reading, &config, name);
    wanted.into_iter().map(|name| of_source(options, &history(&name)?, name)).collect()
}

fn of_source(options: &Options, history: &CrawlHistory, name: String) -> anyhow::Result<SourceReport> {
    let nothing = || usage(format!("{name} was never crawled"), "crawl it first: tintype keep --once");
    let source = listings::as_source(history)
        .ok_or_else(nothing)?
        .with_context(|| format!("the lives of {name} do not add up"))?;
    subject(options, name, source, promise(options, history.promise()))
}

/// What was typed, or else what is promised anyway.
fn promise(options: &Options, usual: Promise) -> Promise {
    match (options.target_precision, options.target_recall) {
        (None, None) => usual,
        (precision, recall) => Promise { precision, recall, ..usual },
    }
}

fn subject(options: &Options, name: String, source: Source, promise: Promise) -> anyhow::Result<SourceReport> {
    let (name, source) = match &options.part {
        None => (name, source),
        Some(part) => {
            let some = source.subset(part).map_err(|error| usage(error, "name an attribute of these objects"))?;
            if some.lives().is_empty() {
                return Err(usage(format!("no object of {name} is {part}"), "choose other conditions"));
            }
            (format!("{name} {part}"), some)
        }
    };
    SourceReport::new(SourceReportConfig { name, source, promise, step: options.step }, why)
}
