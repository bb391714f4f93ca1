//! `tintype lab tournament`: its JSON holds what other programs rely on, its visits judged by an independent program give
//! its figures, and histories that cannot have happened are refused with the line.

use crate::bench::run;
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::{collections::BTreeMap, fmt::Write as _, fs, io::Write as _, path::Path};

const FROM: i64 = 1_600_041_600;
const DAYS: i64 = 30;
const TO: i64 = FROM + DAYS * 86_400;
const HEADER: &str = "time,path,kind,size,sha1,media_type";

/// Thirty pages that change at rates of their own, two that are born, one that dies and comes back.
fn events() -> Vec<(i64, String, char)> {
    let mut dice = 88_172_645_463_325_252u64;
    let mut throw = |sides: u64| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        (dice % sides) as i64
    };
    let mut events = Vec::new();
    for page in 0..30i64 {
        let path = format!("/d{}/p{page}.html", page % 4);
        events.push((FROM - 1 - throw(5_000_000), path.clone(), 'A'));
        let changes = [0, 1, 3, 20, 60][page as usize % 5];
        events.extend((0..changes).map(|_| (FROM + 1 + throw(DAYS as u64 * 86_400 - 2), path.clone(), 'M')));
    }
    events.push((FROM + 5 * 86_400, "/late,with \"odd\" name".to_owned(), 'A'));
    events.push((FROM + 6 * 86_400, "/mayfly".to_owned(), 'A'));
    events.push((FROM + 9 * 86_400, "/mayfly".to_owned(), 'D'));
    events.push((FROM + 20 * 86_400, "/mayfly".to_owned(), 'A'));
    events.sort();
    events.dedup_by(|b, a| (b.0, &b.1) == (a.0, &a.1));
    events
}

fn table(events: &[(i64, String, char)]) -> String {
    let mut table = format!("{HEADER}\n");
    for (number, (at, path, kind)) in events.iter().enumerate() {
        let path = if path.contains(',') { format!("\"{}\"", path.replace('"', "\"\"")) } else { path.clone() };
        writeln!(table, "{at},{path},{kind},{},{number:010x},text/html", 100 * i32::from(*kind != 'D')).unwrap();
    }
    table
}

fn write(directory: &Path, table: &str) {
    let mut zipped = GzEncoder::new(fs::File::create(directory.join("events.csv.gz")).unwrap(), Compression::fast());
    zipped.write_all(table.as_bytes()).unwrap();
    zipped.finish().unwrap();
}

fn tournament(directory: &Path, more: &[&str]) -> Value {
    let mut arguments = vec!["lab", "tournament", "--history", ".", "--json"];
    arguments.extend(more);
    let output = run(directory, &arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// One line of a visits table: time, path.
fn visits(path: &Path) -> Vec<(i64, String)> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("time,path,outcome"));
    let row = |line: &str| {
        let (time, rest) = line.split_once(',').unwrap();
        let (path, outcome) = rest.rsplit_once(',').unwrap();
        assert!(["new", "same", "gone"].contains(&outcome), "{line}");
        (time.parse().unwrap(), path.trim_matches('"').replace("\"\"", "\""))
    };
    lines.map(row).collect()
}

/// The measures by their definitions, second by second where it must be: written without looking at ours.
struct Judged {
    completeness: f64,
    freshness: f64,
    mean_age_hours: f64,
    useful: f64,
}

fn judge(events: &[(i64, String, char)], visits: &[(i64, String)]) -> Judged {
    let mut lives: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
    for (nth, (at, path, kind)) in events.iter().enumerate() {
        let next = events[nth + 1..].iter().find(|later| later.1 == *path).map_or(i64::MAX, |later| later.0);
        if *kind != 'D' {
            lives.entry(path).or_default().push((*at, next));
        }
    }
    let (mut born, mut seen, mut useful, mut alive, mut fresh, mut age) = (0u32, 0u32, 0u32, 0f64, 0f64, 0f64);
    for (path, versions) in lives {
        let mut stale_since: Option<i64> = None;
        for (from, until) in versions {
            let held = from <= FROM && FROM < until;
            let first = visits
                .iter()
                .filter(|(at, page)| page == path && (from..until).contains(at))
                .map(|visit| visit.0)
                .min();
            born += u32::from(from > FROM && from < TO);
            let first = if held { Some(FROM) } else { first };
            if first.is_some() && !held {
                (seen, useful) = (seen + 1, useful + 1);
            }
            let (from, until) = (from.max(FROM), until.min(TO));
            if from >= until {
                continue;
            }
            let since = *stale_since.get_or_insert(from);
            let right_from = first.map_or(until, |first| first.max(from));
            alive += (until - from) as f64;
            fresh += (until - right_from) as f64;
            let square = |at: i64| ((at - since) as f64).powi(2) / 2.0;
            age += square(right_from) - square(from);
            if first.is_some() {
                stale_since = None;
            }
        }
    }
    Judged {
        completeness: f64::from(seen) / f64::from(born),
        freshness: fresh / alive,
        mean_age_hours: age / alive / 3600.0,
        useful: f64::from(useful) / visits.len() as f64,
    }
}

