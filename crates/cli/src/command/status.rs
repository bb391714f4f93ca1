//! `tintype status`: how well every kept site is kept.

use super::{Common, keep::tell::upheaval_text};
use crate::out::{self, say};
use crate::{
    amount::{bytes, counted, parse_moment, parse_per_day},
    config::Config,
    failure::{no_capture_yet, usage},
    plain::printable,
};
use clap::Args;
use serde_json::{Value, json};
use std::{path::Path, process::ExitCode};
use tintype_archive::{CaptureKind, Collection, Reading};
use tintype_live::clock;
use tintype_plan::{DayBudget, DaySpending, Wait};
use tintype_quality::BelievedRange;
use tintype_session::{NextRequest, SiteStatus, spent_since};
use tintype_vocab::Time;

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
    let sites = sites(&reading, options.site.as_deref(), &options.common.collection)?;
    let statuses: Vec<SiteStatus> =
        sites.iter().map(|site| SiteStatus::of(&reading, site, since, now)).collect::<Result<_, _>>()?;
    let budget = budget(&reading, &options.common.collection, now)?;
    let slot = budget.as_ref().map_or(now, |(_, _, slot)| *slot);
    if options.common.json {
        let sites: Vec<Value> = statuses.iter().map(|status| as_json(status, slot)).collect();
        let (text, left) = budget.map_or((None, None), |(text, left, _)| (Some(text), left));
        out::json(&json!({ "at": now.to_rfc3339(), "budget": text, "requests_left": left, "sites": sites }));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some((text, left, _)) = budget {
        let left = left.map_or(String::new(), |left| format!(", {} left today", counted(left, "request")));
        say!("budget of all  {text}{left}");
    }
    statuses.iter().for_each(|status| out::text(&text(status, slot)));
    Ok(ExitCode::SUCCESS)
}

/// The budget as it is written, what is left of it today, and when it allows the next request.
fn budget(reading: &Reading, collection: &Path, now: Time) -> anyhow::Result<Option<(String, Option<u64>, Time)>> {
    let Some(text) = Config::read(collection)?.budget else { return Ok(None) };
    let per_day = parse_per_day(&text).map_err(|problem| usage(problem, "correct it in tintype.toml"))?;
    let mut sites: Vec<String> = reading.captures()?.into_iter().map(|info| info.head.site).collect();
    sites.sort_unstable();
    sites.dedup();
    let spent = spent_since(reading, &sites, now.midnight())?;
    let spent = DaySpending { requests: spent.requests, bytes: spent.bytes, all_day: spent.earlier };
    let mut day = DayBudget::new(per_day, now, spent);
    let slot = day.next_slot(now);
    Ok(Some((text, day.requests_left(), slot)))
}

/// The sites that were captured or kept, or the one that was named; listings have a report of their own.
pub(super) fn sites(reading: &Reading, named: Option<&str>, collection: &Path) -> anyhow::Result<Vec<String>> {
    let captures = reading.captures()?;
    let mut sites: Vec<String> = captures
        .into_iter()
        .filter(|info| matches!(info.head.kind, CaptureKind::Capture | CaptureKind::Keep | CaptureKind::Import))
        .map(|info| info.head.site)
        .collect();
    sites.sort_unstable();
    sites.dedup();
    match named {
        Some(site) if sites.iter().any(|known| known == site) => Ok(vec![site.to_owned()]),
        Some(site) => {
            Err(usage(format!("the collection holds nothing of {site}"), format!("it holds {}", sites.join(", "))))
        }
        None if sites.is_empty() => Err(no_capture_yet(collection)),
        None => Ok(sites),
    }
}

/// An interval as people read it.
pub(super) fn range_text(range: &BelievedRange, digits: usize) -> String {
    format!("{:.digits$} to {:.digits$}", range.low, range.high)
}

fn range(range: &BelievedRange) -> Value {
    json!({ "mean": range.mean, "low": range.low, "high": range.high })
}

pub(super) fn as_json(status: &SiteStatus, slot: Time) -> Value {
    let [half, same, twice] = status.curve;
    json!({
        "site": status.site, "policy": status.policy, "pages": status.pages, "since": status.since.to_rfc3339(),
        "visits": status.visits, "spent_today": { "requests": status.spent_today.requests, "bytes": status.spent_today.bytes },
        "versions_caught": status.caught, "versions_missed": range(&status.missed),
        "completeness": status.completeness.as_ref().map(range), "mean_age_hours": status.mean_age_hours.as_ref().map(range),
        "changes_per_day": status.changes_per_day, "requests_per_day": status.requests_per_day,
        "completeness_at": { "half": half, "same": same, "twice": twice }, "worth": status.worth,
        "next": status.next.as_ref().map(|next| &next.url), "next_at": status.next.as_ref().map(|next| next.at.max(slot).to_rfc3339()),
        "waits_for": status.next.as_ref().and_then(|next| waits_for(next, slot)),
        "upheaval": status.upheaval,
    })
}

fn text(status: &SiteStatus, slot: Time) -> String {
    let mut text = format!("{}  {}\n", printable(&status.site), counted(status.pages as u64, "page"));
    let mut row = |label: &str, detail: String| text += &format!("  {label:<15}{detail}\n");
    match &status.policy {
        Some(policy) => row("kept", format!("by {policy}")),
        None => row("kept", "not yet: tintype keep watches it".to_owned()),
    }
    if let Some(upheaval) = &status.upheaval {
        row("warning", upheaval_text(upheaval));
    }
    let spent = status.spent_today;
    let asked = format!("{} since {}", counted(status.visits, "request"), status.since);
    row("asked", format!("{asked}; today {}, {}", spent.requests, bytes(spent.bytes)));
    let missed = &status.missed;
    row(
        "caught",
        format!(
            "{}; probably missed {:.1} ({})",
            counted(status.caught, "version"),
            missed.mean,
            range_text(missed, 1)
        ),
    );
    if let Some(completeness) = &status.completeness {
        row("completeness", format!("{:.2} ({})", completeness.mean, range_text(completeness, 2)));
    }
    if let Some(age) = &status.mean_age_hours {
        row("copies are", format!("{:.1} h old on average ({})", age.mean, range_text(age, 1)));
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
        let waits = waits_for(next, slot).map_or(String::new(), |why| format!(" ({why})"));
        row("next", format!("{}{worth}", printable(&next.url)));
        row("", format!("at {}{waits}", next.at.max(slot).to_rfc3339_secs()));
    }
    text
}

/// Why a request is not made at once.
fn waits_for(next: &NextRequest, slot: Time) -> Option<String> {
    let wait = if slot > next.at { Some(Wait::Budget) } else { next.wait };
    wait.map(|wait| wait.to_string())
}
