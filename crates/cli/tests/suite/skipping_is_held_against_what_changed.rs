//! `tintype lab near`: its JSON holds what other programs rely on, its ratios are those of the sets an independent program
//! counts, no policy is above the oracle, and histories too short for what was asked are told so.

use crate::bench::run;
use serde_json::Value;
use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

const FROM: i64 = 1_600_041_600;
const DAY: i64 = 86_400;
const WEEKS: i64 = 12;

/// Time, path, kind.
type Event = (i64, String, char);

/// In turn, week by week: all pages of `/a` change, or one of two in `/b`. A page is born and dies in `/a`, and comes
/// back; another is born in the skipped `/b`.
fn events() -> Vec<Event> {
    let mut events: Vec<Event> = (0..20).map(|page| (FROM - DAY, format!("/a/{page}.html"), 'A')).collect();
    events.extend(["/b/x", "/b/still"].map(|path| (FROM - DAY, path.to_owned(), 'A')));
    for week in 0..WEEKS {
        let at = FROM + 7 * DAY * week + 3 * DAY;
        match week % 2 {
            0 => events.extend((0..20).map(|page| (at, format!("/a/{page}.html"), 'M'))),
            _ => events.push((at, "/b/x".to_owned(), 'M')),
        }
    }
    for (week, path, kind) in [(1, "/a/mayfly", 'A'), (9, "/a/mayfly", 'D'), (10, "/a/mayfly", 'A'), (9, "/b/new", 'A')]
    {
        events.push((FROM + 7 * DAY * week + 2 * DAY, path.to_owned(), kind));
    }
    events.sort();
    events
}

fn write(directory: &Path, events: &[Event]) {
    let mut table = "time,path,kind,size,sha1,media_type\n".to_owned();
    for (number, (at, path, kind)) in events.iter().enumerate() {
        let digest = if *kind == 'D' { String::new() } else { format!("{:010x}", number + 1) };
        writeln!(table, "{at},{path},{kind},{},{digest},text/html", 100 * i32::from(*kind != 'D')).unwrap();
    }
    fs::write(directory.join("events.csv"), table).unwrap();
}

/// The pages of a moment, each with the number of its latest event.
fn version(events: &[Event], at: i64) -> BTreeMap<&str, usize> {
    let mut pages = BTreeMap::new();
    for (number, (_, path, kind)) in events.iter().enumerate().filter(|(_, event)| event.0 <= at) {
        match kind {
            'D' => pages.remove(path.as_str()),
            _ => pages.insert(path.as_str(), number),
        };
    }
    pages
}

/// Pages skipped, pages, changes lost, changes when `/b` is left out, by sets.
fn without_b(events: &[Event], week: i64) -> [usize; 4] {
    let (before, now) = (version(events, FROM + 7 * DAY * (week - 1)), version(events, FROM + 7 * DAY * week));
    let skipped = |path: &&&str| path.starts_with("/b/");
    let mut either: Vec<&str> = before.keys().chain(now.keys()).copied().collect();
    either.sort_unstable();
    either.dedup();
    let changed: Vec<&str> = either.into_iter().filter(|path| before.get(path) != now.get(path)).collect();
    [now.keys().filter(skipped).count(), now.len(), changed.iter().filter(skipped).count(), changed.len()]
}

fn near(directory: &Path, more: &[&str]) -> (Value, String) {
    let mut arguments = vec!["lab", "near", "--history", ".", "--json"];
    arguments.extend(more);
    let output = run(directory, &arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    (serde_json::from_slice(&output.stdout).unwrap(), said)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

const ASKED: [&str; 8] = ["--train", "7", "--test", "4", "--alpha", "0.2", "--theta", "0.5"];

#[test]
fn the_ratios_are_those_of_the_sets_an_independent_program_counts() {
    let directory = tempfile::tempdir().unwrap();
    let events = events();
    write(directory.path(), &events);
    let (told, said) = near(directory.path(), &[&ASKED[..], &["--every", "7d", "--from", &FROM.to_string()]].concat());
    assert_eq!((told["rules"].as_u64(), said.as_str()), (Some(1), ""));
    let tests = told["by_test"].as_array().unwrap();
    assert_eq!(tests.len(), 4);
    let (mut br, mut cr) = (0.0, 0.0);
    for (week, test) in (7..).zip(tests) {
        let [skipped, pages, lost, changes] = without_b(&events, week).map(|count| count as f64);
        assert!(close(number(&test["br"]), skipped / pages), "week {week}: {test}");
        assert!(close(number(&test["cr"]), 1.0 - lost / changes), "week {week}: {test}");
        assert_eq!(test["at"].as_i64(), Some(FROM + 7 * DAY * week));
        (br, cr) = (br + skipped / pages / 4.0, cr + (1.0 - lost / changes) / 4.0);
        let skip = &test["skip"];
        let lost = (1.0 - number(&skip["cr"])) * number(&skip["counters"]["changes"]);
        assert!(close(number(&skip["realised_lost"]), lost), "week {week}: {skip}");
        assert!(number(&skip["expected_lost"]) >= 0.0);
    }
    assert!(close(number(&told["br"]), br) && close(number(&told["cr"]), cr));
    assert!(number(&told["printed_cr"]) >= number(&told["cr"]));
}

#[test]
fn no_policy_is_above_the_oracle_and_all_of_them_are_there() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &events());
    let (told, _) = near(directory.path(), &[&ASKED[..], &["--every", "7d", "--from", &FROM.to_string()]].concat());
    let curve = told["curve"].as_array().unwrap();
    let of = |policy: &str| -> Vec<(f64, f64)> {
        let points = curve.iter().filter(|point| point["policy"] == policy);
        points.map(|point| (number(&point["br"]), number(&point["cr"]))).collect()
    };
    for policy in ["warm", "skip", "skip-directories", "oracle-directories", "oracle"] {
        assert!(!of(policy).is_empty(), "{policy}");
    }
    for point in curve {
        for ratio in ["br", "op", "or", "cr"] {
            assert!((0.0..=1.0).contains(&number(&point[ratio])), "{ratio} of {point}");
        }
    }
    let oracle = of("oracle");
    for (below, above) in
        [("warm", "oracle"), ("skip", "oracle"), ("skip-directories", "oracle"), ("warm", "oracle-directories")]
    {
        for (br, cr) in of(below) {
            let reached = |point: &&(f64, f64)| point.0 >= br - 1e-9 && point.1 >= cr - 1e-9;
            // Between two corners the oracle's line is above, which corners alone do not show.
            let after = of(above).iter().find(|point| point.0 >= br - 1e-9).map_or(0.0, |point| point.1);
            let before = of(above).iter().rfind(|point| point.0 <= br + 1e-9).map_or(1.0, |point| point.1);
            assert!(
                of(above).iter().any(|point| reached(&point)) || (after <= cr && cr <= before + 1e-9),
                "{below} {br} {cr}"
            );
        }
    }
    assert!(oracle.iter().any(|point| close(point.0, 1.0)), "everything can be skipped: {oracle:?}");
    for row in told["at_equal_bypass"].as_array().unwrap() {
        assert!(number(&row["oracle_cr"]) >= number(&row["cr"]) - 1e-9, "{row}");
        assert!(["better", "equal", "worse"].contains(&row["verdict"].as_str().unwrap()));
    }
}

