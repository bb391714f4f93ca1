//! Of every part of a page the copy that was there with it is shown, and how sure that is.

use crate::browser::Past;
use std::fs;

const PAGE: &str =
    "<img src=/same.png><img src=/later.png><img src=/dated.png><img src=/broken.png><img src=/lost.png>";

/// A record as other tools write it, plain.
fn record(path: &str, time: &str, status: u16, more: &str, body: &str) -> String {
    let kind = if path == "/" { "text/html" } else { "image/png" };
    let block =
        format!("HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\n{more}Content-Length: {}\r\n\r\n{body}", body.len());
    format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{path}{time}>\r\nWARC-Date: 2020-05-01T{time}Z\r\n\
         WARC-Target-URI: http://example.com{path}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

#[test]
fn the_copy_that_was_there_is_shown_and_not_the_nearest_one() {
    let directory = tempfile::tempdir().unwrap();
    let modified = |time: &str| format!("Last-Modified: Fri, 01 May 2020 {time} GMT\r\n");
    let records = [
        record("/", "12:00:00", 200, "", PAGE),
        record("/same.png", "11:00:00", 200, "", "same"),
        record("/same.png", "13:00:00", 200, "", "same"),
        // Ten seconds later it is another picture, and the server says so.
        record("/later.png", "11:30:00", 200, "", "old"),
        record("/later.png", "12:00:10", 200, &modified("12:00:05"), "new"),
        // The nearer copy is not the one that was there: the other is older than the page and seen after it.
        record("/dated.png", "11:59:50", 200, "", "before"),
        record("/dated.png", "13:00:00", 200, &modified("11:59:55"), "replaced"),
        record("/broken.png", "12:00:00", 503, "", "out of order"),
        record("/broken.png", "12:30:00", 200, "", "picture"),
    ];
    fs::write(directory.path().join("a.warc"), records.concat()).unwrap();
    let past = Past::serve(directory.path(), &["a.warc"]);

    let told = past.get("/api/composite?url=http://example.com/&at=20200501").json();
    let parts = told["parts"].as_array().unwrap();
    let verdicts: Vec<(&str, &str)> = parts
        .iter()
        .map(|part| (part["url"].as_str().unwrap().rsplit('/').next().unwrap(), part["verdict"].as_str().unwrap()))
        .collect();
    let expected = [
        ("same.png", "coherent-by-bracket"),
        ("later.png", "possible"),
        ("dated.png", "coherent-by-one"),
        ("broken.png", "possible"),
    ];
    assert_eq!(verdicts, expected, "{told}");
    assert_eq!(told["missing"], serde_json::json!(["http://example.com/lost.png"]));
    assert_eq!(
        (&told["worst"], &told["first"], &told["last"]),
        (&"possible".into(), &"2020-05-01T11:00:00Z".into(), &"2020-05-01T13:00:00Z".into())
    );

    let (name, port) = ("20200501120000.example.com", past.url("").rsplit(':').next().unwrap().to_owned());
    let led = past.get_with("/web/20200501120000/http://example.com/", &[("Sec-Fetch-Mode", "navigate")]);
    let host = led.header("location").trim_start_matches("http://").split('/').next().unwrap().to_owned();
    assert!(host.ends_with(&port) && host.starts_with(&name[..14]), "{host}");
    let shown = |path: &str| past.get_with(path, &[("Host", &host), ("Sec-Fetch-Mode", "no-cors")]);
    for (path, body, verdict) in [
        ("/same.png", "same", "coherent-by-bracket"),
        ("/later.png", "old", "possible"),
        ("/dated.png", "replaced", "coherent-by-one"),
        ("/broken.png", "picture", "possible"),
    ] {
        let got = shown(path);
        assert_eq!((got.text().as_str(), got.header("x-tintype-coherence")), (body, verdict), "{path}");
    }
    let banner = past.get_with("/__tt/banner?url=http://example.com/&at=20200501120000", &[("Host", &host)]).text();
    assert!(banner.contains("parts: 2 proved, 2 possible, 1 not held; from 2020-05-01"), "{banner}");
}

#[test]
fn parts_too_far_from_the_page_are_not_shown_unless_they_are_proved() {
    let directory = tempfile::tempdir().unwrap();
    let records = [
        record("/", "12:00:00", 200, "", "<img src=/same.png><img src=/near.png><img src=/far.png><img src=/lost.png>"),
        record("/same.png", "01:00:00", 200, "", "same"),
        record("/same.png", "23:00:00", 200, "", "same"),
        record("/near.png", "12:20:00", 200, "", "near"),
        record("/far.png", "01:00:00", 200, "", "far"),
        record("/far.png", "13:00:00", 200, "", "less far"),
    ];
    fs::write(directory.path().join("a.warc"), records.concat()).unwrap();
    let composite = |past: &Past, query: &str| {
        let told = past.get(&format!("/api/composite?url=http://example.com/&at=20200501{query}")).json();
        let names = |list: &str| {
            let name = |part: &serde_json::Value| {
                let url = part.get("url").unwrap_or(part).as_str().unwrap().to_owned();
                url.rsplit('/').next().unwrap().trim_end_matches(".png").to_owned()
            };
            told[list].as_array().unwrap().iter().map(name).collect::<Vec<String>>().join(" ")
        };
        [names("parts"), names("too_far"), names("missing")]
    };
    let past = Past::serve(directory.path(), &["a.warc", "--within", "30min"]);
    assert_eq!(composite(&past, ""), ["same near", "far", "lost"]);
    assert_eq!(composite(&past, "&within=0.001"), ["same", "near far", "lost"]);
    assert_eq!(composite(&past, "&within=1"), ["same near far", "", "lost"]);
    assert_eq!(past.get("/api/composite?url=http://example.com/&within=-1").status, 400);
    let led = past.get_with("/web/20200501120000/http://example.com/", &[("Sec-Fetch-Mode", "navigate")]);
    let host = led.header("location").trim_start_matches("http://").split('/').next().unwrap().to_owned();
    let shown = |path: &str| past.get_with(path, &[("Host", &host), ("Sec-Fetch-Mode", "no-cors")]);
    assert_eq!((shown("/near.png").text().as_str(), shown("/same.png").status), ("near", 200));
    let far = shown("/far.png");
    assert_eq!((far.status, far.header("x-tintype-coherence")), (404, "too-far"));
    assert!(far.text().contains("2020-05-01T13:00:00"), "{}", far.text());
    let banner = past.get_with("/__tt/banner?url=http://example.com/&at=20200501120000", &[("Host", &host)]).text();
    assert!(banner.contains("parts: 1 proved, 1 unknown, 1 too far in time, not shown, 1 not held"), "{banner}");
    let whole = Past::serve(directory.path(), &["a.warc"]);
    assert_eq!(composite(&whole, ""), ["same near far", "", "lost"]);
}

#[test]
fn parts_of_the_next_page_are_judged_by_when_that_one_was_visited() {
    let directory = tempfile::tempdir().unwrap();
    let records = [
        record("/", "12:00:00", 200, "", "<a href=/next>next</a>"),
        record("/next", "13:00:00", 200, "", "<img src=/logo.png>"),
        record("/logo.png", "12:00:00", 200, "", "noon"),
        record("/logo.png", "13:00:00", 200, "", "one"),
    ];
    fs::write(directory.path().join("a.warc"), records.concat()).unwrap();
    let past = Past::serve(directory.path(), &["a.warc"]);
    let led = past.get_with("/web/20200501120000/http://example.com/", &[("Sec-Fetch-Mode", "navigate")]);
    let host = led.header("location").trim_start_matches("http://").split('/').next().unwrap().to_owned();
    let from = |page: &str| {
        let referrer = format!("http://{host}{page}");
        past.get_with("/logo.png", &[("Host", &host), ("Sec-Fetch-Mode", "no-cors"), ("Referer", &referrer)]).text()
    };
    assert_eq!((from("/").as_str(), from("/next").as_str()), ("noon", "one"));
}
