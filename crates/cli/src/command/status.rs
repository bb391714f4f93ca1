//! `tintype status`: how well every kept site is kept.

use super::{Common, keep::tell::upheaval_text, site_names};
use crate::out::{self, say};
use crate::{
    amount::{bytes, counted, parse_moment, parse_per_day},
    config::{Config, SiteConfig},
    failure::{no_capture_yet, usage},
    opener::{BUDGET_FIELD, NO_BUDGET},
    plain::printable,
};
use clap::Args;
use serde_json::{Value, json};
use std::{path::Path, process::ExitCode};
use tintype_archive::{CaptureInfo, CaptureKind, Collection, Reading};
use tintype_live::clock;
use tintype_plan::{Budget, DayBudget, DayHours, DaySpending, Wait};
use tintype_quality::BelievedRange;
use tintype_session::{NextRequest, SiteStatus, spent_on};
use tintype_vocab::{Span, Time};

/// Say how well every kept site is kept, what a request is worth, and what more or fewer would buy
///
/// By the collection's own logs, whether or not tintype keep is running. Versions that came and went unseen are reckoned from
/// what visits found, and how far the site strays from that from its own past; tintype lab status shows how often the intervals
/// hold that are to hold nine times in ten.
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
    let config = Config::read(&options.common.collection)?;
    let budget = budget(&reading, &config, now)?;
    let slot = budget.as_ref().map_or(now, |budget| budget.slot);
    let terms: Vec<KeptTerms> = sites.iter().map(|site| KeptTerms::of(&config, site)).collect();
    let told = statuses.iter().zip(&terms);
    if options.common.json {
        let sites: Vec<Value> = told.map(|(status, terms)| as_json(status, terms, slot)).collect();
        let left = budget.as_ref().and_then(|budget| budget.day.requests_left());
        let spent = budget.as_ref().map(|budget| budget.day.spent().0);
        let text = budget.map(|budget| budget.text);
        let of_all = json!({
            "at": now.to_rfc3339(), "budget": text, "requests_spent": spent, "requests_left": left, "sites": sites
        });
        out::json(&of_all);
        return Ok(ExitCode::SUCCESS);
    }
    match &budget {
        Some(budget) => say!("budget of all  {}", budget.told(now)),
        None => {
            say!("budget of all  none: each site is asked as often as politeness allows, while a request is worth it")
        }
    }
    told.for_each(|(status, terms)| out::text(&text(status, terms, slot)));
    Ok(ExitCode::SUCCESS)
}

/// What all that is kept may spend.
struct BudgetOfAll {
    /// As it is written.
    text: String,
    day: DayBudget,
    /// When it allows the next request.
    slot: Time,
}

impl BudgetOfAll {
    fn told(&self, now: Time) -> String {
        let (requests, spent_bytes) = self.day.spent();
        let left = self.day.requests_left().map_or(String::new(), |left| format!(", {left} left"));
        let next = match self.slot > now {
            true => format!("; the next comes in at {}", self.slot.to_rfc3339_secs()),
            false => String::new(),
        };
        format!("{}: today {}, {} spent{left}{next}", self.text, counted(requests, "request"), bytes(spent_bytes))
    }
}

/// By the file, or else as the latest run was told.
fn budget(reading: &Reading, config: &Config, now: Time) -> anyhow::Result<Option<BudgetOfAll>> {
    let captures = reading.captures()?;
    let field = |info: &CaptureInfo| {
        let describe = info.head.describe.iter().find(|(name, _)| name == BUDGET_FIELD);
        describe.map(|(_, value)| value.clone())
    };
    let latest = || captures.iter().rev().find_map(field).filter(|text| text != NO_BUDGET);
    let Some(text) = config.budget.clone().or_else(latest) else { return Ok(None) };
    let per_day = parse_per_day(&text).map_err(|problem| usage(problem, "correct it in tintype.toml"))?;
    let mut sites: Vec<String> = captures.into_iter().map(|info| info.head.site).collect();
    sites.sort_unstable();
    sites.dedup();
    let spent = spent_on(reading, &sites, now.midnight())?;
    let spent = DaySpending { requests: spent.requests, bytes: spent.bytes, all_day: spent.earlier };
    let mut day = DayBudget::new(per_day, now, spent);
    let slot = day.next_slot(now);
    Ok(Some(BudgetOfAll { text, day, slot }))
}

/// What the file says of keeping a site.
#[derive(Default)]
pub(super) struct KeptTerms {
    ceiling: Option<Budget>,
    hours: Option<DayHours>,
}

impl KeptTerms {
    pub(super) fn of(config: &Config, site: &str) -> KeptTerms {
        let named = |config: &&SiteConfig| site_names(config).iter().any(|name| name == site);
        let Some(site) = config.site.iter().find(named) else { return KeptTerms::default() };
        KeptTerms { ceiling: site.ceiling.as_deref().and_then(|text| parse_per_day(text).ok()), hours: site.hours }
    }

    /// Requests that the site's own ceiling leaves of today's.
    fn left(&self, spent: u64) -> Option<u64> {
        self.ceiling.and_then(|ceiling| ceiling.requests).map(|ceiling| ceiling.saturating_sub(spent))
    }

