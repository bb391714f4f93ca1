//! The time machine: a recorded site is served ten thousand times as fast as it lived, captured by the very crawler that
//! captures the live web, and every stored body is held against the truth at the moment it was visited.

use crate::bench::{capture, files, run, tintype};
use flate2::{Compression, write::GzEncoder};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::{self, File},
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Stdio},
};
use tintype_vocab::{Span, Time};
use tintype_warc::{
    Composer, Encoder, Reader, Record, RecordId, RecordType, ResponseHead,
    digest::{sha1, sha1_of},
    http::Head,
};
use tintype_world::{
    Contents, Document, History,
    recorded::{Segment, read_events},
};

pub(crate) const BEGAN: Time = Time::from_secs(1_600_000_000);
const PAGES: i64 = 30;
const DAY: i64 = 86_400;
/// Seconds between two changes of the ticker, for as many times.
const TICK: i64 = 600;
const TICKS: i64 = 300;
/// A page that is deleted after a week, and one that appears then.
const LOST: &str = "/page/3";
const LATE: &str = "/late";

/// What happened, in order: when, where, and the new body.
fn story() -> Vec<(i64, String, Option<String>)> {
    let links: String = (0..PAGES).map(|page| format!("<a href='page/{page}'>{page}</a> ")).collect();
    let front = format!("<h1>All pages</h1>{links}<a href='/ticker'>ticker</a> <a href='{LATE}'>late</a>");
    let mut story = vec![(0, "/".to_owned(), Some(front)), (7 * DAY, LATE.to_owned(), Some("late".to_owned()))];
    story.extend((0..TICKS).map(|tick| (tick * TICK, "/ticker".to_owned(), Some(format!("<p>tick {tick}</p>")))));
    for page in 0..PAGES {
        let days = (0..28).step_by(2 + page as usize);
        story.extend(days.map(|day| {
            let body = (day < 7 || page != 3).then(|| format!("<p>page {page} of day {day}</p>"));
            (day * (DAY + page * 60), format!("/page/{page}"), body)
        }));
    }
    story.retain(|(at, path, body)| body.is_some() || (path == LOST && *at < 12 * DAY));
    story.sort();
    story
}

fn write_history(directory: &Path) {
    write_story(directory, story());
}

/// A story as a history on disk: seconds after it begins, where, and the new body.
pub(crate) fn write_story(directory: &Path, story: Vec<(i64, String, Option<String>)>) {
    let (mut composer, mut encoder, mut segment) = (Composer::new(), Encoder::default(), Vec::new());
    let (header, block) = composer.warcinfo(RecordId::new(0), BEGAN, "history.warc.gz", &[]);
    encoder.encode(header, &[&block], &mut segment);
    let mut table = "time,path,kind,size,sha1,media_type\n".to_owned();
    let mut seen = BTreeMap::new();
    for (number, (after, path, body)) in story.into_iter().enumerate() {
        let date = BEGAN + Span::from_secs(after);
        let kind = if body.is_none() { "D" } else { seen.insert(path.clone(), ()).map_or("A", |()| "M") };
        let status = if body.is_none() { "404 Not Found" } else { "200 OK" };
        let (body, url) = (body.unwrap_or_default(), format!("https://past.example{path}"));
        writeln!(table, "{},{path},{kind},{},{after:010x},text/html", date.as_secs(), body.len()).unwrap();
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n");
        let about = ResponseHead { url: &url, date, address: None, protocols: &[], truncated: None };
        let whole = [head.as_bytes(), body.as_bytes()];
        let (digest, payload) = (sha1_of(&whole), sha1(body.as_bytes()));
        let len = (head.len() + body.len()) as u64;
        let header = composer.response(RecordId::new(number as u128 + 1), &about, digest, payload, len);
        encoder.encode(header, &whole, &mut segment);
    }
    fs::create_dir_all(directory).unwrap();
    fs::write(directory.join("history.warc.gz"), segment).unwrap();
    let mut zipped = GzEncoder::new(File::create(directory.join("events.csv.gz")).unwrap(), Compression::fast());
    zipped.write_all(table.as_bytes()).unwrap();
    zipped.finish().unwrap();
}

