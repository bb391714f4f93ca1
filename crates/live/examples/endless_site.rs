//! A site of as many pages as one likes, made up while it is asked for, to see how a capture of a large site fares:
//!
//! ```text
//! cargo run --release -p tintype-live --example endless_site -- 18080 1000000 &
//! tintype capture http://127.0.0.1:18080/ --delay 0 -C /tmp/large & sleep 300; kill -9 $!
//! curl -s http://127.0.0.1:18080/count
//! /usr/bin/time -v tintype capture http://127.0.0.1:18080/ --delay 0 --budget 1 -C /tmp/large
//! ```
//!
//! Every page links its ten children (a third argument asks for another number) and the one above it.

use std::{
    fmt::Write as _,
    io::{self, BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::atomic::{AtomicU64, Ordering},
};

#[derive(Clone, Copy)]
struct Site {
    pages: u64,
    links: u64,
}

static ANSWERED: AtomicU64 = AtomicU64::new(0);

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a number"));
    let port = arguments.next().unwrap_or(18_080);
    let site = Site { pages: arguments.next().unwrap_or(1_000_000), links: arguments.next().unwrap_or(10) };
    let listener = TcpListener::bind(("127.0.0.1", port as u16))?;
    for stream in listener.incoming() {
        let stream = stream?;
        std::thread::spawn(move || serve(stream, site));
    }
    Ok(())
}

/// Answers one connection until it closes.
fn serve(stream: TcpStream, site: Site) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut lines, mut stream) = (BufReader::new(stream.try_clone()?), stream);
    let mut line = String::new();
    loop {
        line.clear();
        if lines.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let path = line.split(' ').nth(1).unwrap_or("/").to_owned();
        while line.trim_end() != "" {
            line.clear();
            lines.read_line(&mut line)?;
        }
        stream.write_all(answer(&path, site).as_bytes())?;
    }
}

fn answer(path: &str, site: Site) -> String {
    let number = path.rsplit_once('-').and_then(|(_, name)| name.strip_suffix(".html")?.parse().ok());
    let (status, body) = match (path, number) {
        ("/count", _) => ("200 OK", ANSWERED.load(Ordering::Relaxed).to_string()),
        ("/", _) => ("200 OK", page(0, site)),
        (_, Some(number)) if number < site.pages => ("200 OK", page(number, site)),
        _ => ("404 Not Found", String::new()),
    };
    format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

fn page(number: u64, site: Site) -> String {
    ANSWERED.fetch_add(1, Ordering::Relaxed);
    let mut body = format!("<html><title>Page {number}</title><body><h1>Page {number}</h1>");
    let children = (1..=site.links).map(|nth| site.links * number + nth).filter(|child| *child < site.pages);
    for linked in children.chain([number.saturating_sub(1) / site.links]) {
        let _ = write!(body, "<p><a href=\"{}\">About {linked}</a></p>", path(linked));
    }
    let mut dice = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for _ in 0..400 {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let _ = write!(body, " word{}", dice % 5000);
    }
    body.push_str("</body></html>");
    body
}

fn path(number: u64) -> String {
    format!("/section{}/what-there-is-to-say-{number}.html", number % 100)
}
