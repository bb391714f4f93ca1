//! A web server of plain threads that can misbehave at will and remembers who asked for what, when and how.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, BufReader, Write},
    net::{IpAddr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

/// One request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) at: Instant,
    /// Path and query.
    pub(crate) target: String,
    headers: Vec<(String, String)>,
}

impl Asked {
    /// Who was asked, such as `http://127.0.0.1:40123`.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.header("host").unwrap_or_default())
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// What a host does with the connection a request came by.
type Misdeed = Box<dyn FnOnce(&mut TcpStream) -> io::Result<()>>;

/// What a host does about a request.
pub(crate) enum Reply {
    /// Sends these bytes and listens on.
    Bytes(Vec<u8>),
    /// Does this and hangs up.
    Misdeed(Misdeed),
}

/// An answer from its parts, with a length that is right.
pub(crate) fn answer(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    let mut bytes = format!("HTTP/1.1 {status} So\r\nContent-Length: {}\r\n", body.len()).into_bytes();
    for (name, value) in headers {
        bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    Reply::Bytes(bytes)
}

pub(crate) fn html(body: &str) -> Reply {
    answer(200, &[("Content-Type", "text/html; charset=utf-8")], body.as_bytes())
}

pub(crate) fn not_there() -> Reply {
    answer(404, &[("Content-Type", "text/plain")], b"nothing here")
}

pub(crate) fn redirect(to: &str) -> Reply {
    answer(302, &[("Location", to)], b"elsewhere")
}

/// Bytes that need not be HTTP, then the end of the connection.
pub(crate) fn raw(bytes: impl Into<Vec<u8>>) -> Reply {
    let bytes = bytes.into();
    Reply::Misdeed(Box::new(move |stream| stream.write_all(&bytes)))
}

type Handler = dyn Fn(&Asked) -> Reply + Send + Sync;

#[derive(Default)]
struct Memory {
    asked: Mutex<Vec<Asked>>,
    accepted: AtomicUsize,
    open: AtomicUsize,
    most_open: AtomicUsize,
    closing: AtomicBool,
}

/// A host that answers until it is dropped.
pub(crate) struct Host {
    address: SocketAddr,
    memory: Arc<Memory>,
}

impl Host {
    pub(crate) fn start(handler: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Host {
        Host::start_at([127, 0, 0, 1].into(), handler)
    }

    pub(crate) fn start_at(ip: IpAddr, handler: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Host {
        let listener = TcpListener::bind((ip, 0)).unwrap();
        let (address, memory) = (listener.local_addr().unwrap(), Arc::new(Memory::default()));
        let (handler, kept): (Arc<Handler>, _) = (Arc::new(handler), memory.clone());
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if kept.closing.load(Ordering::SeqCst) {
                    return;
                }
                let (handler, memory) = (handler.clone(), kept.clone());
                memory.accepted.fetch_add(1, Ordering::SeqCst);
                let open = memory.open.fetch_add(1, Ordering::SeqCst) + 1;
                memory.most_open.fetch_max(open, Ordering::SeqCst);
                thread::spawn(move || {
                    // A client that hangs up first is no concern of a server's.
                    let _ = converse(stream, &*handler, &memory);
                    memory.open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Host { address, memory }
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn seed(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// Every request so far, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.memory.asked.lock().unwrap().clone()
    }

    /// How often each target was asked for since the last call.
    pub(crate) fn take_hits(&self) -> BTreeMap<String, usize> {
        let asked = std::mem::take(&mut *self.memory.asked.lock().unwrap());
        asked.into_iter().fold(BTreeMap::new(), |mut hits, asked| {
            *hits.entry(asked.target).or_default() += 1;
            hits
        })
    }

    /// Connections taken in, whether or not anything was asked over them.
    pub(crate) fn accepted(&self) -> usize {
        self.memory.accepted.load(Ordering::SeqCst)
    }

    /// The most connections that were open at once.
    pub(crate) fn most_open(&self) -> usize {
        self.memory.most_open.load(Ordering::SeqCst)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.memory.closing.store(true, Ordering::SeqCst);
        // Wakes the thread that listens, so that it sees the flag.
        drop(TcpStream::connect(self.address));
    }
}

fn converse(mut stream: TcpStream, handler: &Handler, memory: &Memory) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(asked) = read_request(&mut reader)? {
        memory.asked.lock().unwrap().push(asked.clone());
        match handler(&asked) {
            Reply::Bytes(bytes) => stream.write_all(&bytes)?,
            Reply::Misdeed(misdeed) => return misdeed(&mut stream),
        }
    }
    Ok(())
}

fn read_request(reader: &mut impl BufRead) -> io::Result<Option<Asked>> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let target = lines.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
    let headers = lines.iter().skip(1).filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Ok(Some(Asked { at: Instant::now(), target, headers }))
}
