//! DecayMeasures as tables for people.

use super::results::{DecayMeasures, Measured};
use crate::table::{Cell, Table};

pub(super) fn text(results: &DecayMeasures) -> String {
    let mut out = format!(
        "{}: {} objects, {:.0} at a time, {} steps of {}, trained with {}\n",
        results.name, results.objects, results.mean_size, results.steps, results.step, results.training
    );
    for measured in &results.measures {
        let name = measured.measure.name();
        out += &format!(
            "\nCopy {name} predicted at the end of cycles of {} steps\n\n{}",
            measured.cycle,
            foreseen(measured).text()
        );
        for (nth, target) in results.targets.iter().enumerate() {
            let share = 100.0 * results.broken_share_max;
            out += &format!(
                "\nCopy {name} of {target}: as each policy decides live, and with the fewest crawls that leave {share} % of the time \
                 below\n\n{}",
                kept(measured, nth).text()
            );
        }
    }
    out
}

/// Best first.
fn foreseen(measured: &Measured) -> Table {
    let mut table = Table::new(["model", "squared error", "÷ adaptive AR", "90 % interval held"]);
    let adaptive = measured.foreseen.iter().find(|foreseen| foreseen.model == "adaptive-ar").map(|it| it.error);
    let mut rows: Vec<_> = measured.foreseen.iter().collect();
    rows.sort_by(|a, b| a.error.total_cmp(&b.error));
    for row in rows {
        table.push(vec![
            Cell::text(row.model),
            Cell::Number(row.error, 5),
            Cell::maybe(adaptive.map(|adaptive| row.error / adaptive).filter(|ratio| ratio.is_finite()), 3),
            Cell::maybe(row.coverage, 3),
        ]);
    }
    table
}

/// Fewest crawls in hindsight first.
fn kept(measured: &Measured, target: usize) -> Table {
    let titles = ["policy", "crawls", "quality", "below", "ρ", "setting", "fewest", "its quality", "its below"];
    let mut table = Table::new(titles);
    let mut rows: Vec<_> = measured.kept[target].iter().collect();
    rows.sort_by_key(|kept| kept.tuned.map_or(usize::MAX, |(_, score)| score.crawls));
    for row in rows {
        let (live, tuned) = (row.live, row.tuned);
        table.push(vec![
            Cell::text(row.policy),
            Cell::maybe(live.map(|score| score.crawls as f64), 0),
            Cell::maybe(live.map(|score| score.mean), 3),
            Cell::maybe(live.map(|score| score.below), 3),
            Cell::maybe(live.map(|score| score.quality_per_crawl()), 4),
            Cell::maybe(tuned.map(|(setting, _)| setting), 2),
            Cell::maybe(tuned.map(|(_, score)| score.crawls as f64), 0),
            Cell::maybe(tuned.map(|(_, score)| score.mean), 3),
            Cell::maybe(tuned.map(|(_, score)| score.below), 3),
        ]);
    }
    table
}
