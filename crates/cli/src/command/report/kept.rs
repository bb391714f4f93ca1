//! What keeping brought since a moment, for people and for machines.

use crate::{
    amount::counted,
    command::status::{KeptTerms, NOT_KNOWN, as_json as status_json, completeness_text, range_text},
    plain::printable,
};
use serde_json::{Value, json};
use tintype_session::{KeptPart, KeptReport};

/// Pages that are listed one by one; `--json` has more.
const LISTED: usize = 15;

pub(super) fn as_json(report: &KeptReport) -> Value {
    let part = |part: &KeptPart| {
        json!({
            "visits": part.visits, "caught": part.caught, "first_seen": part.first_seen, "gone": part.gone,
            "failed": part.failed, "foretold": part.foretold, "found": part.found,
        })
    };
    let with = |key: &str, name: String, value: &KeptPart| {
        let mut object = part(value);
        object[key] = json!(name);
        object
    };
    let days: Vec<Value> = report.days.iter().map(|(day, of)| with("day", day_of(day), of)).collect();
    let pages: Vec<Value> = report.pages.iter().map(|(url, of)| with("url", url.clone(), of)).collect();
    let tenths: Vec<Value> = report
        .forecasts
        .tenths()
        .map(|(from, tenth)| {
            json!({ "chance_from": from, "visits": tenth.forecasts, "foretold": tenth.foretold, "found": tenth.happened })
        })
        .collect();
    let errors = report.forecasts.errors();
    json!({
        "status": status_json(&report.status, &KeptTerms::default(), report.status.since), "days": days, "pages": pages,
        "completeness_by_page": report.by_page,
        "forecasts": {
            "tenths": tenths, "squared_error": errors.map(|(ours, _)| ours),
            "squared_error_of_the_mean": errors.map(|(_, mean)| mean),
        },
    })
}

pub(super) fn text(report: &KeptReport) -> String {
    let status = &report.status;
    let mut text = format!("{}  since {}\n", printable(&status.site), status.since);
    let mut row = |label: &str, detail: String| text += &format!("  {label:<15}{detail}\n");
    let sum = |of: fn(&KeptPart) -> u64| report.days.values().map(of).sum::<u64>();
    row("visits", counted(status.visits, "request"));
    let first = sum(|day| day.first_seen);
    row("caught", format!("{}, {first} of them of pages first seen", counted(status.caught, "version")));
    match &status.missed {
        Some(missed) => row("missed", format!("probably {:.1} ({})", missed.mean, range_text(missed, 1))),
        None => row("missed", NOT_KNOWN.to_owned()),
    }
    if let Some(completeness) = completeness_text(status) {
        row("completeness", completeness);
    }
    if let Some(by_page) = report.by_page {
        row("by page", format!("{by_page:.2}, every page by the importance of its own changes and by the links to it"));
    }
    if let Some(age) = &status.mean_age_hours {
        row("copies are", format!("{:.1} h old on average ({})", age.mean, range_text(age, 1)));
    }
    let (gone, failed) = (sum(|day| day.gone), sum(|day| day.failed));
    if gone + failed > 0 {
        row("without a page", format!("{gone} gone, {failed} failed or refused"));
    }
    let all = report.forecasts.all();
    row(
        "foretold",
        format!(
            "{:.1} of {} to find a page changed; {} did",
            all.foretold,
            counted(all.forecasts, "visit"),
            all.happened
        ),
    );
    text += &tables(report);
    text
}

fn tables(report: &KeptReport) -> String {
    let mut text = String::new();
    if !report.days.is_empty() {
        text += "  day         visits  foretold  found changed  first seen\n";
    }
    for (day, of) in &report.days {
        text += &format!(
            "  {}  {:>6}  {:>8.1}  {:>13}  {:>10}\n",
            day_of(day),
            of.visits,
            of.foretold,
            of.found,
            of.first_seen
        );
    }
    if report.forecasts.all().forecasts > 0 {
        text += "  chance      visits  foretold  found changed\n";
    }
    for (from, tenth) in report.forecasts.tenths() {
        text += &format!(
            "  {from:.1} to {:.1}  {:>6}  {:>8.1}  {:>13}\n",
            from + 0.1,
            tenth.forecasts,
            tenth.foretold,
            tenth.happened
        );
    }
    if !report.pages.is_empty() {
        text += "  caught  visits  page\n";
    }
    for (url, of) in report.pages.iter().take(LISTED) {
        text += &format!("  {:>6}  {:>6}  {}\n", of.caught, of.visits, printable(url));
    }
    if report.pages.len() > LISTED {
        text += &format!("  and {} more; --json lists them\n", report.pages.len() - LISTED);
    }
    text
}

fn day_of(day: &tintype_vocab::Time) -> String {
    day.to_rfc3339().chars().take(10).collect()
}
