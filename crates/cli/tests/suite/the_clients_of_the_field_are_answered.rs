//! Real clients pointed at `tintype serve`: memento_client, wayback, waybackpy, cdx_toolkit; and pywb over the same collection.

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

#[test]
fn cdx_answers_are_those_of_pywb() {
    let Some(wayback) = peer("wayback") else { return };
    let directory = tempfile::tempdir().unwrap();
    let bench = two_captures(directory.path());
    let (past, pywb) = (Past::serve(directory.path(), &[]), Pywb::start(&wayback, directory.path()));
    let (seed, lines) = (bench.seed(), index_lines(directory.path()));
    let year = &Line::parse(&lines[0]).unwrap().timestamp[..4].to_owned();
    let mut urls: Vec<String> = lines.iter().filter_map(|line| Line::parse(line).ok()?.url).collect();
    urls.sort_unstable();
    urls.dedup();
    let mut queries: Vec<String> = urls.iter().map(|url| format!("url={url}")).collect();
    for more in [
        "",
        "&limit=3",
        "&matchType=host",
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
    ] {
        queries.push(format!("url={seed}*{more}"));
    }
    queries
        .extend([format!("url={seed}&from={year}&to={year}"), format!("url={seed}&closest={year}0101000000&limit=1")]);
    for query in &queries {
        let fields = if query.contains("&fl=") {
            ""
        } else {
            "&fl=urlkey,timestamp,url,mime,status,digest,length,offset,filename"
        };
        let target = format!("cdx?{query}{fields}&output=json");
        let parsed =
            |text: &str| text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect::<Vec<Value>>();
        let (ours, theirs) = (past.get(&format!("/{target}")).text(), pywb.get(&format!("/ours/{target}")));
        let found = |rows: Vec<Value>| {
            rows.into_iter()
                .filter(|row| row.get("error").is_none() && row.get("message").is_none())
                .collect::<Vec<_>>()
        };
        assert_eq!(found(parsed(&ours)), found(parsed(&theirs)), "{query}");
    }
    assert!(queries.len() > 25);
}
