//! Pictures of a tournament.

use super::tables::completeness;
use crate::{
    tournament::capture::{Capture, Captured},
    tournament::results::{Row, TournamentResults},
    tournament::table::{heading, subject},
};
use tintype_picture::{Axis, Bar, Bars, Lines, OrganPipes, OverTime, Picture, Pipe, PipeVerdict, Series};
use tintype_plan::policy::CONTINUAL_DEFAULT;
use tintype_quality::Estimate;
use tintype_vocab::{Span, Time};

const BEST: &str = "best possible";

/// What an archive without a policy does: the eye compares with it where there is no best possible to see.
const BASELINE: &str = "uniform";

pub(super) fn completeness_by_budget(results: &TournamentResults) -> Picture {
    let best = curve(BEST, results.budgets().map(|spent| (spent.per_day, spent.best_over_runs())));
    let policies = shown(&results.asked.rows).map(|(nth, row)| {
        let points = results.budgets().map(|spent| (spent.per_day, completeness(&spent.rows[nth])));
        with_role(curve(row.policy, points), &[CONTINUAL_DEFAULT])
    });
    let lines = Lines {
        title: format!("What more visits bring: {}", results.name),
        caption: format!("{}. Bands: 95 % intervals where there were several runs.", subject(results)),
        x: Axis::logarithmic("Budget", "visits a day"),
        y: share_axis("Completeness", "share of versions seen alive"),
        series: std::iter::once(best.reference()).chain(policies).collect(),
    };
    lines.draw()
}

pub(super) fn freshness_over_time(results: &TournamentResults) -> Picture {
    let (from, length) = (results.game.from, (results.game.to - results.game.from).as_millis());
    let middle = |nth: usize, of: usize| from + Span::from_millis(length * (2 * nth as i64 + 1) / (2 * of as i64));
    let series = shown(&results.asked.rows).map(|(_, row)| {
        let points = row.course.iter().enumerate();
        let points: Vec<(Time, f64)> = points.map(|(nth, share)| (middle(nth, row.course.len()), *share)).collect();
        with_role(Series::over_time(row.policy, points), &[CONTINUAL_DEFAULT, BASELINE])
    });
    let chart = OverTime {
        title: format!("How much of the archive is right at any time: {}", results.name),
        caption: format!("{}. Best possible on average: {:.3}.", heading(results), results.best().freshness),
        time: "Time".to_owned(),
        y: Axis::linear("Freshness", "share of pages alive").including(1.0, 1.0),
        series: series.collect(),
    };
    chart.draw()
}

pub(super) fn policies(results: &TournamentResults) -> Picture {
    let bar = |row: &Row| {
        let estimate = completeness(row);
        let interval = estimate.ci95.map(|[low, high]| (low, high));
        Bar { name: row.policy.to_owned(), value: estimate.mean, interval, emphasised: row.policy == CONTINUAL_DEFAULT }
    };
    let mut bars: Vec<Bar> = results.asked.rows.iter().map(bar).collect();
    bars.sort_by(|a, b| b.value.total_cmp(&a.value));
    let chart = Bars {
        title: format!("What each policy would have kept: {}", results.name),
        caption: format!(
            "{}. Means and 95 % intervals where there were several runs. Policies ending in -true are told the true \
             change rates.",
            heading(results)
        ),
        names: "Policy".to_owned(),
        value: share_axis("Completeness", "share of versions seen alive"),
        bars,
        reference: Some((BEST.to_owned(), results.asked.best_over_runs().mean)),
    };
    chart.draw()
}

pub(super) fn organ_pipes(results: &TournamentResults, capture: &Capture) -> Picture {
    let pipe = |page: &Captured| Pipe {
        downloaded: page.after.as_days_f64(),
        change_rate: page.changes_per_day,
        verdict: if page.still { PipeVerdict::Sharp } else { PipeVerdict::Blurred },
    };
    let left = match capture.left {
        0 => String::new(),
        left => format!(" The window ended before {left} further pages could be visited."),
    };
    let chart = OrganPipes {
        title: format!("One {} capture: {}", capture.policy, results.name),
        caption: format!(
            "Every page there on {}, {} visits a day. Sharp: unchanged from the first visit of the capture to the last. \
             Pages that never change are stubs.{left}",
            results.game.from.to_rfc3339_secs().trim_end_matches("T00:00:00Z"),
            results.game.per_day
        ),
        downloaded: Axis::linear("Time of visit since the capture began", "days"),
        change_rate: Axis::logarithmic("True change rate", "changes per day"),
        pipes: capture.pages.iter().map(pipe).collect(),
        spans: Vec::new(),
        moment: None,
    };
    chart.draw()
}

/// Lines are for policies that somebody could run; told ones would only crowd them. Ours comes first, so that it looks
/// the same in every picture.
fn shown(rows: &[Row]) -> impl Iterator<Item = (usize, &Row)> {
    let nobody_else = rows.iter().all(|row| row.informed);
    let runnable = rows.iter().enumerate().filter(|(_, row)| nobody_else || !row.informed);
    let (ours, others): (Vec<_>, Vec<_>) = runnable.partition(|(_, row)| row.policy == CONTINUAL_DEFAULT);
    ours.into_iter().chain(others)
}

fn curve(name: &str, points: impl Iterator<Item = (f64, Estimate)>) -> Series {
    let points: Vec<(f64, Estimate)> = points.collect();
    let band = points.iter().filter_map(|(at, estimate)| estimate.ci95.map(|[low, high]| (*at, low, high)));
    let band: Vec<(f64, f64, f64)> = band.map(|(at, low, high)| (at, low.max(0.0), high.min(1.0))).collect();
    Series::new(name, points.iter().map(|(at, estimate)| (*at, estimate.mean))).with_band(band)
}

fn with_role(series: Series, emphasised: &[&str]) -> Series {
    if emphasised.contains(&series.name.as_str()) { series.emphasised() } else { series }
}

fn share_axis(quantity: &str, unit: &str) -> Axis {
    Axis::linear(quantity, unit).including(0.0, 1.0)
}