#[test]
fn visits_judged_by_an_independent_program_give_the_figures_printed() {
    let directory = tempfile::tempdir().unwrap();
    let events = events();
    write(directory.path(), &table(&events));
    let (from, to) = (FROM.to_string(), TO.to_string());
    let results = tournament(
        directory.path(),
        &["--budget", "12/day", "--from", &from, "--to", &to, "--visits", "v", "--seeds", "2"],
    );
    assert_eq!((results["from"].as_i64(), results["to"].as_i64()), (Some(FROM), Some(TO)));
    assert_eq!((results["pages"].as_u64(), results["budget_per_day"].as_f64()), (Some(32), Some(12.0)));
    let best = results["oracle_completeness"].as_f64().unwrap();
    let rows = results["results"].as_array().unwrap();
    assert!(rows.len() >= 15, "{}", rows.len());
    for row in rows {
        let policy = row["policy"].as_str().unwrap();
        let visits = visits(&directory.path().join(format!("v/{policy}.csv")));
        assert_eq!(visits.len() as u64, row["visits"].as_u64().unwrap(), "{policy}");
        // What is saved up for a pass that never begins is not spent.
        let saved = 12 * DAYS - visits.len() as i64;
        let left_over = if policy == "cron" { 0..32 } else { 0..1 };
        assert!(left_over.contains(&saved), "{policy}: {} visits", visits.len());
        let judged = judge(&events, &visits);
        let near = |name: &str, value: f64| {
            let printed = row[name].as_f64().unwrap();
            assert!(
                (printed - value).abs() < 1e-6 * value.abs().max(1.0),
                "{policy} {name}: {printed}, judged {value}"
            );
        };
        near("completeness", judged.completeness);
        near("weighted_completeness", judged.completeness);
        near("freshness", judged.freshness);
        near("mean_age_hours", judged.mean_age_hours);
        near("useful", judged.useful);
        assert!(judged.completeness <= best + 1e-12, "{policy} beats the best possible");
        // All versions weigh the same where only events are known.
        near("weighted_of_oracle", judged.completeness / best);
    }
    let completeness = |name: &str| {
        let row = rows.iter().find(|row| row["policy"] == name).unwrap();
        row["completeness"].as_f64().unwrap()
    };
    assert!(completeness("tintype") > completeness("uniform"));
}

#[test]
fn the_window_and_the_policies_are_found_when_nobody_names_them() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &table(&events()));
    let results = tournament(directory.path(), &[]);
    assert_eq!(results["from"].as_i64(), Some(FROM - FROM % 86_400));
    assert!(results["results"].as_array().unwrap().iter().any(|row| row["policy"] == "tintype"));
}

#[test]
fn made_up_sites_play_too_with_intervals_over_their_seeds() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["lab", "tournament", "--world", "news", "--pages", "60", "--days", "7", "--budget", "40/day"];
    let found = ["--discovery", "links", "--policies", "uniform,tintype", "--seeds", "2", "--json"];
    let output = run(directory.path(), &[&arguments[..], &found].concat());
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    for row in results["results"].as_array().unwrap() {
        assert_eq!(row["completeness_ci95"].as_array().map(Vec::len), Some(2), "{row}");
        assert!(
            row["weighted_completeness"] != row["completeness"],
            "bodies are known, so changes have weights: {row}"
        );
    }
}

#[test]
fn histories_that_cannot_have_happened_are_refused_with_the_line() {
    let directory = tempfile::tempdir().unwrap();
    let good = "1600000000,/a,A,1,aa,text/html\n1600000100,/b,A,1,bb,text/html\n";
    let cases = [
        (format!("{HEADER}\n{good}1500000000,/a,M,1,cc,text/html\n"), "line 4"),
        (format!("{HEADER}\n{good}1600000200,/a,X,1,cc,text/html\n"), "line 4"),
        (format!("{HEADER}\n{good}1600000200,/c,M,1,cc,text/html\n"), "line 4"),
        (format!("{HEADER}\n{good}1600000200,/a,M,many,cc,text/html\n"), "line 4"),
        (format!("{HEADER}\n{good}soon,/a,M,1,cc,text/html\n"), "line 4"),
        (format!("{HEADER}\n{good}1600000200,/a\n"), "line 4"),
        (format!("time,path,size,sha1,media_type\n{good}"), "line 1"),
        (String::new(), "line 1"),
    ];
    for (table, line) in cases {
        write(directory.path(), &table);
        let output = run(directory.path(), &["lab", "tournament", "--history", ".", "--budget", "3/day"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{table}: {said}");
        assert!(said.contains(line) && said.contains("next:"), "{table}: {said}");
    }
    write(directory.path(), &table(&events()));
    let early = run(directory.path(), &["lab", "tournament", "--history", ".", "--from", "1500000000"]);
    let said = String::from_utf8_lossy(&early.stderr).into_owned();
    assert!(early.status.code() == Some(2) && said.contains("choose a later --from"), "{said}");
    let whole = fs::read(directory.path().join("events.csv.gz")).unwrap();
    fs::write(directory.path().join("events.csv.gz"), &whole[..whole.len() / 2]).unwrap();
    let output = run(directory.path(), &["lab", "tournament", "--history", ".", "--budget", "3/day"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("line "), "{said}");
}

/// The figures an independent simulation gave for www.openbsd.org in 2001 with 30 visits a day.
#[test]
fn the_rules_of_the_field_land_where_others_put_them() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/histories/openbsd/events.csv.gz");
    if !shared.exists() {
        eprintln!("skipped, no ../shared");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    fs::copy(shared, directory.path().join("events.csv.gz")).unwrap();
    let results =
        tournament(directory.path(), &["--budget", "30/day", "--policies", "uniform,heritrix,nutch,stormcrawler"]);
    assert!((results["oracle_completeness"].as_f64().unwrap() - 0.976).abs() < 0.005, "{results}");
    for (row, expected) in results["results"].as_array().unwrap().iter().zip([0.50, 0.54, 0.57, 0.53]) {
        assert!((row["completeness"].as_f64().unwrap() - expected).abs() < 0.02, "{row}");
    }
}
