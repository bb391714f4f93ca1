//! `tintype serve`: mementos, TimeGate, TimeMaps, CDX in two dialects, calendar, JSON; bounded whatever is asked.

use crate::{
    bench::{Bench, INTERVAL, START, capture, files, index_lines, run},
    browser::Past,
    host::{Host, answer, html, not_there},
    the_past_answers_for_a_time::next_second,
};
use flate2::{Compression, write::GzEncoder};
use std::{io::Write, path::Path};
use tintype_vocab::{Time, surt};
use tintype_warc::cdxj::Line;

/// Two captures of a newsroom, the second with revisits, and a moment between them.
fn two_captures(directory: &Path) -> (Bench, Time) {
    let bench = Bench::newsroom();
    capture(directory, &bench.seed(), &[]);
    bench.advance(INTERVAL);
    let between = next_second();
    next_second();
    capture(directory, &bench.seed(), &["--revisit"]);
    (bench, between)
}

fn lines(directory: &Path) -> Vec<Line> {
    let mut lines: Vec<Line> = index_lines(directory).iter().map(|line| Line::parse(line).unwrap()).collect();
    lines.sort_by_key(|line| (line.key.clone(), line.timestamp.clone()));
    lines
}

#[test]
fn every_record_is_replayed_with_the_bytes_of_its_time() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, between) = two_captures(directory.path());
    let past = Past::serve(directory.path(), &[]);
    let mut duplicates = 0;
    for line in lines(directory.path()) {
        let url = line.url.clone().unwrap();
        let now = START + INTERVAL * i64::from(line.time().unwrap() > between);
        let truth = bench.site().respond(url.strip_prefix(bench.site().origin()).unwrap(), None, now);
        let got = past.get(&format!("/web/{}id_/{url}", line.timestamp));
        assert_eq!(got.status, truth.status, "{url}");
        assert!(got.body == truth.body || got.status != 200, "{url}");
        assert_eq!(got.header("memento-datetime"), line.time().unwrap().to_mail_date());
        duplicates += usize::from(line.is_duplicate());
    }
    assert!(duplicates > 3, "payloads of duplicates are found: {duplicates}");
}

#[test]
fn a_timegate_leads_to_the_nearest_memento_and_a_memento_names_its_neighbours() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, _) = two_captures(directory.path());
    let past = Past::serve(directory.path(), &[]);
    let seed = bench.seed();
    let times: Vec<Time> = lines(directory.path())
        .iter()
        .filter(|line| line.url.as_deref() == Some(&seed))
        .map(|line| line.time().unwrap())
        .collect();
    assert!(times.len() >= 2);
    let (first, last) = (times[0], times[times.len() - 1]);
    let gate = past.get_with(&format!("/web/{seed}"), &[("Accept-Datetime", &first.to_mail_date())]);
    assert_eq!((gate.status, gate.header("vary")), (302, "accept-datetime"));
    assert_eq!(gate.header("location"), past.url(&format!("/web/{}/{seed}", first.to_timestamp14())));
    assert_eq!(gate.header("memento-datetime"), "", "a TimeGate is no memento");
    assert!(gate.header("link").contains("rel=\"original\"") && gate.header("link").contains("rel=\"timemap\""));
    let latest = past.get(&format!("/web/{seed}"));
    assert_eq!(latest.header("location"), past.url(&format!("/web/{}/{seed}", last.to_timestamp14())));
    assert_eq!(past.get_with(&format!("/web/{seed}"), &[("Accept-Datetime", "yesterday")]).status, 400);
    let partial = past.get(&format!("/web/1999id_/{seed}"));
    assert_eq!(
        (partial.status, partial.header("location")),
        (302, past.url(&format!("/web/{}id_/{seed}", first.to_timestamp14())).as_str())
    );
    let memento = past.get(&format!("/web/{}/{seed}", first.to_timestamp14()));
    for relation in ["rel=\"first memento\"", "rel=\"original\"", "rel=\"timegate\"", "next memento\""] {
        assert!(memento.header("link").contains(relation), "{relation}: {}", memento.header("link"));
    }
    let map = past.get(&format!("/web/timemap/link/{seed}"));
    assert_eq!((map.status, map.header("content-type")), (200, "application/link-format"));
    let text = map.text();
    assert_eq!(text.matches("memento\"; datetime=").count(), times.len(), "{text}");
    assert!(
        text.contains("rel=\"self\"; type=\"application/link-format\"; from=") && text.contains("rel=\"timegate\"")
    );
    assert_eq!(
        past.get(&format!("/web/timemap/json/{seed}")).json()["mementos"]["list"].as_array().unwrap().len(),
        times.len()
    );
    assert_eq!(past.get(&format!("/web/timemap/cdxj/{seed}")).text().lines().count(), times.len());
    assert_eq!(past.get("/web/timemap/link/http://nowhere.example/").status, 404);
    assert_eq!(past.get("/web/2026id_/http://nowhere.example/").status, 404);
}

