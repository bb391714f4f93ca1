//! The tables a person reads.

use super::{
    point::{Point, Set},
    results::{Compared, NearResults, RECALL, Test, Verdict},
};
use crate::table::{Cell, Table};
use std::fmt::Write;
use tintype_vocab::Span;
use tintype_vocab::amount::counted;
use tintype_world::near::{Births, Ridden};

/// Rows of the comparison with WARM that a person reads; programs get all.
const ROWS_MAX: usize = 16;

pub(super) fn text(results: &NearResults) -> String {
    let mut out = format!("{}\n\n{}", heading(results), settings(results).text());
    let _ = write!(out, "\n{}\n\n", summary(results));
    let shown = shown(results);
    if !shown.is_empty() {
        let _ = writeln!(out, "{}", comparison(&shown).text());
    }
    let _ = write!(out, "What skip expected to lose at its own price, and what it lost\n\n{}", tests(results).text());
    let _ = writeln!(out, "\nlearning from full captures: {}", results.foretold.words(results.loss));
    if let Some(closed) = &results.closed {
        let _ = writeln!(
            out,
            "\nThe same, learning from nothing but what skip visited itself\n\n{}",
            closed.table().text()
        );
        let _ = writeln!(out, "\nlearning from itself: {}", closed.words(results.loss));
    }
    out
}

pub(super) fn heading(results: &NearResults) -> String {
    let windows = &results.windows;
    format!(
        "{}: {} captures {} apart from {}, {} tested, each learning from the {} before it. New pages are found {}.",
        results.name,
        windows.versions(),
        span(windows.every),
        windows.from.to_rfc3339_secs(),
        windows.test,
        windows.train,
        match results.births {
            Births::LookedInto => "where their directory is looked into",
            Births::Announced => "as sitemaps or feeds name them",
        }
    )
}

/// `7d`, `12h`, `90s`: as it can be typed.
pub(super) fn span(span: Span) -> String {
    let seconds = span.as_millis() / 1000;
    let units = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")];
    let unit = units.into_iter().find(|(unit, _)| seconds > 0 && seconds % unit == 0 && span.as_millis() % 1000 == 0);
    unit.map_or_else(|| format!("{}ms", span.as_millis()), |(unit, name)| format!("{}{name}", seconds / unit))
}

/// Each policy at its own setting, and the oracles where they skip as much as ours.
pub(super) fn settings(results: &NearResults) -> Table {
    let mut table = Table::new(["policy", "setting", "BR", "OP", "OR", "CR", "CR by importance", "oracle CR at BR"]);
    for point in std::iter::once(&results.warm).chain(&results.learned) {
        let oracle = results.policy("oracle").curve.recall_at(point.br);
        table.push(vec![
            Cell::text(point.policy),
            Cell::text(setting(point)),
            Cell::Number(point.br, 3),
            Cell::Number(point.op, 3),
            Cell::Number(point.or, 3),
            Cell::Number(point.cr, 3),
            Cell::maybe(point.weighted_cr, 3),
            Cell::Number(oracle, 3),
        ]);
    }
    table
}

fn setting(point: &Point) -> String {
    match point.set {
        Set::Thresholds { alpha, beta, gamma, theta } => {
            let gamma = gamma.map_or_else(|| "auto".to_owned(), |gamma| gamma.to_string());
            format!("alpha {alpha}, beta {beta}, gamma {gamma}, theta {theta}")
        }
        Set::Price { price } => format!("price {price:.2e}"),
        Set::LearnedPrice { .. } => "learned price".to_owned(),
        Set::Nothing {} => String::new(),
    }
}

/// What it comes to, in sentences.
pub(super) fn summary(results: &NearResults) -> String {
    let mut out = format!("{} mined in all tests.", counted(results.rules as u64, "rule"));
    let _ = write!(out, " Pages that can be skipped with {RECALL} of the changes noticed:");
    for (nth, (name, br)) in results.bypass_at_recall().enumerate() {
        let _ = write!(out, "{} {name} {br:.3}", if nth == 0 { "" } else { "," });
    }
    let compared = results.compared();
    if compared.is_empty() {
        out += ".\nNo setting of WARM skips anything.";
        return out;
    }
    let count = |verdict: Verdict| compared.iter().filter(|row| row.verdict == verdict).count();
    let _ = write!(
        out,
        ".\n{} of WARM that skip anything; skipping as much, skip notices more than {} of them, as much as {}, less than {}.",
        counted(compared.len() as u64, "setting"),
        count(Verdict::Better),
        count(Verdict::Equal),
        count(Verdict::Worse)
    );
    out
}

