//! A certificate for people to read and act upon.

use super::Report;
use crate::{amount::counted, plain::printable};
use std::{collections::BTreeMap, fmt::Write};
use tintype_plan::Exclusions;
use tintype_quality::Tally;
use tintype_quality::certificate::{Activity, Certificate, Dated, PageProof, PageVerdict, Period, Reason};

/// Pages that are listed one by one; `--json` has all of them.
const LISTED: usize = 20;
/// Longer addresses do not move the column after them.
const WIDE: usize = 60;

/// What a report says, in rows of a label and a sentence.
pub(super) fn rows(report: &Report) -> Vec<(&'static str, String)> {
    let (of, mut rows) = (&report.certificate, Vec::new());
    let mut row = |label, text: String| rows.push((label, text));
    row("capture", of.capture.clone());
    // Life spans that somebody else recorded came without pages.
    let nothing = if report.copies.is_some() && of.visits == 0 { "no pages, only objects" } else { "no page answered" };
    row("taken", of.query.map_or(nothing.to_owned(), during));
    if of.captured > 0 || report.copies.is_none() {
        row("captured", captured(report));
    }
    for (cause, count) in &of.failures {
        row("missing", format!("{}: {cause}", counted(*count, "page")));
    }
    if let Some(changed) = changed(&report.counted) {
        row("changed", changed);
    }
    if let Some(truncated) = of.truncated.filter(|count| *count > 0) {
        row("truncated", format!("{} cut short at a limit or by the other side", counted(truncated, "answer")));
    }
    for lost in of.lost.iter().take(LISTED) {
        let what = match lost.only_request {
            true => "the request as it was sent was damaged on disk; the answer is held",
            false => "its record was damaged or lost on disk",
        };
        row("lost", format!("{} as of {}: {what}", lost.url, lost.asked));
    }
    if of.lost.len() > LISTED {
        row("lost", format!("and {} more; --json lists all", of.lost.len() - LISTED));
    }
    report.skipped.iter().flat_map(|skipped| skipped.rows()).for_each(|(label, text)| row(label, text));
    for left_out in exclusions(of) {
        row("left out", left_out);
    }
    row("visits", visits(of));
    row("ended", ending(report));
    if of.captured > 0 && of.revisits == 0 {
        row("proof", unproved(of));
    }
    if of.captured > 0 {
        if of.revisits > 0 {
            row("sharp", sharp(of));
            for (reason, count) in not_sharp(of) {
                row("not sharp", format!("{}: {reason}", counted(count, "page")));
            }
        }
        if of.sharp.server_alone > 0 {
            let pages = counted(of.sharp.server_alone, "page");
            row(
                "server's word",
                format!("{pages} not proved here had not changed since before, by Last-Modified alone"),
            );
        }
        if of.sharp.contradicted > 0 {
            let pages = counted(of.sharp.contradicted, "page");
            row("server's word", format!("was proved wrong for {pages}, and is not taken for them"));
        }
        row("dated to", of.dated.map_or("no moment".to_owned(), |dated| dated_to(dated, "proved to be as of then")));
        if let Some(dated) = of.dated_by_server.filter(|dated| Some(dated.pages) > of.dated.map(|proved| proved.pages))
        {
            row("", dated_to(dated, "as of then if the server's dates are believed"));
        }
        row("blur", blur(of));
        row("expected by", expected_by(of));
    }
    if of.composites.pages() > 0 {
        row("composites", composites(of));
    }
    if let Some(rendered) = &report.counted.rendered {
        let (pages, detail) = crate::rendered::row(rendered);
        row("browser", format!("{pages} {detail}"));
    }
    report.mislabelled.iter().flat_map(super::mislabelled::rows).for_each(|(label, text)| row(label, text));
    report.copies.iter().flat_map(|copies| copies.rows()).for_each(|(label, text)| row(label, text));
    row("fingerprint", of.fingerprint.clone());
    rows
}

