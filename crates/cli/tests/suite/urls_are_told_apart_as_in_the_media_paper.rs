//! `tintype lab paper media`: Table 2 and Figures 5 and 6 are made again, on labelled URLs and on made-up webs, and judged.

use crate::bench::run;
use serde_json::Value;
use std::{fmt::Write, fs};

/// Images whose extension says so, pages and documents without one, and one film for every domain.
fn table(domains: std::ops::Range<usize>) -> String {
    let mut table = String::new();
    for domain in domains {
        let mut row = |path: &str, media_type: &str| {
            writeln!(table, "http://site{domain}.example/{path}\t{media_type}\ttest").unwrap();
        };
        for n in 0..8 {
            row(&format!("images/{n}.jpg"), "image/jpeg");
            row(&format!("news/article-{n}"), "text/html");
            row(&format!("download/{n}"), "application/pdf");
        }
        row("film.mp4", "video/mp4");
    }
    table
}

fn part(told: &Value, name: &str) -> Value {
    let part = told["parts"].as_array().unwrap().iter().find(|part| part["name"] == name);
    part.unwrap_or_else(|| panic!("{name}")).clone()
}

#[test]
fn every_part_is_made_again_and_judged() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::write(here.join("train.tsv"), table(0..16)).unwrap();
    fs::write(here.join("test.tsv"), table(16..22)).unwrap();
    let words = ["lab", "paper", "media", "--out", "paper", "--pages", "40", "--seeds", "1", "--json"];
    let output = run(here, &[&words[..], &["--train", "train.tsv", "--test", "test.tsv"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let index = fs::read_to_string(here.join("paper/index.md")).unwrap();
    let has = |name: &str, kind: &str| {
        let file = format!("paper/{name}.{kind}");
        assert!(here.join(&file).metadata().is_ok_and(|file| file.len() > 100), "{file}");
    };
    for name in ["rounds", "rounds-unseen", "figure-5", "figure-6-gallery", "figure-6-neighbourhood"] {
        ["svg", "png", "csv", "md"].iter().for_each(|kind| has(name, kind));
        assert!(index.contains(&format!("({name}.png)")), "{name}");
    }
    for name in ["table-2", "table-2-unseen", "figure-6"] {
        ["csv", "md"].iter().for_each(|kind| has(name, kind));
    }
    let rows = part(&told, "table-2-unseen")["table"].as_array().unwrap().clone();
    let one = |model: &str, class: &str| {
        let is = |row: &&Value| row["model"] == model && row["content_type"] == class && row["measure"] == "Re";
        rows.iter().find(is).unwrap_or_else(|| panic!("{model} {class}")).clone()
    };
    assert_eq!(one("paper", "text")["g"], 99.74);
    assert_eq!(one("tintype", "audio")["g"], Value::Null, "there is none to find");
    for model in ["statistical", "stream", "tintype"] {
        let image = one(model, "image");
        assert_eq!((&image["of_h"], &image["g"]["mean"]), (&48.0.into(), &100.0.into()), "{image}");
    }
    let verdicts = |name: &str| -> Vec<Value> {
        part(&told, name)["claims"].as_array().unwrap().iter().map(|claim| claim["verdict"].clone()).collect()
    };
    assert_eq!(verdicts("table-2-printed"), ["refuted", "refuted"], "the paper's sentences are not in its table");
    assert_eq!(verdicts("figure-6-portal").len(), 5);
    for web in part(&told, "figure-6")["table"].as_array().unwrap() {
        assert_eq!(web["breadth_first"]["mean"], 1.0, "{web}");
        let oracle = web["oracle"]["mean"].as_f64().unwrap();
        assert!(oracle < 1.0, "who was told everything needs less: {web}");
    }
}

#[test]
fn options_of_one_paper_are_not_those_of_another() {
    let directory = tempfile::tempdir().unwrap();
    let output = run(directory.path(), &["lab", "paper", "sharc", "--out", "x", "--pages", "5000"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("1100 pages are the most"), "{output:?}");
}
