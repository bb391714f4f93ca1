//! A listing that changes, is down, lies and misbehaves: what is learned of it, and what is not.

use crate::{
    bench::{capture, files, run, tintype},
    host::{Asked, Host, Reply, answer, html, redirect},
};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use tintype_plan::Dice;

/// What the site does with requests for its listing.
#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Well,
    Down,
    Empty,
    Login,
    /// The second page is refused.
    Half,
}

struct Yard {
    host: Host,
    state: Arc<Mutex<(Vec<u32>, Mood)>>,
}

/// Cars on pages of ten.
fn page(cars: &[u32], number: usize) -> String {
    let rows: String = cars
        .chunks(10)
        .nth(number)
        .unwrap_or_default()
        .iter()
        .map(|car| format!("<li class=car data-id={car}><a href='/car/{car}'>Car</a> <b>{}</b></li>", car % 3))
        .collect();
    let next = match (number + 1) * 10 < cars.len() {
        true => format!("<a rel=next href='/cars?page={}'>more</a>", number + 1),
        false => String::new(),
    };
    format!("<title>Cars</title><ul>{rows}</ul><a href='/about'>about</a>{next}")
}

fn respond(asked: &Asked, cars: &[u32], mood: Mood) -> Reply {
    let number = asked.target.split_once("page=").map_or(0, |(_, number)| number.parse().unwrap());
    match mood {
        _ if asked.target == "/robots.txt" => answer(404, &[], b""),
        Mood::Down => answer(500, &[], b"sorry"),
        Mood::Half if number == 1 => answer(403, &[], b"not you"),
        Mood::Login if asked.target != "/login" => redirect(&format!("{}/login", asked.origin())),
        Mood::Login => html("<form>Who are you?</form>"),
        Mood::Empty => html("<title>Cars</title><ul></ul>"),
        _ => html(&page(cars, number)),
    }
}

impl Yard {
    fn open(cars: impl IntoIterator<Item = u32>) -> Yard {
        let state = Arc::new(Mutex::new((cars.into_iter().collect::<Vec<u32>>(), Mood::Well)));
        let kept = state.clone();
        let host = Host::start(move |asked| {
            let (cars, mood) = &*kept.lock().unwrap();
            respond(asked, cars, *mood)
        });
        Yard { host, state }
    }

    fn now(&self, cars: impl IntoIterator<Item = u32>, mood: Mood) {
        *self.state.lock().unwrap() = (cars.into_iter().collect(), mood);
    }

    fn arguments(&self) -> Vec<String> {
        let url = format!("{}/cars", self.host.origin());
        let how = ["--objects", "css:li.car", "--id", "@data-id", "--attribute", "make=b", "--name", "cars"];
        let rest = ["--delay", "0", "--step", "1s", "--json"];
        ["keep", &url].iter().chain(&how).chain(&rest).map(|text| (*text).to_owned()).collect()
    }

    /// Keeps until somebody ends it.
    fn keep(&self, directory: &Path, stdout: Stdio) -> Child {
        tintype().current_dir(directory).args(self.arguments()).stdout(stdout).stderr(Stdio::null()).spawn().unwrap()
    }

