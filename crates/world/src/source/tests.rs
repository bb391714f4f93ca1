//! Small sources whose every number can be counted by hand, and the recorded ones where they are there.

use super::{read::read_looks_up_to, *};
use proptest::prelude::*;
use std::path::PathBuf;
use tintype_vocab::CopyMeasure;

fn day(at: i64) -> Time {
    Time::from_secs(1_600_000_000) + Span::from_days(at)
}

/// There from one day to another, both included; `last` is the last day anybody looked.
fn life(id: &str, first: i64, end: i64, last: i64) -> Life {
    Life {
        id: id.to_owned(),
        first_seen: day(first),
        last_seen: day(end),
        left_censored: first == 0,
        right_censored: end == last,
        updates: 0,
        attributes: Vec::new(),
    }
}

fn source(stays: &[(&str, i64, i64)], looks: &[i64]) -> Result<Source, Unsound> {
    let last = *looks.last().unwrap_or(&0);
    let lives = stays.iter().map(|(id, first, end)| life(id, *first, *end, last)).collect();
    Source::new(Vec::new(), lives, looks.iter().map(|at| day(*at)).collect())
}

const STAYS: [(&str, i64, i64); 4] = [("a", 0, 5), ("b", 0, 1), ("c", 2, 3), ("d", 2, 5)];

#[test]
fn states_are_those_of_the_last_look_and_share_what_is_in_both() {
    let grid = source(&STAYS, &[0, 1, 2, 3, 5]).unwrap().grid(Span::from_days(1)).unwrap();
    assert_eq!((0..grid.steps()).map(|step| grid.size(step)).collect::<Vec<_>>(), [2, 2, 3, 3, 3, 2]);
    assert_eq!([grid.kept(0, 2), grid.kept(2, 4), grid.kept(2, 5), grid.kept(1, 1)], [1, 3, 2, 2]);
    assert_eq!(grid.quality(CopyMeasure::Precision, 0, 2), 0.5);
    assert_eq!(grid.quality(CopyMeasure::Recall, 0, 2), 1.0 / 3.0);
    assert_eq!(grid.at(5), day(5));
}

#[test]
fn a_crawl_knows_objects_by_the_crawl_that_saw_them_first() {
    let grid = source(&STAYS, &[0, 1, 2, 3, 4, 5]).unwrap().grid(Span::from_days(1)).unwrap();
    let alive = |schedule: &[usize]| grid.crawl(schedule).alive;
    assert_eq!(alive(&[0]), [(day(0), 2)]);
    assert_eq!(alive(&[0, 1, 2]), [(day(0), 1), (day(2), 2)]);
    assert_eq!(alive(&[0, 3]), [(day(0), 1), (day(3), 2)], "nobody was there on the second day");
    assert_eq!(alive(&[3, 5]), [(day(3), 2)]);
    assert_eq!(grid.crawl(&[0, 3]).at, day(3));
}

#[test]
fn a_look_that_found_nothing_is_no_death() {
    let down = source(&[("a", 0, 1), ("a", 3, 5), ("b", 0, 1), ("b", 3, 3)], &[0, 1, 2, 3, 4, 5]).unwrap();
    assert_eq!((down.findings().empty_looks, down.findings().bridged, down.findings().returned), (1, 2, 0));
    assert_eq!(down.grid(Span::from_days(1)).unwrap().kept(0, 3), 2);
    assert_eq!(down.findings().sentences().len(), 2);
    let away = source(&[("a", 0, 1), ("a", 3, 5), ("b", 0, 5)], &[0, 1, 2, 3, 4, 5]).unwrap();
    assert_eq!((away.findings().empty_looks, away.findings().returned), (0, 1));
    assert_eq!(away.grid(Span::from_days(1)).unwrap().kept(0, 3), 1);
}

#[test]
fn nothing_is_there_if_nobody_ever_saw_anything() {
    let nothing = source(&[], &[0]).unwrap();
    assert_eq!(nothing.findings().empty_looks, 0);
    let grid = nothing.grid(Span::from_days(1)).unwrap();
    assert_eq!((grid.steps(), grid.size(0), grid.quality(CopyMeasure::Recall, 0, 0)), (1, 0, 1.0));
}

