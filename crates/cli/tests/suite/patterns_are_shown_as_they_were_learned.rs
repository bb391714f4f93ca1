//! `tintype learn patterns`: when pages change, by the site's own clock, and honestly when too little is known.

use crate::{
    bench::{Bench, capture, run},
    host::{Host, html, not_there},
};
use serde_json::Value;
use std::{
    fmt::Write,
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Monday, 2024-01-01.
const MONDAY: i64 = 1_704_067_200;
const HOUR: i64 = 3600;

/// Twelve weeks of a newsroom that works from nine to five seven hours behind UTC, and of two pages that hardly change.
fn office_history(directory: &Path) {
    let mut events: Vec<(i64, String, char)> = Vec::new();
    for page in 0..6 {
        events.push((MONDAY, format!("/news/{page}"), 'A'));
    }
    events.push((MONDAY, "/about".to_owned(), 'A'));
    events.push((MONDAY, "/news/rare".to_owned(), 'A'));
    for day in (0..84).filter(|day| day % 7 < 5) {
        for hour in 9..17 {
            let page = (day + hour) % 6;
            events.push((
                MONDAY + 24 * HOUR * day + HOUR * (hour + 7) + 60 * (page * 7 + day % 7),
                format!("/news/{page}"),
                'M',
            ));
        }
    }
    for day in [3, 40] {
        events.push((MONDAY + 24 * HOUR * day + 1234, "/news/rare".to_owned(), 'M'));
    }
    events.sort();
    let mut table = "time,path,kind,size,sha1,media_type\n".to_owned();
    for (nth, (at, path, kind)) in events.iter().enumerate() {
        writeln!(table, "{at},{path},{kind},100,{nth:040x},text/html").unwrap();
    }
    fs::write(directory.join("events.csv"), table).unwrap();
}

fn told(directory: &Path, more: &[&str]) -> Value {
    let output = run(directory, &[&["learn", "patterns", "--json"], more].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn factors(of: &Value, group: &str) -> Vec<f64> {
    of[group].as_array().unwrap().iter().map(|factor| factor.as_f64().unwrap()).collect()
}

#[test]
fn office_hours_are_found_in_the_sites_own_time() {
    let directory = tempfile::tempdir().unwrap();
    office_history(directory.path());
    let said = told(directory.path(), &["--history", "."]);
    let site = &said["patterns"][0];
    assert_eq!((&site["kind"], &site["pages"], &site["changes"]), (&"site".into(), &8.into(), &482.into()), "{site}");
    let ahead = site["time_zone"]["hours_ahead"].as_i64().unwrap();
    assert!((-9..=-5).contains(&ahead), "{site}");
    let (weekday, week) =
        (factors(&site["pattern"]["believed"], "weekday"), factors(&site["pattern"]["believed"], "week"));
    let at = |utc: i64| weekday[(utc + ahead).rem_euclid(24) as usize];
    assert!((16..24).all(|hour| at(hour) > 1.5) && (0..15).all(|hour| at(hour) < 0.8), "{weekday:?}");
    assert!(week[2] > 1.2 && week[6] < 0.5, "{week:?}");
    assert!(said["bytes_per_page"].as_u64().unwrap() < 900, "{said}");
    let text = String::from_utf8(run(directory.path(), &["learn", "patterns", "--history", "."]).stdout).unwrap();
    for words in [
        "weekdays",
        "weekends",
        "days of week",
        "time zone",
        "UTC-",
        "bursts",
        "next change",
        "bytes of memory per page",
        "█",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 90), "{text}");
}

#[test]
fn a_page_that_hardly_changed_is_shown_as_its_directory_and_says_so() {
    let directory = tempfile::tempdir().unwrap();
    office_history(directory.path());
    let said = told(directory.path(), &["--history", ".", "/news/rare"]);
    let page = &said["patterns"][0];
    assert_eq!(
        (&page["kind"], &page["changes"], &page["shown"]),
        (&"page".into(), &2.into(), &"directory".into()),
        "{page}"
    );
    let text = run(directory.path(), &["learn", "patterns", "--history", ".", "/news/rare"]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("2 changes in 8") && text.contains("shown is what its directory does"), "{text}");
    let news = told(directory.path(), &["--history", ".", "/news/"]);
    assert_eq!(
        (&news["patterns"][0]["kind"], &news["patterns"][0]["pages"]),
        (&"directory".into(), &7.into()),
        "{news}"
    );
}

#[test]
fn pictures_are_drawn_of_the_pattern_and_of_clusters() {
    let directory = tempfile::tempdir().unwrap();
    office_history(directory.path());
    let output = run(directory.path(), &["learn", "patterns", "--history", ".", "/news/1", "--out", "pictures"]);
    assert!(output.status.success(), "{output:?}");
    for name in ["page-news-1.svg", "page-news-1.png", "page-news-1-seen.svg"] {
        assert!(fs::metadata(directory.path().join("pictures").join(name)).unwrap().len() > 1000, "{name}");
    }
    let said = told(directory.path(), &["--history", ".", "--clusters", "--out", "clusters"]);
    let clusters = said["patterns"].as_array().unwrap();
    let share: f64 = clusters.iter().map(|cluster| cluster["cluster"]["share"].as_f64().unwrap()).sum();
    assert!((share - 1.0).abs() < 1e-3 && !clusters[0]["cluster"]["examples"][0].is_null(), "{said}");
    assert!(directory.path().join("clusters/cluster-1.png").exists());
}

#[test]
fn a_young_collection_says_that_it_knows_too_little() {
    let (directory, edition) = (tempfile::tempdir().unwrap(), Arc::new(AtomicUsize::new(0)));
    let served = edition.clone();
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html(&format!("<p>edition {}</p>", served.fetch_add(1, Ordering::SeqCst))),
        _ => not_there(),
    });
    capture(directory.path(), &host.seed(), &[]);
    capture(directory.path(), &host.seed(), &[]);
    let said = told(directory.path(), &[]);
    let site = &said["patterns"][0];
    assert_eq!((&site["changes"], &site["pattern"]), (&1.into(), &Value::Null), "{said}");
    let text = String::from_utf8(run(directory.path(), &["learn", "patterns"]).stdout).unwrap();
    assert!(text.contains("not enough") && text.contains("look again after more captures"), "{text}");
    assert!(!text.contains("weekdays"), "{text}");
    let output = run(directory.path(), &["learn", "patterns", "--out", "pictures"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no picture was drawn"), "{output:?}");
}

#[test]
fn a_collection_is_learned_from_by_page_directory_and_site() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    for _ in 0..3 {
        capture(directory.path(), &bench.seed(), &[]);
        bench.advance(crate::bench::INTERVAL);
    }
    let site = told(directory.path(), &[])["patterns"][0].clone();
    assert!(site["visits"].as_u64().unwrap() > site["pages"].as_u64().unwrap(), "{site}");
    let front = told(directory.path(), &[&bench.seed()]);
    let kinds: Vec<&str> = front["patterns"].as_array().unwrap().iter().map(|p| p["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["page", "directory"], "{front}");
    assert_eq!(front["patterns"][0]["pages"], 1);
}

#[test]
fn bad_questions_about_patterns_get_a_sentence() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("empty")).unwrap();
    fs::write(directory.path().join("empty/note.txt"), "nothing").unwrap();
    office_history(directory.path());
    for (arguments, words, code) in [
        (&["learn", "patterns"][..], "no collection at", 1),
        (&["learn", "patterns", "--history", "empty"], "holds no recorded history", 2),
        (&["learn", "patterns", "--history", "missing"], "holds no recorded history", 2),
        (&["learn", "patterns", "--history", ".", "/nowhere"], "no page seen here begins with /nowhere", 2),
        (&["learn"], "Usage", 2),
    ] {
        let output = run(directory.path(), arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(text.contains(words), "{arguments:?}: {text}");
    }
}
