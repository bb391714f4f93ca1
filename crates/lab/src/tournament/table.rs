//! The table a person reads: best first, every measure a column.

use super::results::{Row, TournamentResults};
use std::fmt::Write;
use tintype_quality::measure::{Measure, REGISTRY, SHARE};
use tintype_vocab::amount::{bytes, counted};

/// For a terminal: columns line up.
pub(super) fn text(results: &TournamentResults) -> String {
    let lines = lines(results);
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let mut out = format!("{}\n\n", heading(results));
    for line in &lines {
        let mut padded = format!("{:width$}", line[0], width = widths[0]);
        for (cell, width) in line.iter().zip(&widths).skip(1) {
            let _ = write!(padded, "  {cell:>width$}");
        }
        let _ = writeln!(out, "{}", padded.trim_end());
    }
    for note in notes(results) {
        let _ = write!(out, "\n{note}");
    }
    out + "\n"
}

/// For a document.
pub(super) fn markdown(results: &TournamentResults) -> String {
    let mut lines = lines(results).into_iter().map(|line| format!("| {} |\n", line.join(" | ")));
    let head = lines.next().unwrap_or_default();
    let rule = format!("|---|{}\n", "---:|".repeat(head.matches('|').count() - 2));
    let notes = notes(results).into_iter().map(|note| format!("\n{note}\n"));
    [head, rule].into_iter().chain(lines).chain(notes).collect()
}

/// What was played, in a line.
pub(super) fn heading(results: &TournamentResults) -> String {
    format!("{}, {} visits a day", subject(results), results.game.per_day)
}

/// What was played on, whatever the budget.
pub(super) fn subject(results: &TournamentResults) -> String {
    let (from, to) = (results.game.from.to_rfc3339_secs(), results.game.to.to_rfc3339_secs());
    format!(
        "{}: {}, {} born from {} to {}",
        results.name,
        counted(results.pages as u64, "page"),
        counted(results.versions(), "version"),
        from.trim_end_matches("T00:00:00Z"),
        to.trim_end_matches("T00:00:00Z"),
    )
}

/// Titles, the best possible, then everybody.
fn lines(results: &TournamentResults) -> Vec<Vec<String>> {
    let measures = REGISTRY.iter().map(title);
    let titles = ["policy", "visits"].map(str::to_owned).into_iter().chain(measures);
    let titles = titles.chain(["of best", "weighted of best", "bytes"].map(str::to_owned)).collect();
    let everybody = results.asked.ranked().into_iter().map(|row| line(results, row));
    [titles, best_line(results)].into_iter().chain(everybody).collect()
}

fn best_line(results: &TournamentResults) -> Vec<String> {
    let best = results.best();
    let value = |measure: &Measure| match measure.name {
        "completeness" => format!("{:.3}", best.completeness),
        "weighted_completeness" => format!("{:.3}", best.weighted_completeness),
        "freshness" => format!("{:.3}", best.freshness),
        _ => String::new(),
    };
    let name = ["best possible", ""].map(str::to_owned).into_iter();
    name.chain(REGISTRY.iter().map(value)).chain(std::iter::repeat_n(String::new(), 3)).collect()
}

fn line(results: &TournamentResults, row: &Row) -> Vec<String> {
    let name = [row.policy.to_owned(), row.score().visits.to_string()].into_iter();
    let of_best = [results.of_best(row), results.weighted_of_best(row)].map(|share| format!("{:.1} %", 100.0 * share));
    let values = REGISTRY.iter().map(|measure| value(row, measure));
    name.chain(values).chain(of_best).chain([bytes(row.bytes)]).collect()
}

fn title(measure: &Measure) -> String {
    match measure.name {
        "weighted_completeness" => "weighted".to_owned(),
        "mean_age_hours" => "mean age".to_owned(),
        name => name.replace('_', " "),
    }
}

/// Shares with three digits, everything else with its unit.
fn value(row: &Row, measure: &Measure) -> String {
    let value = (measure.read)(row.score());
    match measure.unit {
        SHARE => format!("{value:.3}"),
        "hours" | "h" if value < 48.0 => format!("{value:.1} h"),
        "hours" | "h" => format!("{:.1} d", value / 24.0),
        _ => format!("{value:.1}"),
    }
}

/// What the numbers alone do not say, a paragraph each.
fn notes(results: &TournamentResults) -> Vec<String> {
    let mut notes = vec!["bytes: what the visits would have moved.".to_owned()];
    let intervals: Vec<String> = results.asked.ranked().into_iter().filter_map(interval).collect();
    if !intervals.is_empty() {
        let runs = results.asked.rows.iter().map(|row| row.scores.len()).max().unwrap_or(1);
        notes.push(format!("Completeness over {runs} runs, mean and 95 % interval: {}.", intervals.join("; ")));
    }
    if results.asked.rows.iter().any(|row| row.informed) {
        let note = "Policies ending in -true are told each page's true change rate: nobody can run them, they show what \
                    better learning could gain at most.";
        notes.push(note.to_owned());
    }
    notes
}

fn interval(row: &Row) -> Option<String> {
    let estimate = row.over_runs(|score| score.completeness);
    let [low, high] = estimate.ci95?;
    Some(format!("{} {:.3} ({low:.3} to {high:.3})", row.policy, estimate.mean))
}
