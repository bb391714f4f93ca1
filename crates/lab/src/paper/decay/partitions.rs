//! Tables 3 and 4: groups of objects that leave at different rates.

use super::subject::{Subject, Subjects};
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};
use tintype_learn::partition::clusters;
use tintype_world::source::{Cut, Looked, looked_at};

/// Cuts that are told of each attribute.
const CUTS_TOLD: usize = 5;
/// The paper's threshold, and what chance exceeds in one of twenty cases.
const FAITHFUL: f64 = 1.5;
const ONE_IN_TWENTY: f64 = 3.841;

/// A table of the paper: values in order of their rates, and where each step cuts them.
struct Printed {
    name: &'static str,
    rates: &'static [f64],
    cuts: &'static [&'static [usize]],
}

/// Makes as BMW, Ford, Honda, Dodge, Toyota; years as 2004, 2005, 2006, 2003, 2002, 2001, 2000.
const PRINTED: [Printed; 2] = [
    Printed { name: "Table 3", rates: &[0.058, 0.058, 0.065, 0.069, 0.075], cuts: &[&[3], &[2, 4], &[2, 3, 4]] },
    Printed {
        name: "Table 4",
        rates: &[0.058, 0.059, 0.059, 0.063, 0.068, 0.07, 0.073],
        cuts: &[&[4], &[3, 4], &[3, 4, 6]],
    },
];

pub(super) fn parts(subjects: &Subjects) -> Vec<Part> {
    let looked: Vec<(&Subject, Vec<Looked>)> = subjects.all().iter().map(|it| (it, looked_at(&it.copies))).collect();
    let with: Vec<&(&Subject, Vec<Looked>)> = looked.iter().filter(|(_, looked)| !looked.is_empty()).collect();
    let mut parts = vec![summary(&with)];
    parts.extend(with.iter().map(|(subject, looked)| steps(subject, looked)));
    parts
}

fn summary(with: &[&(&Subject, Vec<Looked>)]) -> Part {
    let titles =
        ["source", "attribute", "values", "groups by ΔT > 1.5", "by ΔT > 3.84", "by likelihood ratio", "least ΔT"];
    let mut table = Table::new(titles);
    let mut negative: Vec<String> = Vec::new();
    for (subject, all) in with {
        for looked in all {
            let least = looked.cuts.iter().skip(1).map(|cut| cut.pearson_drop).fold(f64::MAX, f64::min);
            let counts =
                [looked.values, looked.by_pearson(FAITHFUL), looked.by_pearson(ONE_IN_TWENTY), looked.by_likelihood()];
            let first = [Cell::text(subject.name()), Cell::text(&looked.attribute)];
            let counts = counts.map(|count| Cell::Number(count as f64, 0));
            table.push(first.into_iter().chain(counts).chain([Cell::Number(least, 2)]).collect());
            if least < 0.0 {
                negative.push(format!("{} by {} {least:.2}", subject.name(), looked.attribute));
            }
        }
    }
    let falls = match negative.is_empty() {
        true => "so it was everywhere".to_owned(),
        false => format!("least ΔT: {}", negative.join(", ")),
    };
    Part {
        name: "tables-3-and-4".to_owned(),
        title: "Tables 3 and 4: how many groups".to_owned(),
        text: "The values of one attribute, cut into ever more groups of like rates by the best one-dimensional k-means, until a \
               judge says stop: the paper's Pearson statistic T, which must fall by more than 1.5 (chance alone does so in one \
               case of five) or 3.84 (one of twenty); or ours, the likelihood ratio between all values apart and the groups \
               so far, measured by how much lives really vary, at a level of 5 %. Values of fewer than 30 lives are pooled."
            .to_owned(),
        table: Some(table),
        picture: None,
        claims: PRINTED.iter().map(printed).chain([
            Claim::new("a finer partition never has the larger T", negative.is_empty(), falls),
            colours(with),
        ]).collect(),
    }
}

/// Whether the printed groups are the best cuts of the printed rates.
fn printed(table: &Printed) -> Claim {
    let even = vec![1.0; table.rates.len()];
    let same = |cuts: &&[usize]| {
        let groups = clusters(table.rates, &even, cuts.len() + 1);
        groups.iter().skip(1).map(|group| group.start).eq(cuts.iter().copied())
    };
    let reproduced = table.cuts.iter().filter(|cuts| same(cuts)).count();
    let steps = table.cuts.len();
    Claim::new(
        format!("the groups of {} follow from its rates", table.name),
        reproduced == steps,
        format!("{reproduced} of its {steps} steps are the best cut of the printed rates"),
    )
}

/// Of a property that means nothing.
fn colours(with: &[&(&Subject, Vec<Looked>)]) -> Claim {
    let known = with.iter().filter(|(subject, _)| subject.is_made_up).flat_map(|(_, looked)| looked);
    let known: Vec<&Looked> = known.collect();
    let groups = |attribute: &str| {
        known.iter().find(|looked| looked.attribute == attribute).map(|looked| looked.by_likelihood())
    };
    let (kinds, colours) = (groups("kind").unwrap_or(1), groups("colour").unwrap_or(1));
    Claim::goal(
        "by likelihood ratio, four made-up kinds of three rates are three groups, and colours that mean nothing are one",
        (kinds, colours) == (3, 1),
        format!("kinds: {kinds}, colours: {colours}"),
    )
}

fn steps(subject: &Subject, looked: &[Looked]) -> Part {
    let titles = ["attribute", "step", "groups, slowest first", "ΔT", "likelihood ratio", "chance", "accepted by"];
    let mut table = Table::new(titles);
    for it in looked {
        for (nth, cut) in it.cuts.iter().enumerate().take(CUTS_TOLD) {
            let numbers = [
                Cell::maybe((nth > 0).then_some(cut.pearson_drop), 2),
                Cell::maybe((nth > 0).then_some(cut.likelihood_ratio), 2),
                Cell::maybe((nth > 0).then_some(cut.chance), 4),
            ];
            let first = [Cell::text(&it.attribute), Cell::Number(nth as f64 + 1.0, 0), Cell::text(groups(cut))];
            table.push(first.into_iter().chain(numbers).chain([Cell::text(accepted(it, nth))]).collect());
        }
    }
    Part {
        name: format!("table-3-{}", subject.name()),
        title: format!("Tables 3 and 4: {}", subject.name()),
        text: format!("The first {CUTS_TOLD} steps of each attribute. ΔT is by how much Pearson's statistic falls."),
        table: Some(table),
        picture: None,
        claims: Vec::new(),
    }
}

fn groups(cut: &Cut) -> String {
    cut.groups.join(" ")
}

fn accepted(it: &Looked, nth: usize) -> String {
    let judges = [
        ("ΔT > 1.5", it.by_pearson(FAITHFUL)),
        ("ΔT > 3.84", it.by_pearson(ONE_IN_TWENTY)),
        ("likelihood ratio", it.by_likelihood()),
    ];
    let accepting = judges.iter().filter(|(_, groups)| nth > 0 && nth < *groups).map(|(name, _)| *name);
    accepting.collect::<Vec<_>>().join(", ")
}