pub(super) fn of(report: &Report) -> String {
    let certificate = &report.certificate;
    let mut text = format!("{}\n", certificate.site);
    let mut label_before = "";
    for (label, sentence) in rows(report) {
        let shown = if label == label_before { "" } else { label };
        writeln!(text, "  {shown:<14} {}", printable(&sentence)).expect("strings grow");
        label_before = label;
    }
    text.extend(report.skipped.iter().map(|skipped| skipped.text()));
    text.extend(report.copies.iter().map(|copies| copies.text()));
    let (listed, all) =
        (listed(certificate), certificate.pages.iter().filter(|page| is_listed(certificate, page)).count());
    if all > 0 {
        let what = if certificate.revisits > 0 { "pages that are not sharp" } else { "pages that are missing" };
        writeln!(text, "  {what}").expect("strings grow");
    }
    let urls: Vec<String> = listed.iter().map(|page| printable(&page.url)).collect();
    let width = urls.iter().map(|url| url.chars().count()).filter(|width| *width <= WIDE).max().unwrap_or(0);
    for (page, url) in listed.iter().zip(&urls) {
        let reason = page.reason().map_or(String::new(), |reason| reason.to_string());
        writeln!(text, "    {url:<width$}  {reason}").expect("strings grow");
    }
    if all > listed.len() {
        writeln!(text, "    and {} more; --json lists all", all - listed.len()).expect("strings grow");
    }
    let once = |page: &PageProof| page.reason() == Some(Reason::VisitedOnce);
    // The pages of a listing are read for their objects, and by `keep`.
    if report.copies.is_none() && certificate.pages.iter().any(once) {
        writeln!(text, "  next: tintype capture --revisit    asks for every page twice, which proves which did not change meanwhile")
            .expect("strings grow");
    }
    text
}

fn during(period: Period) -> String {
    match period.from == period.to {
        true => format!("{}", period.from),
        false => format!("{} to {} ({})", period.from, period.to, period.to - period.from),
    }
}

/// What is there, new or known.
fn captured(report: &Report) -> String {
    let Tally { first, unchanged, .. } = report.counted;
    let parts = [(first, "first seen"), (unchanged, "unchanged")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let pages = counted(report.certificate.captured, "page");
    if parts.is_empty() { pages } else { format!("{pages}: {}", parts.join(", ")) }
}

fn changed(counts: &Tally) -> Option<String> {
    let parts = [(counts.changed, "since they were seen before"), (counts.changed_meanwhile, "while the capture ran")];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, when)| format!("{} {when}", counted(*count, "page")))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Every page was seen once: that is a whole capture, of which only the moment is open.
fn unproved(of: &Certificate) -> String {
    let [low, high] = of.sharp.interval_90;
    let pages = counted(of.captured, "page");
    let expected = match of.sharp.expected >= 0.05 {
        true => format!("; by what is believed of them, {:.0} to {:.0} would be", low.round(), high.round()),
        false => String::new(),
    };
    let would_prove = match of.captured {
        1 => "seen once; --revisit would prove whether it changed meanwhile",
        _ => "seen once each; --revisit would prove which of them did not change meanwhile",
    };
    format!("{pages} {would_prove}{expected}")
}

/// Whether a page is named: where nothing was looked at twice, only what is missing.
pub(super) fn is_listed(of: &Certificate, page: &PageProof) -> bool {
    !page.is_sharp() && (of.revisits > 0 || matches!(page.verdict, PageVerdict::Missing(_)))
}

fn visits(of: &Certificate) -> String {
    let redirects =
        if of.redirects > 0 { format!(" and {}", counted(of.redirects, "redirect")) } else { String::new() };
    let visits = counted(of.visits, "visit");
    format!("{visits} to {}{redirects}, {} of them revisits", counted(of.captured, "captured page"), of.revisits)
}

fn sharp(of: &Certificate) -> String {
    let [low, high] = of.sharp.interval_90;
    format!(
        "{} of {} proved the same at visit and revisit; {:.1} were to be expected ({:.0} to {:.0})",
        of.sharp.proved,
        counted(of.captured, "page"),
        of.sharp.expected,
        low.round(),
        high.round()
    )
}

