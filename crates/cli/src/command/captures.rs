//! `tintype captures`: what was captured when, and how well.

use super::Common;
use crate::{
    amount::counted,
    failure::{no_capture_yet, usage},
    out,
    plain::printable,
};
use clap::Args;
use serde_json::{Value, json};
use std::process::ExitCode;
use tintype_archive::{CaptureKind, Collection};
use tintype_session::{DatedCapture, answering};
use tintype_vocab::{PartialTime, Time};

/// List every capture and every stretch of keeping: the times it answers for, its pages, its certificate in a line
///
/// A capture answers for the times from its first to its last visit. With --at only those that answer for that time are
/// listed, or of every site the nearest one if none does.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype captures\n  tintype captures example.com --at 2026-11\n  tintype captures --at 20261115215503 --json"
)]
pub(crate) struct Options {
    /// A site; none means all
    #[arg(value_name = "SITE")]
    site: Option<String>,
    /// A time: 2026, 202611, 20261115215503, 2026-11-15T21:55:03Z; of a part of a date its last second
    #[arg(long, value_name = "TIME", value_parser = parse_at)]
    at: Option<PartialTime>,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn parse_at(text: &str) -> Result<PartialTime, String> {
    PartialTime::parse(text).map_err(|_| "write 2026, 202611, 20261115215503 or 2026-11-15T21:55:03Z".to_owned())
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let reading = Collection::read(&options.common.collection)?;
    let mut captures = DatedCapture::list(&reading, options.site.as_deref())?;
    if captures.is_empty() {
        return Err(match &options.site {
            Some(site) => usage(format!("the collection holds nothing of {site}"), "tintype sites lists what it holds"),
            None => no_capture_yet(&options.common.collection),
        });
    }
    let at = options.at.map(PartialTime::as_asked);
    if let Some(at) = at {
        captures = answering(captures, at);
    }
    match options.common.json {
        true => {
            let captures: Vec<Value> = captures.iter().map(|capture| as_json(capture, at)).collect();
            out::json(&json!({ "at": at.map(Time::to_rfc3339_secs), "captures": captures }));
        }
        false => captures.iter().for_each(|capture| out::text(&text(capture, at))),
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(capture: &DatedCapture, at: Option<Time>) -> Value {
    let DatedCapture { info, certificate: of } = capture;
    json!({
        "capture": info.id.as_str(), "site": info.head.site, "kind": info.head.kind.as_str(),
        "started": info.head.started.to_rfc3339(), "ended": info.end.is_some(), "query": of.query,
        "pages": of.captured, "visits": of.visits, "revisits": of.revisits, "sharp": of.sharp.proved,
        "blur": of.blur.realised, "dated": of.dated, "answers": at.map(|at| capture.covers(at)),
    })
}

fn text(capture: &DatedCapture, at: Option<Time>) -> String {
    let DatedCapture { info, certificate: of } = capture;
    let what = match info.head.kind {
        CaptureKind::Capture => "capture",
        CaptureKind::Keep => "keeping",
        CaptureKind::Listing => "listing",
        CaptureKind::Probe => "probe",
        CaptureKind::Import => "import",
    };
    let query = of.query.map_or("answers for no time".to_owned(), |query| format!("{} to {}", query.from, query.to));
    let unfinished = if info.end.is_some() { "" } else { ", unfinished" };
    let (site, pages) = (printable(&info.head.site), counted(of.captured, "page"));
    let mut text = format!("{}\n  {what} of {site}{unfinished}: {query}, {pages}\n", info.id);
    text += &format!("  {}\n", proved(capture));
    if let Some(at) = at.filter(|at| !capture.covers(*at)) {
        text += &format!("  the nearest of its site to {at}, for which it does not answer\n");
    }
    text
}

fn proved(capture: &DatedCapture) -> String {
    let of = &capture.certificate;
    let sharp = format!("{} of {} sharp, blur {:.2}", of.sharp.proved, of.captured, of.blur.realised);
    match of.dated.filter(|dated| dated.pages > 0) {
        Some(dated) => {
            let whole = if dated.is_whole() { "dated as a whole" } else { "dated in part" };
            format!("{sharp}; {whole}: {} of {} pages are proved as of {}", dated.pages, dated.of, dated.period.from)
        }
        None => format!("{sharp}; no page is proved for more than the moment it was seen"),
    }
}
