//! What it costs to open a collection of many sites and captures before the first request of one capture.
//!
//! `many_captures make DIR SITES CAPTURES [PAGES]` makes one (quickest in memory); the first capture of each site has PAGES
//! pages, three unless more are wanted, the others have three. `many_captures open DIR` does what a capture
//! of one site asks of the archive, for `strace -f -c -e trace=openat` and `time`.

use std::{env, error::Error, path::Path, time::Instant};
use tintype_archive::{CaptureHead, CaptureKind, Collection, Exchange, OpenOptions, Spool};
use tintype_vocab::{Outcome, PageId, Purpose, Request, SiteId, Span, Time, Visit};

const START: Time = Time::from_secs(1_790_000_000);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", path, sites, captures] => make(Path::new(path), sites.parse()?, captures.parse()?, 3),
        ["make", path, sites, captures, pages] => {
            make(Path::new(path), sites.parse()?, captures.parse()?, pages.parse()?)
        }
        ["open", path] => open_one(Path::new(path)),
        _ => Err("many_captures make DIR SITES CAPTURES [PAGES] | open DIR".into()),
    }
}

fn open(path: &Path) -> Result<Collection, tintype_archive::Error> {
    Collection::open(path, OpenOptions { create: true, command: "many_captures".to_owned(), now: START })
}

fn head(site: &str, started: Time) -> CaptureHead {
    CaptureHead {
        site: site.to_owned(),
        kind: CaptureKind::Capture,
        seeds: vec![format!("http://{site}/")],
        settings: serde_json::json!({ "budget": { "requests": 1000 }, "scope": "host", "policy": "sharp" }),
        run_seed: 1,
        started,
        describe: vec![("software".to_owned(), "many_captures".to_owned())],
    }
}

fn make(path: &Path, sites: u32, captures: u32, pages: u32) -> Result<(), Box<dyn Error>> {
    let collection = open(path)?;
    for nth in 0..captures {
        for site in 0..sites {
            let name = format!("site-{site}.example");
            let started = START + Span::from_days(i64::from(nth)) + Span::from_secs(i64::from(site));
            let mut capture = collection.begin(head(&name, started))?;
            for page in 0..if nth == 0 { pages } else { 3 } {
                let (visit, exchange) = answer(&name, page, started, nth);
                capture.ingest(&visit, Some(exchange), None)?;
            }
            capture.finish(&serde_json::json!({ "ending": "complete" }))?;
        }
    }
    Ok(())
}

/// The first page is new every time, the others never change.
fn answer(site: &str, page: u32, at: Time, nth: u32) -> (Visit, Exchange) {
    let (url, purpose) = (format!("http://{site}/{page}"), Purpose::Visit);
    let request = Request { site: SiteId(0), page: PageId(page), url, purpose, attempt: 0, rate: Default::default() };
    let visit = Visit { request, asked: at, answered: at, outcome: Outcome::Body { status: 200 } };
    let body = format!("<title>{page}</title><a href=/1>one</a><p>{}", if page == 0 { nth } else { 0 });
    let exchange = Exchange {
        request_head: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        response_head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec(),
        body: Spool::from_bytes(body.into_bytes()),
        peer: None,
        protocols: Vec::new(),
        cipher_suite: None,
        truncated: None,
    };
    (visit, exchange)
}

/// Files under a directory.
fn files(path: &Path) -> std::io::Result<usize> {
    let mut count = 0;
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        count += if path.is_dir() { files(&path)? } else { 1 };
    }
    Ok(count)
}

fn open_one(path: &Path) -> Result<(), Box<dyn Error>> {
    let from = Instant::now();
    let step = |what: &str| println!("{:>8.1} ms  {what}", from.elapsed().as_secs_f64() * 1e3);
    let collection = open(path)?;
    step("opened");
    let site = collection.sites()?.into_iter().next().ok_or("there is no capture")?;
    let pages = collection.history(&site)?;
    step("history");
    let unfinished = collection.unfinished(&site)?;
    let captures = collection.captures_of(&site)?.len();
    let derived = collection.derived("first-guess")?;
    step("captures");
    let started = START + Span::from_days(100_000);
    let capture = collection.begin(head(&site, started))?;
    step("begun");
    println!("{} files", files(path)?);
    println!("{site}: {captures} captures, {} {unfinished:?} {derived:?}", pages.is_empty());
    capture.finish(&serde_json::json!({ "ending": "complete" }))?;
    step("ended");
    Ok(())
}
