//! `tintype lab paper decay`: every table and figure is made again on a recorded source and on made-up ones, and judged.

use crate::bench::run;
use serde_json::Value;
use std::{fs, path::Path};

const DAY: usize = 86_400;
const DAYS: usize = 26;

/// Cars of two makes, looked at once a day.
fn write_cars(directory: &Path) {
    let mut objects = "object_id,first_seen,last_seen,left_censored,right_censored,updates,make\n".to_owned();
    for nth in 0..240 {
        let first = (nth * 7) % DAYS;
        let last = (first + 5 + nth % 11).min(DAYS);
        let [left, right] = [first == 0, last == DAYS].map(u8::from);
        let make = ["bmw", "ford"][nth % 2];
        objects += &format!("{nth},{},{},{left},{right},0,{make}\n", first * DAY, last * DAY);
    }
    let looks: String = (0..=DAYS).map(|nth| format!("{}\n", nth * DAY)).collect();
    fs::create_dir(directory).unwrap();
    fs::write(directory.join("objects.csv"), objects).unwrap();
    fs::write(directory.join("snapshots.csv"), format!("time\n{looks}")).unwrap();
}

#[test]
fn every_part_is_made_again_and_judged() {
    let here = tempfile::tempdir().unwrap();
    write_cars(&here.path().join("cars"));
    let words =
        ["lab", "paper", "decay", "--out", "paper", "--pages", "20", "--days", "24", "--objects", "cars", "--json"];
    let output = run(here.path(), &words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let index = fs::read_to_string(here.path().join("paper/index.md")).unwrap();
    let both =
        ["figure-3-precision", "figure-3-values-cars", "figure-3-dates-cars", "figure-8-recall-cars", "calibration"];
    let pictures = [
        "figure-5-arrivals-cars",
        "figure-5-survival-cars",
        "figure-8-recall-regime-change",
        "fewest-crawls-recall-cars",
    ];
    let has = |name: &str, kind: &str| {
        let file = format!("paper/{name}.{kind}");
        assert!(here.path().join(&file).metadata().is_ok_and(|file| file.len() > 100), "{file}");
    };
    for name in both.iter().chain(&pictures) {
        ["svg", "png"].iter().for_each(|kind| has(name, kind));
        assert!(index.contains(&format!("({name}.png)")), "{name}");
    }
    for name in both.iter().chain(&["table-1", "figure-5-survival", "figure-8", "table-2", "tables-3-and-4"]) {
        ["csv", "md"].iter().for_each(|kind| has(name, kind));
    }
    assert!(index.contains("| steady | made up |") && index.contains("| cars | recorded | make |"), "{index}");
    assert!(!index.contains("figure-3-dates-steady"), "where there is a recorded source, it is what is drawn");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let part = |name: &str| {
        let part = told["parts"].as_array().unwrap().iter().find(|part| part["name"] == name);
        part.unwrap_or_else(|| panic!("{name}")).clone()
    };
    let cars = &part("figure-5-survival")["table"][0];
    assert_eq!(cars["source"], "cars", "{cars}");
    let policies = part("table-2")["table"].as_array().unwrap().clone();
    for row in &policies {
        let [rho, quality, crawls] = ["ρ", "q", "c"].map(|key| row[key].as_f64().unwrap());
        assert!((rho - quality / crawls.max(1.0)).abs() < 1e-12, "{row}");
    }
    assert_eq!(policies.len(), 6 * 2 * 5);
    for row in part("fewest-crawls")["table"].as_array().unwrap() {
        let [ours, oracle] = ["tintype", "oracle"].map(|policy| row[policy].as_f64());
        assert!(ours.is_none_or(|ours| Some(ours) >= oracle), "nobody beats the oracle: {row}");
    }
    let verdict = |name: &str, nth: usize| part(name)["claims"][nth]["verdict"].clone();
    assert_eq!(verdict("table-1", 0), "not applicable");
    assert_eq!(verdict("tables-3-and-4", 1), "confirmed", "Table 4 follows from its rates");
}
