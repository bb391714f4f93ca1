//! Identity: two URLs that a server answers differently are two pages, and those it answers alike do not multiply.

use crate::{
    bench::{capture, run},
    host::{Host, html, not_there},
};
use std::{collections::BTreeSet, path::Path};
use tintype_archive::{Collection, Original, StoredVersion};
use tintype_vocab::Time;

const PAIRS: [&str; 10] =
    ["/Apple", "/apple", "/x", "/x/", "/?ID=aB", "/?ID=Ab", "/l?a=1&b=2", "/l?b=2&a=1", "/%7Eme", "/~me"];

fn entrance(links: impl IntoIterator<Item = String>) -> String {
    links.into_iter().map(|path| format!("<a href='{}'>x</a>", path.replace('&', "&amp;"))).collect()
}

/// The body that is replayed for a URL.
fn replayed(directory: &Path, url: &str) -> String {
    let reading = Collection::read(&directory.join("collection")).unwrap();
    let StoredVersion { url, time, place, .. } = reading.lookup(url, Time::MAX).unwrap().unwrap();
    let payload = reading.payload(&Original { url, date: time, place: Some(place) }).unwrap().unwrap();
    String::from_utf8(payload.body).unwrap()
}

#[test]
fn spellings_with_different_bytes_are_all_captured_and_replayed() {
    let host = Host::start(|asked| match asked.target.as_str() {
        "/" => html(&entrance(PAIRS.map(str::to_owned))),
        path if PAIRS.contains(&path) => html(&format!("<p>this is {path}</p>")),
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    let said = capture(directory.path(), &host.seed(), &[]);
    assert_eq!((&said["sites"][0]["pages"], &said["sites"][0]["same_bytes"]), (&11.into(), &0.into()));
    let asked: BTreeSet<String> = host.take_hits().into_keys().collect();
    assert!(PAIRS.iter().all(|path| asked.contains(*path)), "{asked:?}");
    for path in PAIRS {
        assert_eq!(replayed(directory.path(), &format!("{}{path}", host.origin())), format!("<p>this is {path}</p>"));
    }
    let verified = run(directory.path(), &["verify"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));

    let again = capture(directory.path(), &host.seed(), &[]);
    assert_eq!(again["sites"][0]["unchanged"], 11, "each is compared with its own past: {again}");
}

/// Forty pages, each linked in two spellings that the server takes for one.
#[test]
fn spellings_with_the_same_bytes_are_counted_and_come_to_an_end() {
    let host = Host::start(|asked| match asked.target.to_ascii_lowercase().as_str() {
        "/" => html(&entrance((0..40).flat_map(|n| [format!("/docs/{n}"), format!("/Docs/{n}")]))),
        path if path.starts_with("/docs/") => html(&format!("<p>this is {path}</p>")),
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    let said = capture(directory.path(), &host.seed(), &[]);
    let site = &said["sites"][0];
    let duplicates = site["same_bytes"].as_u64().unwrap();
    let left_out = site["excluded"]["same-bytes"]["links"].as_u64().unwrap();
    assert_eq!((duplicates + left_out, site["pages"].as_u64().unwrap()), (40, 41 + duplicates));
    assert!(duplicates < 20, "{site}");
    let plain = run(directory.path(), &["capture", &host.seed(), "--delay", "0"]);
    let plain = String::from_utf8_lossy(&plain.stdout).into_owned();
    assert!(plain.contains("with the bytes of another page"), "{plain}");
}
