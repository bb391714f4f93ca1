//! `tintype lab paper near`: every table and figure is made again on versions of a site, and claims are judged.

use crate::bench::run;
use serde_json::Value;
use std::{fmt::Write, fs};

/// Weeks in which either the news change or the archive is tidied, never both.
fn taking_turns() -> String {
    let mut table = "time,path,kind,size,sha1,media_type\n0,/,A,1,1,text/html\n".to_owned();
    for page in 0..20 {
        let path = if page < 16 { "now" } else { "archive/old" };
        writeln!(table, "0,/news/{path}/{page},A,1,{:x},text/html", page + 2).unwrap();
    }
    for week in 0..50 {
        let at = week * 7 * 86_400 + 3600;
        let pages = if week % 5 < 4 { 0..8 } else { 16..17 };
        for page in pages {
            let path = if page < 16 { "now" } else { "archive/old" };
            writeln!(table, "{at},/news/{path}/{page},M,1,{:x},text/html", 1000 + week * 100 + page).unwrap();
        }
    }
    table
}

#[test]
fn every_part_is_made_again_and_judged() {
    let here = tempfile::tempdir().unwrap();
    fs::create_dir(here.path().join("turns")).unwrap();
    fs::write(here.path().join("turns/events.csv"), taking_turns()).unwrap();
    let words = ["lab", "paper", "near", "--out", "paper", "--pages", "16", "--history", "turns", "--json"];
    let output = run(here.path(), &words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let index = fs::read_to_string(here.path().join("paper/index.md")).unwrap();
    for name in
        ["figure-5a", "figure-5b", "figure-5d", "figure-5e", "ours-turns", "figure-6a", "figure-6b", "figure-6c"]
    {
        for kind in ["csv", "md", "svg", "png"] {
            let file = format!("paper/{name}.{kind}");
            assert!(here.path().join(&file).metadata().unwrap().len() > 100, "{file}");
        }
        assert!(index.contains(&format!("({name}.png)")), "{name}");
    }
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let table = |name: &str| {
        let part = told["parts"].as_array().unwrap().iter().find(|part| part["name"] == name);
        part.unwrap_or_else(|| panic!("{name}"))["table"].as_array().unwrap().clone()
    };
    let turns = &table("table-2")[0];
    // Four of 21 pages are in the archive; what is tidied there is missed.
    assert_eq!((&turns["site"], &turns["versions"]), (&"turns".into(), &"weekly".into()));
    assert!((turns["br"]["mean"].as_f64().unwrap() - 4.0 / 21.0).abs() < 1e-9, "{turns}");
    assert!((turns["cr"]["mean"].as_f64().unwrap() - 0.8).abs() < 1e-9, "{turns}");
    let formulas = &table("formulas-as-printed")[0];
    assert!(formulas["cr_by_9"].as_f64() == Some(1.0), "modifications count as noticed: {formulas}");
    let subsumed = &table("figure-5e")[0];
    assert!(subsumed["br1_of_br"].as_f64() == Some(1.0), "all of the archive is old: {subsumed}");
    for row in table("ours-turns") {
        let (policy, bypass) = (row["policy"].as_str().unwrap(), row["br_at_cr_0_95"]["mean"].as_f64().unwrap());
        assert!((0.0..=1.0).contains(&bypass), "{policy}: {bypass}");
    }
}
