//! Files of strangers, however odd: what comes in makes a collection in which nothing is wrong.

use super::rig::{START, open, temporary};
use crate::{Collection, ImportOptions, Imported};
use proptest::{collection::vec, prelude::*, sample::select};
use std::{fs, path::Path};

const ODD_URLS: &[&str] = &[
    "http://example.com/",
    "http://example.com/a b",
    "<http://example.com/c>",
    "http://example.com/\u{1b}[2J\u{7}",
    "http://example.com/\u{202e}gpj",
    "../../etc/passwd",
    "file:///etc/passwd",
    "http://",
    "http://[::1",
    "http://example.com:99999/",
    "HTTP://EXAMPLE.com/%zz?#",
    "http://example.com/\u{a0}",
    "http://a\\..\\b/",
    "dns:example.com",
    "metadata://x",
    "",
];
const ODD_DATES: &[&str] =
    &["2020-01-02T03:04:05Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1601-01-01T00:00:00Z", "yesterday", ""];
const TYPES: &[&str] =
    &["response", "revisit", "request", "metadata", "warcinfo", "resource", "conversion", "nonsense"];
const BLOCKS: &[&str] = &[
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/x>x</a>",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
    "HTTP/1.1 304 Not Modified\r\n\r\n",
    "HTTP/1.1 301 Moved\r\nLocation: \u{7}javascript:alert(1)\r\n\r\n",
    "HTTP/1.1 999999 Odd\r\n\r\n",
    "HTTP/1.1 200\n\nbare",
    "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n",
    "no head at all",
    "",
];

fn options() -> ImportOptions {
    ImportOptions { site: None, now: START, describe: Vec::new() }
}

fn record(kind: &str, url: &str, date: &str, extra: &str, block: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n{extra}Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

/// Imports bytes into a new collection, in which nothing is wrong afterwards.
fn import(bytes: &[u8]) -> Option<Imported> {
    let root = temporary();
    let path = root.path().join("foreign");
    fs::write(&path, bytes).unwrap();
    let imported = open(root.path()).import(&path, options()).ok();
    is_sound(root.path());
    imported
}

#[track_caller]
fn is_sound(root: &Path) {
    let verified = Collection::read(root).unwrap().verify().unwrap();
    assert_eq!((verified.findings, verified.missing), (vec![], vec![]));
    assert_eq!(open(root).repairs(), []);
}

fn odd_record() -> impl Strategy<Value = String> {
    let extra = select(
        &[
            "",
            "WARC-Truncated: length\r\n",
            "WARC-Truncated: \u{1b}\r\n",
            "WARC-Profile: http://x/server-not-modified\r\n",
            "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n",
            "WARC-IP-Address: nowhere\r\nWARC-Protocol: \u{7}\r\n",
            "Tintype-Visit: 0 0 0 visit 0 0 0\r\nTintype-Unindexed: yes\r\n",
        ][..],
    );
    let parts = (select(TYPES), select(ODD_URLS), select(ODD_DATES), extra, select(BLOCKS));
    parts.prop_map(|(kind, url, date, extra, block)| record(kind, url, date, extra, block))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_records_come_in_and_nothing_is_wrong(
        records in vec(odd_record(), 0..12),
        flips in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let first = record("response", "http://example.com/", "2020-01-01T00:00:00Z", "", BLOCKS[0]);
        let mut bytes = (first.clone() + &records.concat()).into_bytes();
        for (at, to) in flips {
            let at = first.len() + at.index(bytes.len() - first.len() + 1);
            if let Some(byte) = bytes.get_mut(at) {
                *byte = to;
            }
        }
        prop_assert!(import(&bytes).is_some());
    }

    #[test]
    fn any_index_lines_come_in_and_nothing_is_wrong(
        lines in vec((select(ODD_URLS), any::<u64>(), ".{0,40}"), 0..12),
    ) {
        let mut text = "com,example)/ 20200101000000 {\"url\": \"http://example.com/\"}\n".to_owned();
        for (url, time, rest) in lines {
            let json = serde_json::json!({ "url": url, "mime": rest, "status": rest, "digest": rest });
            text += &format!("com,example)/ {time} {json}\n{rest}\n");
        }
        prop_assert!(import(text.as_bytes()).is_some());
    }

    #[test]
    fn any_bytes_come_in_or_are_refused_and_nothing_is_wrong(bytes in vec(any::<u8>(), 0..600)) {
        import(&bytes);
        import(&[b"WARC/1.0\r\n", &bytes[..]].concat());
        import(&[b"PK\x03\x04", &bytes[..]].concat());
        import(&[b" CDX N b a m s k r M S V g\n", &bytes[..]].concat());
    }
}

#[test]
fn addresses_that_are_no_pages_are_passed_over_and_named_once() {
    let urls =
        ["http://example.com/", "../../etc/passwd", "file:///etc/passwd", "file:///etc/shadow", "http://a\u{1b}/"];
    let records = urls.map(|url| record("response", url, "2020-01-01T00:00:00Z", "", BLOCKS[0])).concat();
    let imported = import(records.as_bytes()).unwrap();
    assert_eq!((imported.visits, imported.passed_over), (1, 4));
    let [control, no_url, no_page] = &imported.findings[..] else { panic!("{:?}", imported.findings) };
    assert!(control.ends_with("control characters in a URL"), "{control}");
    assert!(no_url.contains("../../etc/passwd"), "{no_url}");
    assert!(no_page.starts_with("2 times, first at byte ") && no_page.contains("file:///etc/passwd"), "{no_page}");
}

#[test]
fn the_same_bytes_come_in_once_under_whatever_name() {
    let root = temporary();
    let fixture = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    for name in ["wget.warc.gz", "warcio.cdxj", "py-wacz.wacz"] {
        let renamed = root.path().join("renamed");
        fs::copy(fixture(name), &renamed).unwrap();
        let first = open(root.path()).import(&fixture(name), options()).unwrap();
        let captures = open(root.path()).captures().unwrap().len();
        for path in [&fixture(name), &renamed] {
            let again = open(root.path()).import(path, options()).unwrap();
            assert!(again.already && !first.already, "{name}");
            assert_eq!((again.visits, again.history, again.known), (0, 0, first.visits + first.history), "{name}");
            assert_eq!((again.capture, open(root.path()).captures().unwrap().len()), (first.capture.clone(), captures));
        }
    }
}

#[test]
fn what_a_tool_does_in_every_record_is_told_once() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/wget.warc.gz");
    let root = temporary();
    let imported = open(root.path()).import(&path, options()).unwrap();
    let brackets = imported.findings.iter().filter(|finding| finding.contains("angle brackets"));
    let [told] = &brackets.collect::<Vec<_>>()[..] else { panic!("{:?}", imported.findings) };
    assert!(told.contains(" times, first at byte "), "{told}");
    is_sound(root.path());
}
