//! `tintype lab sharc` and `tintype lab paper sharc`: the JSON other programs rely on, known values, bad options explained.

use crate::bench::run;
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::{fs, io::Write as _, path::Path};

fn sharc(directory: &Path, more: &[&str]) -> Value {
    let output = run(directory, &[&["lab", "sharc", "--json"], more].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn row<'a>(results: &'a Value, policy: &str) -> &'a Value {
    let rows = results["results"].as_array().unwrap();
    rows.iter().find(|row| row["policy"] == policy).unwrap_or_else(|| panic!("no {policy}"))
}

fn number(value: &Value, field: &str) -> f64 {
    value[field].as_f64().unwrap_or_else(|| panic!("{field} is a number: {value}"))
}

#[test]
fn the_json_has_every_field_of_the_contract() {
    let here = tempfile::tempdir().unwrap();
    let results = sharc(here.path(), &["--pages", "64", "--seeds", "3", "--placement", "random"]);
    assert_eq!((results["pages"].as_u64(), results["seeds"].as_u64()), (Some(64), Some(3)));
    assert_eq!((number(&results, "skew"), number(&results, "delta")), (1.75, 1.0));
    assert_eq!(results["placement"], "random");
    assert!(number(&results, "oracle_blur") > 0.0 && number(&results, "expected_sharp_best") > 0.0);
    for row in results["results"].as_array().unwrap() {
        assert!(row["policy"].is_string(), "{row}");
        for (field, interval) in [("blur", "blur_ci95"), ("sharp", "sharp_ci95")] {
            let ends: Vec<f64> = row[interval].as_array().unwrap().iter().map(|end| end.as_f64().unwrap()).collect();
            assert!(ends.len() == 2 && ends[0] <= number(row, field) && number(row, field) <= ends[1], "{row}");
        }
        assert!(number(row, "visits") >= 64.0 && number(row, "blur_of_offline") > 0.0, "{row}");
        let best = number(&results, "expected_sharp_best");
        assert!(number(row, "visits") > 128.0 || number(row, "sharp") <= best + 1e-9, "beats the best possible: {row}");
        if row["revisit"] == false && row["policy"] != "sharp" {
            assert_eq!(number(row, "sharp"), 0.0, "one visit proves nothing: {row}");
            assert!(number(row, "realised_blur_of_oracle") >= 1.0 - 1e-9, "{row}");
        }
    }
}

#[test]
fn organ_pipes_are_the_best_order_and_ours_comes_close_without_knowing_the_site() {
    let here = tempfile::tempdir().unwrap();
    let results = sharc(here.path(), &["--pages", "90", "--seeds", "3", "--placement", "random"]);
    let of_offline = |policy: &str| number(row(&results, policy), "blur_of_offline");
    assert!((of_offline("sharc-offline") - 1.0).abs() < 1e-9);
    for other in ["sharc-online", "breadth-first", "depth-first", "hottest-first", "coldest-first", "olston-pandey"] {
        assert!(of_offline(other) > 1.0 && of_offline(other) > of_offline("explore-first"), "{other}");
    }
    let sharp = |policy: &str| number(row(&results, policy), "sharp");
    assert!(sharp("pyramid") >= sharp("sharc-threshold"));
    assert!(sharp("sharc-threshold") > sharp("breadth-first --revisit"));
}

#[test]
fn the_same_seed_throws_the_same_and_knowledge_matters() {
    let here = tempfile::tempdir().unwrap();
    let play = |more: &[&str]| sharc(here.path(), &[&["--pages", "60", "--seeds", "2"], more].concat());
    assert_eq!(play(&[]), play(&["--run-seed", "0"]));
    let blur = |results: &Value| number(row(results, "sharc-online"), "blur");
    let right = blur(&play(&[]));
    for wrong in [&["--misestimated", "0.5"][..], &["--size-error", "-0.5"], &["--size-error", "unknown"]] {
        assert_ne!(blur(&play(wrong)), right, "{wrong:?}");
    }
}

