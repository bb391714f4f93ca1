//! Serves a site that exists only as a function: the demo's newsroom, a test's hostile server, a recorded past.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, thread};

/// What the function sees.
#[derive(Clone, Debug)]
pub struct Question {
    /// Path and query.
    pub target: String,
    pub if_none_match: Option<String>,
    pub if_modified_since: Option<String>,
}

/// What it answers.
pub type Reply = Response<Full<Bytes>>;

/// A reply from its parts. Parts that HTTP cannot carry are a bug of whoever wrote the site.
pub fn reply(status: u16, headers: &[(&str, String)], body: Vec<u8>) -> Reply {
    let builder =
        headers.iter().fold(Response::builder().status(status), |reply, (name, value)| reply.header(*name, value));
    builder.body(Full::new(Bytes::from(body))).expect("the parts of a scripted reply are plain")
}

type Handler = dyn Fn(&Question) -> Reply + Send + Sync;

/// A site being served until this is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Server {
    /// Serves `handler` on `address` (port 0 picks a free one) from a thread of its own.
    pub fn start(
        address: SocketAddr,
        handler: impl Fn(&Question) -> Reply + Send + Sync + 'static,
    ) -> io::Result<Server> {
        let socket = std::net::TcpListener::bind(address)?;
        socket.set_nonblocking(true)?;
        let address = socket.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let handler: Arc<Handler> = Arc::new(handler);
        let thread = thread::Builder::new().name("site".to_owned()).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    result = accept(socket, handler) => drop(result),
                    _ = stopped => {}
                }
            });
        })?;
        Ok(Server { address, stop: Some(stop), thread: Some(thread) })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Such as `http://127.0.0.1:40123`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A handler that panicked has said so already.
            drop(thread.join());
        }
    }
}

async fn accept(socket: std::net::TcpListener, handler: Arc<Handler>) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(socket)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let handler = handler.clone();
        let service = service_fn(move |request| {
            let reply = handler(&question(&request));
            async move { Ok::<_, Infallible>(reply) }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

fn question(request: &Request<Incoming>) -> Question {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    Question {
        target: request.uri().path_and_query().map_or("/", |target| target.as_str()).to_owned(),
        if_none_match: header(http::header::IF_NONE_MATCH),
        if_modified_since: header(http::header::IF_MODIFIED_SINCE),
    }
}