    /// One crawl, as it is told.
    fn crawl(&self, directory: &Path) -> Value {
        let mut arguments = self.arguments();
        arguments.push("--once".into());
        keep(directory, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

fn keep(directory: &Path, arguments: &[&str]) -> Value {
    let output = run(directory, arguments);
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(told.lines().count(), 1, "{output:?}");
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(output.status.success(), told.get("held").is_none(), "{output:?}");
    told
}

fn counts(told: &Value) -> [u64; 5] {
    ["objects", "inserted", "removed", "updated", "pages"].map(|name| told[name].as_u64().unwrap())
}

#[test]
fn what_came_went_and_changed_is_told_and_only_the_listing_is_asked_for() {
    let (directory, yard) = (tempfile::tempdir().unwrap(), Yard::open(0..25));
    let first = yard.crawl(directory.path());
    assert_eq!(counts(&first), [25, 25, 0, 0, 3], "{first}");
    let hits = yard.host.take_hits();
    assert_eq!(hits.keys().collect::<Vec<_>>(), ["/cars", "/cars?page=1", "/cars?page=2", "/robots.txt"]);

    yard.now((2..25).chain(100..105), Mood::Well);
    let second = keep(directory.path(), &["keep", "--once", "--json"]);
    assert_eq!(counts(&second), [28, 5, 2, 0, 3], "{second}");
    assert_eq!(second["precision"]["realised"], 23.0 / 25.0);
    assert_eq!(second["recall"]["realised"], 23.0 / 28.0);
    let text = std::fs::read_to_string(directory.path().join("collection/tintype.toml")).unwrap();
    assert!(
        text.contains("[[source]]") && text.contains("objects = \"css:li.car\"") && !text.contains("[[site]]"),
        "{text}"
    );

    yard.now(2..25, Mood::Well);
    let people = run(directory.path(), &["keep", "cars", "--once"]);
    let said = String::from_utf8_lossy(&people.stdout);
    for words in ["cars  23 objects on 3 pages", "0 new, 5 gone", "copy precision was 0.821", "expected", "next crawl"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(run(directory.path(), &["verify"]).status.success());
}

#[test]
fn an_outage_is_no_mass_deletion() {
    let (directory, yard) = (tempfile::tempdir().unwrap(), Yard::open(0..25));
    yard.crawl(directory.path());
    for (mood, word, crawls) in [
        (Mood::Down, "could not be read: server error 500", 1),
        (Mood::Empty, "no object was found", 3),
        (Mood::Login, "no object was found", 3),
        (Mood::Half, "could not be read: 403 refused", 3),
    ] {
        yard.now(0..25, mood);
        for _ in 0..crawls {
            let told = yard.crawl(directory.path());
            assert!(told["held"].as_str().is_some_and(|why| why.contains(word)), "{told}");
            assert_eq!(counts(&told)[..4], [25, 0, 0, 0], "{told}");
        }
    }
    yard.now(1..26, Mood::Well);
    assert_eq!(counts(&yard.crawl(directory.path())), [25, 1, 1, 0, 3]);
}

#[test]
fn a_source_is_written_down_when_its_objects_were_found() {
    let (directory, yard) = (tempfile::tempdir().unwrap(), Yard::open(0..25));
    let url = format!("{}/cars", yard.host.origin());
    let first_tries =
        [("json:/cars/*", "not of the kind"), ("css:li.lorry", "do --objects and --id fit"), ("css:li.car", "")];
    for (objects, word) in first_tries {
        let told = keep(directory.path(), &["keep", &url, "--objects", objects, "--once", "--json", "--delay", "0"]);
        assert!(told["held"].as_str().unwrap_or_default().contains(word), "{told}");
    }
    let told = keep(directory.path(), &["keep", "--once", "--json"]);
    assert_eq!(counts(&told), [25, 0, 0, 0, 3], "{told}");
}

#[test]
fn identifiers_that_are_others_at_every_look_are_told() {
    let (directory, yard) = (tempfile::tempdir().unwrap(), Yard::open(0..25));
    yard.crawl(directory.path());
    yard.now(100..125, Mood::Well);
    let people = run(directory.path(), &["keep", "--once"]);
    assert!(String::from_utf8_lossy(&people.stdout).contains("do identifiers change"), "{people:?}");
}

#[test]
fn a_listing_of_another_site_in_disguise_is_bounded_and_told() {
    let (directory, long) = (tempfile::tempdir().unwrap(), "x".repeat(1 << 20));
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/long" => html(&format!("<p id={long}>a<p id=1>b<p id=1>c<p>d")),
        "/many" => {
            let numbers: String = (0..1_100_000).map(|n| format!("{n},")).collect();
            answer(200, &[("Content-Type", "application/json")], format!("[{numbers}0]").as_bytes())
        }
        // A listing without end.
        target if target.starts_with("/endless") => {
            let number: u32 = target.split_once('=').map_or(0, |(_, number)| number.parse().unwrap());
            html(&format!("<p id={number}>x</p><a rel=next href='/endless?page={}'>more</a>", number + 1))
        }
        _ => answer(404, &[], b""),
    });
    let one = |path: &str, name: &str, objects: &str, id: &[&str]| {
        let url = format!("{}{path}", host.origin());
        let arguments = ["keep", &url, "--objects", objects, "--name", name, "--once", "--json", "--delay", "0"];
        keep(directory.path(), &[&arguments[..], id].concat())
    };
    let odd = one("/long", "long", "css:p", &["--id", "@id"]);
    assert_eq!(
        (counts(&odd)[0], &odd["duplicates"], &odd["ids_too_long"], &odd["without_id"]),
        (1, &1.into(), &1.into(), &1.into())
    );
    let many = one("/many", "many", "json:/*", &[]);
    assert!(many["held"].as_str().is_some() && many["over_limit"].as_u64().unwrap() > 0, "{many}");
    let endless = one("/endless", "endless", "css:p", &["--id", "@id"]);
    assert!(endless["held"].as_str().is_some_and(|why| why.contains("more than 500 pages")), "{endless}");
    assert_eq!(endless["pages"], 500);
}

#[test]
fn a_server_that_forbids_or_does_not_answer_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let host = Host::start(|asked| match asked.target.as_str() {
        "/robots.txt" => answer(200, &[("Content-Type", "text/plain")], b"User-agent: *\nDisallow: /cars"),
        _ => html("<li class=car data-id=1>"),
    });
    let forbidden = format!("{}/cars", host.origin());
    let arguments = ["--objects", "css:li.car", "--id", "@data-id", "--once", "--json", "--delay", "0"];
    let told = keep(directory.path(), &[&["keep", &forbidden], &arguments[..]].concat());
    assert!(told["held"].as_str().is_some_and(|why| why.contains("robots.txt")), "{told}");
    assert!(!host.take_hits().contains_key("/cars"));
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let told = keep(directory.path(), &[&["keep", &format!("http://{nobody}/cars")], &arguments[..]].concat());
    assert!(told["held"].as_str().is_some_and(|why| why.contains("does not answer")), "{told}");
}

#[test]
fn keeping_goes_on_by_itself_and_after_a_kill() {
    let (directory, yard) = (tempfile::tempdir().unwrap(), Yard::open(0..25));
    let start = || {
        let mut child = yard.keep(directory.path(), Stdio::piped());
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        (child, lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap()))
    };
    let (mut child, mut lines) = start();
    assert_eq!(counts(&lines.next().unwrap())[..2], [25, 25]);
    assert_eq!(counts(&lines.next().unwrap())[..2], [25, 0]);
    child.kill().unwrap();
    child.wait().unwrap();

