//! Where a listing is long and its objects have URLs of their own, a few of these say whether a crawl can wait.

use crate::{
    bench::{run, tintype},
    host::{Host, answer, html, not_there},
};
use serde_json::Value;
use std::{
    fmt::Write as _,
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

const CARS: usize = 150;
/// A second apart.
const LOOKS: u64 = 80;
/// Every so many looks a batch of cars is sold at once: most of the time nothing happens, but nobody knows when.
const SALE_EVERY: u64 = 8;
const SOLD: usize = 20;

/// One car on each page of the listing. Two cars can be sold.
fn yard(is_sold: &Arc<AtomicBool>) -> Host {
    let is_sold = is_sold.clone();
    Host::start(move |asked| match asked.target.as_str() {
        "/robots.txt" => answer(404, &[], b""),
        "/car/1" | "/car/2" if is_sold.load(Ordering::SeqCst) => not_there(),
        target if target.starts_with("/car/") => html("<p>a car"),
        target => {
            let number: usize = target.split_once("page=").map_or(0, |(_, number)| number.parse().unwrap());
            let next = format!("<a rel=next href='/cars?page={}'>more</a>", number + 1);
            let next = if number + 1 < CARS { next } else { String::new() };
            html(&format!("<li class=car><a href='/car/{number}'>Car</a></li>{next}"))
        }
    })
}

/// What somebody saw who looked every second until now.
fn write_past(directory: &Path, origin: &str) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() - 1;
    let begin = now - LOOKS;
    let mut rows = "object_id,first_seen,last_seen,left_censored,right_censored,updates\n".to_owned();
    let mut since = [begin; CARS];
    let mut sold = (0..CARS).cycle();
    for at in (begin + 1..=now).filter(|at| (at - begin).is_multiple_of(SALE_EVERY)) {
        for place in sold.by_ref().take(SOLD) {
            let was_there = u8::from(since[place] == begin);
            writeln!(rows, "{place} until {at},{},{},{was_there},0,0", since[place], at - 1).unwrap();
            since[place] = at;
        }
    }
    for (place, since) in since.iter().enumerate() {
        writeln!(rows, "{origin}/car/{place},{since},{now},{},1,0", u8::from(*since == begin)).unwrap();
    }
    let looks: String = (begin..=now).map(|at| format!("{at}\n")).collect();
    std::fs::write(directory.join("objects.csv"), rows).unwrap();
    std::fs::write(directory.join("snapshots.csv"), format!("time\n{looks}")).unwrap();
}

#[test]
fn a_probe_is_made_told_and_learned_again() {
    let (directory, is_sold) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let host = yard(&is_sold);
    write_past(directory.path(), &host.origin());
    let past = ["import", "--objects", "objects.csv", "--snapshots", "snapshots.csv", "--source", "cars"];
    assert!(run(directory.path(), &past).status.success());
    let url = format!("{}/cars", host.origin());
    let terms = ["--delay", "0", "--step", "1s", "--target-precision", "0.9"];
    let crawl = [&["keep", &url, "--objects", "css:li.car", "--name", "cars", "--once"], &terms[..]].concat();
    let crawled = run(directory.path(), &crawl);
    assert!(crawled.status.success(), "{crawled:?}");
    host.take_hits();
    is_sold.store(true, Ordering::SeqCst);

    let keep = [&["keep", "cars"], &terms[..]].concat();
    let mut keeping = tintype();
    keeping.current_dir(directory.path()).args(&keep).arg("--json").stdout(Stdio::piped());
    let mut child = keeping.spawn().unwrap();
    // Whoever is late by much crawls first.
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().take(4);
    let mut lines = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let told = lines.find(|line| line.get("drawn").is_some() || host.take_hits().is_empty()).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let [drawn, asked, kept] =
        ["drawn", "asked", "kept"].map(|key| told[key].as_u64().unwrap_or_else(|| panic!("{told}")));
    let hits = host.take_hits();
    let cars: Vec<&String> = hits.keys().filter(|target| target.starts_with("/car/")).collect();
    assert!((16..CARS as u64).contains(&drawn) && drawn == asked && drawn == cars.len() as u64, "{told} {hits:?}");
    assert_eq!(asked - kept, cars.iter().filter(|car| ["/car/1", "/car/2"].contains(&car.as_str())).count() as u64);
    assert!(told["later_seconds"].as_f64().is_some_and(|later| later >= 0.0), "{told}");
    assert!(!hits.keys().any(|target| target.starts_with("/cars")), "the listing was left alone: {hits:?}");

    // What is derived can be deleted, and comes out the same.
    std::fs::remove_dir_all(directory.path().join("collection/state")).unwrap();
    let again = run(directory.path(), &[&keep[..], &["--for", "0s"]].concat());
    let said = String::from_utf8_lossy(&again.stdout);
    let due = &told["next"].as_str().unwrap()[..19];
    let is_late = said.contains("objects on");
    assert!(is_late || said.contains(&format!("cars is due {due}")), "{told} {said}");
    assert!(run(directory.path(), &["verify"]).status.success());
}
