//! Several sources in one table: whether intervals hold as often as they say, and what a promise costs beside a fixed
//! interval chosen in hindsight.

use super::{DecayResults, results::Measured};
use crate::{
    Results,
    table::{Cell, Table},
};
use serde_json::{Value, json};

/// What was found out about each of several sources.
#[derive(Debug)]
pub struct DecaySeries {
    pub(super) sources: Vec<DecayResults>,
}

/// One promise: crawls of ours, of the best fixed interval and of the oracle.
struct Cost {
    ours: Option<usize>,
    fixed: Option<usize>,
    oracle: Option<usize>,
    live: Option<(usize, f64)>,
}

impl Cost {
    fn of(measured: &Measured, target: usize) -> Cost {
        let find = |name: &str| measured.kept[target].iter().find(|kept| kept.policy == name);
        let fewest = |name: &str| Some(find(name)?.tuned?.1.crawls);
        let live = find("tintype").and_then(|kept| kept.live).map(|live| (live.crawls, live.below));
        Cost { ours: fewest("tintype"), fixed: fewest("fixed"), oracle: fewest("oracle"), live }
    }

    /// Nothing where a promise is never broken or never kept.
    fn by_fixed(&self) -> Option<f64> {
        let (ours, fixed) = (self.ours? as f64, self.fixed? as f64);
        (ours > 0.0 && fixed > 0.0).then(|| ours / fixed)
    }
}

impl DecaySeries {
    fn measured(&self) -> impl Iterator<Item = (&str, &[f64], &Measured)> {
        self.sources.iter().flat_map(|it| {
            let told = (it.measures.name.as_str(), it.measures.targets.as_slice());
            it.measures.measures.iter().map(move |measured| (told.0, told.1, measured))
        })
    }

    fn costs(&self) -> impl Iterator<Item = (&str, &'static str, f64, Cost)> {
        self.measured().flat_map(|(name, targets, measured)| {
            let of =
                move |(nth, target): (usize, &f64)| (name, measured.measure.name(), *target, Cost::of(measured, nth));
            targets.iter().enumerate().map(of)
        })
    }

    /// Crawls of ours by those of the best fixed interval, on the geometric mean.
    fn by_fixed(&self) -> Option<f64> {
        let logs: Vec<f64> = self.costs().filter_map(|(.., cost)| cost.by_fixed()).map(f64::ln).collect();
        (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
    }

    fn intervals(&self) -> Table {
        let titles = ["source", "copy", "cycle", "cycles", "held", "1st quarter", "2nd", "3rd", "4th", "mean width"];
        let mut table = Table::new(titles);
        for (name, _, measured) in self.measured() {
            let Some(ours) = measured.ours() else { continue };
            let (mut steps, mut width) = (0.0, 0.0);
            for horizon in &ours.horizons {
                (steps, width) = (steps + horizon.steps as f64, width + horizon.steps as f64 * horizon.width);
            }
            let held = |quarter: usize| {
                let upto = (quarter + 1) as f64 / 4.0;
                ours.horizons.iter().find(|horizon| (horizon.upto - upto).abs() < 1e-9).map(|horizon| horizon.coverage)
            };
            let first = [
                Cell::text(name),
                Cell::text(measured.measure.name()),
                Cell::Number(measured.cycle as f64, 0),
                Cell::Number(ours.cycles as f64, 0),
                Cell::maybe(ours.coverage, 3),
            ];
            let quarters = (0..4).map(|quarter| Cell::maybe(held(quarter), 3));
            table.push(first.into_iter().chain(quarters).chain([Cell::maybe(Some(width / steps), 3)]).collect());
        }
        table
    }

    fn promises(&self) -> Table {
        let titles = ["source", "copy", "target", "live", "its below", "fewest", "fixed", "÷ fixed", "oracle"];
        let mut table = Table::new(titles);
        for (name, measure, target, cost) in self.costs() {
            let number = |count: Option<usize>| Cell::maybe(count.map(|count| count as f64), 0);
            table.push(vec![
                Cell::text(name),
                Cell::text(measure),
                Cell::Number(target, 2),
                number(cost.live.map(|(crawls, _)| crawls)),
                Cell::maybe(cost.live.map(|(_, below)| below), 3),
                number(cost.ours),
                number(cost.fixed),
                Cell::maybe(cost.by_fixed(), 3),
                number(cost.oracle),
            ]);
        }
        table
    }
}

impl Results for DecaySeries {
    fn json(&self) -> String {
        let sources: Value = self.sources.iter().map(DecayResults::value).collect();
        json!({"sources": sources, "crawls_by_fixed": self.by_fixed()}).to_string()
    }

    fn text(&self) -> String {
        let by_fixed = self.by_fixed().map_or(String::new(), |by_fixed| {
            format!("\nFewest crawls by those of the best fixed interval, on the geometric mean: {by_fixed:.3}\n")
        });
        format!(
            "90 % intervals: the share of steps they held, in all and by quarter of the cycle\n\n{}\nCrawls: live, and the fewest \
             that break the promise for no longer than allowed, beside a fixed interval chosen in hindsight\n\n{}{by_fixed}",
            self.intervals().text(),
            self.promises().text(),
        )
    }
}