    yard.now(0..27, Mood::Well);
    let (mut child, mut lines) = start();
    let told = lines.next().unwrap();
    assert_eq!(counts(&told)[..3], [27, 2, 0], "{told}");
    assert!(told["next"].as_str().is_some() && told["why"].as_str().is_some());
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert!(child.wait().unwrap().success());
    assert!(run(directory.path(), &["verify"]).status.success());
}

/// The lines about objects in a log, of captures that came to their end.
fn ended(log: &str) -> Vec<&str> {
    let (mut told, mut waiting) = (Vec::new(), Vec::new());
    for line in log.lines() {
        match line {
            line if line.starts_with("{\"head\"") => waiting.clear(),
            line if line.starts_with("{\"objects\"") => waiting.push(line),
            line if line.starts_with("{\"end\"") => told.append(&mut waiting),
            _ => {}
        }
    }
    told
}

/// What the logs say came and went, added up.
fn logged(directory: &Path) -> BTreeSet<String> {
    let mut here = BTreeSet::new();
    for log in files(directory, "log") {
        let text = std::fs::read_to_string(log).unwrap();
        for line in ended(&text) {
            let line: Value = serde_json::from_str(line).unwrap();
            for event in line["objects"]["events"].as_array().into_iter().flatten() {
                let id = |event: &Value| event.as_str().map(str::to_owned);
                here.extend(id(&event["inserted"]["id"]));
                id(&event["removed"]).iter().for_each(|id| assert!(here.remove(id), "{id} was not there"));
            }
        }
    }
    here
}

