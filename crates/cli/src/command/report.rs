//! `tintype report`: what a capture brought, and its certificate.

mod copy;
mod html;
mod kept;
mod mislabelled;
mod skipping;
mod text;

use super::Common;
use crate::out::{self, mention};
use crate::{
    amount::parse_moment,
    config::Config,
    failure::{no_capture_yet, usage},
};
use anyhow::Context;
use clap::Args;
use copy::Copies;
use serde::Serialize;
use serde_json::json;
use skipping::Skipping;
use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};
use tintype_archive::{CaptureInfo, CaptureKind, Collection, Reading};
use tintype_live::clock;
use tintype_quality::{Mislabelled, Tally, certificate::Certificate};
use tintype_session::{KeptReport, certify};
use tintype_vocab::Entry;

/// Tell what a capture brought, and certify it: which pages are provably as of one moment, and how sharp the whole is
///
/// Begins with what was captured, is missing, had changed, and was left out; then comes the certificate. --json prints one
/// object whose captures are the certificates.
///
/// A page is sharp if two visits around one moment saw the same version. Every other page is listed with the reason. Blur
/// is the number of changes somebody misses who asks for any moment of the capture; the interval given with an expectation
/// holds nine captures of ten. Anybody who has the WARC files can check the certificate: tintype verify --certificate.
/// Of a capture by --policy skip or warm it also says what was skipped by which rule, what that was expected to cost, and,
/// once a later capture visited those pages, what it did cost. Of a listing that tintype keep or import --objects knows it
/// says how good the copy was before every crawl, and how good it had been said to be.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype report                              (the latest capture of every site)\n  tintype report example.com --html report.html\n  tintype report example.com --json > certificate.json\n  tintype report example.com --since 7d       (what keeping brought)\n  tintype verify --certificate certificate.json"
)]
pub(crate) struct Options {
    /// The id of a capture, or a site for its latest one; by default the latest one of every site
    #[arg(value_name = "CAPTURE")]
    capture: Option<String>,
    #[command(flatten)]
    common: Common,
    /// Write a page with picture and tables, for a browser or a printer
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// What keeping brought since then instead of a certificate: 7d, 36h, or a moment
    #[arg(long, value_name = "TIME", conflicts_with = "html")]
    since: Option<String>,
}

/// A certificate, which anybody can check, and beside it what only those can know who go on capturing.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    certificate: Certificate,
    /// What was brought home, counted.
    counted: Tally,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<Skipping>,
    /// Pages that are something else than their server said.
    #[serde(skip_serializing_if = "Option::is_none")]
    mislabelled: Option<Mislabelled>,
    /// Of a source: its copy before every crawl.
    #[serde(skip_serializing_if = "Option::is_none")]
    copies: Option<Copies>,
}

/// What is told to machines.
#[derive(Debug, Serialize)]
struct Reports {
    captures: Vec<Report>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let reading = Collection::read(&options.common.collection)?;
    if let Some(since) = &options.since {
        return kept_since(options, &reading, since);
    }
    let config = Config::read(&options.common.collection)?;
    let mut page = options.html.is_some().then(html::Page::new);
    let mut reports = Vec::new();
    for capture in wanted(&reading, options)? {
        let certificate = certify(&reading, &capture)?;
        let skipped = Skipping::of(&reading, &capture, certificate.captured)?;
        let mislabelled = mislabelled::of(&reading, &capture)?;
        let copies = Copies::of(&reading, &config, &capture.head.site)?;
        let counted = tally(&reading, &capture)?;
        let report = Report { certificate, counted, skipped, mislabelled, copies };
        if !options.common.json {
            out::text(&text::of(&report));
        }
        if let Some(page) = &mut page {
            page.add(&report);
        }
        reports.extend(options.common.json.then_some(report));
    }
    if options.common.json {
        out::json(&Reports { captures: reports });
    }
    if let (Some(page), Some(path)) = (page, &options.html) {
        std::fs::write(path, page.finish()).with_context(|| format!("cannot write {}", path.display()))?;
        mention!("written to {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// What a capture brought home, counted over its log.
fn tally(reading: &Reading, capture: &CaptureInfo) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    for entry in reading.entries(&capture.id)? {
        if let Entry::Observation(observation) = entry? {
            tally.add(&observation);
        }
    }
    Ok(tally)
}

/// What keeping brought: caught, probably missed, foretold and found.
fn kept_since(options: &Options, reading: &Reading, since: &str) -> anyhow::Result<ExitCode> {
    let now = clock::now();
    let since = parse_moment(since, now).map_err(|problem| usage(problem, "write --since 7d"))?;
    let sites = super::status::sites(reading, options.capture.as_deref(), &options.common.collection)?;
    let reports: Vec<KeptReport> =
        sites.iter().map(|site| KeptReport::of(reading, site, since, now)).collect::<Result<_, _>>()?;
    match options.common.json {
        true => out::json(&json!({ "sites": reports.iter().map(kept::as_json).collect::<Vec<_>>() })),
        false => reports.iter().for_each(|report| out::text(&kept::text(report))),
    }
    Ok(ExitCode::SUCCESS)
}

/// The captures that were asked for.
fn wanted(reading: &Reading, options: &Options) -> anyhow::Result<Vec<CaptureInfo>> {
    let mut captures = reading.captures()?;
    if captures.is_empty() {
        return Err(no_capture_yet(&options.common.collection));
    }
    if let Some(name) = &options.capture
        && let Some(known) = captures.iter().position(|info| info.id.as_str() == name)
    {
        return Ok(vec![captures.swap_remove(known)]);
    }
    let mut latest = BTreeMap::new();
    // A stretch of watching is no whole that could be dated; it is only looked at where there is nothing else.
    let is_watching = |info: &CaptureInfo| info.head.kind == CaptureKind::Keep;
    let (watched, whole): (Vec<CaptureInfo>, Vec<CaptureInfo>) = captures.into_iter().partition(is_watching);
    for info in watched.into_iter().chain(whole) {
        latest.insert(info.head.site.clone(), info);
    }
    match &options.capture {
        None => Ok(latest.into_values().collect()),
        Some(name) => match latest.remove(name) {
            Some(info) => Ok(vec![info]),
            None => {
                let known = latest.into_keys().take(5).collect::<Vec<_>>().join(", ");
                let problem = format!("no capture and no site here is called {name}");
                Err(usage(problem, format!("name a capture as tintype capture printed it, or a site: {known}")))
            }
        },
    }
}
