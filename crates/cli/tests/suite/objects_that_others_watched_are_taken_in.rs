//! Tables of life spans become crawls of a source, once, and are never believed where they cannot be true.

use crate::{
    bench::{files, run},
    browser::Past,
};
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

/// The first two crawls of the table, and the time before any.
const BETWEEN: &str = "1970-01-01T00:25:00Z";
const BEFORE: &str = "1970-01-01T00:08:00Z";

#[test]
fn what_a_source_held_is_listed_as_of_a_time_in_the_terminal_and_in_the_browser() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "a,1000,1000,1,0,0,bmw\nb,1000,4000,1,1,0,vw\nc,2000,4000,0,1,0,bmw\n");
    assert!(run(directory.path(), &IMPORT).status.success());
    let told = |arguments: &[&str]| {
        let output = run(directory.path(), &[&["objects", "cars"], arguments].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let ids = |arguments: &[&str]| {
        let json: serde_json::Value = serde_json::from_str(&told(&[&["--json"], arguments].concat())).unwrap();
        let ids: Vec<String> = json["objects"]
            .as_array()
            .unwrap()
            .iter()
            .map(|object| object["id"].as_str().unwrap().to_owned())
            .collect();
        ids.join("")
    };
    assert_eq!([ids(&[]), ids(&["--at", BETWEEN]), ids(&["--at", BEFORE])], ["bc", "ab", ""].map(str::to_owned));
    assert_eq!(
        [ids(&["--where", "make=bmw"]), ids(&["--at", BETWEEN, "--where", "make=bmw"])],
        ["c", "a"].map(str::to_owned)
    );
    let csv = told(&["--csv"]);
    assert!(
        csv.starts_with("object_id,since,from_the_start,updates,make\nb,1970-01-01T00:16:40Z,true,0,vw\n"),
        "{csv}"
    );
    assert!(told(&[]).contains("2 objects") && told(&["--at", BEFORE]).contains("not crawled by then"));
    let wrong = run(directory.path(), &["objects", "cars", "--where", "year>2"]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
    let past = Past::serve(directory.path(), &[]);
    assert_eq!(past.get("/listing/cars.csv").text(), csv);
    assert_eq!(past.get("/listing/cars.json?at=19700101002500").json()["count"], 2);
    let page = past.get("/listing/cars?where=make%3Dbmw").text();
    assert!(page.contains("1 objects") && page.contains("<td>c</td>") && !page.contains("<td>b</td>"), "{page}");
    assert!(past.get("/listings").text().contains("href=\"/listing/cars\""));
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