/// The best settings of WARM, and all that ours does not match.
fn shown(results: &NearResults) -> Vec<Compared> {
    let warm = results.policy("warm");
    let (mut shown, others): (Vec<_>, Vec<_>) = results.compared().into_iter().partition(|row| warm.is_best(&row.warm));
    shown.extend(others.into_iter().filter(|row| row.verdict == Verdict::Worse));
    let every = shown.len().div_ceil(ROWS_MAX).max(1);
    shown.into_iter().step_by(every).collect()
}

pub(super) fn comparison(rows: &[Compared]) -> Table {
    let titles =
        ["WARM at", "BR", "CR", "skip CR", "skip-directories CR", "oracle-directories CR", "oracle CR", "skip is"];
    let mut table = Table::new(titles);
    for row in rows {
        table.push(vec![
            Cell::text(setting(&row.warm)),
            Cell::Number(row.warm.br, 3),
            Cell::Number(row.warm.cr, 3),
            Cell::Number(row.skip_cr, 3),
            Cell::Number(row.skip_directories_cr, 3),
            Cell::Number(row.oracle_directories_cr, 3),
            Cell::Number(row.oracle_cr, 3),
            Cell::text(row.verdict.word()),
        ]);
    }
    table
}

/// Test by test.
pub(super) fn tests(results: &NearResults) -> Table {
    let titles = [
        "capture",
        "pages",
        "changes",
        "rules",
        "WARM BR",
        "WARM CR",
        "skip BR",
        "skip CR",
        "expected lost",
        "between",
        "lost",
    ];
    let mut table = Table::new(titles);
    for test in &results.tests {
        let Test { warm, skip, rules, at } = test;
        table.push(vec![
            Cell::text(at.to_rfc3339_secs()),
            Cell::Number(warm.bypass.pages() as f64, 0),
            Cell::Number(warm.bypass.changes as f64, 0),
            Cell::Number(*rules as f64, 0),
            Cell::Number(warm.bypass.bypass_ratio(), 3),
            Cell::Number(warm.bypass.change_recall(), 3),
            Cell::Number(skip.judged.bypass.bypass_ratio(), 3),
            Cell::Number(skip.judged.bypass.change_recall(), 3),
            Cell::maybe(test.expected_lost(), 1),
            Cell::text(between(skip)),
            Cell::Number(skip.judged.bypass.changes_lost() as f64, 0),
        ]);
    }
    table
}

/// `0 to 4`.
pub(super) fn between(ridden: &Ridden) -> String {
    let between = ridden.said.as_ref().and_then(|said| said.lost_between);
    between.map_or_else(String::new, |[from, to]| format!("{from} to {to}"))
}

/// All points of all policies.
pub(super) fn points(results: &NearResults) -> Table {
    let mut table = Table::new(["policy", "setting", "BR", "OP", "OR", "CR", "weighted CR"]);
    for point in results.policies.iter().flat_map(|policy| &policy.points) {
        table.push(vec![
            Cell::text(point.policy),
            Cell::text(setting(point)),
            Cell::Number(point.br, 4),
            Cell::Number(point.op, 4),
            Cell::Number(point.or, 4),
            Cell::Number(point.cr, 4),
            Cell::maybe(point.weighted_cr, 4),
        ]);
    }
    table
}

#[cfg(test)]
mod tests_of_words {
    use super::*;

    #[test]
    fn spans_are_written_as_they_can_be_typed() {
        let written = [604_800, 43_200, 90 * 60, 90, 1].map(|seconds| span(Span::from_secs(seconds)));
        assert_eq!(written, ["7d", "12h", "90min", "90s", "1s"]);
        assert_eq!([span(Span::from_millis(1500)), span(Span::ZERO)], ["1500ms", "0ms"]);
    }
}