#[test]
fn kills_at_any_moment_leave_a_log_that_adds_up() {
    let (directory, yard) = (tempfile::tempdir().unwrap(), Yard::open(0..25));
    let run_seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    println!("run seed {run_seed}");
    for round in 0..25u32 {
        let after = Duration::from_micros((Dice::new(run_seed, u64::from(round)).unit() * 250_000.0) as u64);
        yard.now(round..25 + round, Mood::Well);
        let mut child = yard.keep(directory.path(), Stdio::null());
        let deadline = Instant::now() + after;
        while Instant::now() < deadline {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let told = yard.crawl(directory.path());
    assert!(told.get("held").is_none(), "{told} (seed {run_seed})");
    let expected: BTreeSet<String> = (24..49).map(|car| car.to_string()).collect();
    assert_eq!(logged(directory.path()), expected, "seed {run_seed}");
    // What is derived can be deleted, and comes out the same.
    std::fs::remove_dir_all(directory.path().join("collection/state")).unwrap();
    assert_eq!(counts(&yard.crawl(directory.path()))[..4], [25, 0, 0, 0]);
    assert!(run(directory.path(), &["verify"]).status.success());
}

#[test]
fn a_clock_that_ran_ahead_is_told_and_nothing_is_learned() {
    let (directory, yard) = (tempfile::tempdir().unwrap(), Yard::open(0..25));
    let rows =
        "object_id,first_seen,last_seen,left_censored,right_censored,updates,make\n1,4100000000,4100000000,1,1,0,x\n";
    std::fs::write(directory.path().join("future.csv"), rows).unwrap();
    let imported = run(directory.path(), &["import", "--objects", "future.csv", "--source", "cars"]);
    assert!(imported.status.success(), "{imported:?}");
    let told = yard.crawl(directory.path());
    assert!(told["held"].as_str().is_some_and(|why| why.contains("is the clock right?")), "{told}");
    assert_eq!(counts(&told)[..3], [1, 0, 0]);
    assert!(told["next"].as_str().is_some_and(|next| next < "2099"), "nobody waits for the future: {told}");
}

/// Everything that is said, line by line.
fn lines(directory: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = run(directory, &[&["keep", "--json"], arguments].concat());
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn sources_share_the_requests_of_a_day() {
    let (directory, yard) = (tempfile::tempdir().unwrap(), Yard::open(0..25));
    let declared = |name: &str| {
        let url = format!("{}/{name}", yard.host.origin());
        format!("[[source]]\nname = '{name}'\nurl = '{url}'\nobjects = 'css:li.car'\nid = '@data-id'\ndelay = '0'\n")
    };
    let (cars, boats) = (declared("cars"), declared("boats"));
    std::fs::create_dir(directory.path().join("collection")).unwrap();
    let file = directory.path().join("collection/tintype.toml");
    std::fs::write(&file, format!("budget = '5/day'\n{cars}{boats}")).unwrap();
    // Nobody knows yet how long listings are: what the second takes is a debt.
    let first = lines(directory.path(), &["--once"]);
    let told = |line: &Value| (line["source"].as_str().map(str::to_owned), line["pages"].as_u64());
    assert_eq!(
        first.iter().map(told).collect::<Vec<_>>(),
        [(Some("cars".into()), Some(3)), (Some("boats".into()), Some(3))]
    );
    assert_eq!(yard.host.take_hits().values().sum::<usize>(), 8);

    // Another run knows what was spent.
    let again = lines(directory.path(), &["--once"]);
    let waits = |line: &Value| [&line["waits"], &line["requests_left"], &line["requests_needed"]].map(Value::to_string);
    assert_eq!(waits(&again[0]), ["\"budget\"", "0", "4"], "{again:?}");
    assert_eq!((again.len(), &again[0]["behind"], &again[1]["behind"]), (2, &Value::Null, &again[0]["source"]));
    let patient = lines(directory.path(), &["--for", "1s", "cars", "--step", "1s"]);
    assert_eq!(patient.len(), 1, "it is said once: {patient:?}");
    let people = run(directory.path(), &["keep", "cars", "--once"]);
    let said = String::from_utf8_lossy(&people.stdout);
    assert!(said.contains("cars  waits for the budget: 0 requests left, needs 4"), "{said}");
    assert!(yard.host.take_hits().is_empty());

    // More may be allowed for a run, and without a budget nothing waits.
    assert_eq!(
        lines(directory.path(), &["--once", "--budget", "500/day"])
            .iter()
            .filter_map(|line| line["pages"].as_u64())
            .sum::<u64>(),
        6
    );
    std::fs::write(&file, format!("{cars}{boats}")).unwrap();
    assert!(lines(directory.path(), &["--once"]).iter().all(|line| line["pages"] == 3));
    std::fs::write(&file, format!("budget = '5'\n{cars}")).unwrap();
    let refused = run(directory.path(), &["keep", "--once"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("write 200/day"), "{refused:?}");
}

#[test]
fn keep_without_a_source_says_how_to_declare_one() {
    let directory = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        (&["keep"][..], "--objects css:li.car"),
        (&["keep", "cars"], "say where a new one is"),
        (&["keep", "http://127.0.0.1:9/cars", "--objects", "li.car"], "css:li.car"),
        (&["keep", "http://127.0.0.1:9/", "--objects", "feed", "--attribute", "x"], "NAME=HOW"),
        (&["keep", "http://127.0.0.1:9/", "--objects", "feed", "--target-recall", "2"], "share from 0 to 1"),
    ] {
        let output = run(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(words), "{arguments:?}: {output:?}");
    }
    assert!(!directory.path().join("collection").exists());
}

/// What is learned is kept by names: a listing that is called like a site would be taken for it, whichever came first.
#[test]
fn a_source_is_not_called_like_a_site_nor_a_site_like_a_source() {
    let host = Host::start(|_| html("<li id=a>one</li>"));
    let name = host.seed().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let listing = ["keep", &*host.seed(), "--objects", "css:li", "--id", "@id", "--once", "--delay", "0"];
    let refused = |directory: &Path, arguments: &[&str]| {
        let output = run(directory, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(said.contains(&format!("a site and a source are both called {name}")), "{arguments:?}: {said}");
    };
    let first_a_site = tempfile::tempdir().unwrap();
    capture(first_a_site.path(), &host.seed(), &[]);
    refused(first_a_site.path(), &listing);
    refused(first_a_site.path(), &[&listing[..], &["--name", &name]].concat());
    // The file forgets it, the collection does not.
    assert!(run(first_a_site.path(), &["sites", "remove", &name]).status.success());
    refused(first_a_site.path(), &listing);
    let first_a_source = tempfile::tempdir().unwrap();
    let output = run(first_a_source.path(), &listing);
    assert!(output.status.success(), "{output:?}");
    refused(first_a_source.path(), &["capture", &host.seed(), "--delay", "0"]);
    refused(first_a_source.path(), &["keep", &host.origin(), "--name", "other", "--once"]);
    refused(first_a_source.path(), &["sites", "add", &host.seed()]);
}

#[test]
fn how_much_of_the_time_a_promise_may_be_broken_can_be_said() {
    let (directory, yard) = (tempfile::tempdir().unwrap(), Yard::open(0..12));
    let mut words = yard.arguments();
    words.extend(["--once", "--broken-share", "0.01"].map(str::to_owned));
    keep(directory.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
    let file = directory.path().join("collection/tintype.toml");
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.contains("broken-share = 0.01"), "{written}");
    std::fs::write(&file, written.replace("0.01", "1.5")).unwrap();
    let refused = run(directory.path(), &["keep", "--once"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let refused = run(directory.path(), &["keep", "--once", "--broken-share", "2"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
}