/// A site of the past, served until this is dropped.
struct Past {
    server: Child,
    about: serde_json::Value,
    url: String,
}

impl Past {
    fn serve(history: &Path, more: &[&str]) -> Past {
        let arguments = ["lab", "serve", "--json", "--history", history.to_str().unwrap()];
        let mut server = tintype().args(arguments).args(more).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let about: serde_json::Value = serde_json::from_str(&line).unwrap();
        Past { server, url: about["url"].as_str().unwrap().to_owned(), about }
    }

    fn host(&self) -> &str {
        self.url.strip_prefix("http://").unwrap().split('/').next().unwrap()
    }

    fn origin(&self) -> String {
        format!("http://{}", self.host())
    }

    /// Status, header fields and body.
    fn ask(&self, method: &str, target: &str, fields: &[(&str, &str)]) -> (u16, BTreeMap<String, String>, Vec<u8>) {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        let fields: String = fields.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let request =
            format!("{method} {target} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{fields}\r\n", self.host());
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let head = Head::parse(&answer).unwrap();
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let fields = head.fields().map(|(name, value)| (text(name).to_lowercase(), text(value))).collect();
        (head.status().unwrap(), fields, answer[head.len..].to_vec())
    }

    /// The site's time.
    fn now(&self) -> Time {
        Time::parse_rfc3339(&self.ask("GET", "/", &[]).1["x-site-time"]).unwrap()
    }

    fn status(&self, target: &str) -> u16 {
        self.ask("GET", target, &[]).0
    }
}

impl Drop for Past {
    fn drop(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }
}

/// The truth, read without the server.
struct Truth {
    history: History,
    contents: Segment<File>,
}

impl Truth {
    fn read(directory: &Path) -> Truth {
        let history = read_events(File::open(directory.join("events.csv.gz")).unwrap()).unwrap();
        let contents = Segment::open(File::open(directory.join("history.warc.gz")).unwrap(), &history).unwrap();
        Truth { history, contents }
    }

    fn at(&mut self, path: &str, now: Time) -> Document {
        let row = self.history.find(path).and_then(|page| self.history.at(page, now));
        row.map_or_else(Document::gone, |row| self.contents.document(row).unwrap().unwrap())
    }

    /// Whether a redirect only adds or takes a slash at the end, and leads to a page that is there.
    fn leads(&mut self, path: &str, to: &str, now: Time) -> bool {
        let other = path.strip_suffix('/').map_or_else(|| format!("{path}/"), str::to_owned);
        to.ends_with(&other) && self.at(&other, now).status == 200 && self.at(path, now).status == 404
    }

    /// Digests of all versions alive at some time between.
    fn between(&mut self, path: &str, from: Time, to: Time) -> Vec<String> {
        let rows = self.history.rows(self.history.find(path).unwrap());
        let born = rows.iter().map(|row| self.history.events()[*row as usize].at);
        let times: Vec<Time> = born.filter(|at| (from..=to).contains(at)).chain([from, to]).collect();
        times.into_iter().map(|at| sha1(&self.at(path, at).body).to_string()).collect()
    }
}

/// What was checked against the truth, and what waits for it.
#[derive(Debug, Default)]
struct Checked {
    bodies: usize,
    duplicates: usize,
    gone: usize,
    /// Path, the moment before, digest: a confirmation is stored without a header that names its moment, but one
    /// connection asks one thing after another, so it lies between those of its neighbours.
    confirmed: Vec<(String, Time, String)>,
}

impl Checked {
    /// A moment has come that lies after all confirmations so far.
    fn reached(&mut self, now: Time, truth: &mut Truth) {
        for (path, since, stated) in self.confirmed.drain(..) {
            let possible = truth.between(&path, since, now);
            assert!(possible.contains(&stated), "{path} between {since} and {now}: {stated} not in {possible:?}");
            self.duplicates += 1;
        }
    }

