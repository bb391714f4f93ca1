//! Figure 3: how copies rot, by source, by the value of an attribute, and by when they were made.

use super::subject::{Subject, Subjects};
use crate::copy_charts as charts;
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use std::collections::HashMap;
use tintype_learn::distribution::chi_square_tail;
use tintype_picture::{Axis, Lines, Series};
use tintype_vocab::CopyMeasure;
use tintype_world::source::CrawlGrid;
use tintype_world::source::{Aged, Copies, days_until};

/// Values of an attribute, and dates, that are drawn; as many as the paper has.
const DRAWN: usize = 3;
/// Qualities whose age is told.
const QUALITIES: [f64; 4] = [0.95, 0.9, 0.8, 0.5];
/// Curves that differ by less than these hundredths would be called the same.
const APART: f64 = 0.02;
/// Differences that chance alone makes less often are believed.
const CHANCE_MAX: f64 = 0.01;

pub(super) fn parts(subjects: &Subjects) -> Vec<Part> {
    let mut parts: Vec<Part> = CopyMeasure::ALL.map(|measure| by_source(subjects, measure)).into();
    parts.extend(subjects.shown().iter().filter_map(by_value));
    parts.extend(subjects.shown().iter().map(by_date));
    parts
}

fn by_source(subjects: &Subjects, measure: CopyMeasure) -> Part {
    let curves: Vec<(&Subject, Vec<Aged>)> =
        subjects.all().iter().map(|subject| (subject, subject.copies.rot(measure))).collect();
    let days = QUALITIES.map(|quality| format!("days to {quality}"));
    let mut table = Table::new(std::iter::once("source".to_owned()).chain(days));
    for (subject, curve) in &curves {
        let ages = QUALITIES.map(|quality| Cell::maybe(days_until(curve, quality), 2));
        table.push(std::iter::once(Cell::text(subject.name())).chain(ages).collect());
    }
    let shown = subjects.shown().len();
    // A logarithmic axis has no zero.
    let series = curves[..shown].iter().map(|(subject, curve)| {
        let later = &curve[1..];
        Series::new(subject.name(), later.iter().map(|aged| (aged.days, aged.mean)))
            .with_band(later.iter().map(|aged| (aged.days, aged.low, aged.high)))
    });
    let chart = Lines {
        title: format!("How copies of sources go stale: copy {}", measure.name()),
        caption: "Means over copies made at every step; eight of ten copies lie in the band.".to_owned(),
        x: Axis::logarithmic("Age of the copy", "days"),
        y: charts::quality(measure).including(0.0, 1.0),
        series: series.collect(),
    };
    let fifth: Vec<(&str, f64)> =
        curves[..shown].iter().filter_map(|(subject, curve)| Some((subject.name(), days_until(curve, 0.8)?))).collect();
    let ends = fifth.iter().fold((f64::MAX, 0.0f64), |ends, (_, days)| (ends.0.min(*days), ends.1.max(*days)));
    let words: Vec<String> = fifth.iter().map(|(name, days)| format!("{name} {days:.2}")).collect();
    Part {
        name: format!("figure-3-{}", measure.name()),
        title: format!("Figure 3, first row: copy {} by source", measure.name()),
        text: "The paper draws one copy of each of three sources, of which car Web source 2 has a copy precision of about 0.80 \
               after 10 days and 0.66 after 20; here they are means over all copies."
            .to_owned(),
        table: Some(table),
        picture: Some(chart.draw()),
        claims: vec![Claim::new(
            "how fast copies go stale varies from source to source",
            fifth.len() > 1 && ends.1 > 1.5 * ends.0,
            format!("days until a copy is 0.8: {}", words.join(", ")),
        )],
    }
}

/// The most frequent values of the first attribute, as sources of their own.
fn by_value(subject: &Subject) -> Option<Part> {
    let attribute = subject.copies.source.attributes().first()?;
    let values = frequent(&subject.copies)?;
    let measure = CopyMeasure::Precision;
    let cycle = subject.experiment(measure).cycle;
    let unit = subject.copies.unit();
    let mut table = Table::new([attribute.as_str(), "objects", "at a time", "copy precision", "copy recall"]);
    let (mut series, mut at_cycle) = (Vec::new(), Vec::new());
    for (value, part) in &values {
        let at = CopyMeasure::ALL.map(|measure| part.mean_quality(measure, cycle));
        let numbers = [part.source.lives().len() as f64, part.mean_size()].map(|number| Cell::Number(number, 0));
        table.push([Cell::text(value)].into_iter().chain(numbers).chain(at.map(|at| Cell::maybe(at, 3))).collect());
        series.push(charts::rot(value, &part.rot(measure), unit));
        at_cycle.extend(at[0].map(|quality| (value.as_str(), quality)));
    }
    let chart = Lines {
        title: format!("How copies go stale by {attribute}: {}", subject.name()),
        caption: "The most frequent values; means over copies made at every step, eight of ten copies in the band."
            .to_owned(),
        x: charts::age_axis(unit),
        y: charts::quality(measure).including(0.0, 1.0),
        series,
    };
    let (least, most) =
        at_cycle.iter().fold((1.0f64, 0.0f64), |ends, (_, quality)| (ends.0.min(*quality), ends.1.max(*quality)));
    let words: Vec<String> = at_cycle.iter().map(|(value, quality)| format!("{value} {quality:.3}")).collect();
    Some(Part {
        name: format!("figure-3-values-{}", subject.name()),
        title: format!("Figure 3, second row: {} by {attribute}", subject.name()),
        text: format!(
            "The {DRAWN} most frequent values of {attribute}, each as if there were no others; the table tells copies that \
             are {} old. The paper has Toyota rot faster than BMW.",
            subject.copies.grid.step() * cycle as i64
        ),
        table: Some(table),
        picture: Some(chart.draw()),
        claims: vec![Claim::new(
            "how fast copies go stale varies from category to category",
            most - least > APART,
            format!("copy precision after {cycle} steps: {}", words.join(", ")),
        )],
    })
}

