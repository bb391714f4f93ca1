//! What a fetch costs over a kept loopback connection: CPU time of this process, kernel included.
//!
//! `cargo bench -p tintype-live` starts a server of its own; `-- URL` asks another one (its URL again and again).

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Command, Stdio},
    time::Instant,
};
use tintype_live::{Ask, Client, ClientSettings};

const FETCHES: u32 = 20_000;
const PAGE_BYTES: usize = 15_000;

fn main() {
    match std::env::args().skip(1).find(|argument| !argument.starts_with("--")) {
        Some(role) if role == "serve" => serve(),
        Some(url) => measure(&url),
        None => {
            let mut child =
                Command::new(std::env::current_exe().unwrap()).arg("serve").stdout(Stdio::piped()).spawn().unwrap();
            let mut url = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
            measure(url.trim());
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    println!("http://{}/page", listener.local_addr().unwrap());
    for stream in listener.incoming() {
        let stream = stream.unwrap();
        std::thread::spawn(move || answer(stream));
    }
}

fn answer(mut stream: TcpStream) {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {PAGE_BYTES}\r\n\r\n");
    let page = [head.as_bytes(), &[b'x'; PAGE_BYTES]].concat();
    let mut request = [0; 4096];
    stream.set_nodelay(true).unwrap();
    while stream.read(&mut request).is_ok_and(|count| count > 0) {
        stream.write_all(&page).unwrap();
    }
}

fn measure(url: &str) {
    let settings = ClientSettings::new("tintype-bench (+https://tintype.invalid/)", std::env::temp_dir());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = Client::new(settings).unwrap();
    let ask = Ask { private_allowed: true, ..Ask::new(url) };
    let mut bytes = 0;
    for round in 0..4 {
        let (wall, cpu) = (Instant::now(), cpu_nanoseconds());
        for _ in 0..FETCHES {
            let answer = runtime.block_on(client.fetch(ask.clone()));
            bytes += answer.exchange.unwrap_or_else(|| panic!("{:?}", answer.note)).body.len();
        }
        let cpu = (cpu_nanoseconds() - cpu) as f64 / 1000.0 / f64::from(FETCHES);
        let wall = wall.elapsed().as_secs_f64() * 1e6 / f64::from(FETCHES);
        println!("round {round}: {cpu:.1} µs CPU, {wall:.1} µs wall per fetch");
    }
    println!("{} bytes per fetch", bytes / u64::from(4 * FETCHES));
}

/// Time this thread has run, user and kernel.
fn cpu_nanoseconds() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}
