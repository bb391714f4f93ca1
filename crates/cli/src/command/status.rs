//! `tintype status`: how well every kept site is kept.

use super::Common;
use crate::{
    amount::{bytes, counted, parse_moment},
    config::Config,
    failure::{no_capture_yet, usage},
    plain::printable,
};
use clap::Args;
use serde_json::{Value, json};
use std::process::ExitCode;
use tintype_archive::{CaptureKind, Collection, Reading};
use tintype_live::clock;
use tintype_quality::BelievedRange;
use tintype_session::SiteStatus;

/// Say how well every kept site is kept, what a request is worth, and what more or fewer would buy
///
/// By the collection's own logs, whether or not tintype keep is running. Versions that came and went unseen are reckoned from
/// how often pages are believed to change; intervals hold nine times in ten if pages change as they are believed to.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tintype status\n  tintype status example.com --since 2d\n  tintype status --json")]
pub(crate) struct Options {
    /// A site; none means all
    #[arg(value_name = "SITE")]
    site: Option<String>,
    #[command(flatten)]
    common: Common,
    /// How far to look back: 7d, 36h, or a moment
    #[arg(long, value_name = "TIME", default_value = "7d")]
    since: String,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let reading = Collection::read(&options.common.collection)?;
    let now = clock::now();
    let since = parse_moment(&options.since, now).map_err(|problem| usage(problem, "write --since 7d"))?;
    let sites = sites(options, &reading)?;
    let statuses: Vec<SiteStatus> =
        sites.iter().map(|site| SiteStatus::of(&reading, site, since, now)).collect::<Result<_, _>>()?;
    let budget = Config::read(&options.common.collection)?.budget;
    if options.common.json {
        let sites: Vec<Value> = statuses.iter().map(as_json).collect();
        println!("{}", json!({ "at": now.to_rfc3339(), "budget": budget, "sites": sites }));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(budget) = budget {
        println!("budget of all: {budget}");
    }
    statuses.iter().for_each(|status| print!("{}", text(status)));
    Ok(ExitCode::SUCCESS)
}

/// The sites that were captured or kept; listings have a report of their own.
fn sites(options: &Options, reading: &Reading) -> anyhow::Result<Vec<String>> {
    let captures = reading.captures()?;
    let mut sites: Vec<String> = captures
        .into_iter()
        .filter(|info| matches!(info.head.kind, CaptureKind::Capture | CaptureKind::Keep | CaptureKind::Import))
        .map(|info| info.head.site)
        .collect();
    sites.sort_unstable();
    sites.dedup();
    match &options.site {
        Some(site) if sites.contains(site) => Ok(vec![site.clone()]),
        Some(site) => {
            Err(usage(format!("the collection holds nothing of {site}"), format!("it holds {}", sites.join(", "))))
        }
        None if sites.is_empty() => Err(no_capture_yet(&options.common.collection)),
        None => Ok(sites),
    }
}

fn range(range: &BelievedRange) -> Value {
    json!({ "mean": range.mean, "low": range.low, "high": range.high })
}

fn as_json(status: &SiteStatus) -> Value {
    let [half, same, twice] = status.curve;
    json!({
        "site": status.site, "policy": status.policy, "pages": status.pages, "since": status.since.to_rfc3339(),
        "visits": status.visits, "spent_today": { "requests": status.spent_today.requests, "bytes": status.spent_today.bytes },
        "versions_caught": status.caught, "versions_missed": range(&status.missed),
        "completeness": status.completeness.as_ref().map(range), "mean_age_hours": status.mean_age_hours.as_ref().map(range),
        "changes_per_day": status.changes_per_day, "requests_per_day": status.requests_per_day,
        "completeness_at": { "half": half, "same": same, "twice": twice }, "next": status.next, "worth": status.worth,
    })
}

fn text(status: &SiteStatus) -> String {
    let mut text = format!("{}  {}\n", printable(&status.site), counted(status.pages as u64, "page"));
    let mut row = |label: &str, detail: String| text += &format!("  {label:<15}{detail}\n");
    match &status.policy {
        Some(policy) => row("kept", format!("by {policy}")),
        None => row("kept", "not yet: tintype keep watches it".to_owned()),
    }
    let spent = status.spent_today;
    let asked = format!("{} since {}", counted(status.visits, "request"), status.since);
    row("asked", format!("{asked}; today {}, {}", spent.requests, bytes(spent.bytes)));
    let missed = &status.missed;
    let range = |range: &BelievedRange, digits: usize| format!("{:.digits$} to {:.digits$}", range.low, range.high);
    row(
        "caught",
        format!("{}; probably missed {:.1} ({})", counted(status.caught, "version"), missed.mean, range(missed, 1)),
    );
    if let Some(completeness) = &status.completeness {
        row("completeness", format!("{:.2} ({})", completeness.mean, range(completeness, 2)));
    }
    if let Some(age) = &status.mean_age_hours {
        row("copies are", format!("{:.1} h old on average ({})", age.mean, range(age, 1)));
    }
    let [half, same, twice] = status.curve;
    let per_day = status.requests_per_day;
    row(
        "requests",
        format!(
            "{per_day:.0} a day for {:.1} changes a day; half would catch {half:.2} of them, as many {same:.2}, twice {twice:.2}",
            status.changes_per_day
        ),
    );
    if let Some(next) = &status.next {
        let worth = status.worth.map_or(String::new(), |worth| format!(", expected to bring {worth:.2} changes"));
        row("next", format!("{}{worth}", printable(next)));
    }
    text
}
