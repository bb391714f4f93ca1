//! Ours: whether stated intervals hold what happens as often as they say.

use super::subject::{Subject, Subjects};
use crate::{
    paper::part::{Claim, Part},
    parallel::side_by_side,
    table::{Cell, Table},
};
use tintype_learn::decay::Decay;
use tintype_picture::{Axis, Lines, Series};
use tintype_vocab::CopyMeasure;

/// What is stated.
const LEVELS: [f64; 5] = [0.5, 0.7, 0.8, 0.9, 0.95];
/// The level that goals are about, and where its share may lie.
const NINE_OF_TEN: usize = 3;
const HELD: std::ops::RangeInclusive<f64> = 0.85..=0.95;

/// One source by one measure.
struct Calibrated {
    name: String,
    measure: CopyMeasure,
    is_made_up: bool,
    /// Moments foretold.
    count: usize,
    /// How many of them each level held, as a share.
    held: [f64; LEVELS.len()],
}

impl Calibrated {
    /// Crawls at every step of the training, then once a cycle; every step in between is foretold.
    fn of(subject: &Subject, measure: CopyMeasure) -> anyhow::Result<Calibrated> {
        let (grid, cycle) = (&subject.copies.grid, subject.experiment(measure).cycle);
        let (mut decay, mut crawls) = (Decay::new(), Vec::new());
        let (mut count, mut held) = (0, [0; LEVELS.len()]);
        let training = 0..=subject.training;
        let later = (subject.training..grid.steps() - 1).step_by(cycle).skip(1);
        for crawl in training.chain(later) {
            if let Some(&from) = crawls.last().filter(|_| crawl > subject.training) {
                for step in from + 1..=crawl {
                    let Some(forecast) = decay.forecast(measure, grid.at(step)) else { continue };
                    let happened = grid.quality(measure, from, step);
                    count += 1;
                    for (held, level) in held.iter_mut().zip(LEVELS) {
                        let (low, high) = forecast.interval(level);
                        *held += usize::from((low..=high).contains(&happened));
                    }
                }
            }
            crawls.push(crawl);
            // Later than the one before.
            let _ = decay.see(&grid.crawl(&crawls));
        }
        let held = held.map(|held| held as f64 / count.max(1) as f64);
        Ok(Calibrated { name: subject.name().to_owned(), measure, is_made_up: subject.is_made_up, count, held })
    }

    fn words(&self) -> String {
        format!("{} of {} {:.1} %", self.measure.name(), self.name, 100.0 * self.held[NINE_OF_TEN])
    }
}

pub(super) fn part(subjects: &Subjects) -> anyhow::Result<Part> {
    let subjects = subjects.all();
    let all = side_by_side(2 * subjects.len() as u64, |nth| {
        Calibrated::of(&subjects[nth as usize / 2], CopyMeasure::ALL[nth as usize % 2])
    })?;
    let levels = LEVELS.map(|level| format!("held by {:.0} %", 100.0 * level));
    let mut table = Table::new(["source", "measure", "foretold"].map(str::to_owned).into_iter().chain(levels));
    for it in &all {
        let first = [Cell::text(&it.name), Cell::text(it.measure.name()), Cell::Number(it.count as f64, 0)];
        table.push(first.into_iter().chain(it.held.map(|held| Cell::Number(held, 3))).collect());
    }
    let goal = |said: &str, is_made_up: bool| {
        let some: Vec<&Calibrated> = all.iter().filter(|it| it.is_made_up == is_made_up).collect();
        let words: Vec<String> = some.iter().map(|it| it.words()).collect();
        let met = some.iter().all(|it| HELD.contains(&it.held[NINE_OF_TEN]));
        (!some.is_empty()).then(|| Claim::goal(said, met, words.join(", ")))
    };
    Ok(Part {
        name: "calibration".to_owned(),
        title: "Ours: do intervals hold what they say?".to_owned(),
        text: "At every step between two crawls, one cycle apart: the share of steps at which the quality lay in the stated \
               interval. Steps of one cycle share their fate, so that on a source with few cycles the share itself is uncertain."
            .to_owned(),
        table: Some(table),
        picture: Some(chart(&all).draw()),
        claims: [
            goal("intervals of 90 % hold 85 % to 95 % on recorded sources", false),
            goal("intervals of 90 % hold 85 % to 95 % on made-up sources", true),
        ]
        .into_iter()
        .flatten()
        .collect(),
    })
}

fn chart(all: &[Calibrated]) -> Lines {
    let honest = Series::new("as stated", LEVELS.map(|level| (level, level))).reference();
    let has_recorded = all.iter().any(|it| !it.is_made_up);
    let lines = all.iter().filter(|it| it.is_made_up != has_recorded).map(|it| {
        let points = LEVELS.into_iter().zip(it.held);
        Series::new(format!("{} of {}", it.measure.name(), it.name), points)
    });
    Lines {
        title: "Stated and realised: how often intervals hold".to_owned(),
        caption: "Above the dashed line intervals are wider than they need be, below it they promise too much."
            .to_owned(),
        x: Axis::linear("Stated", "share of moments"),
        y: Axis::linear("Held", "share of moments").including(0.5, 1.0),
        series: std::iter::once(honest).chain(lines).collect(),
    }
}
