//! `tintype objects`: what a listing holds, or held at a time.

use super::Common;
use crate::{
    amount::{counted, parse_moment},
    config::Config,
    failure::usage,
    listings, out,
    plain::printable,
};
use clap::Args;
use std::process::ExitCode;
use tintype_archive::Collection;
use tintype_live::clock;
use tintype_session::listing::{HeldObjects, Subset};
use tintype_vocab::Time;

/// Identifiers of objects on a terminal are cut after so many characters; `--csv` and `--json` have all of it.
const WIDE: usize = 48;

/// List what a listing holds now, or held at a time, with the attributes of its objects
///
/// As of the last crawl before that time that was believed. Attributes are as they were listed then.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype objects cars\n  tintype objects cars --at 2026-11-15 --where 'make=bmw,year>2002'\n  tintype objects cars --csv > cars.csv"
)]
pub(crate) struct Options {
    /// The name of a source, as tintype.toml or its import has it
    #[arg(value_name = "SOURCE")]
    source: String,
    #[command(flatten)]
    common: Common,
    /// What it held then: 2d, 36h, 2026-11-15, RFC 3339 or unix seconds
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// Only objects with these attributes, such as 'make=bmw,year>2002'
    #[arg(long = "where", value_name = "CONDITIONS")]
    part: Option<Subset>,
    /// Print comma-separated values with a head
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let see = |problem| usage(problem, "see tintype objects --help");
    let at = options.at.as_deref().map(|text| parse_moment(text, clock::now())).transpose().map_err(see)?;
    let (config, reading) = (Config::read(&options.common.collection)?, Collection::read(&options.common.collection)?);
    let known = listings::names(&reading, &config)?;
    if !known.contains(&options.source) {
        let problem = format!("no source here is called {}", printable(&options.source));
        let hint = match known.is_empty() {
            true => "there is none yet: tintype keep URL --objects …, or tintype import --objects FILE".to_owned(),
            false => format!("name one of these: {}", known.join(", ")),
        };
        return Err(usage(problem, hint));
    }
    let attributes = listings::attributes(&reading, &config, &options.source)?;
    let mut held = HeldObjects::at(&reading, &options.source, at.unwrap_or(Time::MAX), attributes)?;
    if let Some(part) = &options.part {
        held.retain(part).map_err(|error| usage(error, "name an attribute of these objects"))?;
    }
    match (options.common.json, options.csv) {
        (true, _) => out::json(&held.json(&options.source)),
        (_, true) => out::text(&held.csv()),
        _ => out::text(&text(&options.source, &held)),
    }
    Ok(ExitCode::SUCCESS)
}

fn text(source: &str, held: &HeldObjects) -> String {
    let objects = counted(held.objects.len() as u64, "object");
    let Some(crawled) = held.crawled else { return format!("{}  was not crawled by then\n", printable(source)) };
    let mut text = format!("{}  {objects} by the crawl of {}\n", printable(source), crawled.to_rfc3339_secs());
    for object in &held.objects {
        let id: String = printable(&object.id).chars().take(WIDE).collect();
        let pairs = held.attributes.iter().zip(&object.attributes).filter(|(_, value)| !value.is_empty());
        let attributes =
            pairs.map(|(name, value)| format!("{name}={}", printable(value))).collect::<Vec<_>>().join("  ");
        text += format!("  {id:<16}  since {}  {attributes}", &object.since.to_rfc3339_secs()[..16]).trim_end();
        text.push('\n');
    }
    text
}
