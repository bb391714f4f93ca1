//! A site whose truth is known lives again, fast, and is captured again and again: what certificates expect is held
//! against what happened, and what they were made from is in the WARC files.

use crate::bench::run;
use serde_json::Value;
use std::fs;

const CAPTURES: usize = 5;

#[test]
fn expectations_are_held_against_the_truth_capture_by_capture() {
    let directory = tempfile::tempdir().unwrap();
    let site = ["--world", "poisson", "--pages", "40", "--days", "20", "--seed", "7"];
    let how = ["--captures", "5", "--every", "2d", "--delay", "60s", "--out", "out", "--json"];
    let output = run(directory.path(), &[&["lab", "calibrate"][..], &site, &how].concat());
    assert!(output.status.success(), "{output:?}");
    let facts: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rounds = facts["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), CAPTURES);
    for (nth, round) in rounds.iter().enumerate() {
        // Two minutes for every page, by the site's clock; the machine may be slow, but never fast.
        assert!(round["hours"].as_f64().unwrap() > 1.3, "{round}");
        let day = format!("2026-01-{:02}T00:00:00Z", 5 + 2 * nth);
        assert_eq!((&round["began"], &round["pages"]), (&day.into(), &40.into()));
        for what in ["blur", "sharp"] {
            let [low, high] = [0, 1].map(|end| round[what]["interval_90"][end].as_f64().unwrap());
            let (expected, truth) = (round[what]["expected"].as_f64().unwrap(), round[what]["true"].as_f64().unwrap());
            assert!(0.0 <= low && low <= high && expected >= 0.0 && truth >= 0.0, "{round}");
        }
    }
    let inside = |what: &str| {
        let holds = |round: &&Value| {
            let [low, high] = [0, 1].map(|end| round[what]["interval_90"][end].as_f64().unwrap());
            (low..=high).contains(&round[what]["true"].as_f64().unwrap())
        };
        rounds[1..].iter().filter(holds).count()
    };
    assert_eq!(facts["coverage"]["captures"], CAPTURES - 1);
    assert_eq!([&facts["coverage"]["blur"], &facts["coverage"]["sharp"]], [inside("blur"), inside("sharp")]);
    for file in ["calibration.json", "calibration.txt", "blur.svg", "sharp.png"] {
        assert!(fs::metadata(directory.path().join("out").join(file)).unwrap().len() > 0, "{file}");
    }

    // What the captures before taught is at the head of the last one, so a stranger comes to the same certificate.
    let collection = ["-C", "out/collection"];
    let report = run(directory.path(), &[&["report", "--json"][..], &collection].concat());
    let mut certificate: Value = serde_json::from_slice::<Value>(&report.stdout).unwrap()["captures"][0].take();
    assert_eq!(certificate["activity"]["captures"], CAPTURES - 1);
    let verify = |certificate: &Value| {
        fs::write(directory.path().join("claimed.json"), certificate.to_string()).unwrap();
        run(directory.path(), &[&["verify", "--certificate", "claimed.json"][..], &collection].concat())
    };
    assert!(verify(&certificate).status.success());
    certificate["activity"]["spread"] = 0.001.into();
    let refused = verify(&certificate);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
}

#[test]
fn a_past_too_short_for_so_many_captures_is_refused_with_a_next_step() {
    let directory = tempfile::tempdir().unwrap();
    let output = run(directory.path(), &["lab", "calibrate", "--world", "poisson", "--pages", "5", "--days", "3"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--every") && said.contains("where the past does"), "{said}");
}
