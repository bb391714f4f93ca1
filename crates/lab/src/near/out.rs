//! NearResults as files: the curves to look at, tables to compute with.

use super::{results::NearResults, table};
use crate::Folder;
use tintype_picture::{Axis, Cloud, Lines, Picture, Scatter, Series};

/// Puts all files into a directory.
pub(super) fn fill(folder: &mut Folder, results: &NearResults, command: &str) -> anyhow::Result<()> {
    let about = format!("{}\n\nMade by `{command}`", table::heading(results));
    folder.picture("bypass-recall", &curves(results))?;
    folder.picture("expected-lost", &calibration(results))?;
    folder.table(
        "policies",
        &format!("Skipping\n\n{about}\n\n{}", table::summary(results)),
        &table::settings(results),
    )?;
    folder.table("at-equal-bypass", &format!("WARM and ours\n\n{about}"), &table::comparison(&results.compared()))?;
    folder.table("tests", &format!("Test by test\n\n{about}"), &table::tests(results))?;
    folder.table("bypass-recall", &format!("All settings\n\n{about}"), &table::points(results))
}

/// Change recall over bypass ratio.
fn curves(results: &NearResults) -> Picture {
    let series = results.policies.iter().map(|policy| {
        let series = Series::new(policy.name, policy.curve.points().iter().copied());
        match policy.name {
            "skip" => series.emphasised(),
            "oracle" => series.reference(),
            _ => series,
        }
    });
    let chart = Lines {
        title: format!("Changes noticed by how much is skipped: {}", results.name),
        caption: format!(
            "{} Means over tests; of each policy the best settings, down to skipping everything.",
            table::heading(results)
        ),
        x: Axis::linear("Bypass ratio", "share of pages skipped").including(0.0, 1.0),
        y: Axis::linear("Change recall", "share of changes noticed").including(0.0, 1.0),
        series: series.collect(),
    };
    chart.draw()
}

/// What skip expected to lose in each test, and what it lost.
fn calibration(results: &NearResults) -> Picture {
    let points = results
        .tests
        .iter()
        .filter_map(|test| Some((test.expected_lost()?, test.skip.judged.bypass.changes_lost() as f64)));
    let chart = Scatter {
        title: format!("Changes lost, expected and true: {}", results.name),
        caption: format!("{} At the learned price, one dot a test.", table::heading(results)),
        x: Axis::linear("Expected loss", "changes").including(0.0, 1.0),
        y: Axis::linear("True loss", "changes"),
        clouds: vec![Cloud { name: "skip".to_owned(), points: points.collect() }],
        diagonal: Some("as expected".to_owned()),
    };
    chart.draw()
}
