//! The past, served: whatever was archived is rewritten, whatever is asked for is answered; nothing of it is a fault of the server's.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::{
    cell::RefCell,
    fs,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    path::PathBuf,
    sync::LazyLock,
    thread,
    time::Duration,
};
use tintype_archive::{Collection, OpenOptions, holdings::Holdings};
use tintype_fuzz::place;
use tintype_serve::past::{PastOptions, PastServer};
use tintype_vocab::Time;

const NOW: Time = Time::from_secs(1_800_000_000);
/// What bodies are said to be; each has an address of its own.
const KINDS: [&str; 8] = [
    "text/html; charset=utf-8", "text/html", "text/html; charset=shift_jis", "text/css", "text/javascript",
    "application/xhtml+xml", "image/svg+xml", "application/json",
];
/// All bodies are as long, so that the index of the file stays right when its bodies change.
const BODY: usize = 4096;

static FILE: LazyLock<PathBuf> = LazyLock::new(|| place("served").join("file.warc"));

static SERVER: LazyLock<SocketAddr> = LazyLock::new(|| {
    let place = place("served");
    fs::create_dir_all(&place).expect("a directory");
    let options = OpenOptions { create: true, command: "fuzz".into(), now: NOW };
    drop(Collection::open(&place.join("collection"), options).expect("a collection"));
    fs::write(&*FILE, segment(b"<p>")).expect("a file");
    let mut holdings = Holdings::of_collection(Collection::read(&place.join("collection")).expect("a collection"));
    holdings.add_file(&FILE).expect("a file that is ours");
    let options = PastOptions {
        bind: ([127, 0, 0, 1], 0).into(),
        clock: || NOW,
        replay_domain: None,
        proxy: None,
        within: None,
        file: None,
        laboratory: None,
        key: None,
        token: None,
    };
    let server = PastServer::bind(options, holdings).expect("a socket");
    let address = server.address().expect("an address");
    thread::spawn(move || server.serve(std::future::pending()).expect("a server"));
    address
});

thread_local! {
    static STREAM: RefCell<Option<TcpStream>> = const { RefCell::new(None) };
}

/// A file with one record for each kind, all with this body.
fn segment(body: &[u8]) -> Vec<u8> {
    let mut padded = body[..body.len().min(BODY)].to_vec();
    padded.resize(BODY, b' ');
    let record = |(nth, kind): (usize, &&str)| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {BODY}\r\n\r\n");
        let length = head.len() + BODY;
        let warc = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000{nth}>\r\n\
             WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://e.example/dir/{nth}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n"
        );
        [warc.as_bytes(), head.as_bytes(), &padded, b"\r\n\r\n"].concat()
    };
    KINDS.iter().enumerate().flat_map(record).collect()
}

/// Asks over the kept connection, or a new one; the status, if anything came in time.
fn ask(request: &[u8]) -> Option<u16> {
    STREAM.with_borrow_mut(|kept| {
        let mut stream = match kept.take() {
            Some(stream) => stream,
            None => TcpStream::connect(*SERVER).ok()?,
        };
        stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
        stream.write_all(request).ok()?;
        let mut received = Vec::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            let length = stream.read(&mut buffer).ok()?;
            received.extend_from_slice(&buffer[..length]);
            let status = received.get(9..12).and_then(|code| std::str::from_utf8(code).ok()?.parse().ok());
            let Some(head) = received.windows(4).position(|bytes| bytes == b"\r\n\r\n") else {
                if length == 0 { return status } else { continue }
            };
            let text = String::from_utf8_lossy(&received[..head]).to_ascii_lowercase();
            let field = |name: &str| text.lines().find_map(|line| Some(line.strip_prefix(name)?.trim().to_owned()));
            let whole = match field("content-length:").and_then(|length| length.parse::<usize>().ok()) {
                Some(length) => received.len() >= head + 4 + length,
                None if field("transfer-encoding:").is_some() => received.ends_with(b"0\r\n\r\n"),
                // Without a body, or told for ever: over with this connection.
                None => return status,
            };
            if whole {
                *kept = Some(stream);
                return status;
            }
            if length == 0 {
                return status;
            }
        }
    })
}

fuzz_target!(|data: &[u8]| {
    let Some((form, rest)) = data.split_first() else { return };
    let port = SERVER.port();
    let request = if form & 0x80 == 0 {
        let nth = usize::from(*form) % KINDS.len();
        fs::write(&*FILE, segment(rest)).expect("a file");
        let worker = if form & 0x40 == 0 { "document" } else { "worker" };
        format!(
            "GET /dir/{nth} HTTP/1.1\r\nHost: 20260101000000.h-e--example.localhost:{port}\r\nSec-Fetch-Dest: {worker}\r\n\
             Sec-Fetch-Mode: navigate\r\nAccept: text/html\r\n\r\n"
        )
    } else {
        let mut target: String = String::from_utf8_lossy(rest).chars().filter(char::is_ascii_graphic).collect();
        // What is told for as long as somebody listens has no end.
        if target.contains("live") || target.contains("events") {
            target.clear();
        }
        let begin = ["", "cdx?url=", "web/", "api/search?q=", "cdx/search/cdx?url=", "web/timemap/link/", "api/", "search?"];
        format!("GET /{}{target} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n", begin[usize::from(*form) % begin.len()])
    };
    if let Some(status) = ask(request.as_bytes()) {
        assert!(status != 500, "{request}");
    }
});
