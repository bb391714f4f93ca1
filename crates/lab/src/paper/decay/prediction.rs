//! Figure 8: the quality at the end of each cycle, as it was foretold and as it came.

use super::subject::{Judged, Subject, Subjects, shown};
use crate::copy_charts as charts;
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use tintype_picture::{Axis, Lines, Series};
use tintype_plan::deadline::{AutoRegressive, Foresight};
use tintype_quality::share_saved;
use tintype_vocab::CopyMeasure;
use tintype_world::source::{CycleOutcome, LearnedDecay};

/// Cycles that are drawn, the first ones: more would only be a carpet.
const DRAWN: usize = 40;
/// Our goal: by how much less than adaptive AR, on the geometric mean.
const SAVED_MIN: f64 = 0.25;
/// The paper's best: 0.136 to 0.030.
const PRINTED: f64 = 0.78;
/// Where the paper's idea is at home: everything goes twice as fast from some day on.
const AT_HOME: &str = "regime-change";

pub(super) fn parts(subjects: &Subjects, judged: &[Judged]) -> Vec<Part> {
    let mut parts = vec![table(judged)];
    let drawn = subjects.all().iter().filter(|it| !it.is_made_up || it.name() == AT_HOME);
    parts.extend(drawn.flat_map(|subject| CopyMeasure::ALL.map(|measure| picture(subject, measure))));
    parts
}

fn table(judged: &[Judged]) -> Part {
    let models = ["static-ar", "adaptive-ar", "persistence", "tintype", "adaptive-ar-literal"];
    let titles = ["source", "measure", "cycle steps", "cycles"].into_iter().chain(models);
    let mut table = Table::new(titles.chain(["adaptive saves", "ours saves"]));
    for it in judged {
        let cycles = it.foreseen.first().map_or(0, |foreseen| foreseen.cycles);
        let first = [Cell::text(&it.name), Cell::text(it.measure.name())];
        let counts = [it.cycle, cycles].map(|count| Cell::Number(count as f64, 0));
        let errors = models.map(|model| Cell::Number(it.error(model), 5));
        let saved = [(&"static-ar", "adaptive-ar"), (&"adaptive-ar", "tintype")];
        let saved = saved.map(|(before, after)| Cell::Number(share_saved(it.error(before), it.error(after)), 3));
        table.push(first.into_iter().chain(counts).chain(errors).chain(saved).collect());
    }
    Part {
        name: "figure-8".to_owned(),
        title: "Figure 8: squared error at the end of cycles".to_owned(),
        text: "After training at every step, each model foretells the quality at the end of cycles as long as it takes a copy to \
               be four fifths right, and sees the crawl that ends a cycle. Adaptive AR is the paper's with the update put right \
               (the smallest step that moves the forecast, guarded) and its learning rate of 0.2; the update as printed, \
               adaptive-ar-literal, never changes anything but the constant. Adaptive saves: of the error of static AR; ours \
               saves: of the error of adaptive AR."
            .to_owned(),
        table: Some(table),
        picture: None,
        claims: claims(judged),
    }
}

fn claims(judged: &[Judged]) -> Vec<Claim> {
    let real = shown(judged);
    let saved = |it: &Judged| share_saved(it.error("static-ar"), it.error("adaptive-ar"));
    let words = |them: &[&Judged], of: &dyn Fn(&Judged) -> f64| {
        let each = them.iter().map(|it| format!("{} {:+.0} %", it.words(), 100.0 * of(it)));
        each.collect::<Vec<_>>().join(", ")
    };
    let home: Vec<&Judged> = judged.iter().filter(|it| it.name == AT_HOME).collect();
    let best_other = |it: &Judged| {
        ["static-ar", "adaptive-ar", "persistence"].map(|model| it.error(model)).into_iter().fold(f64::MAX, f64::min)
    };
    let margin = |it: &Judged| share_saved(best_other(it), it.error("tintype"));
    let logs: f64 = real.iter().map(|it| (it.error("tintype") / it.error("adaptive-ar")).ln()).sum();
    let mean_saved = 1.0 - (logs / real.len().max(1) as f64).exp();
    vec![
        Claim::new(
            "adaptive AR errs less than static AR",
            real.iter().all(|it| saved(it) > 0.0),
            format!("error saved: {}", words(&real, &saved)),
        ),
        Claim::new(
            format!("the adaptive forecast saves up to {:.0} % of the error of the static one", 100.0 * PRINTED),
            home.iter().any(|it| saved(it) >= 0.9 * PRINTED),
            format!("where everything goes twice as fast half-way: {}", words(&home, &saved)),
        ),
        Claim::goal(
            "ours errs no more than the best of static AR, adaptive AR and persistence",
            real.iter().all(|it| margin(it) >= 0.0),
            format!("error saved: {}", words(&real, &margin)),
        ),
        Claim::goal(
            format!("on the geometric mean ours saves {:.0} % of the error of adaptive AR", 100.0 * SAVED_MIN),
            mean_saved >= SAVED_MIN,
            format!("{:.0} %", 100.0 * mean_saved),
        ),
    ]
}

