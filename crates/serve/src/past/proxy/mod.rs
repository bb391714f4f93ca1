//! A proxy to the past: a browser that is set to it sees every site as of one time, byte for byte, with nothing rewritten.
//!
//! What a browser would go on doing to the live web later, once the proxy is off, is held back: caching, cookies, workers,
//! policies of transport. Nothing is ever asked of the live web.

mod authority;

use super::{
    Past, choice, raw,
    reply::{Reply, ReplyBody},
};
use authority::Authority;
use axum::body::Body;
use http::{HeaderMap, Method, Request, Response, Uri};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use std::{convert::Infallible, io, net::SocketAddr, path::PathBuf, sync::Arc};
use tintype_archive::Error;
use tintype_vocab::Time;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// The name under which the proxy itself answers.
const OWN_HOST: &str = "tintype.proxy";
const HTTPS_PORT: u16 = 443;
const HTTP_PORT: u16 = 80;

/// Headers of the past that outlive the visit, or speak of a connection that is not there.
const DROPPED: [&str; 16] = [
    "strict-transport-security",
    "public-key-pins",
    "expect-ct",
    "alt-svc",
    "nel",
    "report-to",
    "reporting-endpoints",
    "set-cookie",
    "clear-site-data",
    "cache-control",
    "expires",
    "connection",
    "keep-alive",
    "transfer-encoding",
    "content-length",
    "content-encoding",
];

/// A proxy besides the interface.
#[derive(Clone, Debug)]
pub struct ProxyOptions {
    pub bind: SocketAddr,
    /// The past as of when; the latest if nothing is said.
    pub at: Option<Time>,
    /// Where the authority for TLS is kept, or made.
    pub authority: PathBuf,
    /// Certificates are valid from now on.
    pub now: Time,
}

/// A proxy, bound to an address, not answering yet.
#[derive(Debug)]
pub(super) struct BoundProxy {
    pub(super) socket: std::net::TcpListener,
    at: Time,
    authority: Arc<Authority>,
}

impl BoundProxy {
    pub(super) fn bind(options: &ProxyOptions) -> io::Result<BoundProxy> {
        let socket = std::net::TcpListener::bind(options.bind)?;
        socket.set_nonblocking(true)?;
        let authority = Arc::new(Authority::open(&options.authority, options.now)?);
        Ok(BoundProxy { socket, at: options.at.unwrap_or(Time::MAX), authority })
    }

    /// Answers until it is dropped.
    pub(super) async fn serve(self, past: Arc<Past>) -> io::Result<()> {
        let listener = TcpListener::from_std(self.socket)?;
        let proxy = Arc::new(Proxy { past, at: self.at, authority: self.authority });
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let proxy = proxy.clone();
                    tokio::spawn(async move { proxy.speak(TokioIo::new(stream), None).await });
                }
                // No socket is free at the moment: those that are open will be closed.
                Err(_) => tokio::time::sleep(super::OUT_OF_SOCKETS).await,
            }
        }
    }
}

#[derive(Debug)]
struct Proxy {
    past: Arc<Past>,
    at: Time,
    authority: Arc<Authority>,
}

impl Proxy {
    /// HTTP on a connection; within a tunnel under the origin it leads to.
    async fn speak<S>(self: Arc<Proxy>, stream: S, origin: Option<String>)
    where
        S: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
    {
        let service = service_fn(|request| {
            let (proxy, origin) = (self.clone(), origin.clone());
            async move { Ok::<_, Infallible>(proxy.answer(request, origin.as_deref()).await) }
        });
        // A browser that hangs up is no error.
        let _ = http1::Builder::new().serve_connection(stream, service).with_upgrades().await;
    }

    async fn answer(self: Arc<Proxy>, request: Request<Incoming>, origin: Option<&str>) -> Response<Body> {
        if request.method() == Method::CONNECT && origin.is_none() {
            return self.tunnel(request);
        }
        let asked = match ProxyAsk::read(&request, origin) {
            Ok(asked) => asked,
            Err(problem) => return Reply::error(400, problem).send(&self.past),
        };
        let worker = self.clone();
        let made = tokio::task::spawn_blocking(move || worker.reply(&asked)).await;
        let made = made.unwrap_or_else(|_| Reply::error(500, "this could not be answered; the others can"));
        self.past.metrics.counted(made.send(&self.past))
    }

    /// Speaks as the server a browser wants a tunnel to.
    fn tunnel(self: Arc<Proxy>, request: Request<Incoming>) -> Response<Body> {
        let Some(to) = request.uri().authority().cloned() else {
            return Reply::error(400, "CONNECT needs a host and a port").send(&self.past);
        };
        let (past, host, port) = (self.past.clone(), to.host().to_owned(), to.port_u16().unwrap_or(HTTPS_PORT));
        tokio::spawn(async move {
            let Ok(upgraded) = hyper::upgrade::on(request).await else { return };
            if port == HTTP_PORT {
                return self.speak(upgraded, Some(format!("http://{host}"))).await;
            }
            let origin = match port {
                HTTPS_PORT => format!("https://{host}"),
                port => format!("https://{host}:{port}"),
            };
            let Ok(config) = self.authority.server(&host) else { return };
            if let Ok(stream) = TlsAcceptor::from(Arc::new(config)).accept(TokioIo::new(upgraded)).await {
                self.speak(TokioIo::new(stream), Some(origin)).await;
            }
        });
        Reply::text(200, "text/plain", "").send(&past)
    }

