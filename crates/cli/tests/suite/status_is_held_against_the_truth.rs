//! `tintype lab status`: what status states of a made-up site, week by week, held against what really happened.

use crate::bench::run;
use serde_json::Value;

const WORLD: [&str; 12] = [
    "lab",
    "status",
    "--world",
    "poisson",
    "--pages",
    "60",
    "--days",
    "42",
    "--budget",
    "30/day",
    "--policies",
    "uniform",
];

#[test]
fn intervals_hold_where_pages_change_at_random_and_weeks_are_told_one_by_one() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    let arguments = WORLD.into_iter().chain(["--json", "--out", out.to_str().unwrap()]);
    let output = run(directory.path(), &arguments.collect::<Vec<_>>());
    assert!(output.status.success(), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let result = &told["results"][0];
    for figure in ["completeness", "mean_age_hours"] {
        let held = result[figure]["held"].as_f64().unwrap();
        assert!(held >= 0.8 && result[figure]["mean_width"].as_f64().unwrap() > 0.0, "{figure}: {result}");
    }
    let weeks = result["by_week"].as_array().unwrap();
    assert_eq!((weeks.len(), &result["policy"]), (6, &"uniform".into()), "{result}");
    let [low, mean, high] = ["low", "mean", "high"].map(|part| weeks[5]["stated_completeness"][part].as_f64().unwrap());
    assert!(0.0 <= low && low <= mean && mean <= high && high <= 1.0, "{}", weeks[5]);
    for file in ["coverage.md", "weeks.csv", "completeness.svg", "mean-age.png"] {
        assert!(out.join(file).exists(), "{file}");
    }
}

#[test]
fn a_window_that_does_not_fit_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let arguments: Vec<&str> = WORLD.into_iter().chain(["--every", "60d"]).collect();
    let output = run(directory.path(), &arguments);
    let problem = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && problem.contains("no whole window"), "{output:?}");
}