fn picture(subject: &Subject, measure: CopyMeasure) -> Part {
    let (copies, name) = (&subject.copies, subject.name());
    let (experiment, step) = (subject.experiment(measure), subject.copies.grid.step());
    let mut models: [(&str, Box<dyn Foresight>); 3] = [
        ("static AR", Box::new(AutoRegressive::fixed(measure, step, subject.training))),
        ("adaptive AR", Box::new(AutoRegressive::adaptive(measure, step, subject.training))),
        ("ours", Box::new(LearnedDecay::new(measure, step))),
    ];
    let unit = copies.unit();
    let ends = |model: &mut dyn Foresight| -> Vec<(f64, CycleOutcome)> {
        let outcomes = experiment.trial.cycles(experiment.grid, measure, experiment.cycle, model);
        let ends = outcomes.into_iter().filter(|outcome| outcome.ends_cycle).take(DRAWN);
        (1..).zip(ends).map(|(nth, end)| (unit.of_days(copies.days(nth * experiment.cycle)), end)).collect()
    };
    let foretold = models.each_mut().map(|(name, model)| (*name, ends(model.as_mut())));
    let mut table = Table::new(["after", "truth", "static AR", "adaptive AR", "ours", "ours from", "ours to"]);
    for (nth, (at, truth)) in foretold[0].1.iter().enumerate() {
        let expected = foretold.each_ref().map(|(_, ends)| Cell::Number(ends[nth].1.expected, 4));
        let (low, high) = foretold[2].1[nth].1.interval.unwrap_or((0.0, 1.0));
        let first = [Cell::Number(*at, 2), Cell::Number(truth.happened, 4)];
        table.push(first.into_iter().chain(expected).chain([low, high].map(|end| Cell::Number(end, 4))).collect());
    }
    let truth = Series::new("truth", foretold[0].1.iter().map(|(at, end)| (*at, end.happened))).reference();
    let lines = foretold.iter().map(|(name, ends)| {
        let line = Series::new(*name, ends.iter().map(|(at, end)| (*at, end.expected)));
        let band = ends.iter().filter_map(|(at, end)| end.interval.map(|(low, high)| (*at, low, high)));
        if *name == "ours" { line.with_band(band).emphasised() } else { line }
    });
    let chart = Lines {
        title: format!("At the end of each cycle: copy {} of {name}", measure.name()),
        caption: format!(
            "Cycles of {}{}; the band is the 90 % interval of ours.",
            step * experiment.cycle as i64,
            if foretold[0].1.len() == DRAWN { format!(", the first {DRAWN} of them") } else { String::new() }
        ),
        x: Axis::linear("Time since training", unit.name).including(0.0, 0.0),
        y: charts::quality(measure),
        series: std::iter::once(truth).chain(lines).collect(),
    };
    Part {
        name: format!("figure-8-{}-{name}", measure.name()),
        title: format!("Figure 8: copy {} of {name}", measure.name()),
        text: format!("Time in {}.", unit.name),
        table: Some(table),
        picture: Some(chart.draw()),
        claims: Vec::new(),
    }
}