#[test]
fn cdx_answers_what_the_index_holds_in_both_dialects() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, _) = two_captures(directory.path());
    let past = Past::serve(directory.path(), &[]);
    let (all, seed) = (lines(directory.path()), bench.seed());
    let count = |target: &str| past.get(target).text().lines().filter(|line| !line.is_empty()).count();
    let of_seed = all.iter().filter(|line| line.key == surt(&seed)).count();
    assert_eq!(count(&format!("/cdx?url={seed}")), of_seed);
    assert_eq!(count(&format!("/cdx?url={seed}*")), all.len());
    assert_eq!(count(&format!("/cdx?url={seed}&matchType=host")), all.len());
    assert_eq!(count(&format!("/cdx?url={seed}&matchType=domain&limit=3")), 3);
    let revisits = all.iter().filter(|line| line.is_duplicate()).count();
    assert_eq!(count(&format!("/cdx?url={seed}*&filter=mime:warc/revisit")), revisits);
    assert_eq!(count(&format!("/cdx?url={seed}*&filter=!~mime:warc/.*&output=json")), all.len() - revisits);
    let fields = past.get(&format!("/cdx?url={seed}&fl=timestamp,url&output=text&sort=reverse&limit=1")).text();
    assert_eq!(
        fields.trim(),
        format!("{} {seed}", all.iter().rfind(|line| line.key == surt(&seed)).unwrap().timestamp)
    );
    let first = past.get(&format!("/cdx?url={seed}*&output=json&limit=1")).json();
    assert!(first["urlkey"].is_string() && first["filename"].is_string(), "{first}");
    let pages = past.get(&format!("/cdx?url={seed}*&showNumPages=true")).json();
    assert_eq!(pages["pages"], 1, "{pages}");
    assert_eq!(past.get(&format!("/cdx?url={seed}*&page=7")).status, 400, "clients ask for pages until there are none");
    let none = past.get("/cdx?url=http://nowhere.example/");
    assert!(none.status == 404 && none.json()["error"].is_string());
    for wrong in ["/cdx", "/cdx?url=a&matchType=most", "/cdx?url=a&filter=~url:(", "/cdx?url=a&from=soon"] {
        assert_eq!(past.get(wrong).status, 400, "{wrong}");
    }
    let rows = past.get(&format!("/cdx/search/cdx?url={seed}*&output=json&fl=timestamp,original,statuscode")).json();
    assert_eq!(rows[0], serde_json::json!(["timestamp", "original", "statuscode"]));
    assert_eq!(rows.as_array().unwrap().len(), all.len() + 1);
    assert_eq!(count(&format!("/cdx/search/cdx?url={seed}*&filter=statuscode:200&collapse=urlkey")), {
        let mut keys: Vec<&str> =
            all.iter().filter(|line| line.status.as_deref() == Some("200")).map(|line| line.key.as_str()).collect();
        keys.dedup();
        keys.len()
    });
    assert_eq!(past.get("/cdx/search/cdx?url=nowhere.example&output=json").json(), serde_json::json!([]));
    let page = past.get(&format!("/cdx/search/cdx?url={seed}*&limit=2&showResumeKey=true")).text();
    let key = page.lines().last().unwrap().to_owned();
    let rest = past.get(&format!("/cdx/search/cdx?url={seed}*&showResumeKey=true&resumeKey={key}")).text();
    assert_eq!(page.lines().take(2).count() + rest.lines().filter(|line| line.contains(' ')).count(), all.len());
}

