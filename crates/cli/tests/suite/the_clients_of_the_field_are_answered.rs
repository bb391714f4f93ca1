//! Real clients pointed at `tintype serve`: memento_client, wayback, waybackpy, cdx_toolkit; pywb over the same collection, and
//! pywb with our index as its own; and what other recorders wrote, served.

use crate::{
    bench::{Bench, INTERVAL, capture, index_lines},
    browser::Past,
    other_tools_read_what_we_write::{Pywb, peer},
    the_past_answers_for_a_time::next_second,
};
use serde_json::Value;
use std::{path::Path, process::Command};
use tintype_vocab::surt;
use tintype_warc::cdxj::Line;

fn two_captures(directory: &Path) -> Bench {
    let bench = Bench::newsroom();
    capture(directory, &bench.seed(), &[]);
    bench.advance(INTERVAL);
    next_second();
    capture(directory, &bench.seed(), &["--revisit"]);
    bench
}

#[test]
fn every_client_finds_what_is_held() {
    let Some(python) = peer("python") else { return };
    let has_clients =
        Command::new(&python).args(["-c", "import memento_client, wayback, waybackpy, cdx_toolkit"]).output();
    if !has_clients.unwrap().status.success() {
        assert!(std::env::var_os("TINTYPE_PEERS").is_none(), "the clients are not in .venv: run ./check once");
        println!("skipped, no clients: run ./check once");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let bench = two_captures(directory.path());
    let past = Past::serve(directory.path(), &[]);
    let seed = bench.seed();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/clients.py");
    let output = Command::new(&python).arg(script).args([&past.url(""), &seed]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines: Vec<Line> = index_lines(directory.path()).iter().map(|line| Line::parse(line).unwrap()).collect();
    let mut times: Vec<&str> =
        lines.iter().filter(|line| line.key == surt(&seed)).map(|line| line.timestamp.as_str()).collect();
    times.sort_unstable();
    let last = times[times.len() - 1];
    assert_eq!(said["memento_client"], past.url(&format!("/web/{last}/{seed}")), "{said}");
    assert_eq!(said["cdx_toolkit"], serde_json::json!(times), "{said}");
    assert_eq!(said["waybackpy"], serde_json::json!(times), "{said}");
    assert_eq!(said["wayback"], serde_json::json!(times), "{said}");
}

/// What is asked of every page.
const OF_A_PAGE: [&str; 20] = [
    "",
    "&limit=1",
    "&limit=2",
    "&sort=reverse",
    "&sort=reverse&limit=1",
    "&from=2000",
    "&to=2000",
    "&from=2000&to=2099",
    "&filter==status:200",
    "&filter=!=status:200",
    "&filter=mime:text",
    "&filter=~mime:.*revisit",
    "&filter=!~mime:.*revisit",
    "&filter=status:404&filter=mime:text",
    "&closest=20000101000000",
    "&closest=20990101000000&limit=1",
    "&collapseTime=4",
    "&collapseTime=14",
    "&fl=url,timestamp",
    "&matchType=prefix&limit=4",
];
/// What is asked of all pages below one.
const BELOW_A_PAGE: [&str; 16] = [
    "",
    "&limit=3",
    "&matchType=host",
    "&matchType=domain",
    "&matchType=prefix&limit=5",
    "&filter=mime:html",
    "&filter=!mime:html",
    "&filter==status:200",
    "&filter=~url:.*html",
    "&filter=!=status:404&filter=mime:text",
    "&from=2000",
    "&to=2000",
    "&sort=reverse",
    "&sort=reverse&limit=2",
    "&collapseTime=4",
    "&fl=url,timestamp",
];

/// The rows of a CDX answer; nothing found is no row, however a server says it.
fn rows(text: &str) -> Vec<Value> {
    let parsed = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    parsed.filter(|row| row.get("error").is_none() && row.get("message").is_none()).collect()
}

/// Following redirects, what a server of the past shows for a time.
fn replayed(past: &Past, timestamp: &str, url: &str) -> Vec<u8> {
    let mut got = past.get(&format!("/web/{timestamp}id_/{url}"));
    // Redirects of the archive lead to the exact time; those of the past are shown as they were.
    if got.status == 302 && got.header("memento-datetime").is_empty() {
        let to = got.header("location")[past.url("").len()..].to_owned();
        got = past.get(&to);
    }
    got.body
}

/// The dates a TimeMap in link format lists.
fn dates(timemap: &str) -> Vec<String> {
    let parts = timemap.split("datetime=\"").skip(1).map(|part| part.split('"').next().unwrap_or_default().to_owned());
    parts.collect()
}

#[test]
fn five_hundred_answers_are_those_of_pywb() {
    let Some(wayback) = peer("wayback") else { return };
    let directory = tempfile::tempdir().unwrap();
    let bench = two_captures(directory.path());
    let (past, pywb) = (Past::serve(directory.path(), &[]), Pywb::start(&wayback, directory.path()));
    let (seed, lines) = (bench.seed(), index_lines(directory.path()));
    let mut urls: Vec<String> = lines.iter().filter_map(|line| Line::parse(line).ok()?.url).collect();
    urls.sort_unstable();
    urls.dedup();
    let mut queries: Vec<String> = BELOW_A_PAGE.iter().map(|more| format!("url={seed}*{more}")).collect();
    queries.extend(urls.iter().flat_map(|url| OF_A_PAGE.iter().map(move |more| format!("url={url}{more}"))));
    queries.truncate(450);
    let mut equal = 0;
    for query in &queries {
        let fields = if query.contains("&fl=") {
            ""
        } else {
            "&fl=urlkey,timestamp,url,mime,status,digest,length,offset,filename"
        };
        // Where nothing is found, pywb would answer about addresses with another query, and leave out what was to be filtered.
        let target = format!("cdx?{query}{fields}&output=json&allowFuzzy=0");
        let (ours, theirs) = (past.get(&format!("/{target}")).text(), pywb.get(&format!("/ours/{target}")));
        assert_eq!(rows(&ours), rows(&theirs), "{query}");
        equal += 1;
    }
    for url in urls.iter().cycle().take(50) {
        let (ours, theirs) =
            (past.get(&format!("/web/timemap/link/{url}")).text(), pywb.get(&format!("/ours/timemap/link/{url}")));
        assert_eq!(dates(&ours), dates(&theirs), "{url}");
        equal += 1;
    }
    for (number, line) in lines.iter().cycle().take(50).enumerate() {
        let line = Line::parse(line).unwrap();
        let (url, status) = (line.url.unwrap(), line.status.unwrap_or_default());
        // A redirect of the past has no body worth comparing, and pywb follows some of them.
        if status.starts_with('3') {
            continue;
        }
        let timestamp = if number % 2 == 0 { line.timestamp } else { "2099".to_owned() };
        let theirs = pywb.ask(&format!("/ours/{timestamp}id_/{url}"));
        assert!(replayed(&past, &timestamp, &url) == theirs.1, "{timestamp} {url}: pywb says {}", theirs.0);
        equal += 1;
    }
    assert!(equal >= 500, "{equal}");
}

/// An index that is asked over HTTP: with WARC files of its own, and with none, where the bytes come from us as well.
#[test]
fn pywb_replays_from_our_index() {
    let Some(wayback) = peer("wayback") else { return };
    let directory = tempfile::tempdir().unwrap();
    let _bench = two_captures(directory.path());
    let past = Past::serve(directory.path(), &[]);
    let (api, warc) = (past.url("/cdx"), directory.path().join("collection/warc"));
    let config = format!(
        "collections:\n  files:\n    index: \"cdx+{api}\"\n    archive_paths: {}/\n  served:\n    index: \"cdx+{api} /web\"\n",
        warc.display()
    );
    let pywb = Pywb::configured(&wayback, directory.path(), &config);
    let mut replayed_pages = 0;
    for line in index_lines(directory.path()).iter().map(|line| Line::parse(line).unwrap()) {
        let (url, status) = (line.url.unwrap(), line.status.unwrap_or_default());
        if status != "200" {
            continue;
        }
        let ours = replayed(&past, &line.timestamp, &url);
        for collection in ["files", "served"] {
            let theirs = pywb.ask(&format!("/{collection}/{}id_/{url}", line.timestamp));
            assert_eq!(theirs.0, 200, "{collection} {} {url}", line.timestamp);
            assert!(
                theirs.1 == ours,
                "{collection} {} {url}: {} bytes for {}",
                line.timestamp,
                theirs.1.len(),
                ours.len()
            );
        }
        replayed_pages += 1;
    }
    assert!(replayed_pages >= 30, "{replayed_pages}");
}

#[test]
fn what_wget_and_the_recorder_of_pywb_wrote_is_served_as_the_site_was() {
    let Some(python) = peer("python") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(1).unwrap().join("serve/fidelity/recorders");
    let venv = python.ancestors().nth(2).unwrap();
    let run = Command::new("python3")
        .arg(script)
        .args(["wget", "pywb"])
        .env("TINTYPE", env!("CARGO_BIN_EXE_tintype"))
        .env("VENV", venv)
        .env("TINTYPE_BROWSER", "none")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    let told: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let each: Vec<(&Value, &Value)> = told.iter().map(|told| (&told["recorder"], &told["addresses"])).collect();
    assert_eq!(each, [(&"wget".into(), &10.into()), (&"pywb".into(), &10.into())], "{said}");
}
