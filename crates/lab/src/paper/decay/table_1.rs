//! Table 1: the sources.

use super::subject::{Subject, Subjects};
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};

/// As the paper has them: how they are called, months, and objects.
const PRINTED: [(&str, f64, f64); 6] = [
    ("Car Web source 1", 10.0, 43_597.0),
    ("Car Web source 2", 13.0, 37_173.0),
    ("Book Web source 1", 3.0, 3349.0),
    ("Job Web source 1", 3.0, 2959.0),
    ("Job Web source 2", 4.0, 31_223.0),
    ("Forum Web source 1", 2.0, 25_370.0),
];
const DAYS_PER_MONTH: f64 = 365.25 / 12.0;

pub(super) fn part(subjects: &Subjects) -> Part {
    let titles = ["source", "kind", "attributes", "months", "step", "objects", "at a time", "training steps"];
    let mut table = Table::new(titles);
    subjects.all().iter().for_each(|subject| table.push(row(subject)));
    for (name, months, objects) in PRINTED {
        let (name, kind) = (Cell::text(format!("{name} (paper)")), Cell::text("recorded"));
        let numbers = [Cell::Number(months, 1), Cell::text("1 d"), Cell::Number(objects, 0)];
        table.push([name, kind, Cell::Empty].into_iter().chain(numbers).chain([Cell::Empty, Cell::Empty]).collect());
    }
    Part {
        name: "table-1".to_owned(),
        title: "Table 1: sources".to_owned(),
        text: "A source is a listing of objects. Recorded ones were looked at by somebody else again and again; made-up ones \
               have objects that come and go as it was drawn, so that everything about them is known. Figures and claims of \
               the paper are held against recorded sources where there are any."
            .to_owned(),
        table: Some(table),
        picture: None,
        claims: vec![Claim::not_applicable(
            "six sources of four kinds were crawled daily for 2 to 13 months",
            "the paper's data are not to be had; listings of the same kinds stand in for them",
        )],
    }
}

fn row(subject: &Subject) -> Vec<Cell> {
    let copies = &subject.copies;
    let months = copies.days(copies.grid.steps() - 1) / DAYS_PER_MONTH;
    vec![
        Cell::text(subject.name()),
        Cell::text(if subject.is_made_up { "made up" } else { "recorded" }),
        Cell::text(copies.source.attributes().join(", ")),
        Cell::Number(months, 1),
        Cell::text(copies.grid.step().to_string()),
        Cell::Number(copies.source.lives().len() as f64, 0),
        Cell::Number(copies.mean_size(), 0),
        Cell::Number(subject.training as f64, 0),
    ]
}
