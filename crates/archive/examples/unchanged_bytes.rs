//! What a visit to an unchanged page takes on disk, by part of the collection.
//!
//! `unchanged_bytes DIR PAGES CAPTURES` captures made-up pages once and then as often by asking whether they changed. Pages
//! are committed in groups of 1000, as a quick capture does; `unchanged_bytes DIR PAGES CAPTURES 1` commits each, as a slow
//! one does.

use std::{env, error::Error, fs, path::Path};
use tintype_archive::{Capture, CaptureHead, CaptureKind, Collection, Exchange, OpenOptions, Spool};
use tintype_vocab::{ChangeRate, Decision, Outcome, PageId, Purpose, Request, SiteId, Span, Time, Visit, Why};

const START: Time = Time::from_secs(1_790_000_000);
const PARTS: [&str; 4] = ["warc", "index", "log", "state"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [path, pages, captures] => measure(Path::new(path), pages.parse()?, captures.parse()?, 1000),
        [path, pages, captures, group] => measure(Path::new(path), pages.parse()?, captures.parse()?, group.parse()?),
        _ => Err("unchanged_bytes DIR PAGES CAPTURES [GROUP]".into()),
    }
}

fn measure(path: &Path, pages: u32, captures: u32, group: u32) -> Result<(), Box<dyn Error>> {
    let collection =
        Collection::open(path, OpenOptions { create: true, command: "unchanged_bytes".to_owned(), now: START })?;
    let mut before = PARTS.map(|part| bytes(&path.join(part)));
    for nth in 0..=captures {
        let mut capture = collection.begin(head(START + Span::from_days(nth.into())))?;
        for page in 0..pages {
            take(&mut capture, page, nth)?;
            if page % group == group - 1 {
                capture.commit()?;
            }
        }
        capture.finish(&serde_json::json!({ "ending": "complete" }))?;
        let after = PARTS.map(|part| bytes(&path.join(part)));
        tell(nth, pages, before, after);
        before = after;
    }
    Ok(())
}

fn tell(nth: u32, pages: u32, before: [u64; 4], after: [u64; 4]) {
    let each = |part: usize| (after[part] as f64 - before[part] as f64) / f64::from(pages);
    let parts: Vec<String> = (0..4).map(|part| format!("{} {:.1}", PARTS[part], each(part))).collect();
    let sum: f64 = (0..4).map(each).sum();
    println!(
        "{}: {}, together {sum:.1} bytes per page",
        if nth == 0 { "first" } else { "unchanged" },
        parts.join(", ")
    );
}

fn bytes(directory: &Path) -> u64 {
    let files = fs::read_dir(directory).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).filter(|file| file.is_file()).map(|file| file.len()).sum()
}

fn head(started: Time) -> CaptureHead {
    CaptureHead {
        site: "example.com".to_owned(),
        kind: CaptureKind::Capture,
        seeds: vec!["http://example.com/".to_owned()],
        settings: serde_json::json!({}),
        run_seed: 1,
        started,
        describe: Vec::new(),
    }
}

/// A page of some links; after the first capture its server says that it is as it was.
fn take(capture: &mut Capture, page: u32, nth: u32) -> Result<(), Box<dyn Error>> {
    let asked = START + Span::from_days(nth.into()) + Span::from_millis(i64::from(page) * 3);
    let mixed = |n: u32| n.wrapping_mul(2_654_435_761) >> 8;
    let url = format!("http://example.com/section-{}/{:x}-some-words-{page}.html", mixed(page) % 40, mixed(page + 7));
    let rate = ChangeRate { per_day: 0.1 + (mixed(page) % 90) as f32 / 100.0, shape: 0.3 };
    let request = Request { site: SiteId(0), page: PageId(page), url, purpose: Purpose::Visit, attempt: 0, rate };
    capture.decide(&Decision::of(&request, asked, page.into(), Why::Policy))?;
    let (outcome, status) = match nth {
        0 => (Outcome::Body { status: 200 }, "200 OK"),
        _ => (Outcome::NotModified, "304 Not Modified"),
    };
    let links: String = (0..20).map(|n| format!("<a href=/section-{n}/>Section {n}</a>")).collect();
    let body = if nth == 0 { format!("<title>{page}</title>{links}").into_bytes() } else { Vec::new() };
    let tag = format!("ETag: \"{:x}-{:x}\"\r\nLast-Modified: Sun, 15 Nov 2026 00:00:00 GMT\r\n", mixed(page), page);
    let exchange = Exchange {
        request_head: format!("GET {page} HTTP/1.1\r\n\r\n").into_bytes(),
        response_head: format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n{tag}\r\n").into_bytes(),
        body: Spool::from_bytes(body),
        peer: Some("192.0.2.7".parse()?),
        protocols: Vec::new(),
        cipher_suite: None,
        truncated: None,
    };
    capture.ingest(
        &Visit { request, asked, answered: asked + Span::from_millis(40), outcome },
        Some(exchange),
        None,
    )?;
    Ok(())
}