    /// An answer that says which moment it shows.
    fn hold(&mut self, path: &str, now: Time, stated: &str, mut record: Record<'_>, truth: &mut Truth) {
        let want = truth.at(path, now);
        let head = Head::parse(record.block()).unwrap();
        let (start, status) = (head.len, head.status().unwrap());
        if status == 301 {
            let to = head.get("location").unwrap().into_owned();
            assert!(truth.leads(path, &to, now), "{path} at {now} leads to {to}");
            return;
        }
        assert_eq!(status, want.status, "{path} at {now}");
        let mut stored = Vec::new();
        record.pour(&mut |piece| stored.extend_from_slice(piece)).unwrap();
        match (record.header.record_type(), status) {
            (_, 404) => self.gone += 1,
            (RecordType::Response, _) => {
                assert_eq!(stored[start..], want.body, "{path} at {now}");
                self.bodies += 1;
            }
            _ => {
                assert_eq!(stated, sha1(&want.body).to_string(), "{path} at {now}");
                self.duplicates += 1;
            }
        }
    }
}

/// The moment a stored answer shows.
fn moment(record: &Record<'_>) -> Option<Time> {
    let stated = Head::parse(record.block())?.get("x-site-time")?.into_owned();
    Some(Time::parse_rfc3339(&stated).unwrap())
}

/// Holds every record of a collection against the truth; all of it was captured before `end`.
fn check(directory: &Path, past: &Past, end: Time, truth: &mut Truth) -> Checked {
    let mut checked = Checked::default();
    for segment in files(directory, "warc") {
        let mut latest = Time::MIN;
        let mut reader = Reader::new(File::open(segment).unwrap());
        while let Some(record) = reader.next().unwrap() {
            if !matches!(record.header.record_type(), RecordType::Response | RecordType::Duplicate) {
                continue;
            }
            let path = record.header.target_uri().unwrap().strip_prefix(&past.origin()).unwrap().to_owned();
            let stated = record.header.get("WARC-Payload-Digest").unwrap_or_default().to_owned();
            let Some(now) = moment(&record) else {
                checked.confirmed.push((path, latest, stated));
                continue;
            };
            latest = now;
            checked.reached(now, truth);
            if path != "/robots.txt" && path != "/sitemap.xml" {
                checked.hold(&path, now, &stated, record, truth);
            }
        }
        checked.reached(end, truth);
    }
    checked
}

/// Captures a history twice at ten thousand times its speed. Returns what both captures told and what was checked.
fn capture_twice(history: &Path, more: &[&str]) -> ([serde_json::Value; 2], Checked) {
    let directory = tempfile::tempdir().unwrap();
    let past = Past::serve(history, &[&["--speed", "10000"], more].concat());
    let told = [(); 2].map(|()| capture(directory.path(), &past.url, &[])["sites"][0].clone());
    let checked = check(directory.path(), &past, past.now(), &mut Truth::read(history));
    let verified = run(directory.path(), &["verify"]);
    assert!(verified.status.success(), "{verified:?}");
    (told, checked)
}

fn made() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let history = directory.path().join("story");
    write_history(&history);
    (directory, history)
}

#[test]
fn every_body_captured_at_ten_thousand_times_the_speed_is_the_one_of_its_moment() {
    let (_kept, history) = made();
    let ([first, second], checked) = capture_twice(&history, &[]);
    assert_eq!((&first["pages"], &first["ending"]), (&(PAGES + 2).into(), &"complete".into()), "{first}");
    assert!(second["changed"].as_u64() >= Some(1), "the ticker has moved on: {second}");
    assert!(checked.bodies as i64 > PAGES && checked.gone >= 1 && checked.duplicates > 0, "{checked:?}");
}

#[test]
fn a_shared_history_is_captured_likewise() {
    let history = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/histories/calfire");
    if !history.exists() {
        println!("skipped, no ../shared");
        return;
    }
    let ([first, second], checked) = capture_twice(&history, &["--sitemap", "honest"]);
    assert!(first["pages"].as_u64() >= Some(80), "{first}");
    assert!(second["pages"].as_u64() >= Some(80), "{second}");
    assert!(checked.bodies >= 80, "{checked:?}");
}