#[test]
fn what_cannot_have_been_seen_is_refused() {
    let refused = |stays: &[(&str, i64, i64)], looks: &[i64]| source(stays, looks).unwrap_err();
    let id = || "a".to_owned();
    assert_eq!(refused(&[], &[]), Unsound::NoLooks);
    assert_eq!(refused(&[], &[0, 2, 2]), Unsound::LooksOutOfOrder { at: day(2) });
    assert_eq!(refused(&[("a", 2, 1)], &[0, 3]), Unsound::Negative { id: id() });
    assert_eq!(refused(&[("a", 2, 4)], &[0, 3]), Unsound::Outside { id: id() });
    assert_eq!(refused(&[("a", 0, 2), ("a", 2, 3)], &[0, 2, 3]), Unsound::SeenTwice { id: id() });
}

#[test]
fn steps_are_lengths_people_use() {
    let step = |secs: i64| {
        let looks = (0..5).map(|nth| Time::from_secs(nth * secs)).collect();
        Source::new(Vec::new(), Vec::new(), looks).unwrap().usual_step()
    };
    assert_eq!(
        [step(88_596), step(86_400), step(870), step(3000)].map(Span::as_secs_f64),
        [86_400.0, 86_400.0, 900.0, 3600.0]
    );
}

#[test]
fn a_grid_too_fine_to_keep_is_refused() {
    let source = source(&STAYS, &[0, 5]).unwrap();
    for step in [Span::from_millis(100), Span::ZERO, Span::from_days(-1)] {
        assert_eq!(source.grid(step).unwrap_err(), TooFine { step });
    }
}

const TABLE: &str = "object_id,first_seen,last_seen,left_censored,right_censored,updates,make,year
x1,1600000000,1600086400,1,0,0,bmw,2003
x2,1600000000,1600172800,1,1,2,bmw,1999
\"x,3\",1600086400,1600172800,0,1,0,ford,unknown
";

#[test]
fn tables_are_read_with_their_attributes() {
    let (attributes, lives) = read_lives(TABLE.as_bytes()).unwrap();
    assert_eq!(attributes, ["make", "year"]);
    assert_eq!((lives[2].id.as_str(), lives[2].attributes[1].as_str()), ("x,3", "unknown"));
    assert_eq!((lives[1].updates, lives[1].left_censored, lives[0].right_censored), (2, true, false));
    let looks = read_looks("objects,time\n2,1600000000\n3,1600086400\n".as_bytes()).unwrap();
    assert_eq!(looks, [(Time::from_secs(1_600_000_000), Some(2)), (Time::from_secs(1_600_086_400), Some(3))]);
}

#[test]
fn malformed_tables_are_refused_with_the_line() {
    let lives = |line: &str| {
        let bad = read_lives(format!("{TABLE}{line}\n").as_bytes()).unwrap_err();
        (bad.line, bad.what.to_string())
    };
    assert_eq!(lives("x,2,1,0,0,0,a,1"), (5, "the object was last seen before it was first seen".to_owned()));
    assert_eq!(lives(",1,1,0,0,0,a,1").1, "the object has no identifier");
    assert_eq!(lives("x,1,1,yes,0,0,a,1").1, "\"yes\" is neither 0 nor 1");
    assert_eq!(lives("x,1,1,0,0,-1,a,1").1, "\"-1\" is no number of things");
    assert_eq!(lives("x,1,99999999999,0,0,0,a,1").1, "the time \"99999999999\" is not between the years 1970 and 2200");
    assert_eq!(lives("x,1,1").1, "3 fields where the header has 8");
    assert_eq!(read_lives("object_id\n".as_bytes()).unwrap_err().to_string(), "line 1: there is no column first_seen");
    let late = read_looks("time\n5\n5\n".as_bytes()).unwrap_err();
    assert_eq!(late.to_string(), "line 3: the time is not later than the one before");
    let three = "time\n5\n6\n7\n".as_bytes();
    assert_eq!((read_looks_up_to(3, three).unwrap().len(), read_looks_up_to(2, three).unwrap_err().line), (3, 4));
}

#[test]
fn a_directory_is_a_source_with_or_without_its_looks() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("objects.csv"), TABLE).unwrap();
    let source = Source::read(directory.path()).unwrap();
    assert!(source.findings().looks_unknown && source.looks().len() == 3);
    std::fs::write(directory.path().join("snapshots.csv"), "time,objects\n1600000000,2\n1600172800,7\n").unwrap();
    let source = Source::read(directory.path()).unwrap();
    assert_eq!((source.findings().looks_unknown, source.findings().miscounted), (false, 1));
    std::fs::write(directory.path().join("snapshots.csv"), "time\n1600000000\n1600000001\n").unwrap();
    let refused = Source::read(directory.path()).unwrap_err().to_string();
    assert!(refused.ends_with("the object \"x1\" was seen before the first look or after the last"), "{refused}");
}

