//! `tintype learn decay` and the reports of sources: curves, fits, groups, and what was foretold against what came.

use crate::bench::run;
use serde_json::Value;
use std::{fs, path::Path};
use tintype_vocab::Life;
use tintype_world::source::made_up::{MadeUpConfig, named};

const DAYS: u32 = 90;

/// Objects of four kinds, of which flats go after eight days and books after eighty.
fn write_kinds(directory: &Path, days: u32) {
    let source =
        (named("partitions").unwrap().make)(&MadeUpConfig { seed: 3, size: 300, days, ..MadeUpConfig::default() });
    let row = |life: &Life| {
        let (first, last) = (life.first_seen.as_secs(), life.last_seen.as_secs());
        let [left, right] = [life.left_censored, life.right_censored].map(u8::from);
        format!("{},{first},{last},{left},{right},0,{}\n", life.id, life.attributes.join(","))
    };
    let objects: String = source.lives().iter().map(row).collect();
    let looks: String = source.looks().iter().map(|look| format!("{}\n", look.as_secs())).collect();
    let head = "object_id,first_seen,last_seen,left_censored,right_censored,updates";
    fs::create_dir(directory).unwrap();
    fs::write(directory.join("objects.csv"), format!("{head},kind,colour\n{objects}")).unwrap();
    fs::write(directory.join("snapshots.csv"), format!("time\n{looks}")).unwrap();
}

fn told(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(directory: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&told(directory, &[arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn a_table_and_a_collection_made_of_it_say_the_same() {
    let here = tempfile::tempdir().unwrap();
    write_kinds(&here.path().join("kinds"), DAYS);
    let import = ["import", "--objects", "kinds/objects.csv", "--snapshots", "kinds/snapshots.csv"];
    told(here.path(), &import);
    let table = json(here.path(), &["learn", "decay", "--objects", "kinds"]);
    let kept = json(here.path(), &["learn", "decay"]);
    assert_eq!(table, kept);
    let source = &table["sources"][0];
    assert_eq!((&source["source"], &source["crawls"]), (&"kinds".into(), &91.into()));
    assert_eq!(
        source["groups"][0]["groups"].as_array().unwrap().len(),
        3,
        "cars and jobs stay alike: {}",
        source["groups"]
    );
    assert_eq!(
        source["groups"][1]["groups"].as_array().unwrap().len(),
        1,
        "colours mean nothing: {}",
        source["groups"]
    );
    for measure in ["precision", "recall"] {
        let forecast = &source[measure]["forecast"][0];
        let ends = forecast["interval"].as_array().unwrap().iter().map(|end| end.as_f64().unwrap()).collect::<Vec<_>>();
        assert!((ends[0]..=ends[1]).contains(&forecast["mean"].as_f64().unwrap()), "{forecast}");
        assert!(source[measure]["half_life_days"].as_f64().unwrap() > 8.0, "{}", source[measure]);
    }
    assert!(source["next"]["at"].is_string() && source["next"]["why"].is_string(), "{}", source["next"]);
}

#[test]
fn parts_of_a_source_have_a_life_of_their_own() {
    let here = tempfile::tempdir().unwrap();
    write_kinds(&here.path().join("kinds"), DAYS);
    let half_life = |part: &str| {
        let source = json(here.path(), &["learn", "decay", "--objects", "kinds", "--where", part]);
        source["sources"][0]["precision"]["half_life_days"].as_f64().unwrap_or(f64::INFINITY)
    };
    // 8 ln 2 and 80 ln 2.
    assert!((4.5..7.0).contains(&half_life("kind=flat")) && half_life("kind=book") > 40.0);
    let next = |target: &str| {
        let arguments = ["learn", "decay", "--objects", "kinds", "--target-precision", target];
        json(here.path(), &arguments)["sources"][0]["next"]["at"].as_str().unwrap().to_owned()
    };
    assert!(next("0.6") > next("0.95"), "who wants less can wait for longer");
    let nothing = run(here.path(), &["learn", "decay", "--objects", "kinds", "--where", "kind=ship"]);
    assert_eq!(nothing.status.code(), Some(2), "{nothing:?}");
    let nowhere = run(here.path(), &["learn", "decay", "--objects", "kinds", "--where", "make=bmw"]);
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("kind, colour"), "{nowhere:?}");
}

#[test]
fn people_see_curves_and_when_to_look_again() {
    let here = tempfile::tempdir().unwrap();
    write_kinds(&here.path().join("kinds"), DAYS);
    let text = told(here.path(), &["learn", "decay", "--objects", "kinds", "--out", "pictures"]);
    for words in
        ["copy precision 1.0 █▇", "by kind, slowest first: {book}", "not by colour", "next crawl", "by weekday"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    for name in ["rot", "arrivals", "survival", "forecast-recall"] {
        let file = here.path().join(format!("pictures/source-1-{name}.png"));
        assert!(file.metadata().is_ok_and(|file| file.len() > 1000), "{name}");
    }
}

#[test]
fn a_report_holds_what_was_foretold_against_what_came() {
    let here = tempfile::tempdir().unwrap();
    write_kinds(&here.path().join("kinds"), 40);
    told(here.path(), &["import", "--objects", "kinds/objects.csv", "--snapshots", "kinds/snapshots.csv"]);
    let report = json(here.path(), &["report"])["captures"][0].take();
    let crawls = report["copies"]["crawls"].as_array().unwrap();
    assert_eq!(crawls.len(), 41);
    assert!(crawls[0]["precision"].is_null(), "there was no copy before the first crawl: {}", crawls[0]);
    let held = crawls.iter().filter(|crawl| {
        let quality = &crawl["recall"];
        let [low, high] = [0, 1].map(|end| quality["interval"][end].as_f64().unwrap_or(2.0));
        quality["realised"].as_f64().is_some_and(|realised| (low..=high).contains(&realised))
    });
    let stated = crawls.iter().filter(|crawl| crawl["recall"]["interval"].is_array()).count();
    let share = held.count() as f64 / stated as f64;
    assert!((report["copies"]["recall_held"].as_f64().unwrap() - share).abs() < 1e-12, "{share}");
    assert!((0.8..=1.0).contains(&share), "{share}");
    let text = told(here.path(), &["report", "--html", "report.html"]);
    assert!(text.contains("predicted") && text.contains("90 % intervals held"), "{text}");
    let page = fs::read_to_string(here.path().join("report.html")).unwrap();
    assert!(page.contains("Copy recall right before each crawl"), "the picture is in the page");
}
