//! `tintype lab media` learns from one table of URLs and is judged on another.

use crate::bench::run;
use serde_json::Value;
use std::{fmt::Write, fs, path::Path};
use tintype_learn::media::{Media, Sight};

/// URLs of some domains: images, pages, scripts and documents, some without an extension and some whose extension lies.
fn table(domains: std::ops::Range<usize>) -> String {
    let mut table = String::new();
    for domain in domains {
        for n in 0..12 {
            let mut row = |path: &str, media_type: &str| {
                writeln!(table, "http://site{domain}.example/{path}\t{media_type}\ttest:{}", domain % 2).unwrap();
            };
            row(&format!("images/{n}.jpg"), "image/jpeg");
            row(&format!("news/article-{n}"), "text/html");
            row(&format!("js/lib{n}.js"), "text/javascript");
            row(&format!("download/{n}"), "application/pdf");
            row(&format!("fonts/face{n}.woff"), "font/woff");
            row(&format!("photo/{n}.png"), if domain % 4 == 0 { "text/html" } else { "image/png" });
        }
    }
    table
}

fn judged(directory: &Path, more: &[&str]) -> Value {
    let files = ["lab", "media", "--train", "train.tsv", "--test", "test.tsv", "--json"];
    let output = run(directory, &[&files, more].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is a number"))
}

#[test]
fn a_model_is_judged_on_domains_it_never_saw() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::write(here.join("train.tsv"), table(0..30)).unwrap();
    fs::write(here.join("test.tsv"), table(30..36)).unwrap();
    let said = judged(here, &[]);
    assert_eq!(
        (&said["model"], &said["trained_on"], &said["judged_on"]),
        (&"tintype".into(), &2160.into(), &432.into())
    );
    assert_eq!((&said["domains"], &said["domains_seen"]), (&6.into(), &0.into()));
    assert!(number(&said["accuracy"]) > 0.9 && number(&said["online_accuracy"]) > 0.95, "{said}");
    // News, documents, and the pages that are called images.
    assert_eq!(said["hard"], 6 * 24 + 12);
    assert!(number(&said["hard_accuracy"]) > 0.8 && number(&said["calibration_error"]) < 0.2, "{said}");
    let classes = said["classes"].as_array().unwrap();
    let names: Vec<&Value> = classes.iter().map(|class| &class["class"]).collect();
    assert_eq!(names, ["application", "image", "text"]);
    assert_eq!(classes[0]["support"], 6 * 36);
    for key in ["precision", "recall", "f1"] {
        assert!(number(&classes[0][key]) > 0.8, "{said}");
    }
    for key in ["macro_f1", "classify_per_second", "update_per_second", "scan_per_second"] {
        assert!(number(&said[key]) > 0.0, "{key}: {said}");
    }
    let beside: Vec<&Value> = said["beside"].as_array().unwrap().iter().map(|other| &other["model"]).collect();
    assert_eq!(beside, ["statistical", "stream", "extension"]);
}

#[test]
fn what_was_learned_can_be_kept_with_a_label() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::write(here.join("train.tsv"), table(0..10)).unwrap();
    fs::write(here.join("test.tsv"), table(10..12)).unwrap();
    judged(here, &["--keep", "model.bin"]);
    let media = Media::from_bytes(&fs::read(here.join("model.bin")).unwrap()).unwrap();
    assert_eq!(media.trained_on(), "720 labelled URLs of 10 domains (train.tsv)");
    let guess = media.guess(&Sight::of("http://other.example/images/7.jpg"));
    assert!(guess.chance(&"image".parse().unwrap()) > 0.9);
    let words = ["lab", "media", "--train", "train.tsv", "--test", "test.tsv", "--keep", "x", "--model", "stream"];
    let output = run(here, &words);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("what stream learns cannot be kept"), "{output:?}");
}

#[test]
fn names_as_sent_are_other_classes() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::write(here.join("train.tsv"), table(0..20)).unwrap();
    fs::write(here.join("test.tsv"), table(20..24)).unwrap();
    let said = judged(here, &["--raw", "--model", "statistical", "--online", "5"]);
    let names: Vec<&Value> = said["classes"].as_array().unwrap().iter().map(|class| &class["class"]).collect();
    assert_eq!(names, ["application", "font", "image", "text"]);
    assert_eq!(
        said["online"],
        serde_json::json!({ "told": 5, "domains": 4, "urls": 4 * 67, "accuracy_before": said["online"]["accuracy_before"] })
    );
}

#[test]
fn people_read_tables_and_pictures_and_hear_of_odd_lines() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::write(here.join("train.tsv"), table(0..8)).unwrap();
    fs::write(here.join("test.tsv"), table(8..10) + "not a row\n").unwrap();
    let files = ["lab", "media", "--train", "train.tsv", "--test", "test.tsv", "--model", "extension", "--out", "out"];
    let output = run(here, &files);
    assert!(output.status.success(), "{output:?}");
    let (text, notes) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    for wanted in ["extension: learned from 576 URLs", "hard URLs", "By source", "test:1", "statistical"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(notes.contains("test.tsv: 1 line passed over, the first is line 145"), "{notes}");
    for file in ["reliability.svg", "reliability.png", "models.csv", "confusion.md"] {
        assert!(here.join("out").join(file).exists(), "{file}");
    }
}

#[test]
fn a_table_that_is_none_gets_a_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::write(here.join("train.tsv"), "nothing\n").unwrap();
    let lab = ["lab", "media", "--train", "train.tsv", "--test", "missing.tsv"];
    let output = run(here, &lab);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing.tsv"), "{output:?}");
    fs::write(here.join("missing.tsv"), table(0..1)).unwrap();
    let output = run(here, &lab);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("holds no labelled URL"), "{output:?}");
}