    fn reply(&self, ask: &ProxyAsk) -> Reply {
        if let Some(path) = ask.own_path() {
            return self.own(path);
        }
        let shown = self.show(ask).unwrap_or_else(|error| Reply::error(500, &error.to_string()));
        shown.with("Cache-Control", "no-store")
    }

    fn show(&self, ask: &ProxyAsk) -> Result<Reply, Error> {
        if ask.is_worker_script {
            return Ok(Reply::error(403, "workers of the past would outlive this proxy"));
        }
        let (page, root) = (ask.is_navigation, ask.referrer.as_deref());
        let chosen = match page {
            true => choice::page(&self.past, &ask.url, self.at)?,
            false => choice::part(&self.past, &ask.url, choice::root(&self.past, root, self.at)?)?,
        };
        let chosen = match chosen {
            Ok(chosen) => chosen,
            Err(none) => return Ok(none),
        };
        let time = chosen.memento.time.to_mail_date();
        let fields = chosen.opened.fields();
        let status = chosen.opened.status;
        let sent = raw::reply(chosen.opened, ask.range.as_deref(), &ask.codings);
        let kept = fields.into_iter().filter(|(name, _)| !DROPPED.contains(&name.to_ascii_lowercase().as_str()));
        let mut headers: Vec<(String, String)> =
            kept.map(|(name, value)| (name, String::from_utf8_lossy(&value).into_owned())).collect();
        headers.extend(sent.headers.into_iter().filter(|(name, _)| raw::describes_bytes(name)));
        let status = if sent.status == 200 { status } else { sent.status };
        let mut reply = Reply { status, headers, body: sent.body }.with("Memento-Datetime", &time);
        if let Some(verdict) = chosen.verdict {
            reply = reply.with("X-Tintype-Coherence", verdict.as_str());
        }
        Ok(reply)
    }

    /// The proxy about itself.
    fn own(&self, path: &str) -> Reply {
        match path {
            "/authority.pem" => Reply {
                status: 200,
                headers: vec![("Content-Type".to_owned(), "application/x-x509-ca-cert".to_owned())],
                body: ReplyBody::Whole(self.authority.certificate.clone().into_bytes()),
            },
            "/" => Reply::text(200, "text/plain; charset=utf-8", self.about()),
            _ => Reply::error(404, "there is no such address here"),
        }
    }

    fn about(&self) -> String {
        let at =
            if self.at == Time::MAX { "the latest copies".to_owned() } else { format!("the web as of {}", self.at) };
        format!(
            "This proxy shows {at}.\nPages by https need http://{OWN_HOST}/authority.pem among the authorities of this browser: \
             better of a profile of its own.\n"
        )
    }
}

/// A request to the proxy, as far as its answer depends on it.
#[derive(Debug)]
struct ProxyAsk {
    url: String,
    is_navigation: bool,
    is_worker_script: bool,
    referrer: Option<String>,
    range: Option<String>,
    codings: String,
}

impl ProxyAsk {
    fn read(request: &Request<Incoming>, origin: Option<&str>) -> Result<ProxyAsk, &'static str> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Err("the past is only read: GET and HEAD");
        }
        let headers = request.headers();
        let text = |name: &str| text_of(headers, name);
        let url = url_of(request.uri(), origin, text("host").as_deref()).ok_or("the address of no web page")?;
        if url.len() > super::ask::TARGET_MAX {
            return Err("no page that was ever captured has an address as long as this");
        }
        Ok(ProxyAsk {
            url,
            is_navigation: super::ask::is_navigation(headers),
            is_worker_script: text("service-worker").is_some(),
            referrer: text("referer"),
            range: text("range"),
            codings: text("accept-encoding").unwrap_or_default(),
        })
    }

    fn own_path(&self) -> Option<&str> {
        self.url.strip_prefix("http://")?.strip_prefix(OWN_HOST).filter(|path| path.starts_with('/'))
    }
}

fn text_of(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// What is asked for: within a tunnel a path, otherwise a whole address.
fn url_of(uri: &Uri, origin: Option<&str>, host: Option<&str>) -> Option<String> {
    let target = uri.path_and_query().map_or("/", |target| target.as_str());
    match (origin, uri.scheme_str(), uri.authority()) {
        (Some(origin), ..) => Some(format!("{origin}{target}")),
        (None, Some(scheme @ ("http" | "https")), Some(host)) => Some(format!("{scheme}://{host}{target}")),
        (None, None, None) => Some(format!("http://{}{target}", host?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_from_either_form_of_a_request() {
        let of = |uri: &str, origin, host| url_of(&uri.parse().unwrap(), origin, host);
        assert_eq!(of("http://e.com/a?b", None, Some("x")).as_deref(), Some("http://e.com/a?b"));
        assert_eq!(of("/a", Some("https://e.com"), Some("x")).as_deref(), Some("https://e.com/a"));
        assert_eq!(of("/", None, Some("tintype.proxy")).as_deref(), Some("http://tintype.proxy/"));
        assert_eq!(of("ftp://e.com/a", None, None), None);
    }
}