    /// When a request that is due at a moment is made, and what it waits for until then.
    fn opens(&self, next: &NextRequest, spent: u64, slot: Time) -> (Time, Option<String>) {
        let wait = if slot > next.at { Some(Wait::Budget) } else { next.wait };
        let (at, why) = (next.at.max(slot), wait.map(|wait| wait.to_string()));
        if self.left(spent) == Some(0) {
            return (at.midnight() + Span::from_days(1), Some("its ceiling is spent for today".to_owned()));
        }
        match self.hours.map(|hours| hours.opens(at)).filter(|opens| *opens > at) {
            Some(opens) => (opens, Some("its hours".to_owned())),
            None => (at, why),
        }
    }
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

/// What is said of a site that does not say when its pages changed.
pub(super) const NOT_KNOWN: &str = "not known: its server does not say when pages changed";

/// An interval as people read it.
pub(super) fn range_text(range: &BelievedRange, digits: usize) -> String {
    format!("{:.digits$} to {:.digits$}", range.low, range.high)
}

fn range(range: &BelievedRange) -> Value {
    json!({ "mean": range.mean, "low": range.low, "high": range.high })
}

pub(super) fn as_json(status: &SiteStatus, terms: &KeptTerms, slot: Time) -> Value {
    let curve = status.curve.map(|[half, same, twice]| json!({ "half": half, "same": same, "twice": twice }));
    let spent = status.spent_today.requests;
    let (at, why) = status.next.as_ref().map(|next| terms.opens(next, spent, slot)).unzip();
    json!({
        "site": status.site, "policy": status.policy, "pages": status.pages, "since": status.since.to_rfc3339(),
        "visits": status.visits, "spent_today": { "requests": status.spent_today.requests, "bytes": status.spent_today.bytes },
        "versions_caught": status.caught, "versions_missed": status.missed.as_ref().map(range),
        "completeness": status.completeness.as_ref().map(range), "mean_age_hours": status.mean_age_hours.as_ref().map(range),
        "changes_per_day": status.changes_per_day, "requests_per_day": status.requests_per_day,
        "completeness_at": curve, "worth": status.worth,
        "next": status.next.as_ref().map(|next| &next.url), "next_at": at.map(|at| at.to_rfc3339()),
        "waits_for": why.flatten(), "requests_left": terms.left(spent),
        "upheaval": status.upheaval,
    })
}

fn text(status: &SiteStatus, terms: &KeptTerms, slot: Time) -> String {
    let mut text = format!("{}  {}\n", printable(&status.site), counted(status.pages as u64, "page"));
    let mut row = |label: &str, detail: String| text += &format!("  {label:<15}{detail}\n");
    match &status.policy {
        Some(policy) => row("kept", format!("by {policy}")),
        None => row("kept", "not yet: tintype keep captures it whole once, then watches it".to_owned()),
    }
    if let Some(upheaval) = &status.upheaval {
        row("warning", upheaval_text(upheaval));
    }
    let spent = status.spent_today;
    let asked = format!("{} since {}", counted(status.visits, "request"), status.since);
    let left = terms.left(spent.requests).map_or(String::new(), |left| format!(", {left} left of its ceiling"));
    row("spent", format!("{asked}; today {}, {}{left}", spent.requests, bytes(spent.bytes)));
    let missed = match &status.missed {
        Some(missed) => format!("probably missed {:.1} ({})", missed.mean, range_text(missed, 1)),
        None => format!("what was missed is {NOT_KNOWN}"),
    };
    row("caught", format!("{}; {missed}", counted(status.caught, "version")));
    if let Some(completeness) = completeness_text(status) {
        row("completeness", completeness);
    }
    if let Some(age) = &status.mean_age_hours {
        row("copies are", format!("{:.1} h old on average ({})", age.mean, range_text(age, 1)));
    }
    row("requests", requests_text(status));
    if let Some(worth) = status.worth {
        row("a request", format!("is worth {worth:.2} now: changes it may bring, and more where the copy grew old"));
    }
    if let Some(next) = &status.next {
        let (at, why) = terms.opens(next, spent.requests, slot);
        row("next", printable(&next.url));
        row("", format!("at {}{}", at.to_rfc3339_secs(), why.map_or(String::new(), |why| format!(" ({why})"))));
    }
    text
}

/// What is spent for which changes, and what half or twice as much would buy.
fn requests_text(status: &SiteStatus) -> String {
    let SiteStatus { visits, requests_per_day, .. } = status;
    let days = *visits as f64 / requests_per_day.max(f64::MIN_POSITIVE);
    // What the first hours took says nothing of a day.
    let spent = match days < 1.0 {
        true => format!("{visits} so far"),
        false => format!("{requests_per_day:.0} a day"),
    };
    let changes = status.changes_per_day.map_or(String::new(), |changes| format!(" for {changes:.1} changes a day"));
    let curve = match status.curve.filter(|_| status.completeness.is_some()) {
        Some([half, same, twice]) => format!("half would catch {half:.2} of them, as many {same:.2}, twice {twice:.2}"),
        None => "what they catch is not known yet".to_owned(),
    };
    format!("{spent}{changes}; {curve}")
}

/// Nothing where no version came to be.
pub(super) fn completeness_text(status: &SiteStatus) -> Option<String> {
    let told = |range: &BelievedRange| format!("{:.2} ({})", range.mean, range_text(range, 2));
    let unknown = || status.missed.is_none().then(|| "not known".to_owned());
    status.completeness.as_ref().map(told).or_else(unknown)
}
