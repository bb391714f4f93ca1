//! Rules for people to read.

use super::RulesReport;
use crate::{amount::counted, plain::printable};
use std::{cmp::Reverse, collections::HashMap, fmt::Write};
use tintype_learn::directory::{DirectorySummary, ExpectedChange, RuleSummary};

/// Rules and directories that are listed; `--json` has all of them.
const LISTED: usize = 20;
/// With fewer comparisons hardly any rule can be told from chance.
const FEW: usize = 4;
/// Longer names do not move the column after them.
const WIDE: usize = 48;
/// So many times as lively as the directory above it, or as still.
const DIFFERENT: f64 = 2.0;
/// Smaller shares are all alike.
const STILL: f64 = 0.001;

pub(super) fn of(report: &RulesReport) -> String {
    report.sites.iter().map(site).collect::<Vec<_>>().join("\n")
}

fn site(site: &DirectorySummary) -> String {
    let mut text = format!("{}  {}\n", printable(&site.site), seen(site));
    if let Some(wait) = too_few(site) {
        writeln!(text, "  {wait}").expect("strings grow");
    }
    if site.transitions == 0 {
        return text;
    }
    match site.rules.is_empty() {
        true => text.push_str("  no rule: no directory was seen to keep still just when those above it changed\n"),
        false => section(&mut text, "rules", shortest(&site.rules)),
    }
    let still = columns(site.still.iter().map(|still| (&still.directory, counted(still.pages as u64, "page"))));
    section(&mut text, &still_title(site), still);
    let parts = columns(told(&site.expected).into_iter().map(|part| (&part.directory, expected(part))));
    let title = format!("to be expected on {}, the largest parts that differ", &site.next[..10]);
    section(&mut text, &title, parts);
    if site.captures {
        text.push_str("  next: tintype capture --policy skip    skips what will not have changed\n");
    }
    text
}

/// Of rules that say the same of one directory those with the shortest head.
fn shortest(rules: &[RuleSummary]) -> impl Iterator<Item = String> {
    let says = |rule: &RuleSummary| (rule.not.clone(), rule.times, rule.of);
    let mut heads = HashMap::new();
    for rule in rules {
        let length = rule.when.len();
        heads.entry(says(rule)).and_modify(|head: &mut usize| *head = length.min(*head)).or_insert(length);
    }
    rules.iter().filter(move |rule| heads[&says(rule)] == rule.when.len()).map(|rule| rule.words.clone())
}

/// Those that are much livelier or much more still than what is above them, the largest first.
fn told(all: &[ExpectedChange]) -> Vec<&ExpectedChange> {
    let mut known: Vec<f64> = Vec::new();
    let mut told = Vec::new();
    for part in all {
        let share = part.share.max(STILL);
        let above = part
            .above
            .map(|place| known[place])
            .filter(|above| (above / DIFFERENT..=above * DIFFERENT).contains(&share));
        known.push(above.unwrap_or(share));
        told.extend(above.is_none().then_some(part));
    }
    told.sort_by_key(|part| Reverse(part.pages));
    told
}

fn still_title(site: &DirectorySummary) -> String {
    let degree = percent(site.degree_min);
    format!("never changed by {degree} % or more, weighed by importance, so no rule can say so")
}

/// What was compared.
fn seen(site: &DirectorySummary) -> String {
    let what = if site.captures { "capture" } else { "version" };
    let when = match (&site.from, &site.to) {
        (Some(from), Some(to)) if from[..10] == to[..10] => format!(" on {}", &from[..10]),
        (Some(from), Some(to)) => format!(" from {} to {}", &from[..10], &to[..10]),
        _ => String::new(),
    };
    let directories = match site.directories {
        1 => "1 directory".to_owned(),
        many => format!("{many} directories"),
    };
    format!("{}{when}; {} in {directories}", counted(site.versions as u64, what), counted(site.pages as u64, "page"))
}

fn too_few(site: &DirectorySummary) -> Option<String> {
    let what = if site.captures { "captures" } else { "versions" };
    match site.transitions {
        0 => Some(format!("nothing can be compared yet: it takes two {what} to see what changes, and more for a rule")),
        few if few < FEW => {
            let compared = counted(few as u64, "comparison");
            Some(format!("only {compared} so far: what looks like a rule may be chance until there are more {what}"))
        }
        _ => None,
    }
}

fn expected(part: &ExpectedChange) -> String {
    let (pages, share) = (counted(part.pages as u64, "page"), percent(part.share));
    format!("{pages}, {share} % of them changed; any at all with a chance of {} %", percent(part.chance))
}

fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent > 0.0 && percent < 0.1 => "under 0.1".to_owned(),
        percent if percent > 0.0 && percent < 0.95 => format!("{percent:.1}"),
        percent => format!("{percent:.0}"),
    }
}

/// A name and what is said of it, below each other.
fn columns<'a>(rows: impl Iterator<Item = (&'a String, String)>) -> impl Iterator<Item = String> {
    let rows: Vec<(String, String)> = rows.map(|(name, said)| (name.clone(), said)).collect();
    let width = rows.iter().take(LISTED).map(|(name, _)| name.chars().count()).filter(|width| *width <= WIDE);
    let width = width.max().unwrap_or(0);
    rows.into_iter().map(move |(name, said)| format!("{name:<width$}  {said}"))
}

fn section(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let mut more = 0;
    for (nth, line) in lines.enumerate() {
        match nth {
            0 => writeln!(text, "  {title}\n    {}", printable(&line)).expect("strings grow"),
            nth if nth < LISTED => writeln!(text, "    {}", printable(&line)).expect("strings grow"),
            _ => more += 1,
        }
    }
    if more > 0 {
        writeln!(text, "    and {more} more; --json lists all").expect("strings grow");
    }
}