#[test]
fn subsets_are_told_by_attributes() {
    let (attributes, lives) = read_lives(TABLE.as_bytes()).unwrap();
    let looks = [0, 1, 2].map(|nth| Time::from_secs(1_600_000_000) + Span::from_days(nth)).to_vec();
    let source = Source::new(attributes, lives, looks).unwrap();
    let ids = |text: &str| -> Vec<String> {
        let subset = source.subset(&text.parse().unwrap()).unwrap();
        subset.lives().iter().map(|life| life.id.clone()).collect()
    };
    assert_eq!(ids("make=bmw,year>2002"), ["x1"]);
    assert_eq!(ids("year<=2003"), ["x1", "x2"], "unknown is no number");
    assert_eq!(ids("make!=bmw"), ["x,3"]);
    let wrong = |text: &str| text.parse::<Subset>().unwrap_err();
    assert_eq!(wrong("bmw"), BadSubset::Condition("bmw".to_owned()));
    assert_eq!(wrong("year>new"), BadSubset::Number("year".to_owned(), "new".to_owned()));
    let nobody = source.subset(&"colour=red".parse().unwrap()).unwrap_err();
    assert_eq!(nobody.to_string(), "objects have no attribute \"colour\"; there are make, year");
    assert_eq!("make=bmw , year>=2002".parse::<Subset>().unwrap().to_string(), "make=bmw,year>=2002");
}

proptest! {
    #[test]
    fn what_two_steps_share_is_what_counting_says(
        stays in prop::collection::vec((0i64..12, 0i64..8), 0..40),
        schedule in prop::collection::btree_set(0usize..12, 1..6),
    ) {
        let stays: Vec<(String, i64, i64)> =
            stays.iter().enumerate().map(|(nth, (first, long))| (nth.to_string(), *first, (first + long).min(11))).collect();
        let named: Vec<(&str, i64, i64)> = stays.iter().map(|(id, first, end)| (id.as_str(), *first, *end)).collect();
        let looks: Vec<i64> = (0..12).collect();
        let source = source(&named, &looks).unwrap();
        prop_assume!(source.findings().empty_looks == 0);
        let grid = source.grid(Span::from_days(1)).unwrap();
        let there = |stay: &(String, i64, i64), step: usize| (stay.1..=stay.2).contains(&(step as i64));
        for from in 0..12 {
            for to in from..12 {
                let shared = stays.iter().filter(|stay| there(stay, from) && there(stay, to)).count();
                prop_assert_eq!(grid.kept(from, to), shared as u32);
            }
        }
        let schedule: Vec<usize> = schedule.into_iter().collect();
        let now = *schedule.last().unwrap();
        let crawl = grid.crawl(&schedule);
        prop_assert_eq!(crawl.size(), grid.size(now));
        for &then in &schedule {
            prop_assert_eq!(crawl.kept_since(grid.at(then)), grid.kept(then, now));
        }
    }

    #[test]
    fn hostile_tables_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), text in "[0-9a-z,\n\"<>=!]{0,200}") {
        let _ = read_lives(&bytes[..]);
        let _ = read_looks(&bytes[..]);
        let _ = read_lives(format!("{TABLE}{text}").as_bytes());
        let _ = text.parse::<Subset>();
    }
}

/// The recorded source of that name, if it is there.
pub(super) fn shared(name: &str) -> Option<Source> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/objects").join(name);
    if !directory.exists() {
        eprintln!("skipped, no ../shared");
        return None;
    }
    Some(Source::read(&directory).unwrap())
}

#[test]
fn recorded_sources_are_as_others_count_them() {
    for (name, lives, steps, mean, step) in [
        ("cars_upull", 9850, 216, 2337.4, 86_400.0),
        ("jobs_crypto", 16_872, 347, 2945.1, 86_400.0),
        ("forum_hn2025", 2866, 3083, 31.311, 900.0),
    ] {
        let Some(source) = shared(name) else { return };
        assert_eq!(source.lives().len(), lives, "{name}");
        assert_eq!(source.findings().miscounted, 0, "{name}: {:?}", source.findings());
        assert_eq!(source.usual_step().as_secs_f64(), step, "{name}");
        let grid = source.grid(source.usual_step()).unwrap();
        assert_eq!(grid.steps(), steps, "{name}");
        let size = (0..steps).map(|step| f64::from(grid.size(step))).sum::<f64>() / steps as f64;
        assert!((size / mean - 1.0).abs() < 1e-3, "{name}: {size}");
    }
}