/// How many captured pages are not sharp for which reason, the most frequent first.
fn not_sharp(of: &Certificate) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for page in &of.pages {
        if let PageVerdict::NotSharp(reason) = page.verdict {
            *counts.entry(reason.to_string()).or_default() += 1;
        }
    }
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

fn dated_to(dated: Dated, what: &str) -> String {
    let verb = if dated.pages == 1 { "is" } else { "are" };
    let pages = match dated.is_whole() {
        true if dated.of == 1 => "the one page".to_owned(),
        true => format!("all {}", counted(dated.of, "page")),
        false => format!("{} of {}", dated.pages, counted(dated.of, "page")),
    };
    format!("{}: {pages} {verb} {what}", during(dated.period))
}

fn blur(of: &Certificate) -> String {
    let [low, high] = of.blur.interval_90.map(figure);
    let (expected, realised) = (figure(of.blur.expected), figure(of.blur.realised));
    format!("{realised} changes by what the visits showed; {expected} were to be expected ({low} to {high})")
}

/// What the expectations rest on besides the rates of pages one by one.
fn expected_by(of: &Certificate) -> String {
    let Activity { factor, spread, captures } = of.activity;
    let give_or_take = (100.0 * spread.sqrt()).round();
    match captures {
        0 => "guesses alone: no capture before asked twice for pages of this site, and guesses err together".to_owned(),
        _ => format!(
            "rates believed before, times {} give or take {give_or_take} %: how lively the site was, as a whole, in {} before",
            figure(factor),
            counted(captures.into(), "capture")
        ),
    }
}

/// Three digits that matter.
pub(super) fn figure(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 0.001 => format!("{value:.1e}"),
        size if size < 1.0 => format!("{value:.3}"),
        size if size < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

fn composites(of: &Certificate) -> String {
    let parts = of.composites;
    let counts = [
        (parts.coherent, "coherent"),
        (parts.possible, "possibly not"),
        (parts.violations, "proved not"),
        (parts.unknown, "unknown"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let pages = counted(parts.pages(), "page");
    format!("{pages} with images, styles or scripts: {}", counts.collect::<Vec<_>>().join(", "))
}

fn exclusions(of: &Certificate) -> Vec<String> {
    let Some(log) = &of.from_log else { return Vec::new() };
    let rules = serde_json::to_value(&log.excluded).and_then(serde_json::from_value::<Exclusions>);
    let rules = rules.unwrap_or_default();
    let row = |links, words: &str| format!("{}: {words}", counted(links, "link"));
    rules.iter().map(|(rule, excluded)| row(excluded.links, rule.explain())).collect()
}

fn ending(report: &Report) -> String {
    let ending = report.certificate.from_log.as_ref().map(|log| log.ending.as_deref());
    match ending {
        None => "cut short; run tintype capture again to go on".to_owned(),
        Some(Some("complete")) if report.skipped.is_some() => "everything known was asked for or skipped".to_owned(),
        Some(Some("complete")) => "everything known was asked for".to_owned(),
        Some(Some("budget-spent")) => "when the budget was spent; more pages were known".to_owned(),
        Some(Some("unreachable")) => "because the site stopped answering".to_owned(),
        Some(Some(other)) => other.to_owned(),
        Some(None) => "as an import".to_owned(),
    }
}

/// The pages to name: those that are proved to have changed before those of which nothing is known.
pub(super) fn listed(of: &Certificate) -> Vec<&PageProof> {
    let weight = |page: &&PageProof| match page.verdict {
        PageVerdict::NotSharp(reason) if reason.is_change() => 0,
        PageVerdict::Missing(_) => 1,
        _ => 2,
    };
    let of_weight = |wanted| of.pages.iter().filter(move |page| is_listed(of, page) && weight(page) == wanted);
    (0..3).flat_map(of_weight).take(LISTED).collect()
}
