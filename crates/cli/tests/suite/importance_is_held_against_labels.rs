//! `tintype lab importance`: a small site with labels of its own, what is not there, and labels that are none.

use crate::{
    bench::run,
    the_past_is_served_at_any_speed::{BEGAN, write_story},
};
use serde_json::Value;
use std::{fs, path::Path, process::Output};

const HOUR: i64 = 3_600;

/// Versions of one page: what it says, when it says it was written, and where its link leads.
const VERSIONS: [(&str, &str, &str); 6] = [
    ("The river rose to four metres at the bridge.", "Saturday, 1 May, 10:30", "/a"),
    ("The river rose to four metres at the bridge.", "Sunday, 2 May, 11:45", "/a"),
    ("The river rose to five metres, and the bridge was closed.", "Monday, 3 May, 9:15", "/a"),
    ("The river rose to five metres, and the bridge was closed.", "Monday, 3 May, 9:15", "/b"),
    ("The river fell again. The bridge is open to all but lorries.", "Tuesday, 4 May, 18:00", "/b"),
    ("The river fell again, the bridge is open to all but lorries.", "Tuesday, 4 May, 18:00", "/b"),
];
const LABELS: [&str; 5] = [
    "dates,nobody,nobody,only the date it says it was updated",
    "words,citizen,citizen,a rise and a closed bridge",
    "links,editor,,link target only",
    "words,citizen,,\"fell, open again\"",
    "words,nobody,nobody,two sentences made one",
];

fn write(here: &Path) {
    let page = |(says, date, link): &(&str, &str, &str)| {
        format!("<h1>River</h1><p>{says} More is told <a href='{link}'>elsewhere</a>.<p>Updated {date}")
    };
    let story = VERSIONS.iter().enumerate().map(|(n, version)| (n as i64 * HOUR, "/".to_owned(), Some(page(version))));
    write_story(&here.join("histories/river"), story.collect());
    let time = |n: usize| BEGAN.as_secs() + n as i64 * HOUR;
    let row = |(n, label): (usize, &&str)| format!("river,/,{},{},{label}\n", time(n), time(n + 1));
    let rows: String = LABELS.iter().enumerate().map(row).collect();
    // A history that nobody has is left out.
    let all = format!("history,path,before,after,stratum,matters_to,again,reason\n{rows}sea,/,1,2,words,citizen,,x\n");
    fs::write(here.join("labels.csv"), all).unwrap();
}

fn study(here: &Path, more: &[&str]) -> Output {
    run(here, &[&["lab", "importance", "--labels", "labels.csv", "--histories", "histories"], more].concat())
}

#[test]
fn importance_tells_what_matters_and_says_how_well() {
    let here = tempfile::tempdir().unwrap();
    write(here.path());
    let output = study(here.path(), &["--json", "--out", "out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["pairs"], &found["labelled"], &found["matter"]), (&5.into(), &6.into(), &3.into()));
    let measure = |name: &str| {
        let all = found["measures"].as_array().unwrap();
        all.iter().find(|row| row["measure"] == name).unwrap_or_else(|| panic!("no {name}")).clone()
    };
    let auc = |name: &str, of: &str| measure(name)[of]["mean"].as_f64().unwrap();
    assert!(auc("importance", "auc") > auc("text diff ratio", "auc"), "{found}");
    assert_eq!(auc("importance", "auc"), auc("importance", "auc_river"), "{found}");
    assert!(measure("paper: printed formula")["auc_citizen"]["mean"].is_number());
    assert_eq!((&found["agreement"]["pairs"], &found["agreement"]["kappa"]), (&3.into(), &1.0.into()));
    assert_eq!(found["recall_at_default"], 1.0);
    let spread = &found["spread"][0];
    assert_eq!(
        (&spread["history"], &spread["changes"], &spread["at_1_000"]),
        (&"river".into(), &5.0.into(), &0.0.into())
    );
    assert!(spread["greatest"].as_f64().unwrap() < 1.0, "{spread}");
    for file in ["importance.csv", "importance.md", "strata.csv", "spread.csv", "pairs.csv", "roc.svg", "roc.png"] {
        assert!(here.path().join("out").join(file).exists(), "{file}");
    }
    let text = String::from_utf8(study(here.path(), &[]).stdout).unwrap();
    assert!(text.contains("5 of 6 labelled pairs") && text.contains("SimHash distance"), "{text}");
}

#[test]
fn without_histories_it_says_so() {
    let here = tempfile::tempdir().unwrap();
    write(here.path());
    fs::remove_dir_all(here.path().join("histories")).unwrap();
    let output = study(here.path(), &[]);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "skipped: no histories at histories\n");
}

#[test]
fn labels_that_are_none_are_named() {
    let here = tempfile::tempdir().unwrap();
    write(here.path());
    fs::write(here.path().join("labels.csv"), "history,path\nriver,/,soon,2,words,citizen,,x\n").unwrap();
    let output = study(here.path(), &[]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2"), "{output:?}");
}
