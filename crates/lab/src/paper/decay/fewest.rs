//! Ours: the fewest crawls that keep a promise, by how much was promised.

use super::subject::{Judged, TARGETS, shown};
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use tintype_picture::{Axis, Lines, Series};

const OTHERS: [&str; 3] = ["fixed", "static-ar", "adaptive-ar"];
const OURS: &str = "tintype";
const ORACLE: &str = "oracle";

pub(super) fn parts(judged: &[Judged]) -> Vec<Part> {
    let mut parts = vec![summary(judged)];
    parts.extend(shown(judged).into_iter().map(picture));
    parts
}

fn names() -> impl Iterator<Item = &'static str> {
    OTHERS.into_iter().chain([OURS, ORACLE])
}

fn summary(judged: &[Judged]) -> Part {
    let titles = ["source", "measure", "target"].into_iter().chain(names());
    let mut table = Table::new(titles);
    for it in judged {
        for (nth, target) in TARGETS.iter().enumerate() {
            let fewest = names().map(|name| Cell::maybe(it.fewest(nth, name), 0));
            let first = [Cell::text(&it.name), Cell::text(it.measure.name()), Cell::Number(*target, 2)];
            table.push(first.into_iter().chain(fewest).collect());
        }
    }
    let real = shown(judged);
    Part {
        name: "fewest-crawls".to_owned(),
        title: "Ours: the fewest crawls that leave at most 5 % of the time below target".to_owned(),
        text: "Each policy with the setting that needs the fewest crawls, told the outcome: the threshold of those that believe \
               a forecast, the interval of a fixed one, the share of time allowed of ours. The oracle is told everything. An \
               empty cell: no setting keeps the promise."
            .to_owned(),
        table: Some(table),
        picture: None,
        claims: goals(&real),
    }
}

fn goals(real: &[&Judged]) -> Vec<Claim> {
    let cases = || real.iter().flat_map(|it| (0..TARGETS.len()).map(move |nth| (*it, nth)));
    // Who cannot keep the promise at all loses to everybody.
    let best =
        |it: &Judged, nth: usize| OTHERS.iter().filter_map(|name| it.fewest(nth, name)).fold(f64::INFINITY, f64::min);
    let ours = |it: &Judged, nth: usize| it.fewest(nth, OURS).unwrap_or(f64::INFINITY);
    let lost = |(it, nth): (&Judged, usize)| {
        let (ours, best) = (ours(it, nth), best(it, nth));
        (ours >= best).then(|| format!("{} at {}: {ours} to {best}", it.words(), TARGETS[nth]))
    };
    let lost: Vec<String> = cases().filter_map(lost).collect();
    let both: Vec<(f64, f64, f64)> = cases()
        .filter_map(|(it, nth)| Some((ours(it, nth), best(it, nth), it.fewest(nth, ORACLE)?.max(1.0))))
        .filter(|(ours, best, _)| ours.is_finite() && best.is_finite())
        .collect();
    let left_out = cases().count() - both.len();
    let gap = |crawls: &dyn Fn(&(f64, f64, f64)) -> f64| {
        let logs: f64 = both.iter().map(|case| (crawls(case) / case.2).ln()).sum();
        (logs / both.len().max(1) as f64).exp() - 1.0
    };
    let (ours, best) = (gap(&|case| case.0), gap(&|case| case.1));
    let beaten = if lost.is_empty() { "in every case".to_owned() } else { format!("not so: {}", lost.join("; ")) };
    vec![
        Claim::goal(
            "ours needs fewer crawls than a fixed interval, static AR and adaptive AR",
            lost.is_empty(),
            beaten,
        ),
        Claim::goal(
            "ours at least halves the gap of the best of these to the oracle, on the geometric mean",
            ours <= best / 2.0 && left_out == 0,
            format!(
                "{:.1} % more crawls than the oracle, the best of the others {:.1} %; {left_out} cases left out in which a \
                 side has no setting that keeps the promise",
                100.0 * ours,
                100.0 * best
            ),
        ),
    ]
}

fn picture(it: &Judged) -> Part {
    let series = names().map(|name| {
        let points = (0..TARGETS.len()).filter_map(|nth| Some((TARGETS[nth], it.fewest(nth, name)?)));
        let line = Series::new(name, points);
        match name {
            OURS => line.emphasised(),
            ORACLE => line.reference(),
            _ => line,
        }
    });
    let chart = Lines {
        title: format!("The fewest crawls that keep a promise: copy {}", it.words()),
        caption: "At most 5 % of the steps below target; every policy with its best setting in hindsight.".to_owned(),
        x: Axis::linear("Target", format!("copy {}", it.measure.name())),
        y: Axis::logarithmic("Crawls", "in the time that is judged"),
        series: series.collect(),
    };
    Part {
        name: format!("fewest-crawls-{}-{}", it.measure.name(), it.name),
        title: format!("Ours: copy {}", it.words()),
        text: String::new(),
        table: None,
        picture: Some(chart.draw()),
        claims: Vec::new(),
    }
}
