//! Proxy mode: a browser that is set to it sees the archive as of a time, byte for byte, also by https.

use crate::browser::Past;
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// A record as other tools write it, plain.
fn record(url: &str, date: &str, more: &str, body: &str) -> String {
    let block =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{more}Content-Length: {}\r\n\r\n{body}", body.len());
    format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{date}{url}>\r\nWARC-Date: {date}\r\nWARC-Target-URI: {url}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn served(directory: &Path, more: &[&str]) -> Past {
    let persistent =
        "Set-Cookie: a=b\r\nStrict-Transport-Security: max-age=99\r\nAlt-Svc: h3=\":443\"\r\nX-Old: kept\r\n";
    let records = [
        record("https://secure.example/", "2020-05-01T12:00:00Z", persistent, "<a href=/x>first</a>"),
        record("https://secure.example/", "2021-05-01T12:00:00Z", persistent, "<a href=/x>second</a>"),
        record("http://plain.example/a?b=1", "2020-05-01T12:00:00Z", "", "<img src=http://other.example/i.png>"),
    ];
    fs::write(directory.join("a.warc"), records.concat()).unwrap();
    Past::serve(
        directory,
        &[&["a.warc", "--proxy-bind", "127.0.0.1:0", "--proxy-authority", "authority"], more].concat(),
    )
}

/// What a client that knows proxies gets; nothing where it is not installed.
fn got(directory: &Path, past: &Past, url: &str, more: &[&str]) -> Option<Output> {
    let proxy = format!("http://{}/", past.proxy.as_deref().unwrap());
    let asked = Command::new("wget")
        .args(["-q", "-S", "-O", "-", "--tries=1", "--timeout=20"])
        .args(more)
        .arg(url)
        .env("http_proxy", &proxy)
        .env("https_proxy", &proxy)
        .env_remove("no_proxy")
        .current_dir(directory)
        .output();
    if asked.is_err() {
        println!("skipped, no wget");
    }
    asked.ok()
}

#[test]
fn every_site_is_seen_as_of_the_time_with_nothing_rewritten() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let past = served(here, &["--at", "2020-08"]);
    let Some(plain) = got(here, &past, "http://plain.example/a?b=1", &[]) else { return };
    assert_eq!(String::from_utf8_lossy(&plain.stdout), "<img src=http://other.example/i.png>", "{plain:?}");
    let about = got(here, &past, "http://tintype.proxy/", &[]).unwrap();
    assert!(String::from_utf8_lossy(&about.stdout).contains("2020-08-31"), "{about:?}");
    let pem = got(here, &past, "http://tintype.proxy/authority.pem", &[]).unwrap().stdout;
    assert_eq!(pem, fs::read(here.join("authority/authority.pem")).unwrap());
    let secure = got(here, &past, "https://secure.example/", &["--ca-certificate=authority/authority.pem"]).unwrap();
    let (body, heads) =
        (String::from_utf8_lossy(&secure.stdout), String::from_utf8_lossy(&secure.stderr).to_lowercase());
    assert_eq!(body, "<a href=/x>first</a>", "{secure:?}");
    assert!(heads.contains("x-old: kept") && heads.contains("memento-datetime: fri, 01 may 2020"), "{heads}");
    for outliving in ["set-cookie", "strict-transport-security", "alt-svc"] {
        assert!(!heads.contains(outliving), "{outliving} would act on the live web later: {heads}");
    }
    let untrusted = got(here, &past, "https://secure.example/", &[]).unwrap();
    assert!(!untrusted.status.success(), "without the authority there is no trust");
    let missing = got(here, &past, "http://plain.example/nothing", &[]).unwrap();
    assert!(String::from_utf8_lossy(&missing.stderr).contains(" 404 "), "{missing:?}");
}

#[test]
fn without_a_time_the_latest_copies_are_seen() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let past = served(here, &[]);
    let secure = got(here, &past, "https://secure.example/", &["--no-check-certificate"]);
    if let Some(secure) = secure {
        assert_eq!(String::from_utf8_lossy(&secure.stdout), "<a href=/x>second</a>", "{secure:?}");
    }
}
