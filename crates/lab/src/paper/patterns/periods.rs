//! Figure 11: into how many periods a day should be cut.

use super::{
    model_words,
    play::{Kept, Player, Setting},
    sweep::{Sweep, band},
};
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use tintype_picture::{Axis, Lines, Series};
use tintype_plan::policy;
use tintype_world::patterns::ChangeModel;

/// Periods of a day; the paper begins with 2.
const PERIODS: [u16; 13] = [1, 2, 3, 4, 6, 8, 12, 24, 30, 40, 60, 80, 120];
const SHARES: [f64; 3] = [0.1, 0.2, 0.3];
/// The paper's advice.
const ENOUGH: u16 = 24;
/// Less than this nobody would call a rise.
const QUASI_CONSTANT: f64 = 0.03;

pub(super) fn parts(setting: &Setting) -> anyhow::Result<Vec<Part>> {
    [ChangeModel::Hourly, ChangeModel::Anytime].into_iter().map(|model| part(&Setting { model, ..*setting })).collect()
}

/// Golden P10: the paper's own row of hours is six times too short.
fn hours(periods: u16) -> f64 {
    24.0 / f64::from(periods)
}

fn part(setting: &Setting) -> anyhow::Result<Part> {
    let player = |periods: u16| {
        let make = move || policy::importance_pattern(periods);
        Player { name: periods.to_string(), make: Box::new(make) }
    };
    let sweep = setting.play(&SHARES, PERIODS.into_iter().map(player).collect())?;
    let (file, words) = model_words(setting.model);
    Ok(Part {
        name: format!("figure-11-{file}"),
        title: format!("Figure 11: how many periods a pattern should have, {words}"),
        text: format!(
            "Importance-Pattern with patterns of N_T periods of 24 ÷ N_T hours. The visits are the same for all: M per cent of \
             the pages an hour. Before the game every page was visited once an hour for {:.0} days.",
            setting.days
        ),
        table: Some(table(&sweep)),
        picture: Some(chart(setting, &sweep, words).draw()),
        claims: claims(&sweep),
    })
}

fn table(sweep: &Sweep) -> Table {
    let columns = SHARES.map(|share| format!("M = {:.0} %", share * 100.0));
    let mut table = Table::new(["periods a day", "hours each"].map(str::to_owned).into_iter().chain(columns));
    for periods in PERIODS {
        let name = periods.to_string();
        let kept = (0..SHARES.len()).map(|at| Cell::Estimate(sweep.of(at, &name, Kept::of_best), 3));
        table.push([Cell::text(&name), Cell::Number(hours(periods), 1)].into_iter().chain(kept).collect());
    }
    table
}

fn chart(setting: &Setting, sweep: &Sweep, words: &str) -> Lines {
    let line = |at: usize| {
        let estimates: Vec<_> = PERIODS
            .iter()
            .map(|periods| (f64::from(*periods), sweep.of(at, &periods.to_string(), Kept::of_best)))
            .collect();
        let points = estimates.iter().map(|(x, estimate)| (*x, estimate.mean));
        Series::new(format!("M = {:.0} %", SHARES[at] * 100.0), points).with_band(band(&estimates))
    };
    Lines {
        title: format!("Periods of a pattern: {words}"),
        caption: format!(
            "Importance-Pattern on {} pages, {:.0} days, mean of {} sites; bands are 95 % intervals.",
            setting.pages, setting.days, setting.seeds
        ),
        x: Axis::logarithmic("Periods", "number a day"),
        y: Axis::linear("Weighted completeness", "share of the best possible").including(0.0, 1.0),
        series: (0..SHARES.len()).map(line).collect(),
    }
}

fn claims(sweep: &Sweep) -> Vec<Claim> {
    let kept = |at: usize, periods: u16| sweep.of_best(at, &periods.to_string());
    let every = |test: &dyn Fn(usize) -> bool| (0..SHARES.len()).all(test);
    let words = |periods: &[u16]| {
        let of_share = |at: usize| {
            let values = periods.iter().map(|periods| format!("{:.3}", kept(at, *periods)));
            format!("M = {:.0} %: {}", 100.0 * SHARES[at], values.collect::<Vec<_>>().join(", "))
        };
        (0..SHARES.len()).map(of_share).collect::<Vec<_>>().join("; ")
    };
    let finest = PERIODS[PERIODS.len() - 1];
    vec![
        Claim::new(
            "completeness rises with the number of periods up to 24 (an hour each)",
            every(&|at| kept(at, ENOUGH) > kept(at, 12) && kept(at, 12) > kept(at, 6) && kept(at, 6) > kept(at, 2)),
            format!("2, 6, 12 and 24 periods, {}", words(&[2, 6, 12, ENOUGH])),
        ),
        Claim::new(
            "beyond 24 it is quasi constant (within 3 %)",
            every(&|at| (kept(at, finest) / kept(at, ENOUGH) - 1.0).abs() < QUASI_CONSTANT),
            format!("24 and 120 periods, {}", words(&[ENOUGH, finest])),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_p10() {
        let expected = [0.8, 0.6, 0.4, 0.3, 0.2];
        for (periods, expected) in PERIODS[8..].iter().zip(expected) {
            assert!((hours(*periods) - expected).abs() < 1e-9, "{periods}");
        }
    }
}