#[test]
fn the_interface_works_without_script_and_shows_what_is_held() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, _) = two_captures(directory.path());
    let past = Past::serve(directory.path(), &[]);
    let home = past.get("/");
    // What makes it more comfortable is a file of its own; nothing needs it, and nothing else may run.
    let comfort = "<script src=\"/assets/interface.js\" defer></script>";
    let foreign = |page: &str| page.replacen(comfort, "", 1).contains("<script");
    assert!(home.status == 200 && home.text().contains("<form") && !foreign(&home.text()), "{}", home.text());
    assert!(home.header("content-security-policy").contains("default-src 'none'"));
    let found = past.get(&format!("/?url={}", bench.seed())).text();
    assert!(found.contains(&format!("/web/*/{}", bench.seed())), "{found}");
    let calendar = past.get(&format!("/web/*/{}", bench.seed())).text();
    assert!(calendar.contains("versions") && calendar.contains("class=\"mark\""), "{calendar}");
    let evil = past.get("/?url=%3Cscript%3Ealert(1)%3C/script%3E").text();
    assert!(!foreign(&evil), "{evil}");
    let captures = past.get("/api/captures").json();
    assert_eq!(captures["captures"].as_array().unwrap().len(), 2, "{captures}");
    let versions = past.get(&format!("/api/versions?url={}&at=2999", bench.seed())).json();
    assert!(!versions["versions"].as_array().unwrap().is_empty(), "{versions}");
    assert_eq!(past.get("/healthz").text(), "ok\n");
    assert!(past.get("/metrics").text().contains("tintype_serve_answers_total{status=\"2xx\"}"));
}

#[test]
fn files_of_other_tools_are_served_as_well() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, _) = two_captures(directory.path());
    let here = directory.path();
    let segments: Vec<String> = files(here, "warc").iter().map(|path| path.display().to_string()).collect();
    let empty = tempfile::tempdir().unwrap();
    let past = Past::serve(empty.path(), &segments.iter().map(String::as_str).collect::<Vec<_>>());
    let ours = Past::serve(here, &[]);
    let query = format!("/cdx?url={}*", bench.seed());
    assert_eq!(past.get(&query).text(), ours.get(&query).text());
    for line in lines(here) {
        let target = format!("/web/{}id_/{}", line.timestamp, line.url.unwrap());
        assert!(past.get(&target).body == ours.get(&target).body, "{target}");
    }
    let indexes: Vec<String> = files(here, "index").iter().map(|path| path.display().to_string()).collect();
    let by_index = Past::serve(empty.path(), &indexes.iter().map(String::as_str).collect::<Vec<_>>());
    let target = format!("/web/2999id_/{}", bench.seed());
    let to = by_index.get(&target).header("location").to_owned();
    let at = to.find("/web/").unwrap();
    assert!(by_index.get(&to[at..]).body == ours.get(&to[at..]).body && by_index.get(&to[at..]).status == 200);
    let refused =
        run(empty.path(), &["serve", "--bind", "127.0.0.1:0", here.join("collection/version").to_str().unwrap()]);
    assert!(!refused.status.success() && !refused.stderr.is_empty());
}

