//! Tables of life spans become crawls of a source, once, and are never believed where they cannot be true.

use crate::bench::{files, run};
use std::{fs, path::Path};

const HEAD: &str = "object_id,first_seen,last_seen,left_censored,right_censored,updates,make\n";
const SNAPSHOTS: &str = "time,objects\n1000,2\n2000,2\n3000,0\n4000,2\n";

fn write(directory: &Path, rows: &str) {
    fs::create_dir_all(directory.join("cars")).unwrap();
    fs::write(directory.join("cars/objects.csv"), format!("{HEAD}{rows}")).unwrap();
    fs::write(directory.join("cars/snapshots.csv"), SNAPSHOTS).unwrap();
}

const IMPORT: [&str; 5] = ["import", "--objects", "cars/objects.csv", "--snapshots", "cars/snapshots.csv"];

#[test]
fn life_spans_become_crawls_and_an_empty_snapshot_does_not() {
    let directory = tempfile::tempdir().unwrap();
    let rows =
        "a,1000,1000,1,0,0,bmw\nb,1000,2000,1,0,2,vw\nb,4000,4000,0,1,0,vw\nc,2000,2000,0,0,0,x\nc,4000,4000,0,1,0,x\n";
    write(directory.path(), rows);
    let output = run(directory.path(), &[&IMPORT[..], &["--json"]].concat());
    assert!(output.status.success(), "{output:?}");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&told["source"], &told["lives"], &told["crawls"]), (&"cars".into(), &3.into(), &3.into()), "{told}");
    let log = fs::read_to_string(files(directory.path(), "log").remove(0)).unwrap();
    let lines: Vec<&str> = log.lines().filter(|line| line.starts_with("{\"objects\"")).collect();
    assert_eq!(lines.len(), 3);
    assert!(told["findings"][0].as_str().unwrap().contains("found nothing"), "{told}");
    assert!(lines[0].contains(r#""found":2"#) && lines[1].contains(r#"{"removed":"a"}"#), "{log}");
    assert!(lines[2].contains(r#""times":2"#) && log.contains(r#""attributes":["make"]"#), "{log}");
    assert!(run(directory.path(), &["verify"]).status.success());

    let again = run(directory.path(), &IMPORT);
    assert_eq!(again.status.code(), Some(2), "{again:?}");
    assert!(String::from_utf8_lossy(&again.stderr).contains("--source NAME"), "{again:?}");
    let other = run(directory.path(), &[&IMPORT[..], &["--source", "other"]].concat());
    assert!(String::from_utf8_lossy(&other.stdout).contains("other  3 lives seen by 3 crawls"), "{other:?}");
    let whole = run(directory.path(), &["import", "--objects", "cars", "-C", "elsewhere"]);
    assert!(String::from_utf8_lossy(&whole.stdout).contains("cars  3 lives seen by 3 crawls"), "{whole:?}");
}

#[test]
fn what_cannot_have_happened_is_refused_before_anything_is_written() {
    let directory = tempfile::tempdir().unwrap();
    for (rows, word) in [
        ("a,2000,1000,1,0,0,x\n", "line 2"),
        ("a,1000,2000,1,0,0,x\na,2000,4000,0,1,0,x\n", "twice"),
        ("a,1000,9000,1,0,0,x\n", "after the last"),
        ("a,1000,2000,1,0\n", "line 2"),
        ("a,soon,2000,1,0,0,x\n", "line 2"),
    ] {
        write(directory.path(), rows);
        let output = run(directory.path(), &IMPORT);
        assert_eq!(output.status.code(), Some(2), "{rows}: {output:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(word) && told.contains("next: correct the table"), "{rows}: {output:?}");
    }
    write(directory.path(), "a,1000,2000,1,0,0,x\n");
    fs::write(directory.path().join("cars/snapshots.csv"), "when\n1000\n").unwrap();
    let output = run(directory.path(), &IMPORT);
    assert!(String::from_utf8_lossy(&output.stderr).contains("tables of looks with time"), "{output:?}");
    let output = run(directory.path(), &["import", "--objects", "nowhere.csv"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(!directory.path().join("collection").exists());
}