fn frequent(copies: &Copies) -> Option<Vec<(String, Copies)>> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    copies.source.lives().iter().for_each(|life| *counts.entry(&life.attributes[0]).or_default() += 1);
    let mut values: Vec<(&str, usize)> = counts.into_iter().filter(|(value, _)| !value.is_empty()).collect();
    values.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let attribute = copies.source.attributes().first()?;
    let part = |(value, _): &(&str, usize)| {
        let subset = format!("{attribute}={value}").parse().ok()?;
        let part = Copies::new(value.to_string(), copies.source.subset(&subset).ok()?, Some(copies.grid.step()));
        Some((value.to_string(), part.ok()?))
    };
    let parts: Vec<(String, Copies)> = values.iter().filter_map(part).take(DRAWN).collect();
    (parts.len() > 1).then_some(parts)
}

/// A copy as old as a cycle.
struct Dated {
    at: String,
    from: usize,
    /// Precision and recall.
    quality: [f64; 2],
    objects: f64,
}

fn by_date(subject: &Subject) -> Part {
    let (copies, measure) = (&subject.copies, CopyMeasure::Recall);
    let grid = &copies.grid;
    let cycle = subject.experiment(measure).cycle;
    let dates: Vec<Dated> = (1..=DRAWN)
        .map(|nth| grid.steps() * nth / (DRAWN + 1))
        .map(|from| {
            let to = (from + cycle).min(grid.steps() - 1);
            let objects = f64::from(grid.size(from));
            let quality = CopyMeasure::ALL.map(|measure| grid.quality(measure, from, to));
            Dated { at: grid.at(from).to_rfc3339_secs()[..16].replace('T', " "), from, quality, objects }
        })
        .collect();
    let unit = copies.unit();
    let mut table = Table::new(["copied at", "objects", "copy precision", "copy recall"]);
    for date in &dates {
        let quality = date.quality.map(|quality| Cell::Number(quality, 3));
        let first = [Cell::text(&date.at), Cell::Number(date.objects, 0)];
        table.push(first.into_iter().chain(quality).collect());
    }
    let series = dates.iter().map(|date| {
        let points = copies.rot_since(measure, date.from);
        Series::new(&date.at, points.into_iter().map(|(days, quality)| (unit.of_days(days), quality)))
    });
    let chart = Lines {
        title: format!("How copies go stale by date: {}", subject.name()),
        caption: "One copy each, followed until a tenth of it is left or the source ends.".to_owned(),
        x: charts::age_axis(unit),
        y: charts::quality(measure).including(0.0, 1.0),
        series: series.collect(),
    };
    let words: Vec<String> = dates.iter().map(|date| format!("{} {:.3}", date.at, date.quality[1])).collect();
    let chance = chance_alike(grid, measure, cycle);
    Part {
        name: format!("figure-3-dates-{}", subject.name()),
        title: format!("Figure 3, third row: {} by synchronisation date", subject.name()),
        text: format!(
            "Copies made after a quarter, a half and three quarters of the time; the table tells them {} later. The \
             verdict is about all copies that do not overlap: whether they differ by more than objects that leave \
             independently of each other allow. Objects that leave in batches make copies differ as well, so it is \
             easily confirmed; the dates of the table alone may differ by no more than chance.",
            grid.step() * cycle as i64
        ),
        table: Some(table),
        picture: Some(chart.draw()),
        claims: vec![Claim::new(
            "how fast copies go stale varies from time to time",
            chance < CHANCE_MAX,
            format!(
                "chance that all copies decay alike: {chance:.1e}; drawn, after {cycle} steps: {}",
                words.join(", ")
            ),
        )],
    }
}

/// The chance that objects which leave independently of each other make copies differ as much: of all copies that do not
/// overlap, each as old as a cycle.
fn chance_alike(grid: &CrawlGrid, measure: CopyMeasure, cycle: usize) -> f64 {
    let copies = (0..grid.steps().saturating_sub(cycle)).step_by(cycle);
    let shares = copies.map(|from| {
        let whole = if measure == CopyMeasure::Precision { from } else { from + cycle };
        (grid.quality(measure, from, from + cycle), f64::from(grid.size(whole)))
    });
    spread_by_chance(&shares.filter(|(_, objects)| *objects > 0.0).collect::<Vec<_>>())
}

/// The same of shares of so many objects.
fn spread_by_chance(shares: &[(f64, f64)]) -> f64 {
    let objects: f64 = shares.iter().map(|(_, objects)| objects).sum();
    let mean = shares.iter().map(|(share, objects)| share * objects).sum::<f64>() / objects;
    let spread: f64 = shares.iter().map(|(share, objects)| objects * (share - mean).powi(2)).sum();
    chi_square_tail(spread / (mean * (1.0 - mean)), (shares.len() as u32).saturating_sub(1).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_many_objects_differ_where_those_of_few_may_be_chance() {
        let shares = |objects: f64| [(0.8, objects), (0.85, objects), (0.9, objects)];
        assert!(spread_by_chance(&shares(50.0)) > 0.1);
        assert!(spread_by_chance(&shares(1000.0)) < CHANCE_MAX);
    }
}
