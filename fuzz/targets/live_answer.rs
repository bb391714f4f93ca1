//! What a server sends instead of an answer: the client always ends with an outcome, and what it hands on is what came.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{LazyLock, Mutex, PoisonError},
    thread,
    time::Duration,
};
use tintype_fuzz::place;
use tintype_live::{Ask, Client, ClientSettings, Jar};
use tokio::runtime::Runtime;

/// Ports that were hung up on rest for a minute: many addresses have many ports.
const ADDRESSES: u8 = 100;
static SENT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Web {
    servers: Vec<SocketAddr>,
    client: Client,
    runtime: Runtime,
}

static WEB: LazyLock<Web> = LazyLock::new(|| {
    let listen = |last: u8| {
        let listener = TcpListener::bind((Ipv4Addr::new(127, 0, 0, last + 1), 0)).expect("a socket");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || listener.incoming().flatten().for_each(answer));
        address
    };
    let short = Duration::from_secs(2);
    let settings = ClientSettings {
        first_byte_timeout: short,
        body_timeout: short,
        idle_timeout: short,
        body_bytes_max: 1 << 20,
        ..ClientSettings::new("fuzz", place("spool"))
    };
    std::fs::create_dir_all(place("spool")).expect("a directory");
    Web {
        servers: (0..ADDRESSES).map(listen).collect(),
        client: Client::new(settings).expect("a client"),
        runtime: tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime"),
    }
});

/// Reads a request, sends what is to be sent and hangs up.
fn answer(mut stream: TcpStream) {
    let (mut asked, mut buffer) = (Vec::new(), [0; 4096]);
    while !asked.windows(4).any(|bytes| bytes == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(length) => asked.extend_from_slice(&buffer[..length]),
        }
    }
    let sent = SENT.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let _ = stream.write_all(&sent);
}

fuzz_target!(|data: &[u8]| {
    let Some((form, rest)) = data.split_first() else { return };
    let web = &*WEB;
    let server = web.servers[usize::from(data.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte))) % web.servers.len()];
    let sent = if form & 1 == 0 { [b"HTTP/1.1 200 OK\r\n", rest].concat() } else { rest.to_vec() };
    *SENT.lock().unwrap_or_else(PoisonError::into_inner) = sent.clone();
    let jar = Jar::new();
    let mut ask = Ask { private_allowed: true, jar: Some(jar.clone()), ..Ask::new(format!("http://{server}/dir/page?q")) };
    if form & 2 != 0 {
        ask.validators.etag = Some("\"e\"".to_owned());
    }
    let answer = web.runtime.block_on(web.client.fetch(ask.clone()));
    if let Some(exchange) = answer.exchange
        && sent.starts_with(b"HTTP/")
    {
        let head = &exchange.response_head;
        assert!(sent.windows(head.len().max(1)).any(|part| part == &head[..]), "a head was handed on that did not come");
    }
});