#[test]
fn windows_of_a_recorded_history_are_captured() {
    let here = tempfile::tempdir().unwrap();
    let mut table = "time,path,kind,size,sha1,media_type\n".to_owned();
    let day = 86_400;
    (0..20).for_each(|page| table += &format!("{},/p{page},A,1,{page:x},text/html\n", 100 * day));
    table += &format!("{},/,A,1,ff,text/html\n", 100 * day);
    for hour in 1..24 * 20 {
        let page = if hour % 3 == 0 { hour / 3 % 20 } else { 0 };
        table += &format!("{},/p{page},M,1,{hour:x},text/html\n", 100 * day + hour * 3600);
    }
    let mut zipped = GzEncoder::new(fs::File::create(here.path().join("events.csv.gz")).unwrap(), Compression::fast());
    zipped.write_all(table.as_bytes()).unwrap();
    zipped.finish().unwrap();
    let results = sharc(here.path(), &["--history", ".", "--delay", "10m,1h,30h", "--captures", "3", "--out", "o"]);
    assert!(results["history"].is_string());
    let written = fs::read_dir(here.path().join("o")).unwrap().count();
    assert_eq!(written, 2 * 2 * 2 + 2 * 2, "two tables a pause and two pictures");
    assert_eq!(results["too_long_delays_seconds"], serde_json::json!([108_000.0]));
    let rows = results["results"].as_array().unwrap();
    assert!(
        rows.iter().any(|row| row["delay_seconds"] == 600.0) && rows.iter().any(|row| row["delay_seconds"] == 3600.0)
    );
    for row in rows.iter().filter(|row| number(row, "visits") < 22.0) {
        assert!(row["blur_of_oracle"].is_null() || number(row, "blur_of_oracle") >= 1.0 - 1e-9, "{row}");
    }
    assert!(rows.iter().any(|row| row["sharp_of_oracle"].as_f64().is_some_and(|share| share > 0.5)), "{results}");
}

#[test]
fn the_paper_is_played_again_and_its_claims_are_judged() {
    let here = tempfile::tempdir().unwrap();
    let words = ["lab", "paper", "sharc", "--out", "paper", "--pages", "32", "--seeds", "2"];
    let output = run(here.path(), &words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let index = fs::read_to_string(here.path().join("paper/index.md")).unwrap();
    assert!(index.contains("**confirmed**") && index.contains("Skipped: no --history"), "{index}");
    for name in ["figure-4a", "figure-6a", "figure-10a", "figure-10b", "figure-11a", "table-4", "ours-robustness"] {
        for kind in ["csv", "md", "svg", "png"] {
            assert!(here.path().join(format!("paper/{name}.{kind}")).metadata().unwrap().len() > 100, "{name}.{kind}");
        }
        assert!(index.contains(&format!("({name}.png)")), "{name}");
    }
}

#[test]
fn bad_options_are_explained() {
    let here = tempfile::tempdir().unwrap();
    for (arguments, word) in [
        (&["--pages", "1"][..], "2.."),
        (&["--delta", "0"], "above 0"),
        (&["--tau", "2"], "share from 0 to 1"),
        (&["--placement", "middle"], "possible values"),
        (&["--size-error", "huge"], "or unknown"),
        (&["--mislabelled", "0.1"], "two shares"),
        (&["--history", ".", "--pages", "10"], "cannot be used with"),
        (&["--history", "nowhere"], "there is no directory"),
        (&["--history", ".", "--delay", "soon"], "unit of time"),
    ] {
        let output = run(here.path(), &[&["lab", "sharc"], arguments].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(word), "{arguments:?} does not say {word:?}: {said}");
    }
    let output = run(here.path(), &["lab", "paper", "nobody", "--out", "x"]);
    assert_eq!(output.status.code(), Some(2));
}
