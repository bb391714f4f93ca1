//! `tintype lab decay`: sources whose every object is known, as tables or made up.

use crate::bench::run;
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::{
    fmt::Write as _,
    fs::{self, File},
    io::Write as _,
    path::Path,
};
use tintype_world::source::{
    Source,
    made_up::{MadeUpConfig, named},
};

const WISH: MadeUpConfig =
    MadeUpConfig { seed: 1, size: 60, from: tintype_vocab::Time::from_secs(1_767_571_200), days: 50 };
const HEADER: &str = "object_id,first_seen,last_seen,left_censored,right_censored,updates";

fn zipped(path: &Path, text: &str) {
    let mut file = GzEncoder::new(File::create(path).unwrap(), Compression::fast());
    file.write_all(text.as_bytes()).unwrap();
    file.finish().unwrap();
}

/// Writes a source as others write theirs.
fn write(directory: &Path, source: &Source) {
    let mut objects = format!("{HEADER},{}\n", source.attributes().join(","));
    for life in source.lives() {
        let (first, last) = (life.first_seen.as_secs(), life.last_seen.as_secs());
        let (left, right) = (u8::from(life.left_censored), u8::from(life.right_censored));
        writeln!(objects, "{},{first},{last},{left},{right},0,{}", life.id, life.attributes.join(",")).unwrap();
    }
    let looks: String = source.looks().iter().map(|look| format!("{}\n", look.as_secs())).collect();
    zipped(&directory.join("objects.csv.gz"), &objects);
    zipped(&directory.join("snapshots.csv.gz"), &format!("time\n{looks}"));
}

