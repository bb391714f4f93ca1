//! A server that says exactly what it is told, byte for byte, as badly as it is told.
#![allow(dead_code, reason = "every test file uses its own part of this")]

use std::{
    net::SocketAddr,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};
use tintype_live::{Answer, Ask, Client, ClientSettings as Settings};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// One thing a server does.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Send(Vec<u8>),
    /// The same, this many bytes at a time.
    Pieces(Vec<u8>, usize),
    /// The same bytes until nobody listens.
    Endless(Vec<u8>),
    /// The same, with a pause after each, until nobody listens.
    Drip(Vec<u8>, Duration),
    /// Stops sending but goes on reading.
    HalfClose,
    /// Hangs up without the usual courtesy.
    Reset,
    Close,
    /// Says nothing more but stays on the line until the client leaves.
    Hold,
}

pub(crate) fn send(bytes: impl AsRef<[u8]>) -> Step {
    Step::Send(bytes.as_ref().to_vec())
}

/// What the server saw: the requests of each connection.
pub(crate) type Seen = Arc<Mutex<Vec<Vec<String>>>>;

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) seen: Seen,
}

impl Server {
    /// Serves every request with the steps `script` gives for (connection, request), both counted from 0.
    pub(crate) async fn start(script: impl Fn(usize, usize) -> Vec<Step> + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Server { address: listener.local_addr().unwrap(), seen: Seen::default() };
        let (seen, script) = (server.seen.clone(), Arc::new(script));
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let number = seen.lock().unwrap().len();
                seen.lock().unwrap().push(Vec::new());
                let (seen, script) = (seen.clone(), script.clone());
                tokio::spawn(async move { serve(stream, number, &seen, |request| script(number, request)).await });
            }
        });
        server
    }

    /// A server that gives everybody the same answer.
    pub(crate) async fn always(steps: Vec<Step>) -> Server {
        Server::start(move |_, _| steps.clone()).await
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// How many requests each connection carried.
    pub(crate) fn requests(&self) -> Vec<usize> {
        self.seen.lock().unwrap().iter().map(Vec::len).collect()
    }

    pub(crate) fn request(&self, connection: usize, request: usize) -> String {
        self.seen.lock().unwrap()[connection][request].clone()
    }
}

async fn serve(mut stream: TcpStream, number: usize, seen: &Seen, script: impl Fn(usize) -> Vec<Step>) {
    for request in 0.. {
        let Some(head) = read_head(&mut stream).await else { return };
        seen.lock().unwrap()[number].push(head);
        for step in script(request) {
            match step {
                Step::Reset => {
                    stream.set_zero_linger().unwrap();
                    return;
                }
                Step::Close => return,
                step => {
                    if perform(&mut stream, step).await.is_err() {
                        return;
                    }
                }
            }
        }
    }
}

async fn perform(stream: &mut TcpStream, step: Step) -> std::io::Result<()> {
    match step {
        Step::Send(bytes) => stream.write_all(&bytes).await,
        Step::Pieces(bytes, size) => {
            for piece in bytes.chunks(size) {
                stream.write_all(piece).await?;
                tokio::task::yield_now().await;
            }
            Ok(())
        }
        Step::Drip(bytes, pause) => loop {
            stream.write_all(&bytes).await?;
            tokio::time::sleep(pause).await;
        },
        Step::Endless(bytes) => loop {
            stream.write_all(&bytes).await?;
            tokio::task::yield_now().await;
        },
        Step::HalfClose => stream.shutdown().await,
        Step::Hold | Step::Reset | Step::Close => {
            let mut rest = [0; 1024];
            while stream.read(&mut rest).await? > 0 {}
            Ok(())
        }
    }
}

/// One request head; nothing if the client left.
pub(crate) async fn read_head(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    Some(String::from_utf8(head).unwrap())
}

/// Short limits, so that tests of limits need not wait.
pub(crate) fn settings(directory: &Path) -> Settings {
    Settings {
        connect_timeout: Duration::from_secs(5),
        first_byte_timeout: Duration::from_secs(5),
        body_timeout: Duration::from_secs(5),
        idle_timeout: Duration::from_secs(5),
        body_bytes_max: 1 << 20,
        head_bytes_max: 64 << 10,
        ..Settings::new("tintype-test (+https://tintype.invalid/)", directory)
    }
}

pub(crate) fn client() -> Client {
    client_with(|_| {})
}

pub(crate) fn client_with(change: impl FnOnce(&mut Settings)) -> Client {
    let mut settings = settings(&std::env::temp_dir());
    change(&mut settings);
    Client::new(settings).unwrap()
}

pub(crate) fn local(url: String) -> Ask {
    Ask { private_allowed: true, ..Ask::new(url) }
}

/// Head and body as archived.
pub(crate) fn archived(answer: Answer) -> (Vec<u8>, Vec<u8>) {
    let mut exchange = answer.exchange.unwrap_or_else(|| panic!("{:?} {:?}", answer.outcome, answer.note));
    let body = exchange.body.prefix(usize::MAX).unwrap();
    (exchange.response_head, body)
}
