//! Rules for people to read.

use super::said::{Expected, Said, Site, Still};
use crate::{amount::counted, plain::printable};
use std::fmt::Write;

/// Rules and directories that are listed; `--json` has all of them.
const LISTED: usize = 20;
/// With fewer comparisons hardly any rule can be told from chance.
const FEW: usize = 4;
/// Longer names do not move the column after them.
const WIDE: usize = 48;

pub(super) fn of(said: &Said) -> String {
    said.sites.iter().map(site).collect::<Vec<_>>().join("\n")
}

fn site(site: &Site) -> String {
    let mut text = format!("{}  {}\n", printable(&site.site), seen(site));
    if let Some(wait) = too_few(site) {
        writeln!(text, "  {wait}").expect("strings grow");
    }
    if site.transitions == 0 {
        return text;
    }
    match site.rules.is_empty() {
        true => text.push_str("  no rule: no directory was seen to keep still just when those above it changed\n"),
        false => section(&mut text, "rules", site.rules.iter().map(|rule| rule.words.clone())),
    }
    section(
        &mut text,
        "never changed, so no rule can say so",
        columns(&site.still, |still: &Still| (still.directory.clone(), counted(still.pages as u64, "page"))),
    );
    section(
        &mut text,
        "if it were captured now, the most still first",
        columns(&site.now, |now: &Expected| (now.directory.clone(), expected(now))),
    );
    text
}

/// What was compared.
fn seen(site: &Site) -> String {
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

fn too_few(site: &Site) -> Option<String> {
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

fn expected(now: &Expected) -> String {
    let pages = counted(now.pages as u64, "page");
    format!("{pages}, {} % expected to have changed; any at all: {} %", percent(now.share), percent(now.chance))
}

fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent > 0.0 && percent < 0.95 => format!("{:.1}", percent.max(0.1)),
        percent => format!("{percent:.0}"),
    }
}

/// A name and what is said of it, below each other.
fn columns<T>(all: &[T], row: impl Fn(&T) -> (String, String)) -> impl Iterator<Item = String> {
    let rows: Vec<(String, String)> = all.iter().map(row).collect();
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