fn told(directory: &Path, arguments: &[&str]) -> Value {
    let output = run(directory, &[&["lab", "decay", "--json"], arguments].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn both_measures_are_told_under_the_names_others_rely_on() {
    let here = tempfile::tempdir().unwrap();
    write(here.path(), &(named("partitions").unwrap().make)(&WISH));
    let all = told(here.path(), &["--objects", ".", "--target", "0.9,0.8"]);
    for measure in ["precision", "recall"] {
        let one = &all[measure];
        for name in ["static", "adaptive", "best"] {
            for key in ["sse", "rho", "crawls", "below", "crawls_at_share"] {
                assert!(one[format!("{key}_{name}")].is_number(), "{key}_{name}: {one}");
            }
            let (rho, quality, crawls) =
                (&one[format!("rho_{name}")], &one[format!("quality_{name}")], &one[format!("crawls_{name}")]);
            let [rho, quality, crawls] = [rho, quality, crawls].map(|number| number.as_f64().unwrap());
            assert!((rho - quality / crawls.max(1.0)).abs() < 1e-12, "{one}");
        }
        assert!((0.0..=1.0).contains(&one["coverage"].as_f64().unwrap()), "{one}");
        let fewest = |name: &str| one[format!("crawls_at_share_{name}")].as_u64().unwrap();
        for name in ["static", "adaptive", "best", "persistence", "fixed"] {
            assert!(fewest("oracle") <= fewest(name), "nobody beats the oracle: {one}");
        }
        assert_eq!(one["below_oracle"], 0.0);
        assert_eq!(all["targets"][0][measure], *one);
        assert!(all["targets"][1][measure]["crawls_oracle"].as_u64() < one["crawls_oracle"].as_u64());
    }
    assert_eq!((&all["steps"], &all["training"], &all["step_seconds"]), (&51.into(), &25.into(), &86_400.0.into()));
}

#[test]
fn groups_and_probes_are_told_beside_when_asked_for() {
    let here = tempfile::tempdir().unwrap();
    let world = ["--world", "partitions", "--size", "700", "--days", "45", "--target", "0.8", "--cycle", "2"];
    let all = told(here.path(), &[&world[..], &["--sampling", "--partition", "kind"]].concat());
    let ways = all["partition"][0]["ways"].as_array().unwrap();
    assert_eq!((&all["partition"][0]["measure"], ways.len()), (&"precision".into(), 4), "{all}");
    assert_eq!((&ways[0]["groups"], &ways[1]["groups"]), (&1.into(), &3.into()), "{ways:?}");
    assert_eq!(ways[0]["live"]["crawls"], all["precision"]["crawls_best"], "all together is our policy as ever");
    let sampled = all["sampling"][0]["ways"].as_array().unwrap();
    assert_eq!(sampled[0]["crawls"], all["precision"]["crawls_best"]);
    assert!(sampled.iter().all(|way| way["requests"].as_u64().is_some_and(|requests| requests > 0)), "{sampled:?}");
    let plain = told(here.path(), &world);
    assert!(plain.get("partition").is_none() && plain.get("sampling").is_none());
    let refused = run(here.path(), &[&["lab", "decay", "--partition", "make"], &world[..]].concat());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("choose one of kind, colour"), "{refused:?}");
}

#[test]
fn a_table_and_what_it_was_made_from_give_the_same_numbers() {
    let here = tempfile::tempdir().unwrap();
    write(here.path(), &(named("steady").unwrap().make)(&WISH));
    let mut read = told(here.path(), &["--objects", ".", "--cycle", "5"]);
    let mut made = told(here.path(), &["--world", "steady", "--size", "60", "--days", "50", "--cycle", "5"]);
    assert_ne!(read["source"], made["source"]);
    (read["source"], made["source"]) = (Value::Null, Value::Null);
    assert_eq!(read, made);
}

#[test]
fn several_sources_stand_in_one_table() {
    let here = tempfile::tempdir().unwrap();
    for name in ["steady", "bursts"] {
        fs::create_dir(here.path().join(name)).unwrap();
        write(&here.path().join(name), &(named(name).unwrap().make)(&WISH));
    }
    let arguments = ["--objects", "steady", "--objects", "bursts", "--target", "0.8,0.9"];
    let all = told(here.path(), &arguments);
    let alone = told(here.path(), &["--objects", "bursts", "--target", "0.8,0.9"]);
    assert_eq!((all["sources"].as_array().unwrap().len(), &all["sources"][1]), (2, &alone));
    assert!(all["crawls_by_fixed"].as_f64().unwrap() > 0.0, "{all}");
    let horizons = alone["precision"]["horizons"].as_array().unwrap();
    let steps = |it: &Value| it["steps"].as_f64().unwrap();
    let held: f64 = horizons.iter().map(|it| steps(it) * it["coverage"].as_f64().unwrap()).sum();
    let all_steps: f64 = horizons.iter().map(steps).sum();
    assert!((held / all_steps - alone["precision"]["coverage"].as_f64().unwrap()).abs() < 1e-9, "{alone}");
    let text = String::from_utf8(run(here.path(), &[&["lab", "decay"], &arguments[..]].concat()).stdout).unwrap();
    for words in ["1st quarter", "÷ fixed", "steady", "bursts", "geometric mean"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn people_read_tables_of_the_objects_they_asked_for() {
    let here = tempfile::tempdir().unwrap();
    write(here.path(), &(named("partitions").unwrap().make)(&WISH));
    let output = run(here.path(), &["lab", "decay", "--objects", ".", "--subset", "kind=book"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("kind=book: ") && text.contains("51 steps of 1 d 0 h, trained with 25"), "{text}");
    for words in ["Copy precision predicted", "Copy recall of 0.9", "adaptive-ar", "tintype", "oracle"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn sources_that_cannot_be_used_are_refused_with_a_reason() {
    let here = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str]| {
        let output = run(here.path(), &[&["lab", "decay"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["--objects", "nowhere"]).contains("name a directory that holds objects.csv.gz"));
    let objects = |rows: &str| fs::write(here.path().join("objects.csv"), format!("{HEADER}\n{rows}")).unwrap();
    objects("a,1600000000,1500000000,0,0,0\n");
    assert!(refused(&["--objects", "."]).contains("line 2: the object was last seen before it was first seen"));
    objects("a,1600000000,1600086400,0,0,0\na,1600000000,1600086400,0,0,0\n");
    assert!(refused(&["--objects", "."]).contains("the object \"a\" was there twice at once"));
    objects("a,1600000000,1600086400,1,1,0\n");
    assert!(refused(&["--objects", "."]).contains("was watched for 2 steps"));
    assert!(refused(&["--objects", ".", "--subset", "make=bmw"]).contains("no attribute \"make\""));
    assert!(refused(&["--world", "steady", "--target", "1.5"]).contains("write a share such as 0.9"));
    assert!(refused(&["--world", "steady", "--train", "500"]).contains("choose --train"));
    assert!(refused(&["--world", "steady", "--cycle", "500"]).contains("choose --cycle 100 or less"));
}

#[test]
fn looks_that_found_nothing_are_told() {
    let here = tempfile::tempdir().unwrap();
    let day = |day: i64| 1_600_000_000 + day * 86_400;
    let rows: String = (0..60)
        .flat_map(|id| [(id, 0, 29), (id, 31, 31 + id / 2)])
        .map(|(id, first, last)| format!("{id},{},{},{},0,0\n", day(first), day(last), u8::from(first == 0)))
        .collect();
    fs::write(here.path().join("objects.csv"), format!("{HEADER}\n{rows}")).unwrap();
    let looks: String = (0..=60).map(|at| format!("{}\n", day(at))).collect();
    fs::write(here.path().join("snapshots.csv"), format!("time\n{looks}")).unwrap();
    let all = told(here.path(), &["--objects", "."]);
    let findings = all["findings"].to_string();
    assert!(findings.contains("1 look found nothing") && findings.contains("60 absences of objects"), "{findings}");
}