#[test]
fn too_short_a_history_is_told_so() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &events());
    let (told, said) = near(directory.path(), &["--every", "7d"]);
    assert!(said.contains("too short for 30 captures 7d apart"), "{said}");
    assert_eq!((told["train"].as_u64(), told["test"].as_u64()), (Some(11), Some(1)));
    assert!(told["notes"][0].as_str().unwrap().contains("1 tested, learning from 11"));
    let (told, said) = near(directory.path(), &[]);
    assert!(said.contains("they are 1d apart"), "{said}");
    assert_eq!(told["every_seconds"].as_f64(), Some(86_400.0));
    let hopeless = run(directory.path(), &["lab", "near", "--history", ".", "--every", "90d"]);
    let said = String::from_utf8_lossy(&hopeless.stderr);
    assert_eq!(hopeless.status.code(), Some(2), "{said}");
    assert!(said.contains("three are needed") && said.contains("next: say --every 7d"), "{said}");
}

#[test]
fn people_get_tables_and_pictures() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &events());
    let output = run(
        directory.path(),
        &[
            "lab",
            "near",
            "--history",
            ".",
            "--every",
            "7d",
            "--train",
            "7",
            "--test",
            "3",
            "--alpha",
            "0.2",
            "--out",
            "made",
        ],
    );
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    for word in
        ["skip-directories", "learned price", "oracle CR", "expected lost", "skip is", "0.95 of the changes noticed"]
    {
        assert!(said.contains(word), "{word}: {said}");
    }
    for name in [
        "bypass-recall.png",
        "bypass-recall.svg",
        "bypass-recall.csv",
        "tests.md",
        "at-equal-bypass.csv",
        "expected-lost.png",
    ] {
        assert!(directory.path().join("made").join(name).metadata().unwrap().len() > 50, "{name}");
    }
}

#[test]
fn a_site_of_one_page_that_is_hardly_ever_there_is_judged_all_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let kinds = ['A', 'D', 'A', 'M', 'D'];
    let events: Vec<Event> =
        kinds.into_iter().enumerate().map(|(day, kind)| (FROM + DAY * day as i64, "/only".to_owned(), kind)).collect();
    write(directory.path(), &events);
    let (told, _) =
        near(directory.path(), &["--every", "12h", "--train", "4", "--test", "4", "--from", &FROM.to_string()]);
    assert_eq!(told["by_test"].as_array().unwrap().len(), 4);
    assert_eq!((told["rules"].as_u64(), number(&told["cr"])), (Some(0), 1.0));
}

#[test]
fn what_skip_learned_from_itself_is_held_against_what_it_lost() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &events());
    let from = FROM.to_string();
    let with = |loss: &str| {
        let more = ["--every", "7d", "--from", &from, "--closed-loop", "--loss", loss];
        near(directory.path(), &[&ASKED[..], &more].concat()).0
    };
    let careful = with("0");
    assert_eq!((&careful["loss"], &careful["foretold"]["lost"]), (&0.0.into(), &0.into()), "{careful}");
    let closed = &careful["closed_loop"];
    assert_eq!(
        (&closed["br"], &closed["lost"], &closed["within"], &closed["said"]),
        (&0.0.into(), &0.into(), &4.into(), &4.into())
    );
    let careless = with("0.5");
    let closed = &careless["closed_loop"];
    assert!(number(&closed["br"]) > 0.0 && number(&closed["expected_lost"]) > 0.0, "{closed}");
    let lost: u64 = closed["tests"].as_array().unwrap().iter().map(|test| test["lost"].as_u64().unwrap()).sum();
    assert_eq!(closed["lost"].as_u64(), Some(lost));
    let within = closed["tests"].as_array().unwrap().iter().filter(|test| {
        let [from, to] = [0, 1].map(|nth: usize| test["lost_between"][nth].as_u64().unwrap());
        (from..=to).contains(&test["lost"].as_u64().unwrap())
    });
    assert_eq!(closed["within"].as_u64(), Some(within.count() as u64));
    assert_eq!(near(directory.path(), &ASKED).0["closed_loop"], Value::Null);
}
