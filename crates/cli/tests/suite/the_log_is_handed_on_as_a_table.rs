//! `export --parquet`: a line for every visit, which readers of Parquet find as it was logged.

use crate::bench::{Bench, INTERVAL, capture, index_lines, run};
use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::{Field, Row},
};
use std::{collections::BTreeMap, fs::File, path::Path};
use tintype_vocab::Time;
use tintype_warc::cdxj::Line;

fn rows(path: &Path) -> Vec<BTreeMap<String, Field>> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let cells = |row: Row| row.get_column_iter().map(|(name, field)| (name.clone(), field.clone())).collect();
    reader.get_row_iter(None).unwrap().map(|row| cells(row.unwrap())).collect()
}

#[test]
fn a_line_for_every_visit_says_what_the_log_says() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let here = directory.path();
    let first = capture(here, &bench.seed(), &[]);
    bench.advance(INTERVAL);
    let second = capture(here, &bench.seed(), &["--revisit"]);
    let exported = run(here, &["export", "--parquet", "--out", "visits.parquet", "--json"]);
    let said: serde_json::Value = serde_json::from_slice(&exported.stdout).unwrap();
    let table = rows(&here.join("visits.parquet"));
    assert_eq!(said["visits"], table.len(), "{said}");
    let requests = |said: &serde_json::Value| said["sites"][0]["visits"].as_u64().unwrap();
    assert_eq!(table.len() as u64, requests(&first) + requests(&second));

    let text = |row: &BTreeMap<String, Field>, name: &str| match &row[name] {
        Field::Str(text) => text.clone(),
        other => panic!("{name} is {other:?}"),
    };
    // Every line of the index is the record of a visit.
    for line in index_lines(here) {
        let line = Line::parse(&line).unwrap();
        let is_it = |row: &&BTreeMap<String, Field>| {
            let place = (&row["segment"], &row["offset"]);
            place == (&Field::Str(line.filename.clone().unwrap()), &Field::Long(line.offset.unwrap() as i64))
        };
        let row = table.iter().find(is_it).unwrap_or_else(|| panic!("{line:?} is in no line of the table"));
        assert_eq!(text(row, "url"), line.url.unwrap());
        let Field::TimestampMillis(asked) = row["asked"] else { panic!("{row:?}") };
        assert_eq!(Time::from_millis(asked).to_timestamp14(), line.timestamp);
        assert_eq!(
            Some(text(row, "digest").trim_start_matches("sha1:")),
            line.digest.as_deref().map(|it| it.trim_start_matches("sha1:"))
        );
    }
    let purposes: Vec<String> = table.iter().map(|row| text(row, "purpose")).collect();
    assert!(["robots", "visit", "revisit"].iter().all(|purpose| purposes.iter().any(|of| of == purpose)));
    assert!(table.iter().any(|row| text(row, "change") == "new" && matches!(row["importance"], Field::Double(_))));

    let capture_of = text(&table[0], "capture");
    let one = ["export", "--parquet", "--out", "one.parquet", "--capture", &capture_of];
    assert!(run(here, &one).status.success());
    assert_eq!(rows(&here.join("one.parquet")).len() as u64, requests(&first));
    assert_eq!(run(here, &one).status.code(), Some(2), "nothing is written over");
    assert_eq!(run(here, &["export", "--parquet", "--sign", "--out", "x.parquet"]).status.code(), Some(2));
}
