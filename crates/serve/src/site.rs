//! Serves a site that exists only as a function: the demo's newsroom, a test's hostile server, a recorded past.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    Request, Response, StatusCode,
    body::Incoming,
    header::{HeaderName, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, thread, time::Duration};

/// How long to wait before listening on when the system has no socket left for one more connection.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(20);

/// What the function sees.
#[derive(Clone, Debug)]
pub struct Question {
    /// Path and query.
    pub target: String,
    /// Host and port the asker believes to be talking to.
    pub host: Option<String>,
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

/// A reply that was recorded: what HTTP cannot carry of it is left out, because there are servers that send anything.
pub fn recorded<'a>(status: u16, headers: impl IntoIterator<Item = (&'a str, &'a str)>, body: Vec<u8>) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from(body)));
    *reply.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            reply.headers_mut().append(name, value);
        }
    }
    reply
}

type Handler = dyn Fn(&Question) -> Reply + Send + Sync;

/// A site being served until this is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

/// An address taken, not answering yet: whoever connects waits until a handler is there. A site that writes its own
/// address into its pages learns it here.
#[derive(Debug)]
pub struct Bound {
    socket: std::net::TcpListener,
    address: SocketAddr,
    latency: Duration,
}

impl Bound {
    /// Port 0 picks a free one.
    pub fn to(address: SocketAddr) -> io::Result<Bound> {
        let socket = std::net::TcpListener::bind(address)?;
        socket.set_nonblocking(true)?;
        let address = socket.local_addr()?;
        Ok(Bound { socket, address, latency: Duration::ZERO })
    }

    /// Every request waits so long before the handler sees it.
    pub fn with_latency(self, latency: Duration) -> Bound {
        Bound { latency, ..self }
    }

    /// Such as `http://127.0.0.1:40123`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Serves `handler` from a thread of its own.
    pub fn serve(self, handler: impl Fn(&Question) -> Reply + Send + Sync + 'static) -> io::Result<Server> {
        let Bound { socket, address, latency } = self;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let handler: Arc<Handler> = Arc::new(handler);
        let thread = thread::Builder::new().name("site".to_owned()).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    result = accept(socket, latency, handler) => drop(result),
                    _ = stopped => {}
                }
            });
        })?;
        Ok(Server { address, stop: Some(stop), thread: Some(thread) })
    }
}

impl Server {
    /// Serves `handler` on `address` (port 0 picks a free one) from a thread of its own.
    pub fn start(
        address: SocketAddr,
        handler: impl Fn(&Question) -> Reply + Send + Sync + 'static,
    ) -> io::Result<Server> {
        Bound::to(address)?.serve(handler)
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

async fn accept(socket: std::net::TcpListener, latency: Duration, handler: Arc<Handler>) -> io::Result<Infallible> {
    let listener = tokio::net::TcpListener::from_std(socket)?;
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(OUT_OF_SOCKETS).await;
            continue;
        };
        // Only speed depends on it, and a client that has hung up already must not end the site.
        let _ = stream.set_nodelay(true);
        let handler = handler.clone();
        let service = service_fn(move |request| {
            let handler = handler.clone();
            async move {
                if !latency.is_zero() {
                    tokio::time::sleep(latency).await;
                }
                Ok::<_, Infallible>(handler(&question(&request)))
            }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

fn question(request: &Request<Incoming>) -> Question {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    Question {
        target: request.uri().path_and_query().map_or("/", |target| target.as_str()).to_owned(),
        host: header(http::header::HOST),
        if_none_match: header(http::header::IF_NONE_MATCH),
        if_modified_since: header(http::header::IF_MODIFIED_SINCE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_http_cannot_carry_of_a_recorded_reply_is_left_out() {
        let odd = [("Set-Cookie", "a"), ("set-cookie", "b"), ("X Y", "c"), ("", "d"), ("Z", "e\nf")];
        let reply = recorded(200, odd, b"body".to_vec());
        let kept: Vec<_> = reply.headers().iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        assert_eq!(kept, [("set-cookie", &b"a"[..]), ("set-cookie", b"b")]);
        assert_eq!(recorded(7, [], Vec::new()).status(), 502);
    }
}