#[test]
fn a_stopped_clock_shows_one_moment_with_conditions_and_heads() {
    let (_kept, history) = made();
    let early = Past::serve(&history, &["--speed", "0"]);
    assert_eq!(early.about["site_time"], BEGAN.to_rfc3339());
    assert_eq!([early.status(LOST), early.status(LATE)], [200, 404], "not yet deleted, not yet born");
    let late = (BEGAN + Span::from_days(13)).as_secs().to_string();
    let late = Past::serve(&history, &["--speed", "0", "--from", &late]);
    assert_eq!([late.status(LOST), late.status(LATE)], [404, 200]);

    let (status, fields, body) = late.ask("GET", "/page/0", &[]);
    assert_eq!((status, body.as_slice()), (200, &b"<p>page 0 of day 12</p>"[..]));
    assert_eq!(fields["x-site-time"], (BEGAN + Span::from_days(13)).to_rfc3339());
    assert_eq!(fields["last-modified"], "Fri, 25 Sep 2020 12:26:40 GMT");
    let (head, head_fields, nothing) = late.ask("HEAD", "/page/0", &[]);
    assert_eq!((head, head_fields, nothing.len()), (200, fields.clone(), 0));
    for condition in [("If-None-Match", &fields["etag"]), ("If-Modified-Since", &fields["last-modified"])] {
        let asked = [(condition.0, condition.1.as_str())];
        assert_eq!(late.ask("GET", "/page/0", &asked).0, 304, "{condition:?}");
        assert_eq!(early.ask("GET", "/page/0", &[("If-None-Match", &fields["etag"])]).0, 200, "another version");
    }
    let robots = String::from_utf8(early.ask("GET", "/robots.txt", &[]).2).unwrap();
    assert_eq!(robots, "User-agent: *\nDisallow:\n");
    assert_eq!(early.status("/sitemap.xml"), 404);
}

#[test]
fn a_server_fails_when_told_to_and_ends_by_itself() {
    let (_kept, history) = made();
    let failing = Past::serve(&history, &["--errors", "1"]);
    let (status, fields, _) = failing.ask("GET", "/", &[]);
    assert!(status == 503 && fields.contains_key("x-site-time"), "{status} {fields:?}");
    let limited = Past::serve(&history, &["--rate-limit", "0"]);
    let (status, fields, _) = limited.ask("GET", "/", &[]);
    assert_eq!((status, fields["retry-after"].as_str()), (429, "1"));
    let arguments = ["lab", "serve", "--world", "news", "--pages", "40", "--days", "3", "--latency", "1", "--for", "0"];
    let output = run(Path::new("."), &arguments);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("news (") && said.contains("next: tintype capture"), "{said}");
}

#[test]
fn a_collection_is_a_history_too() {
    let (_kept, history) = made();
    let directory = tempfile::tempdir().unwrap();
    let original = Past::serve(&history, &["--speed", "0"]);
    capture(directory.path(), &original.url, &[]);
    let again = Past::serve(&directory.path().join("collection"), &["--speed", "0"]);
    for target in ["/", "/ticker", "/page/7"] {
        assert_eq!(again.ask("GET", target, &[]).2, original.ask("GET", target, &[]).2, "{target}");
    }
}

#[test]
fn histories_that_cannot_be_played_are_refused_with_the_line() {
    let (kept, history) = made();
    let refused = |directory: &Path, words: &[&str]| {
        let output = run(kept.path(), &["lab", "serve", "--for", "0", "--history", directory.to_str().unwrap()]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        words.iter().for_each(|word| assert!(said.contains(word), "{word}: {said}"));
    };
    refused(&kept.path().join("nowhere"), &["no directory", "next:"]);
    refused(kept.path(), &["neither a history nor a collection", "next:"]);
    let table = history.join("events.csv.gz");
    let whole = fs::read(&table).unwrap();
    fs::write(&table, &whole[..whole.len() / 2]).unwrap();
    refused(&history, &["events.csv.gz: line ", "ends here", "next:"]);
    fs::write(&table, "time,path,kind,size,sha1,media_type\n5,/,A,1,0a,text/html\n4,/,M,1,0b,text/html\n").unwrap();
    refused(&history, &["line 3: the event is earlier", "next:"]);
    fs::write(&table, "time,path,kind,size,sha1,media_type\n5,/,A,1,0a,text/html\n").unwrap();
    refused(&history, &["history.warc.gz: record 1: ", "next:"]);
}
