//! What skip said it would lose, held against what it lost.

use super::table::between;
use crate::table::{Cell, Table};
use serde::Serialize;
use serde_json::{Value, json};
use tintype_vocab::Time;
use tintype_world::near::{Mean, Ridden, SkipExperiment};

/// Captures with what they said of themselves.
#[derive(Debug, Serialize)]
pub(super) struct Foretold {
    tests: Vec<OneTest>,
    #[serde(flatten)]
    sums: Sums,
    #[serde(skip)]
    said: Vec<String>,
}

#[derive(Debug, Serialize)]
struct OneTest {
    at: i64,
    pages: u64,
    skipped: u64,
    changes: u64,
    expected_lost: f64,
    lost_between: Option<[u64; 2]>,
    lost: u64,
}

/// Over all captures.
#[derive(Clone, Copy, Debug, Serialize)]
struct Sums {
    /// Means over captures.
    br: f64,
    cr: f64,
    /// Of the changes of all captures together.
    lost_share: f64,
    expected_lost: f64,
    lost: u64,
    /// Captures that lost as much as they said they would nine times out of ten, and captures that said so.
    within: usize,
    said: usize,
}

impl Foretold {
    pub(super) fn of(experiment: &SkipExperiment<'_>, captures: &[Ridden]) -> Foretold {
        let judged: Vec<_> = captures.iter().map(|ridden| ridden.judged).collect();
        let ratios = Mean::of(&judged).ratios;
        let at = |nth: usize| experiment.windows.time(experiment.windows.tested(nth));
        let tests: Vec<OneTest> =
            captures.iter().enumerate().map(|(nth, ridden)| OneTest::of(at(nth), ridden)).collect();
        let lost: u64 = tests.iter().map(|test| test.lost).sum();
        let changes: u64 = tests.iter().map(|test| test.changes).sum();
        let within = || captures.iter().filter_map(Ridden::is_within);
        let sums = Sums {
            br: ratios.bypass_ratio,
            cr: ratios.change_recall,
            lost_share: lost as f64 / changes.max(1) as f64,
            expected_lost: tests.iter().map(|test| test.expected_lost).sum(),
            lost,
            within: within().filter(|within| *within).count(),
            said: within().count(),
        };
        Foretold { tests, sums, said: captures.iter().map(between).collect() }
    }

    /// Without the tests, which stand elsewhere.
    pub(super) fn sums(&self) -> Value {
        json!(self.sums)
    }

    /// In a sentence.
    pub(super) fn words(&self, loss: f64) -> String {
        let Sums { br, lost_share, expected_lost, lost, within, said, .. } = self.sums;
        format!(
            "{expected_lost:.1} changes expected to be lost, {lost} lost, which is {lost_share:.3} of all where {loss} may \
             be; bypass ratio {br:.3}; {within} of {said} captures lost as much as they said they would nine times out of ten"
        )
    }

    pub(super) fn table(&self) -> Table {
        let titles = ["capture", "pages", "changes", "skipped", "expected lost", "between", "lost"];
        let mut table = Table::new(titles);
        for (test, between) in self.tests.iter().zip(&self.said) {
            table.push(vec![
                Cell::text(Time::from_secs(test.at).to_rfc3339_secs()),
                Cell::Number(test.pages as f64, 0),
                Cell::Number(test.changes as f64, 0),
                Cell::Number(test.skipped as f64, 0),
                Cell::Number(test.expected_lost, 1),
                Cell::text(between.clone()),
                Cell::Number(test.lost as f64, 0),
            ]);
        }
        table
    }
}

impl OneTest {
    fn of(at: Time, ridden: &Ridden) -> OneTest {
        let bypass = &ridden.judged.bypass;
        OneTest {
            at: at.as_secs(),
            pages: bypass.pages(),
            skipped: bypass.skipped,
            changes: bypass.changes,
            expected_lost: ridden.said.as_ref().map_or(0.0, |said| said.expected_lost),
            lost_between: ridden.said.as_ref().and_then(|said| said.lost_between),
            lost: bypass.changes_lost(),
        }
    }
}
