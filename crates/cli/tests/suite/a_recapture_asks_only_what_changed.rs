//! The second capture asks whether pages have changed, and stores again only what has.

use crate::{
    bench::{capture, files, run},
    host::{Asked, Host, Reply, answer, not_there},
};
use std::{
    collections::BTreeMap,
    fs::File,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tintype_vocab::Time;
use tintype_warc::{Reader, RecordType};

const ETAG: &str = "\"edition-1\"";
const DATE: &str = "Sun, 01 Nov 2026 08:00:00 GMT";

/// A site whose `/news` moves with its edition; the other pages stay, each behind another kind of server.
fn paper(edition: &Arc<AtomicUsize>) -> Host {
    let edition = edition.clone();
    Host::start(move |asked| match asked.target.as_str() {
        "/" => page(
            asked,
            &[("ETag", ETAG)],
            "<a href=/dated>d</a><a href=/plain>p</a><a href=/news>n</a><a href=/copy>c</a>",
        ),
        "/dated" => page(asked, &[("Last-Modified", DATE)], "as of the first of November"),
        "/plain" | "/copy" => page(asked, &[], "no validators, and the same under two names"),
        "/news" => {
            let edition = edition.load(Ordering::SeqCst);
            page(asked, &[("ETag", &format!("\"news-{edition}\""))], &format!("news of edition {edition}"))
        }
        _ => not_there(),
    })
}

/// The page, or 304 if the one who asks has it already.
fn page(asked: &Asked, validators: &[(&str, &str)], body: &str) -> Reply {
    let held = |name| asked.header(if name == "ETag" { "if-none-match" } else { "if-modified-since" });
    if validators.iter().any(|(name, value)| held(*name) == Some(*value)) {
        return answer(304, validators, b"");
    }
    answer(200, &[&[("Content-Type", "text/html")], validators].concat(), body.as_bytes())
}

/// One record of a page in the order of the segments.
#[derive(Clone, Debug)]
struct Kept {
    kind: RecordType,
    date: Time,
    profile: String,
    refers_to: Option<(String, Time)>,
}

/// Responses and duplicates by path.
fn kept(directory: &Path, origin: &str) -> BTreeMap<String, Vec<Kept>> {
    let mut kept: BTreeMap<String, Vec<Kept>> = BTreeMap::new();
    for segment in files(directory, "warc") {
        let mut reader = Reader::new(File::open(segment).unwrap());
        while let Some(record) = reader.next().unwrap() {
            let header = &record.header;
            if !matches!(header.record_type(), RecordType::Response | RecordType::Duplicate) {
                continue;
            }
            let path = header.target_uri().unwrap().strip_prefix(origin).unwrap().to_owned();
            let refers_to = header.refers_to_target_uri().map(|url| url.strip_prefix(origin).unwrap().to_owned());
            kept.entry(path).or_default().push(Kept {
                kind: header.record_type(),
                date: header.date().unwrap(),
                profile: header.get("WARC-Profile").unwrap_or_default().rsplit('/').next().unwrap().to_owned(),
                refers_to: refers_to.zip(header.refers_to_date()),
            });
        }
    }
    kept
}

fn counts(said: &serde_json::Value) -> [u64; 4] {
    ["pages", "first", "changed", "unchanged"].map(|name| said["sites"][0][name].as_u64().unwrap())
}

#[test]
fn three_captures_store_each_version_once_and_refer_to_the_original() {
    let (directory, edition) = (tempfile::tempdir().unwrap(), Arc::new(AtomicUsize::new(1)));
    let host = paper(&edition);

    let first = capture(directory.path(), &host.seed(), &[]);
    assert_eq!(counts(&first), [5, 5, 0, 0], "{first}");
    assert!(host.asked().iter().all(|asked| conditions(asked) == (None, None)));
    host.take_hits();

    let second = capture(directory.path(), &host.seed(), &[]);
    assert_eq!(counts(&second), [5, 0, 0, 5], "{second}");
    let asked: BTreeMap<String, Asked> = host.asked().into_iter().map(|asked| (asked.target.clone(), asked)).collect();
    assert_eq!(conditions(&asked["/"]), (Some(ETAG), None));
    assert_eq!(conditions(&asked["/dated"]), (None, Some(DATE)));
    assert_eq!(conditions(&asked["/news"]), (Some("\"news-1\""), None));
    assert_eq!(conditions(&asked["/plain"]), (None, None));
    assert_eq!(conditions(&asked["/robots.txt"]), (None, None), "rules must be read, not confirmed");

    edition.store(2, Ordering::SeqCst);
    let third = capture(directory.path(), &host.seed(), &[]);
    assert_eq!(counts(&third), [5, 0, 1, 4], "{third}");
    assert_duplicates(&kept(directory.path(), &host.origin()));
    let verified = run(directory.path(), &["verify"]);
    assert!(verified.status.success(), "{verified:?}");
}

fn conditions(asked: &Asked) -> (Option<&str>, Option<&str>) {
    (asked.header("if-none-match"), asked.header("if-modified-since"))
}

fn assert_duplicates(kept: &BTreeMap<String, Vec<Kept>>) {
    for (path, profile) in
        [("/", "server-not-modified"), ("/dated", "server-not-modified"), ("/plain", "identical-payload-digest")]
    {
        let records = &kept[path];
        assert_eq!(records.len(), 3, "{path}");
        assert_eq!(records[0].kind, RecordType::Response, "{path}");
        for duplicate in &records[1..] {
            assert_eq!((duplicate.kind, duplicate.profile.as_str()), (RecordType::Duplicate, profile), "{path}");
            assert_eq!(
                duplicate.refers_to,
                Some((path.to_owned(), records[0].date)),
                "the original, never a duplicate"
            );
        }
    }
    // The same bytes under another name: a duplicate from the first capture on.
    for duplicate in &kept["/copy"] {
        assert_eq!((duplicate.kind, duplicate.profile.as_str()), (RecordType::Duplicate, "identical-payload-digest"));
        assert_eq!(duplicate.refers_to, Some(("/plain".to_owned(), kept["/plain"][0].date)));
    }
    let news: Vec<RecordType> = kept["/news"].iter().map(|record| record.kind).collect();
    assert_eq!(news, [RecordType::Response, RecordType::Duplicate, RecordType::Response], "a change is stored");
}

#[test]
fn a_page_that_changes_back_refers_to_its_first_version() {
    let (directory, edition) = (tempfile::tempdir().unwrap(), Arc::new(AtomicUsize::new(1)));
    let host = paper(&edition);
    for number in [1, 2, 1, 1] {
        edition.store(number, Ordering::SeqCst);
        capture(directory.path(), &host.seed(), &[]);
    }
    let news = &kept(directory.path(), &host.origin())["/news"];
    let kinds: Vec<RecordType> = news.iter().map(|record| record.kind).collect();
    assert_eq!(kinds, [RecordType::Response, RecordType::Response, RecordType::Duplicate, RecordType::Duplicate]);
    for back in &news[2..] {
        assert_eq!(back.refers_to, Some(("/news".to_owned(), news[0].date)));
    }
}

#[test]
fn links_of_pages_that_were_not_sent_again_are_still_followed() {
    let (directory, edition) = (tempfile::tempdir().unwrap(), Arc::new(AtomicUsize::new(1)));
    let host = paper(&edition);
    capture(directory.path(), &host.seed(), &[]);
    let before = host.take_hits();
    capture(directory.path(), &host.seed(), &[]);
    assert_eq!(host.take_hits(), before, "the entrance answered 304, and its links are known from the archive");
}

#[test]
fn a_confirmation_nobody_asked_for_is_no_page() {
    let host = Host::start(|asked| match asked.target.as_str() {
        "/" => answer(200, &[("Content-Type", "text/html")], b"<a href=/odd>odd</a>"),
        "/odd" => answer(304, &[], b""),
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    let said = capture(directory.path(), &host.seed(), &[]);
    assert_eq!(said["sites"][0]["pages"], 1, "{said}");
    assert_eq!(said["sites"][0]["failures"]["304 refused"], 1, "{said}");
}

#[test]
fn what_is_typed_counts_for_a_site_of_the_file_too_and_the_file_stays() {
    let (directory, edition) = (tempfile::tempdir().unwrap(), Arc::new(AtomicUsize::new(1)));
    let (here, host) = (directory.path(), paper(&edition));
    capture(here, &host.seed(), &[]);
    let file = || std::fs::read_to_string(here.join("collection/tintype.toml")).unwrap();
    let before = file();
    let output = run(here, &["capture", "--budget", "3", "--json"]);
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["sites"][0]["ending"], "budget-spent", "{said}");
    assert_eq!(run(here, &["capture", "--scope", "galaxy"]).status.code(), Some(2));
    assert_eq!(file(), before);
}
