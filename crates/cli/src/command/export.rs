//! `tintype export`: a selection of the collection as one file that every tool reads.

mod signing;

use super::{Common, captures::parse_at};
use crate::{
    amount::{bytes, counted},
    failure::{no_capture_yet, usage},
    out::{self, say},
};
use anyhow::Context;
use clap::Args;
use serde_json::json;
use signing::SigningOptions;
use std::{io, path::PathBuf, process::ExitCode};
use tintype_archive::{CaptureId, CaptureInfo, Collection, PackageText, Reading, Selected, Selection};
use tintype_live::clock;
use tintype_session::certify;
use tintype_vocab::PartialTime;

/// Write captures as one WACZ package, which ReplayWeb.page, pywb and every other tool of the field read
///
/// Whole visits with the bytes as they are, the originals of duplicate records included, a compressed index, the list of
/// pages, and of every capture that is handed on as a whole its certificate under quality/. Streams: memory does not grow
/// with the size of the package. The package has its name only once it is whole.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype export --out site.wacz\n  tintype export --out news.wacz news.example.com --from 2026-10 --to 2026-11\n  tintype export --out now.wacz --latest\n  tintype export --out visits.parquet --parquet\n  tintype export --out warcs --warc --capture 20261115215503123-example.com\n  tintype export --out site.wacz --sign --time-stamp http://timestamp.example.com/\n  tintype verify site.wacz"
)]
pub(crate) struct Options {
    /// The sites to hand on; none means all
    #[arg(value_name = "SITE")]
    sites: Vec<String>,
    /// The file to write; with --warc the directory
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Only this capture, as often as there are captures wanted; tintype captures lists them
    #[arg(long = "capture", value_name = "ID")]
    captures: Vec<String>,
    /// Only visits from this time on: 2026, 202611, 2026-11-15T21:55:03Z
    #[arg(long, value_name = "TIME", value_parser = parse_at)]
    from: Option<PartialTime>,
    /// Only visits up to this time; of a part of a date all of it
    #[arg(long, value_name = "TIME", value_parser = parse_at)]
    to: Option<PartialTime>,
    /// Of every page only the last answer
    #[arg(long)]
    latest: bool,
    /// Write plain WARC files into a directory instead of a package
    #[arg(long)]
    warc: bool,
    /// Write the observation log as a Parquet table instead: a line for every visit, with what came of it and where its
    /// record lies
    #[arg(long, conflicts_with_all = ["warc", "latest"])]
    parquet: bool,
    #[command(flatten)]
    signing: SigningOptions,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let reading = Collection::read(&options.common.collection)?;
    let selection = selection(options, &reading)?;
    if options.parquet {
        return observations(options, &reading, &selection);
    }
    let selected = reading.select(&selection)?;
    if selected.visits == 0 {
        return Err(usage("nothing is selected", "tintype captures lists what the collection holds"));
    }
    let mut signing = options.signing.open()?;
    let exported = match options.warc {
        true if signing.is_some() => {
            return Err(usage("only packages are signed", "leave --warc away, or --sign, --key and --time-stamp"));
        }
        true => selected.write_warcs(&options.out)?,
        false => {
            refuse_what_is_there(options)?;
            let captures = captures(&reading, &selected)?;
            let text = text(options, &captures);
            let certified = if selection.has_whole_captures() { &captures[..] } else { &[] };
            let mut certificates = certified.iter().map(|info| certificate(&reading, info).map_err(io::Error::other));
            let software = text.software.clone();
            let mut sign = |hash: &str, date: &str| {
                signing.as_mut().map(|signing| signing.sign(hash, date, &software)).transpose()
            };
            selected.write_wacz(&options.out, text, &mut certificates, &mut sign)?
        }
    };
    let out = options.out.display();
    match options.common.json {
        true => out::json(&json!({
            "out": options.out, "visits": selected.visits, "records": exported.records, "pages": exported.pages,
            "files": exported.files, "bytes": exported.bytes, "missing": selected.missing,
            "captures": selected.captures, "signed": options.signing.is_asked_for(),
            "time_stamp": signing.as_ref().and_then(|signing| signing.stamped.as_ref()),
        })),
        false => {
            let (visits, captures) =
                (counted(selected.visits, "visit"), counted(selected.captures.len() as u64, "capture"));
            say!("{out}: {visits} of {captures}, {}", bytes(exported.bytes));
            if let Some(signing) = &signing {
                let stamped = signing.stamped.as_ref().map(|stamp| format!(", time-stamped {stamp}"));
                say!("  signed{}; tintype verify {out} checks it", stamped.unwrap_or_default());
            }
            if selected.missing > 0 {
                say!("warning: the originals of {} are not in the collection", counted(selected.missing, "record"));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The log as a table.
fn observations(options: &Options, reading: &Reading, selection: &Selection) -> anyhow::Result<ExitCode> {
    if options.signing.is_asked_for() {
        return Err(usage("only packages are signed", "leave --parquet away, or --sign, --key and --time-stamp"));
    }
    refuse_what_is_there(options)?;
    let visits = reading.write_observations(selection, &options.out)?;
    let size = std::fs::metadata(&options.out).map_or(0, |file| file.len());
    match options.common.json {
        true => out::json(&json!({ "out": options.out, "visits": visits, "bytes": size })),
        false => say!("{}: {}, {}", options.out.display(), counted(visits, "visit"), bytes(size)),
    }
    Ok(ExitCode::SUCCESS)
}

fn refuse_what_is_there(options: &Options) -> anyhow::Result<()> {
    match options.out.exists() {
        true => {
            let problem = format!("{} is there already", options.out.display());
            Err(usage(problem, "name another file, or remove that one"))
        }
        false => Ok(()),
    }
}

fn selection(options: &Options, reading: &Reading) -> anyhow::Result<Selection> {
    let captures = reading.captures()?;
    if captures.is_empty() {
        return Err(no_capture_yet(&options.common.collection));
    }
    for site in &options.sites {
        if !captures.iter().any(|info| info.head.site == *site) {
            return Err(usage(format!("the collection holds nothing of {site}"), "tintype sites lists what it holds"));
        }
    }
    for id in &options.captures {
        if !captures.iter().any(|info| info.id.as_str() == id) {
            return Err(usage(format!("there is no capture {id}"), "tintype captures lists them"));
        }
    }
    Ok(Selection {
        sites: options.sites.clone(),
        captures: options.captures.iter().map(|id| CaptureId::from_text(id)).collect(),
        from: options.from.map(|from| from.earliest),
        to: options.to.map(|to| to.latest),
        latest: options.latest,
    })
}

/// Those that something is handed on of.
fn captures(reading: &Reading, selected: &Selected) -> anyhow::Result<Vec<CaptureInfo>> {
    let mut captures = reading.captures()?;
    captures.retain(|info| selected.captures.binary_search(&info.id).is_ok());
    Ok(captures)
}

/// What the package says of itself.
fn text(options: &Options, captures: &[CaptureInfo]) -> PackageText {
    let mut sites: Vec<&str> = captures.iter().map(|info| info.head.site.as_str()).collect();
    sites.sort_unstable();
    sites.dedup();
    let title = if sites.len() == 1 || sites.len() == options.sites.len() {
        sites.join(", ")
    } else {
        counted(sites.len() as u64, "site")
    };
    let software = format!("tintype {}", env!("CARGO_PKG_VERSION"));
    PackageText { title, created: clock::now(), software }
}

/// What a capture proves, as a file of a package.
fn certificate(reading: &Reading, info: &CaptureInfo) -> anyhow::Result<(String, Vec<u8>)> {
    let json = serde_json::to_vec(&certify(reading, info)?).context("a certificate is plain data")?;
    Ok((format!("quality/{}.json", info.id.as_str().to_lowercase()), json))
}