#[test]
fn parts_codings_and_redirects_come_as_they_were() {
    let mut zipped = GzEncoder::new(Vec::new(), Compression::default());
    zipped.write_all(b"<p>packed</p>").unwrap();
    let zipped = zipped.finish().unwrap();
    let kept = zipped.clone();
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html("<a href=/packed>p</a><a href=/old>o</a><a href=/film>f</a>"),
        "/packed" => answer(
            200,
            &[
                ("Content-Type", "text/html; charset=iso-8859-1"),
                ("Content-Encoding", "gzip"),
                ("Content-Security-Policy", "script-src x"),
            ],
            &kept,
        ),
        "/old" => answer(301, &[("Location", "/packed")], b""),
        "/film" => {
            answer(200, &[("Content-Type", "video/mp4")], &(0..=255u8).cycle().take(20 << 20).collect::<Vec<_>>())
        }
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    capture(directory.path(), &host.seed(), &[]);
    let past = Past::serve(directory.path(), &[]);
    let at = |path: &str| {
        let gate = past.get(&format!("/web/{}{path}", host.origin())).header("location").to_owned();
        gate[gate.find("/web/").unwrap()..].replacen("/http", "id_/http", 1)
    };
    let packed = past.get_with(&at("/packed"), &[("Accept-Encoding", "gzip")]);
    assert!(packed.body == zipped && packed.header("content-encoding") == "gzip");
    assert_eq!(packed.header("content-type"), "text/html; charset=iso-8859-1");
    assert!(
        packed.header("content-security-policy").starts_with("sandbox"),
        "archived scripts do not run beside the interface"
    );
    assert_eq!(packed.header("x-archive-orig-content-security-policy"), "script-src x");
    assert_eq!(past.get(&at("/packed")).text(), "<p>packed</p>");
    let moved = past.get(&at("/old"));
    assert_eq!(moved.status, 301);
    assert!(
        moved.header("location").ends_with(&format!("id_/{}/packed", host.origin())),
        "{}",
        moved.header("location")
    );
    let film = past.get(&at("/film"));
    assert_eq!((film.status, film.body.len(), film.header("content-length")), (200, 20 << 20, "20971520"));
    let part = past.get_with(&at("/film"), &[("Range", "bytes=10485760-10485769")]);
    assert_eq!((part.status, part.header("content-range")), (206, "bytes 10485760-10485769/20971520"));
    assert_eq!(part.body, (0..10).collect::<Vec<u8>>());
    assert_eq!(past.get_with(&at("/film"), &[("Range", "bytes=99999999-")]).status, 416);
    assert_eq!(past.ask("HEAD", &at("/film"), &[]).body.len(), 0);
}

#[test]
fn whatever_is_asked_the_server_stays_bounded_and_up() {
    let directory = tempfile::tempdir().unwrap();
    let (bench, _) = two_captures(directory.path());
    let past = Past::serve(directory.path(), &[]);
    let long = "a".repeat(70_000);
    for (target, status) in [
        ("/web/../../etc/passwd".to_owned(), 404),
        ("/web/2026id_/file:///etc/passwd".to_owned(), 404),
        ("/web/2026id_/http://%00/".to_owned(), 404),
        (format!("/web/2026id_/http://e.com/{}", &long[..60_000]), 404),
        (format!("/web/2026id_/http://e.com/{long}"), 414),
        ("/web/99999999999999id_/http://nowhere.example/".to_owned(), 404),
        ("/web/".to_owned(), 404),
        ("/nothing".to_owned(), 404),
    ] {
        assert_eq!(past.get(&target).status, status, "{}", &target[..target.len().min(60)]);
    }
    assert_eq!(past.ask("POST", "/", &[("Content-Length", "0")]).status, 405);
    assert_eq!(
        past.get_with("/", &[("Host", "evil.example")]).status,
        421,
        "a name that was made to point here reads nothing"
    );
    assert_eq!(past.get(&format!("/web/*/{}", bench.seed())).status, 200);
}
